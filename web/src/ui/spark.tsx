import { cx } from "./cx";
import type { Tone } from "./mark";

interface SparkProps {
  values: readonly number[];
  label: string;
  height?: number;
  tone?: Tone | undefined;
  /** Its own scale, where only the trend counts; otherwise from zero. */
  trend?: boolean;
  className?: string;
  /** How many values make the whole width; fewer stand at its end, as the time before is not known. */
  full?: number;
}

/** The last 15 minutes as a line. Coloured only when the state is not good. */
export function Spark({ values, label, height = 22, tone, trend, className, full }: SparkProps) {
  const flat = values.length < 2;
  const top = Math.max(...values, 1e-9);
  const low = trend ? Math.min(...values) : 0;
  // A trend still keeps its line off the floor, so that a flat one reads as steady and not as nothing.
  const floor = trend ? Math.max(0, low - (top - low) * 1.5 - top * 0.02) : 0;
  const y = (v: number) => (height - 1.5 - ((v - floor) / (top - floor || 1)) * (height - 4)).toFixed(1);
  const slots = Math.max(full ?? values.length, values.length);
  const x = (i: number) => (((slots - values.length + i) / (slots - 1)) * 100).toFixed(1);
  const points = flat ? "" : values.map((v, i) => `${x(i)} ${y(v)}`).join("L");
  return (
    <svg
      className={cx("spark", (tone === "warn" || tone === "bad") && tone, flat && "off", className)}
      viewBox={`0 0 100 ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {flat ? (
        <path className="line" d={`M0 ${height - 1}H100`} />
      ) : (
        <>
          <path className="area" d={`M${points}V${height}H${x(0)}Z`} />
          <path className="line" d={`M${points}`} />
        </>
      )}
    </svg>
  );
}

/** Counts as bars; empty slots keep a base line. */
export function Bars({ values, label, height = 40, tone, className }: Omit<SparkProps, "trend">) {
  const top = Math.max(...values, 1);
  const slot = 100 / Math.max(values.length, 1);
  return (
    <svg className={cx("spark bars", className)} viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {values.map((v, i) => {
        const h = v === 0 ? 1 : Math.max(3, (v / top) * (height - 4));
        return <rect key={i} className={v === 0 ? "z" : tone === "warn" ? "w" : tone === "bad" ? "b" : undefined} x={i * slot + slot * 0.15} width={slot * 0.7} y={height - h} height={h} />;
      })}
    </svg>
  );
}
