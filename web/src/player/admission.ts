import { useCallback } from "react";
import { api, idempotent, ok, session } from "@/api/client";
import type { Stream } from "@/api/types";
import { useMay } from "@/app/session";
import { useVhosts } from "@/features/vhosts/queries";
import { Passes, type Place } from "./passes";

const lasts = 600; // seconds

const passes = new Passes((p: Place) =>
  ok(
    api.POST("/api/v1/tokens", {
      body: { action: "play", vhost: p.vhost, app: p.app, stream: p.name, expires_in_seconds: lasts },
      headers: idempotent(),
    }),
  ),
);
session.subscribe(() => {
  if (session.state.kind !== "in") passes.clear();
});

/** Gives a token to begin playing with; fresh: the last one was refused. */
export type Ticket = (fresh: boolean) => Promise<string>;

/** How this page comes to play a stream. */
export type Admission =
  | { kind: "asking" } // what the vhost wants is not known yet
  | { kind: "open" }
  | { kind: "token"; ticket: Ticket }
  | { kind: "shut" }; // a token is needed, and the user may not mint one

export function useAdmission({ vhost, app, name }: Stream): Admission {
  const vhosts = useVhosts();
  const mayMint = useMay("operator");
  const ticket = useCallback<Ticket>((fresh) => passes.get({ vhost, app, name }, fresh), [vhost, app, name]);
  if (vhosts.isPending) return { kind: "asking" };
  // Where the vhosts cannot be read the server is asked without one; it decides.
  if (vhosts.data?.find((v) => v.name === vhost)?.play_policy !== "token") return { kind: "open" };
  return mayMint ? { kind: "token", ticket } : { kind: "shut" };
}
