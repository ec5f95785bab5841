import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, ok } from "@/api/client";
import type { Stream } from "@/api/types";
import { addToBuckets, type Bucket } from "@/feed/trail";
import { useRateTrail } from "@/feed/use-topic";

/** The bit rate of the last 15 minutes for a sparkline: what the server kept, and what the feed said since. */
export function useRateHistory(stream: Stream, wanted: boolean): readonly number[] {
  const { live, id } = stream;
  const { data: kept } = useQuery({
    queryKey: ["rate-history", id, live?.started_at],
    queryFn: async () => {
      const { items } = await ok(api.GET("/api/v1/streams/{stream_id}/history", { params: { path: { stream_id: id } } }));
      return items.reduce<readonly Bucket[]>((buckets, p) => addToBuckets(buckets, new Date(p.time).getTime() / 1000, p.in_kbps), []);
    },
    enabled: wanted && Boolean(live),
    staleTime: Infinity,
  });
  const since = useRateTrail(id);
  return useMemo(() => {
    const last = kept?.at(-1)?.at ?? 0;
    return [...(kept ?? []), ...since.filter((b) => b.at > last)].slice(-60).map((b) => b.sum / b.n);
  }, [kept, since]);
}
