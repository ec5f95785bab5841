import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, idempotent, ifMatch, ok } from "@/api/client";
import type { Key, Stream } from "@/api/types";

const keysOf = (streamId: string) => ["keys", streamId] as const;

/** Asked again when another session publishes, because that changes which key is in use. */
function keysQuery(streamId: string, publisher: string) {
  return {
    queryKey: [...keysOf(streamId), publisher],
    placeholderData: keepPreviousData,
    queryFn: async () => (await ok(api.GET("/api/v1/streams/{stream_id}/keys", { params: { path: { stream_id: streamId }, query: { limit: 200 } } }))).items,
    refetchInterval: 15_000,
  };
}

/** The keys of a stream, without their secrets. */
export function useKeys(stream: Stream) {
  return useQuery({ ...keysQuery(stream.id, stream.live?.publisher.session_id ?? ""), enabled: stream.configured });
}

function useRefresh(streamId: string) {
  const cache = useQueryClient();
  return () => cache.invalidateQueries({ queryKey: keysOf(streamId) });
}

export function useCreateKey(streamId: string) {
  const onSettled = useRefresh(streamId);
  return useMutation({
    mutationFn: (body: { label: string; expires_at?: string; cidrs?: string[] }) =>
      ok(api.POST("/api/v1/streams/{stream_id}/keys", { params: { path: { stream_id: streamId } }, body, headers: idempotent() })),
    onSettled,
  });
}

export function useRotateKey(streamId: string) {
  const onSettled = useRefresh(streamId);
  return useMutation({
    mutationFn: ({ key, grace, live }: { key: Key; grace: number; live: "keep" | "kick" }) =>
      ok(
        api.POST("/api/v1/streams/{stream_id}/keys/{key_id}:rotate", {
          params: { path: { stream_id: streamId, key_id: key.id } },
          body: { grace_seconds: grace, live_session: live },
          headers: idempotent(),
        }),
      ),
    onSettled,
  });
}

export function useUpdateKey(streamId: string) {
  const onSettled = useRefresh(streamId);
  return useMutation({
    mutationFn: ({ key, enabled }: { key: Key; enabled: boolean }) =>
      ok(
        api.PATCH("/api/v1/streams/{stream_id}/keys/{key_id}", {
          params: { path: { stream_id: streamId, key_id: key.id }, header: ifMatch(key) },
          body: { enabled },
        }),
      ),
    onSettled,
  });
}

export function useDeleteKey(streamId: string) {
  const onSettled = useRefresh(streamId);
  return useMutation({
    mutationFn: (key: Key) =>
      ok(api.DELETE("/api/v1/streams/{stream_id}/keys/{key_id}", { params: { path: { stream_id: streamId, key_id: key.id }, header: ifMatch(key) } })),
    onSettled,
  });
}
