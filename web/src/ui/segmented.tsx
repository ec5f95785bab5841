import * as ToggleGroup from "@radix-ui/react-toggle-group";
import type { ReactNode } from "react";
import { cx } from "./cx";

export interface Segment<T extends string> {
  value: T;
  label: ReactNode;
  /** Says what an icon alone means. */
  name?: string;
  count?: number | undefined;
}

interface SegmentedProps<T extends string> {
  label: string;
  value: T;
  onChange: (value: T) => void;
  segments: readonly Segment<T>[];
  small?: boolean;
  className?: string;
}

/** Changes how much is shown (a range, a filter), not what. Arrow keys move. */
export function Segmented<T extends string>({ label, value, onChange, segments, small, className }: SegmentedProps<T>) {
  return (
    <ToggleGroup.Root
      type="single"
      className={cx("seg", small && "small", className)}
      aria-label={label}
      value={value}
      onValueChange={(next) => {
        const chosen = segments.find((s) => s.value === next);
        if (chosen) onChange(chosen.value);
      }}
    >
      {segments.map((s) => (
        <ToggleGroup.Item key={s.value} value={s.value} aria-label={s.name}>
          {s.label}
          {s.count !== undefined && <span className="n">{s.count}</span>}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
