import { Link } from "wouter";

const posts =
  "M2.5 3.2a1.2 1.2 0 0 1 2.4 0V14H2.5zM19.1 3.2a1.2 1.2 0 0 1 2.4 0V14h-2.4zM9 2h6a.9.9 0 0 1 0 1.8h-2.1v2.4h3.3a1 1 0 0 1 1 1v4.6a1 1 0 0 1-1 1H7.8a1 1 0 0 1-1-1V7.2a1 1 0 0 1 1-1h3.3V3.8H9A.9.9 0 0 1 9 2z";
const flow = "M1.6 17.2c2.08 0 2.08 1.9 4.16 1.9s2.08-1.9 4.16-1.9 2.08 1.9 4.16 1.9 2.08-1.9 4.16-1.9 2.08 1.9 4.16 1.9";

/** The mark: a sluice gate, raised, and the stream that passes under it. */
export function Gate() {
  return (
    <svg className="gate" viewBox="0 0 24 24" aria-hidden="true">
      <path className="post" d={posts} />
      <path className="flow" d={flow} />
    </svg>
  );
}

export function Brand({ href }: { href?: string }) {
  const inside = (
    <>
      <Gate />
      Penstock
    </>
  );
  return href ? (
    <Link className="brand" href={href}>
      {inside}
    </Link>
  ) : (
    <span className="brand">{inside}</span>
  );
}

function wave(y: number, from: number, to: number): string {
  let d = `M${from} ${y}`;
  for (let x = from, up = 1; x < to; x += 11.5, up = -up) d += `q5.75 ${5 * up} 11.5 0`;
  return d;
}

/** The gate with the water waiting behind it; raised once the stream flows. */
export function GateArt({ open = false, small = false }: { open?: boolean; small?: boolean }) {
  const end = open ? 486 : 178;
  return (
    <svg
      className="gate-art"
      viewBox={small ? "90 30 300 180" : "0 0 480 270"}
      width={small ? 140 : undefined}
      preserveAspectRatio="xMidYMid slice"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path className="bed" d="M0 196h480M300 182h16M344 186h24M402 181h12M436 187h20" />
      <path d="M188 56v140M292 56v140M180 56h16M284 56h16M240 40v48M222 40h36" />
      <g transform={open ? "translate(0 -24)" : undefined}>
        <rect x="202" y="88" width="76" height="96" rx="4" />
        <path d="M202 120h76M202 152h76" />
      </g>
      <path className="water" d={wave(124, -6, 178)} />
      <path className="water" opacity=".7" d={wave(146, -6, 178)} />
      <path className="water" opacity=".45" d={wave(168, -6, end)} />
    </svg>
  );
}

const river = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((row) => {
  const y = (x: number) => 35 + 34 * row + (14 - row * 0.6) * Math.sin(x / 230 + row * 0.55) + 8 * Math.sin(x / 119 + row * 0.8 + 2);
  let d = `M-120 ${y(-120).toFixed(1)}`;
  for (let x = 0; x <= 1560; x += 60) d += `L${x} ${y(x).toFixed(1)}`;
  return d;
});

/** The lines of a river at the foot of the first-run and sign-in pages. */
export function River() {
  return (
    <svg className="river" viewBox="0 0 1440 360" preserveAspectRatio="none" aria-hidden="true">
      {river.map((d, i) => (
        <path key={d} d={d} className={i === 4 ? "w" : undefined} />
      ))}
    </svg>
  );
}
