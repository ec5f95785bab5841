import { useEffect, useId, useState, type ReactNode } from "react";
import { cx } from "./cx";
import { Check, Copy } from "./icon";

/** Writes to the clipboard, also where the page is not a secure context and the clipboard API is missing. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "vh";
    (document.querySelector('[role="dialog"]') ?? document.body).append(area);
    area.select();
    // Deprecated, and the only way over plain http, which is how a fresh installation is opened.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

type Phase = "rest" | "done" | "failed";

/** A button that copies and says so for two seconds. */
export function CopyButton({ text, what, small }: { text: string; what: string; small?: boolean }) {
  const [phase, setPhase] = useState<Phase>("rest");
  useEffect(() => {
    if (phase === "rest") return;
    const timer = setTimeout(() => setPhase("rest"), 2000);
    return () => clearTimeout(timer);
  }, [phase]);
  return (
    <button
      type="button"
      className={cx("btn", small && "small", phase === "done" && "done")}
      aria-label={phase === "done" ? `${what} copied` : `Copy ${what}`}
      onClick={() => void write(text).then((ok) => setPhase(ok ? "done" : "failed"))}
    >
      {phase === "done" ? <Check /> : <Copy />}
      <span aria-live="polite">{phase === "done" ? "Copied" : phase === "failed" ? "Select it" : "Copy"}</span>
    </button>
  );
}

interface CopyFieldProps {
  label: ReactNode;
  value: string;
  what: string;
  /** A secret that is shown this once: it stands on water and says so. */
  once?: boolean;
  hint?: ReactNode;
}

export function CopyField({ label, value, what, once, hint }: CopyFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <span className="label" id={id}>
        {label}
      </span>
      <div className={cx("copy", once && "once")} role="group" aria-labelledby={id}>
        <code>{value}</code>
        <CopyButton text={value} what={what} />
      </div>
      {hint}
    </div>
  );
}
