import { useMemo } from "react";
import { phrase } from "@/features/events/phrase";
import { useTopic } from "@/feed/use-topic";
import { Empty } from "@/ui/empty";
import { Panel } from "@/ui/panel";
import { Skeleton } from "@/ui/skeleton";
import { Timeline } from "@/ui/timeline";

/** What happened on this server, newest first. */
export function EventList() {
  const { items, pending } = useTopic("events");
  const lines = useMemo(() => [...items].reverse().map((e) => phrase(e, true)), [items]);
  return (
    <Panel title="Events" sub={lines.length > 0 ? `the last ${lines.length}` : undefined}>
      {pending ? <Skeleton lines={6} /> : lines.length === 0 ? <Empty title="Nothing yet">Who publishes, who is refused and why stands here.</Empty> : <Timeline items={lines} />}
    </Panel>
  );
}
