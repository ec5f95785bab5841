import { cx } from "@/ui/cx";
import { Check } from "@/ui/icon";

const names = ["Your account", "First stream", "Connect your encoder"] as const;

/** Where in the first run you are. Step 4: all three are done. */
export function Steps({ step }: { step: number }) {
  return (
    <ol className="steps">
      {names.map((name, i) => {
        const done = i + 1 < step;
        const now = i + 1 === step;
        return (
          <li key={name} className={cx(done && "done", now && "now")} aria-current={now ? "step" : undefined}>
            <span className="no">{done ? <Check /> : i + 1}</span>
            <span>
              {name}
              {done && <span className="vh"> (done)</span>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
