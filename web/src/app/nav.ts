import type { ComponentType } from "react";
import type { LucideProps } from "lucide-react";
import type { Role } from "@/api/types";
import { Key, Layout, Scroll, Server, Shield, Tv, UserCog, Users } from "@/ui/icon";

export interface NavItem {
  href: string;
  label: string;
  icon: ComponentType<LucideProps>;
  needs: Role;
  /** One of the tabs at the foot of a small screen. */
  tab?: boolean;
  /** A shorter word for the tab. */
  short?: string;
  /** The key after "g". */
  hotkey: string;
}

export interface NavGroup {
  title?: string;
  items: readonly NavItem[];
}

/** What there is. A feature that does not exist yet is not here. */
export const nav: readonly NavGroup[] = [
  {
    items: [
      { href: "/", label: "Overview", icon: Layout, needs: "viewer", tab: true, hotkey: "o" },
      { href: "/streams", label: "Streams", icon: Tv, needs: "viewer", tab: true, hotkey: "s" },
      { href: "/sessions", label: "Sessions", icon: Users, needs: "viewer", tab: true, hotkey: "e" },
      { href: "/keys", label: "Keys and tokens", short: "Keys", icon: Key, needs: "viewer", tab: true, hotkey: "k" },
    ],
  },
  { title: "Configured", items: [{ href: "/access", label: "Access", icon: Shield, needs: "viewer", tab: true, hotkey: "a" }] },
  {
    title: "Installation",
    items: [
      { href: "/users", label: "Users and API keys", icon: UserCog, needs: "admin", hotkey: "u" },
      { href: "/audit", label: "Audit", icon: Scroll, needs: "admin", hotkey: "d" },
      { href: "/system", label: "System", icon: Server, needs: "viewer", hotkey: "y" },
    ],
  },
];

/** Whether a path belongs to a navigation item. */
export function isAt(href: string, path: string): boolean {
  return href === "/" ? path === "/" : path === href || path.startsWith(`${href}/`);
}
