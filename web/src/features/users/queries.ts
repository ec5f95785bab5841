import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, idempotent, ifMatch, ok } from "@/api/client";
import type { APIKey, Role, User } from "@/api/types";

export type ApiScope = APIKey["scopes"][number];

export function useUsers() {
  return useQuery({ queryKey: ["users"], queryFn: async () => (await ok(api.GET("/api/v1/users", { params: { query: { limit: 200 } } }))).items });
}

export function useApiKeys() {
  return useQuery({ queryKey: ["api-keys"], queryFn: async () => (await ok(api.GET("/api/v1/api-keys", { params: { query: { limit: 200 } } }))).items });
}

export function useAddUser() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: { email: string; name: string; role: Role; password: string }) => ok(api.POST("/api/v1/users", { body, headers: idempotent() })),
    onSettled: () => cache.invalidateQueries({ queryKey: ["users"] }),
  });
}

export function useUpdateUser() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ user, role }: { user: User; role: Role }) =>
      ok(api.PATCH("/api/v1/users/{user_id}", { params: { path: { user_id: user.id }, header: ifMatch(user) }, body: { role } })),
    onSettled: () => cache.invalidateQueries({ queryKey: ["users"] }),
  });
}

export function useDeleteUser() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (user: User) => ok(api.DELETE("/api/v1/users/{user_id}", { params: { path: { user_id: user.id }, header: ifMatch(user) } })),
    onSettled: () => cache.invalidateQueries({ queryKey: ["users"] }),
  });
}

export function useAddApiKey() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string; scopes: ApiScope[]; expires_at?: string }) => ok(api.POST("/api/v1/api-keys", { body, headers: idempotent() })),
    onSettled: () => cache.invalidateQueries({ queryKey: ["api-keys"] }),
  });
}

export function useRevokeApiKey() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (key: APIKey) => ok(api.DELETE("/api/v1/api-keys/{api_key_id}", { params: { path: { api_key_id: key.id } } })),
    onSettled: () => cache.invalidateQueries({ queryKey: ["api-keys"] }),
  });
}
