import { useEffect, useRef, useState } from "react";
import type { Stream } from "@/api/types";
import { LivePicture } from "@/player/live-picture";

// The last picture of each stream that was looked at, until the page is left.
const stills = new Map<string, string>();

function keepStill(id: string, box: HTMLElement | null): void {
  const video = box?.querySelector("video");
  if (!video || video.videoWidth === 0) return;
  const canvas = document.createElement("canvas");
  canvas.width = 480;
  canvas.height = Math.round((480 * video.videoHeight) / video.videoWidth);
  canvas.getContext("2d")?.drawImage(video, 0, 0, canvas.width, canvas.height);
  canvas.toBlob(
    (blob) => {
      if (!blob) return;
      const old = stills.get(id);
      if (old) URL.revokeObjectURL(old);
      stills.set(id, URL.createObjectURL(blob));
    },
    "image/jpeg",
    0.7,
  );
}

/** True once the pointer has stayed; passing over a grid must not open a player for each tile. */
export function useStayed(over: boolean): boolean {
  const [stayed, setStayed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setStayed(over), over ? 350 : 0);
    return () => clearTimeout(timer);
  }, [over]);
  return stayed;
}

/** The picture of a tile: live while playing, the last one seen otherwise, and a drawing before that. */
export function Preview({ stream, playing }: { stream: Stream; playing: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const { id } = stream;
  useEffect(() => {
    const el = box.current;
    if (!playing) return;
    return () => keepStill(id, el);
  }, [playing, id]);
  const still = stills.get(id);
  return (
    <div ref={box} className="absolute inset-0">
      {still ? (
        <img className="still" src={still} alt="" />
      ) : (
        <>
          <Drawing audio={!stream.live?.video} />
          {!playing && <How audio={!stream.live?.video} />}
        </>
      )}
      {playing && <LivePicture stream={stream} bare />}
    </div>
  );
}

/** A wave alone does not say that the picture is only a gesture away. */
function How({ audio }: { audio: boolean }) {
  const what = audio ? "sound" : "picture";
  return (
    <span className="how">
      <span className="by-mouse">Hover or pin for the {what}</span>
      <span className="by-touch">Pin for the {what}</span>
    </span>
  );
}

const wave = [3, 7, 12, 8, 15, 22, 11, 18, 26, 14, 20, 9, 16, 24, 12, 19, 8, 13, 21, 10, 6, 11, 4];

function Drawing({ audio }: { audio: boolean }) {
  return (
    <svg className="quiet-art" viewBox="0 0 320 180" preserveAspectRatio="xMidYMid slice" fill="none" stroke="currentColor" strokeWidth="3" strokeLinecap="round" aria-hidden="true">
      {audio ? (
        wave.map((h, i) => <path key={i} d={`M${72 + i * 8} ${90 - h}v${h * 2}`} />)
      ) : (
        <path strokeWidth="1.5" d="M0 122q20 10 40 0t40 0 40 0 40 0 40 0 40 0 40 0 40 0M0 138q20 10 40 0t40 0 40 0 40 0 40 0 40 0 40 0 40 0M0 154q20 10 40 0t40 0 40 0 40 0 40 0 40 0 40 0 40 0" />
      )}
    </svg>
  );
}
