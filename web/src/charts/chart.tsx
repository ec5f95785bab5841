import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useTheme } from "@/app/theme";
import { unknown, type Quantity as Value } from "@/format/numbers";
import { Unit } from "@/ui/quantity";
import { options, show } from "./plot";
import { range, type Plotted } from "./series";

export interface ChartProps {
  title: string;
  data: Plotted;
  /** Seconds shown, up to now. */
  span: number;
  now: number;
  /** A value with its unit, as it stands in the head and at the crosshair. */
  format: (value: number) => Value;
  /** A value on the axis, without its unit; the axis ends at top. */
  tick: (value: number, top: number) => string;
  /** Charts with the same key share the crosshair. */
  sync: string;
  /** Times below. Charts above each other show them once, at the foot. */
  times?: boolean;
  /** The moment at the crosshair and a gap's length in words. Shown once, in the top chart. */
  lead?: boolean;
  height?: number;
}

/** A value over time: 1 px line from zero, the present in the head, one crosshair for all charts of a thing. */
export function Chart({ title, data, span, now, format, tick, sync, times = false, lead = false, height = 104 }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef({ data, span, now, format, tick });
  const { dark } = useTheme();

  useEffect(() => {
    const host = box.current;
    if (!host) return;
    const made = new uPlot(options(host.clientWidth, { height, sync, times, lead, latest, tip }), [[], []], host);
    plot.current = made;
    const resize = new ResizeObserver(() => made.setSize({ width: host.clientWidth, height: height + (times ? 24 : 16) }));
    resize.observe(host);
    show(made, latest.current);
    return () => {
      resize.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [dark, height, lead, sync, times]);

  useEffect(() => {
    latest.current = { data, span, now, format, tick };
    if (plot.current) show(plot.current, latest.current);
  }, [data, span, now, format, tick]);

  const ends = range(data.values);
  const last = data.values.at(-1);
  const present = typeof last === "number" && now - (data.times.at(-1) ?? 0) < 5 ? format(last) : null;
  const between = ends ? spread(format(ends[0]), format(ends[1])) : "";
  const spoken = ends ? `${title} over ${Math.round(span / 60) || 1} minutes, ${between || format(ends[1]).value} ${format(ends[1]).unit}` : `${title}, nothing yet`;
  return (
    <div className="chart">
      <div className="chart-head">
        <b>{title}</b>
        {between && <span className="range">{between}</span>}
        <span className="now">
          {present ? (
            <>
              {present.value}
              <Unit>{present.unit}</Unit>
            </>
          ) : (
            unknown
          )}
        </span>
      </div>
      <div className="uplot-box" ref={box} role="img" aria-label={spoken} />
      <div className="uplot-tip" ref={tip} hidden />
    </div>
  );
}

/** "5.5 to 6.9"; nothing where both are the same. */
function spread(low: Value, high: Value): string {
  if (low.value === high.value && low.unit === high.unit) return "";
  return low.unit === high.unit ? `${low.value} to ${high.value}` : `${low.value} ${low.unit} to ${high.value} ${high.unit}`;
}
