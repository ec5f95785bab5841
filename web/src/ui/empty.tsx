import type { ReactNode } from "react";

const water = `M4 48${"q2.25 5 4.5 0q2.25 -5 4.5 0".repeat(4)}`;

function Art() {
  return (
    <svg
      className="gate-art"
      width="132"
      viewBox="0 0 132 72"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path className="bed" d="M4 66h124" />
      <path d="M46 10v56M86 10v56M42 10h8M82 10h8M66 4v18M59 4h14" />
      <rect x="52" y="22" width="28" height="38" rx="2" />
      <path d="M52 35h28M52 47h28" />
      <path className="water" d={water} />
    </svg>
  );
}

interface EmptyProps {
  title: string;
  children?: ReactNode;
  acts?: ReactNode;
  /** The drawing, only where nothing has been made yet. */
  art?: boolean;
}

/** Says why nothing is here and offers the next step. */
export function Empty({ title, children, acts, art }: EmptyProps) {
  return (
    <div className="empty">
      {art && <Art />}
      <h3>{title}</h3>
      {children && <p>{children}</p>}
      {acts && <div className="acts">{acts}</div>}
    </div>
  );
}
