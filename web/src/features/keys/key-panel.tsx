import { useState } from "react";
import type { Stream } from "@/api/types";
import { useMay } from "@/app/session";
import { plainText } from "@/format/hostile";
import { Button } from "@/ui/button";
import { Empty } from "@/ui/empty";
import { Failed } from "@/ui/failed";
import { Plus } from "@/ui/icon";
import { Panel } from "@/ui/panel";
import { Skeleton } from "@/ui/skeleton";
import { KeyItem } from "./key-item";
import { NewKey } from "./new-key";
import { useKeys } from "./queries";

/** The keys of one stream. */
export function KeyPanel({ stream, title = "Stream keys", className }: { stream: Stream; title?: string; className?: string }) {
  const keys = useKeys(stream);
  const [adding, setAdding] = useState(false);
  const may = useMay("operator");
  const name = plainText(stream.name, 60);
  if (!stream.configured) return null;
  const add = may && (
    <Button look="quiet" small onClick={() => setAdding(true)}>
      <Plus />
      New key
    </Button>
  );
  return (
    <Panel title={title} sub={keys.data?.length} end={add} {...(className ? { className } : {})}>
      {keys.isPending ? (
        <Skeleton lines={2} />
      ) : keys.error ? (
        <Failed what="Keys" error={keys.error} retry={() => void keys.refetch()} />
      ) : keys.data.length === 0 ? (
        <Empty title="No key">Nobody can publish to {name} with a key. Make one for your encoder.</Empty>
      ) : (
        keys.data.map((k) => <KeyItem key={k.id} streamId={stream.id} streamName={name} item={k} />)
      )}
      <NewKey open={adding} onClose={() => setAdding(false)} streamId={stream.id} streamName={name} />
    </Panel>
  );
}
