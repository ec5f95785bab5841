import type { Stream } from "@/api/types";
import { pictureName } from "@/format/numbers";
import { cx } from "@/ui/cx";
import { Pin } from "@/ui/icon";
import { OnPicture } from "@/ui/mark";
import { Moment } from "@/ui/moment";
import { shortFinding } from "./health";
import { Preview } from "./preview";

interface PictureProps {
  stream: Stream;
  playing: boolean;
  pinned: boolean;
  onPin: () => void;
  showPin: boolean;
}

/** The picture of a tile, or why there is none. */
export function TilePicture({ stream, playing, pinned, onPin, showPin }: PictureProps) {
  const { live } = stream;
  if (!live) {
    return (
      <div className="pic none">
        <div className="no-pic">
          <b>Nobody publishes</b>
          {stream.created_at && (
            <span>
              Made <Moment at={stream.created_at} />
            </span>
          )}
        </div>
      </div>
    );
  }
  if (!live.video && !live.audio) {
    return (
      <div className="pic none">
        <div className="no-pic">
          <b>Waiting for the first picture</b>
          <span>
            The encoder connected <Moment at={live.started_at} /> and has sent no media
          </span>
        </div>
      </div>
    );
  }
  const finding = shortFinding(stream);
  const video = live.video ? { codec: live.video.codec, width: live.video.width_px, height: live.video.height_px } : null;
  return (
    <div className="pic">
      <Preview stream={stream} playing={playing} />
      <span className="tl">
        <OnPicture tone="live">Live</OnPicture>
        {finding && !showPin && (
          <OnPicture tone={live.health === "bad" ? "bad" : "warn"}>
            <span className="cut" title={finding}>
              {finding}
            </span>
          </OnPicture>
        )}
      </span>
      <span className={cx("tr", !showPin && "on-focus")}>
        <button type="button" className="ib" aria-pressed={pinned} aria-label={pinned ? "Unpin the live picture" : "Pin the live picture"} onClick={onPin}>
          <Pin />
        </button>
      </span>
      <span className="br on-pic">{pictureName(video, live.fps)}</span>
    </div>
  );
}
