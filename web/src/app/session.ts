import { useSyncExternalStore } from "react";
import { session } from "@/api/client";
import type { SessionState } from "@/api/session";
import type { Role, User } from "@/api/types";

export function useSession(): SessionState {
  return useSyncExternalStore(session.subscribe, () => session.state);
}

/** Who is signed in. Only below the part of the page that needs it. */
export function useUser(): User {
  const state = useSession();
  if (state.kind !== "in") throw new Error("nobody is signed in");
  return state.user;
}

const rank: Record<Role, number> = { viewer: 0, operator: 1, admin: 2 };

/** Whether the user may do what needs this role. The server decides; this only leaves out what it would refuse. */
export function useMay(role: Role): boolean {
  const state = useSession();
  return state.kind === "in" && rank[state.user.role] >= rank[role];
}

export const roleNames: Record<Role, string> = { viewer: "Viewer", operator: "Operator", admin: "Admin" };
