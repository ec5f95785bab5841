import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, ok } from "@/api/client";
import type { Overview, OverviewPoint } from "@/api/types";
import { useOverviewTrail, useTopic } from "@/feed/use-topic";

/** The whole server now, and its last 15 minutes: what the server kept and what the feed said since. */
export function useOverview(): { now: Overview | undefined; points: readonly OverviewPoint[]; error: Error | null; retry: () => void } {
  const rest = useQuery({ queryKey: ["overview"], queryFn: () => ok(api.GET("/api/v1/overview")), staleTime: Infinity });
  const fed = useTopic("overview").items[0];
  const trail = useOverviewTrail();
  const kept = rest.data?.items;
  const points = useMemo(() => {
    const last = kept?.at(-1)?.time ?? "";
    return [...(kept ?? []), ...trail.filter((p) => p.time > last)].slice(-180);
  }, [kept, trail]);
  const now = fed ?? rest.data?.now;
  return { now, points, error: now ? null : rest.error, retry: () => void rest.refetch() };
}
