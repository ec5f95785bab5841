import * as RadixTabs from "@radix-ui/react-tabs";
import type { ReactNode } from "react";

export interface Tab {
  value: string;
  label: ReactNode;
  content: ReactNode;
}

/** Changes what is shown. Arrow keys move. */
export function Tabs({ label, tabs, className }: { label: string; tabs: readonly [Tab, ...Tab[]]; className?: string }) {
  return (
    <RadixTabs.Root defaultValue={tabs[0].value} className={className}>
      <RadixTabs.List className="tabs" aria-label={label}>
        {tabs.map((t) => (
          <RadixTabs.Trigger key={t.value} value={t.value}>
            {t.label}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {tabs.map((t) => (
        <RadixTabs.Content key={t.value} value={t.value} className="pt-4">
          {t.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
