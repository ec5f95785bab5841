import type { ReactNode } from "react";
import { cx } from "./cx";
import { Mark, type Tone } from "./mark";

export interface Check {
  tone: Tone;
  text: ReactNode;
  result?: ReactNode;
  why?: ReactNode;
  stop?: boolean;
}

/** Things in order, each done, under way, or not reached. */
export function Checks({ items }: { items: readonly Check[] }) {
  return (
    <ol className="checks">
      {items.map((c, i) => (
        <li key={i} className={cx(c.stop && "stop", c.tone === "idle" && "skip")}>
          <Mark tone={c.tone} />
          <span>{c.text}</span>
          <span className="res num">{c.result}</span>
          {c.why && <span className="why">{c.why}</span>}
        </li>
      ))}
    </ol>
  );
}
