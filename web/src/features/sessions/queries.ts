import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, ok } from "@/api/client";
import type { Session } from "@/api/types";

/** Sessions that have ended, newest first. */
export function useEndedSessions(role: "" | "publisher" | "player", enabled: boolean) {
  return useInfiniteQuery({
    queryKey: ["sessions", "ended", role],
    queryFn: ({ pageParam }) =>
      ok(
        api.GET("/api/v1/sessions", {
          params: { query: { state: "ended", limit: 50, ...(role ? { role } : {}), ...(pageParam ? { cursor: pageParam } : {}) } },
        }),
      ),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
    enabled,
    refetchInterval: 10_000,
  });
}

/** Ends a session, and keeps its address out for a while if asked to. */
export function useKick() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ session, reason, ban }: { session: Pick<Session, "id">; reason: string; ban: number }) =>
      ok(
        api.DELETE("/api/v1/sessions/{session_id}", {
          params: { path: { session_id: session.id }, query: { ...(reason ? { reason } : {}), ...(ban > 0 ? { ban_seconds: ban } : {}) } },
        }),
      ),
    onSettled: () => cache.invalidateQueries({ queryKey: ["sessions"] }),
  });
}
