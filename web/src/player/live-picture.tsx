import { lazy, Suspense, useEffect, useState } from "react";
import type { Stream } from "@/api/types";
import { playPath } from "@/features/streams/urls";
import { pictureName } from "@/format/numbers";
import { plainText } from "@/format/hostile";
import { useAdmission } from "./admission";
import { NeedsToken } from "./needs-token";

const Player = lazy(() => import("./player")); // brings mpegts.js along

/** How long a track may take to follow the other before the stream counts as having one only. */
const secondTrack = 1500;

/**
 * The live picture of a stream. The player has to be told beforehand which tracks there are, so it starts when both
 * are known, or when the second has had its time. A new publisher or a track that comes later starts it anew.
 */
export function LivePicture({ stream, bare }: { stream: Stream; bare?: boolean }) {
  const live = stream.live;
  const admission = useAdmission(stream);
  const tracks = (live?.video ? 1 : 0) + (live?.audio ? 1 : 0);
  const start = live?.started_at ?? "";
  const [waited, setWaited] = useState("");
  useEffect(() => {
    if (tracks !== 1) return;
    const age = Date.now() - new Date(start).getTime();
    const timer = setTimeout(() => setWaited(start), Math.max(0, Math.min(secondTrack, secondTrack - age)));
    return () => clearTimeout(timer);
  }, [tracks, start]);

  if (!live || tracks === 0 || (tracks === 1 && waited !== start) || admission.kind === "asking") return null;
  if (admission.kind === "shut") return <NeedsToken bare={bare} />;
  return (
    <Suspense>
      <Player
        key={start}
        source={{ path: playPath(stream), hasVideo: Boolean(live.video), hasAudio: Boolean(live.audio), ticket: admission.kind === "token" ? admission.ticket : undefined }}
        name={plainText(stream.name, 80)}
        picture={pictureName(live.video ? { codec: live.video.codec, width: live.video.width_px, height: live.video.height_px } : null, live.fps)}
        {...(bare ? { bare } : {})}
      />
    </Suspense>
  );
}
