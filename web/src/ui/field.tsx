import { useId, useState, type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes } from "react";
import { Button } from "./button";
import { cx } from "./cx";
import { Eye, EyeOff } from "./icon";
import { Mark } from "./mark";

interface FieldFrame {
  label: ReactNode;
  hint?: ReactNode;
  /** What is wrong, and what to type instead. */
  problem?: string | undefined;
}

function Below({ id, hint, problem }: { id: string; hint?: ReactNode; problem?: string | undefined }) {
  if (problem) {
    return (
      <span className="hint bad" id={id} role="alert">
        <Mark tone="bad" />
        <span>{problem}</span>
      </span>
    );
  }
  return hint ? (
    <span className="hint" id={id}>
      {hint}
    </span>
  ) : null;
}

export function TextField({ label, hint, problem, className, ...input }: FieldFrame & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className={cx("input", problem && "is-bad", className)}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem || hint ? `${id}-hint` : undefined}
        {...input}
      />
      <Below id={`${id}-hint`} hint={hint} problem={problem} />
    </div>
  );
}

export function PasswordField({ label, hint, problem, ...input }: FieldFrame & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  const [shown, setShown] = useState(false);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="with-end">
        <input
          id={id}
          className={cx("input", problem && "is-bad")}
          type={shown ? "text" : "password"}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem || hint ? `${id}-hint` : undefined}
          {...input}
        />
        <Button look="quiet" small aria-pressed={shown} aria-label={shown ? "Hide password" : "Show password"} onClick={() => setShown(!shown)}>
          {shown ? <EyeOff /> : <Eye />}
          {shown ? "Hide" : "Show"}
        </Button>
      </div>
      <Below id={`${id}-hint`} hint={hint} problem={problem} />
    </div>
  );
}

/** A choice in a form. The browser's own, which every keyboard and phone knows. */
export function SelectField({ label, hint, problem, children, ...select }: FieldFrame & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} className={cx("input", problem && "is-bad")} aria-describedby={problem || hint ? `${id}-hint` : undefined} {...select}>
        {children}
      </select>
      <Below id={`${id}-hint`} hint={hint} problem={problem} />
    </div>
  );
}
