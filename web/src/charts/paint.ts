import type uPlot from "uplot";
import { duration } from "@/format/time";

export interface Colors {
  line: string;
  fill: string;
  grid: string;
  axis: string;
  panel: string;
  font: string;
}

/** The chart's colours from the theme's tokens. A canvas knows no custom properties. */
export function readColors(): Colors {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(name).trim();
  return {
    line: token("--chart-1"),
    fill: `${token("--chart-1")}1a`, // 10 %
    grid: token("--chart-grid"),
    axis: token("--chart-axis"),
    panel: token("--panel"),
    font: token("--font"),
  };
}

/** A gap is a gap: hatched, with its length in words. */
export function drawGaps(u: uPlot, gaps: readonly { from: number; to: number }[], colors: Colors, words: boolean): void {
  const { ctx } = u;
  const { top, height, left: edge, width } = u.bbox;
  const ratio = devicePixelRatio;
  for (const gap of gaps) {
    const left = Math.max(u.valToPos(gap.from, "x", true), edge);
    const right = Math.min(u.valToPos(gap.to, "x", true), edge + width);
    if (right - left < 1) continue;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, right - left, height);
    ctx.clip();
    ctx.strokeStyle = colors.grid;
    ctx.lineWidth = ratio;
    ctx.beginPath();
    for (let x = left - height; x < right; x += 5 * ratio) {
      ctx.moveTo(x, top + height);
      ctx.lineTo(x + height, top);
    }
    ctx.stroke();
    ctx.restore();
    if (words) {
      ctx.save();
      ctx.fillStyle = colors.axis;
      ctx.font = `${11 * ratio}px ${colors.font}`;
      ctx.textAlign = right > edge + width * 0.85 ? "right" : "center";
      ctx.textBaseline = "bottom";
      ctx.fillText(`no media ${duration(gap.to - gap.from)}`, ctx.textAlign === "right" ? right : (left + right) / 2, top - 1);
      ctx.restore();
    }
  }
}
