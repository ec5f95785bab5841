import type { Stream } from "@/api/types";
import { afterFirst, firstSentence, healthOf } from "@/features/streams/health";
import { plural, seconds } from "@/format/numbers";
import { Badge, Mark } from "@/ui/mark";
import { Panel } from "@/ui/panel";

/** Findings in plain words: a fact, what follows from it, what to do. */
export function HealthPanel({ stream }: { stream: Stream }) {
  const { live } = stream;
  if (!live) return null;
  const health = healthOf(stream);
  const { findings } = live;
  const interval = live.key_interval_ms;
  const calm = !findings.some((f) => f.code.startsWith("key_interval"));
  return (
    <Panel
      title="Health"
      sub={findings.length > 0 ? `${plural(findings.length, "thing")} to improve` : undefined}
      end={<Badge tone={health.tone}>{health.word}</Badge>}
      className="o2"
    >
      {findings.map((f) => (
        <div className="note" key={f.code}>
          <Mark tone={f.severity === "bad" ? "bad" : "warn"} />
          <div className="b">
            <h3>{firstSentence(f.text)}</h3>
            {afterFirst(f.text) && <p>{afterFirst(f.text)}</p>}
          </div>
        </div>
      ))}
      {interval > 0 && calm && (
        <div className="note">
          <Mark tone="ok" />
          <div className="b">
            <h3>Key frames come often enough</h3>
            <p>
              Every {seconds(interval)} s: a new player sees a picture in {seconds(interval / 2)} s on average.
            </p>
          </div>
        </div>
      )}
      {findings.length === 0 && (
        <div className="note">
          <Mark tone={health.tone === "wait" ? "wait" : "ok"} />
          <div className="b">
            <h3>{health.tone === "wait" ? "Waiting for the first picture" : "Nothing to improve"}</h3>
            <p>{health.tone === "wait" ? "The encoder is connected and has sent no media yet." : "Rate, frames and timestamps are steady."}</p>
          </div>
        </div>
      )}
    </Panel>
  );
}
