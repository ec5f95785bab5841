import { ActionMenu } from "@/ui/menu";
import { Check, Monitor, Moon, Sun } from "@/ui/icon";
import { setTheme, useTheme, type Theme } from "./theme";

const choices: readonly { value: Theme; label: string; icon: typeof Sun }[] = [
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
  { value: "system", label: "As the system", icon: Monitor },
];

/** Light, dark or as the system. */
export function ThemeMenu({ withWord }: { withWord?: boolean }) {
  const { theme, dark } = useTheme();
  const Icon = dark ? Moon : Sun;
  return (
    <ActionMenu
      label="Change theme"
      className="btn quiet small"
      trigger={
        <>
          <Icon />
          {withWord && "Theme"}
        </>
      }
      items={choices.map((c) => ({
        label: c.label,
        icon: theme === c.value ? <Check /> : <c.icon />,
        onSelect: () => setTheme(c.value),
      }))}
    />
  );
}
