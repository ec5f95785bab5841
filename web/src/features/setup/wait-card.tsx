import { Link } from "wouter";
import type { Stream } from "@/api/types";
import { reachable } from "@/features/streams/urls";
import { useTopic } from "@/feed/use-topic";
import { agentName, plainText, sentenceText } from "@/format/hostile";
import { bitrate, fps, seconds, text } from "@/format/numbers";
import { clock, hms } from "@/format/time";
import { LivePicture } from "@/player/live-picture";
import { ButtonLink } from "@/ui/button";
import { Checks, type Check } from "@/ui/checks";
import { CopyField } from "@/ui/copy";
import { GateArt } from "@/ui/gate";
import { Mark } from "@/ui/mark";
import { useNow } from "@/ui/now";

/** Watches for the encoder: each step as it happens, then the picture. */
export function WaitCard({ stream, since, live }: { stream: Stream; since: string; live: boolean }) {
  const now = useNow();
  const refused = useTopic("refusals")
    .items.filter((r) => r.action === "publish" && r.occurred_at > since)
    .at(-1);
  const begun = new Date(since);
  if (live) return <Arrived stream={stream} />;
  const connected = Boolean(stream.live);
  const waiting: Check[] = [
    { tone: "ok", text: "Listening for encoders", result: "ready" },
    { tone: "ok", text: "Key is in force", result: `since ${hms(begun)}` },
    connected
      ? { tone: "ok", text: "Your encoder connected", result: agentName(stream.live?.publisher.agent ?? "") }
      : { tone: "wait", text: "Your encoder connects", result: "waiting" },
    connected ? { tone: "ok", text: "Its key was accepted", result: "done" } : { tone: "idle", text: "Its key is accepted", result: "–" },
    connected ? { tone: "wait", text: "First picture arrives", result: "waiting" } : { tone: "idle", text: "First picture arrives", result: "–" },
  ];
  if (refused && !connected) {
    waiting.splice(2, 0, { tone: "bad", stop: true, text: "An encoder was refused", result: hms(new Date(refused.occurred_at)), why: sentenceText(refused.detail) });
  }
  return (
    <section className="panel" aria-label="Waiting for your encoder">
      <div className="wait-pic">
        <GateArt />
        <div className="say">
          <Mark tone="wait" />
          <b aria-live="polite">{connected ? "Connected, waiting for the picture…" : "Waiting for your encoder…"}</b>
          <span>{clock((now.getTime() - begun.getTime()) / 1000)}</span>
        </div>
      </div>
      <div className="pad">
        <Checks items={waiting} />
      </div>
      <footer>
        <span>
          Nothing after a minute?{" "}
          <Link className="link" href="/access">
            Look for the reason
          </Link>
        </span>
      </footer>
    </section>
  );
}

function Arrived({ stream }: { stream: Stream }) {
  const live = stream.live;
  const facts = [
    live?.video && live.video.width_px > 0 ? `${live.video.width_px} × ${live.video.height_px}` : "",
    live && live.fps > 0 ? `${fps(live.fps)} fps` : "",
    live && live.in_kbps > 0 ? text(bitrate(live.in_kbps)) : "",
    live && live.key_interval_ms > 0 ? `a key frame every ${seconds(live.key_interval_ms)} s` : "",
  ].filter(Boolean);
  return (
    <section className="panel" aria-label="Your picture">
      <div className="wait-pic player">
        <LivePicture stream={stream} />
      </div>
      <div className="pad stack">
        <Checks
          items={[
            { tone: "ok", text: "Your encoder connected", result: agentName(live?.publisher.agent ?? "") },
            { tone: "ok", text: "Its key was accepted", result: live ? hms(new Date(live.started_at)) : "" },
            { tone: "ok", text: live?.video ? "First picture arrived" : "First sound arrived", result: live?.video?.codec ?? live?.audio?.codec, why: facts.join(", ") },
          ]}
        />
        {stream.urls && <CopyField label="Watch at" what="play address" value={reachable(stream.urls.http_flv)} />}
        <div className="acts">
          <ButtonLink href={`/streams/${stream.id}`} look="primary">
            Open {plainText(stream.name, 40)}
          </ButtonLink>
          <ButtonLink href="/">Go to overview</ButtonLink>
        </div>
      </div>
    </section>
  );
}
