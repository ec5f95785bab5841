import { useId, type ReactNode } from "react";
import { cx } from "./cx";

interface PanelProps {
  title: ReactNode;
  sub?: ReactNode;
  end?: ReactNode;
  footer?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A titled box: head of 48 px with an optional count and actions, content, optional foot. */
export function Panel({ title, sub, end, footer, className, children }: PanelProps) {
  const id = useId();
  return (
    <section className={cx("panel", className)} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {sub !== undefined && <span className="sub">{sub}</span>}
        {end && <div className="end">{end}</div>}
      </header>
      {children}
      {footer && <footer>{footer}</footer>}
    </section>
  );
}
