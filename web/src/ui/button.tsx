import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Link } from "wouter";
import { cx } from "./cx";

interface Look {
  /** primary: the one ink button of a view. danger: takes something away. final: the last button of a destructive dialog. */
  look?: "primary" | "danger" | "final" | "quiet" | "quiet danger" | undefined;
  small?: boolean | undefined;
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  /** Shows that the action is under way, and what it does: "Retrying…". */
  working?: string | false | undefined;
}

export function Button({ look, small, working, className, children, disabled, type = "button", ...rest }: ButtonProps) {
  return (
    <button type={type} className={cx("btn", look, small && "small", className)} disabled={Boolean(working) || disabled} {...rest}>
      {working ? (
        <>
          <span className="spin" aria-hidden="true" />
          {working}
        </>
      ) : (
        children
      )}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({ href, look, small, className, children }: Look & { href: string; className?: string; children: ReactNode }) {
  return (
    <Link href={href} className={cx("btn", look, small && "small", className)}>
      {children}
    </Link>
  );
}
