import { useEffect, useRef, useState, type RefObject } from "react";
import { Button } from "@/ui/button";
import { GateArt } from "@/ui/gate";
import { Maximize, Pause, PictureInPicture, Play, Volume, VolumeOff } from "@/ui/icon";
import { Mark, OnPicture } from "@/ui/mark";
import { LivePlayer, type PlayerStatus, type Source } from "./engine";

interface PlayerProps {
  source: Source;
  /** Of the stream, for screen readers. */
  name: string;
  /** "1080p50". */
  picture: string;
  /** Without controls, for a preview. */
  bare?: boolean;
}

/** The live picture, muted until somebody asks for sound, and what goes wrong in words. */
export default function Player({ source, name, picture, bare }: PlayerProps) {
  const video = useRef<HTMLVideoElement>(null);
  const live = useRef<LivePlayer | null>(null);
  const [status, setStatus] = useState<PlayerStatus>({ kind: "connecting" });
  const [round, setRound] = useState(0);
  const { path, hasVideo, hasAudio, ticket } = source;

  useEffect(() => {
    if (!video.current) return;
    const player = new LivePlayer(video.current, { path, hasVideo, hasAudio, ticket }, setStatus);
    live.current = player;
    return () => player.destroy();
  }, [path, hasVideo, hasAudio, ticket, round]);

  return (
    <>
      <video ref={video} muted autoPlay playsInline aria-label={`Live picture of ${name}`} className={hasVideo ? undefined : "off"} />
      {!hasVideo && status.kind === "playing" && <span className="sound-only">Sound only</span>}
      {status.kind !== "playing" && (
        <Overlay
          status={status}
          bare={bare}
          again={() => {
            if (status.kind === "blocked") live.current?.resume();
            else setRound(round + 1);
          }}
        />
      )}
      {!bare && (
        <>
          <span className="tl">
            {status.kind === "playing" && <OnPicture tone="live">Live</OnPicture>}
            {picture && <OnPicture>{picture}</OnPicture>}
          </span>
          <Bar video={video} live={live} />
        </>
      )}
    </>
  );
}

function Overlay({ status, bare, again }: { status: PlayerStatus; bare: boolean | undefined; again: () => void }) {
  if (bare && status.kind !== "failed") return null;
  return (
    <div className="say-over" role="status">
      {status.kind === "connecting" && (
        <>
          <GateArt />
          <p>
            <Mark tone="wait" /> Connecting to the picture…
          </p>
        </>
      )}
      {status.kind === "blocked" && (
        <Button onClick={again}>
          <Play /> Play
        </Button>
      )}
      {status.kind === "ended" && <p>The publisher left. The picture comes back with it.</p>}
      {status.kind === "failed" && (
        <>
          <p>
            <Mark tone="warn" /> {status.why}
          </p>
          {status.final && !bare && <Button onClick={again}>Try again</Button>}
        </>
      )}
    </div>
  );
}

interface BarProps {
  video: RefObject<HTMLVideoElement | null>;
  live: RefObject<LivePlayer | null>;
}

function Bar({ video, live }: BarProps) {
  const [paused, setPaused] = useState(false);
  const [muted, setMuted] = useState(true);
  const [facts, setFacts] = useState<{ behind: number; transport: string }>({ behind: 0, transport: "HTTP-FLV" });

  useEffect(() => {
    const el = video.current;
    if (!el) return;
    const read = () => {
      setPaused(el.paused);
      setMuted(el.muted);
    };
    const events = ["play", "pause", "volumechange"] as const;
    events.forEach((e) => el.addEventListener(e, read));
    const timer = setInterval(() => {
      if (live.current) setFacts({ behind: live.current.behind(), transport: live.current.transport });
    }, 1000);
    return () => {
      events.forEach((e) => el.removeEventListener(e, read));
      clearInterval(timer);
    };
  }, [video, live]);

  const toggle = () => {
    if (video.current?.paused) live.current?.resume();
    else video.current?.pause();
  };
  return (
    <div className="bar">
      <button type="button" aria-label={paused ? "Play" : "Pause"} onClick={toggle}>
        {paused ? <Play /> : <Pause />}
      </button>
      <button
        type="button"
        aria-label={muted ? "Unmute" : "Mute"}
        onClick={() => live.current?.setMuted(!muted)}
      >
        {muted ? <VolumeOff /> : <Volume />}
      </button>
      <span className="grow">
        <span className="hide-s">{facts.transport}</span>
        {!paused && facts.behind > 0 && <span title="Between the newest that arrived here and what is shown">{facts.behind.toFixed(1)} s behind</span>}
      </span>
      {"requestPictureInPicture" in HTMLVideoElement.prototype && (
        <button type="button" aria-label="Picture in picture" onClick={() => void video.current?.requestPictureInPicture().catch(() => undefined)}>
          <PictureInPicture />
        </button>
      )}
      <button type="button" aria-label="Full screen" onClick={() => void video.current?.parentElement?.requestFullscreen().catch(() => undefined)}>
        <Maximize />
      </button>
    </div>
  );
}
