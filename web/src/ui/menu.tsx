import * as Dropdown from "@radix-ui/react-dropdown-menu";
import type { ReactNode } from "react";
import { Check, ChevronDown } from "./icon";
import { cx } from "./cx";

interface SelectMenuProps<T extends string> {
  label: string;
  value: T;
  onChange: (value: T) => void;
  options: readonly { value: T; label: string }[];
  small?: boolean;
}

/** "Sort Longest ⌄": a choice that shows itself. Not modal, because a modal menu would lock scrolling with an inline style. */
export function SelectMenu<T extends string>({ label, value, onChange, options, small }: SelectMenuProps<T>) {
  const chosen = options.find((o) => o.value === value);
  return (
    <Dropdown.Root modal={false}>
      <Dropdown.Trigger className={cx("select", small && "small")}>
        <span className="k">{label}</span>
        {chosen?.label ?? value}
        <ChevronDown />
      </Dropdown.Trigger>
      <Dropdown.Portal>
        <Dropdown.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
          <Dropdown.RadioGroup
            value={value}
            onValueChange={(next) => {
              const option = options.find((o) => o.value === next);
              if (option) onChange(option.value);
            }}
          >
            {options.map((o) => (
              <Dropdown.RadioItem key={o.value} value={o.value} className="it">
                <span className="grow">{o.label}</span>
                <Dropdown.ItemIndicator>
                  <Check />
                </Dropdown.ItemIndicator>
              </Dropdown.RadioItem>
            ))}
          </Dropdown.RadioGroup>
        </Dropdown.Content>
      </Dropdown.Portal>
    </Dropdown.Root>
  );
}

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  danger?: boolean;
  onSelect: () => void;
}

/** The actions on a thing that do not fit beside it. */
export function ActionMenu({ label, trigger, items, className }: { label: string; trigger: ReactNode; items: readonly MenuItem[]; className?: string }) {
  return (
    <Dropdown.Root modal={false}>
      <Dropdown.Trigger className={className ?? "btn"} aria-label={label}>
        {trigger}
      </Dropdown.Trigger>
      <Dropdown.Portal>
        <Dropdown.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
          {items.map((item) => (
            <Dropdown.Item key={item.label} className={cx("it", item.danger && "danger")} onSelect={item.onSelect}>
              {item.icon}
              {item.label}
            </Dropdown.Item>
          ))}
        </Dropdown.Content>
      </Dropdown.Portal>
    </Dropdown.Root>
  );
}
