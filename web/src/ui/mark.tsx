import type { ReactNode } from "react";
import { cx } from "./cx";

/** A state as shape and colour. A mark never stands alone: a word is beside it. */
export type Tone = "live" | "ok" | "warn" | "bad" | "idle" | "wait";

export function Mark({ tone }: { tone: Tone }) {
  return <i className={cx("mark", tone)} aria-hidden="true" />;
}

/** A state in a panel or page head. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={cx("badge", tone)}>
      <Mark tone={tone} />
      {children}
    </span>
  );
}

/** A state in a row. */
export function State({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={cx("state", tone)}>
      <Mark tone={tone} />
      {children}
    </span>
  );
}

/** A state or fact laid over a picture. */
export function OnPicture({ tone, children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className="on-pic">
      {tone && <Mark tone={tone} />}
      {children}
    </span>
  );
}
