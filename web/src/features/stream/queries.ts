import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, ifMatch, ok } from "@/api/client";
import type { Event, Point, Session, Stream } from "@/api/types";
import { streamsKey, withUrls } from "@/features/streams/queries";
import { useTopic } from "@/feed/use-topic";

const streamKey = (id: string) => ["stream", id] as const;

export interface StreamView {
  stream: Stream | undefined;
  points: readonly Point[];
  publisher: Session | undefined;
  players: readonly Session[];
  error: Error | null;
  retry: () => void;
}

/** A stream with its history and its sessions, live. */
export function useStream(id: string): StreamView {
  const rest = useQuery({
    queryKey: streamKey(id),
    queryFn: () => ok(api.GET("/api/v1/streams/{stream_id}", { params: { path: { stream_id: id } } })),
    staleTime: 30_000,
  });
  const topic = useTopic(`stream:${id}`);
  return useMemo(() => {
    let stream: Stream | undefined;
    const points: Point[] = [];
    const sessions: Session[] = [];
    for (const item of topic.items) {
      if (item.stream) stream = item.stream;
      else if (item.point) points.push(item.point);
      else if (item.session) sessions.push(item.session);
    }
    return {
      stream: stream ? withUrls(stream, rest.data) : rest.data,
      points,
      publisher: sessions.find((s) => s.role === "publisher"),
      players: sessions.filter((s) => s.role === "player"),
      error: stream ? null : rest.error,
      retry: () => void rest.refetch(),
    };
  }, [topic, rest]);
}

/** What happened to a stream, newest first. */
export function useStreamEvents(stream: Pick<Stream, "vhost" | "app" | "name">): Event[] {
  const { items } = useTopic("events");
  const { vhost, app, name } = stream;
  return useMemo(() => items.filter((e) => e.name === name && e.app === app && e.vhost === vhost).reverse(), [items, vhost, app, name]);
}

export function useUpdateStream(stream: Stream) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: { enabled?: boolean; name?: string; app?: string }) =>
      ok(api.PATCH("/api/v1/streams/{stream_id}", { params: { path: { stream_id: stream.id }, header: ifMatch(stream) }, body })),
    onSuccess: (changed) => cache.setQueryData(streamKey(stream.id), changed),
    onSettled: () => Promise.all([cache.invalidateQueries({ queryKey: streamsKey }), cache.invalidateQueries({ queryKey: streamKey(stream.id) })]),
  });
}

export function useDeleteStream(stream: Stream) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => ok(api.DELETE("/api/v1/streams/{stream_id}", { params: { path: { stream_id: stream.id }, header: ifMatch(stream) } })),
    onSuccess: () => cache.invalidateQueries({ queryKey: streamsKey }),
  });
}
