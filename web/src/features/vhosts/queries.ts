import { useQuery } from "@tanstack/react-query";
import { api, ok } from "@/api/client";

/** The vhosts, of which there are few. */
export function useVhosts() {
  return useQuery({
    queryKey: ["vhosts"],
    queryFn: async () => (await ok(api.GET("/api/v1/vhosts", { params: { query: { limit: 200 } } }))).items,
    staleTime: 60_000,
  });
}
