import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, ifMatch, ok } from "@/api/client";
import type { Vhost } from "@/api/types";

const vhostsKey = ["vhosts"] as const;

/** The vhosts, of which there are few. */
export function useVhosts() {
  return useQuery({
    queryKey: vhostsKey,
    queryFn: async () => (await ok(api.GET("/api/v1/vhosts", { params: { query: { limit: 200 } } }))).items,
    staleTime: 60_000,
  });
}

type Policies = "publish_policy" | "play_policy" | "duplicate_policy" | "referer_empty";
type Change = Partial<Pick<Vhost, Policies>> & { media?: Partial<Vhost["media"]> };

/** Changes settings of a vhost, unless somebody else changed it since (412). */
export function useChangePolicies() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ vhost, change }: { vhost: Vhost; change: Change }) =>
      ok(api.PATCH("/api/v1/vhosts/{vhost_id}", { params: { path: { vhost_id: vhost.id }, header: ifMatch(vhost) }, body: change })),
    onSuccess: () => cache.invalidateQueries({ queryKey: vhostsKey }),
  });
}
