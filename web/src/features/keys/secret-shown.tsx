import type { KeySecret } from "@/api/types";
import { EncoderGuide } from "@/features/connect/encoder-guide";
import { OnceNote } from "@/features/connect/once-note";
import { reachable } from "@/features/streams/urls";
import { plainText } from "@/format/hostile";
import { Button } from "@/ui/button";
import { CopyField } from "@/ui/copy";
import { Dialog } from "@/ui/dialog";

/** A new secret with everything an encoder needs. Closing it is the last time it can be seen. */
export function SecretShown({ open, onClose, title, made, streamName }: { open: boolean; onClose: () => void; title: string; made: KeySecret; streamName: string }) {
  const server = reachable(made.urls.rtmp_server);
  return (
    <Dialog open={open} onClose={onClose} title={title} about={`For ${plainText(streamName, 60)}.`}>
      <CopyField label="Server" what="server" value={server} />
      <CopyField label="Stream key" what="stream key" value={made.secret} once hint={<OnceNote last4={made.key.secret_last4} />} />
      <EncoderGuide server={server} secret={made.secret} />
      <div className="acts">
        <Button look="primary" onClick={onClose}>
          I have it
        </Button>
      </div>
    </Dialog>
  );
}
