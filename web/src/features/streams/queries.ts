import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { api, idempotent, ok } from "@/api/client";
import type { Stream } from "@/api/types";
import { useTopic } from "@/feed/use-topic";

export const streamsKey = ["streams"] as const;

/** Every stream: those that were created, with what the feed says of those that are live laid over them. */
export function useStreams(): { items: readonly Stream[]; pending: boolean; error: Error | null; retry: () => void } {
  const rest = useInfiniteQuery({
    queryKey: streamsKey,
    queryFn: ({ pageParam }) => ok(api.GET("/api/v1/streams", { params: { query: { limit: 200, ...(pageParam ? { cursor: pageParam } : {}) } } })),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
    staleTime: 30_000,
  });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = rest;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);

  const live = useTopic("streams");
  const pages = rest.data?.pages;
  const items = useMemo(() => mergeLive(pages?.flatMap((p) => p.items) ?? [], live.pending ? null : live.items), [pages, live]);
  return { items, pending: rest.isPending && live.pending, error: items.length === 0 ? rest.error : null, retry: () => void rest.refetch() };
}

/**
 * Lays the feed's live streams over the list. A stream the feed does not have any more is not live, and
 * one that only stood for something live is gone. Null: the feed has not spoken yet.
 */
export function mergeLive(listed: readonly Stream[], live: readonly Stream[] | null): Stream[] {
  if (!live) return [...listed];
  const rest = new Map(live.map((s) => [s.id, s]));
  const merged: Stream[] = [];
  for (const s of listed) {
    const now = rest.get(s.id);
    rest.delete(s.id);
    if (now) merged.push(withUrls(now, s));
    else if (s.configured) merged.push(idle(s));
  }
  return [...merged, ...rest.values()];
}

/** The feed knows no request and so no addresses; they come from the list. */
export function withUrls(now: Stream, listed: Stream | undefined): Stream {
  return listed?.urls ? { ...now, urls: listed.urls } : now;
}

function idle(s: Stream): Stream {
  if (!s.live && s.waiting_players === 0) return s;
  const rest: Stream = { ...s, waiting_players: 0 };
  delete rest.live;
  return rest;
}

export function useCreateStream() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (body: { name: string; app: string; vhost_id: string }) => {
      const stream = await ok(api.POST("/api/v1/streams", { body, headers: idempotent() }));
      const key = await ok(
        api.POST("/api/v1/streams/{stream_id}/keys", { params: { path: { stream_id: stream.id } }, body: { label: "First key" }, headers: idempotent() }),
      );
      return { stream, key };
    },
    onSettled: () => cache.invalidateQueries({ queryKey: streamsKey }),
  });
}
