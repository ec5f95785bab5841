import type { Stream } from "@/api/types";
import { LivePicture } from "@/player/live-picture";
import { GateArt } from "@/ui/gate";
import { Mark } from "@/ui/mark";

/** The player, or what it waits for. */
export function PicturePanel({ stream }: { stream: Stream }) {
  const { live } = stream;
  const media = Boolean(live?.video ?? live?.audio);
  return (
    <section className="pic player o1" aria-label="Player">
      {media ? (
        <LivePicture stream={stream} />
      ) : (
        <div className="say-over idle-pic">
          <GateArt />
          <p role="status">
            <Mark tone={live ? "wait" : "idle"} />
            {live ? "Waiting for the first picture…" : stream.enabled ? "Nobody publishes. The picture comes with the encoder." : "This stream is disabled."}
          </p>
        </div>
      )}
    </section>
  );
}
