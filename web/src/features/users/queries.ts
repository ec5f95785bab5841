import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { anonymous, api, idempotent, ifMatch, ok, session } from "@/api/client";
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
    mutationFn: (body: { email: string; name: string; role: Role; password: string; vhost_ids: string[] }) => ok(api.POST("/api/v1/users", { body, headers: idempotent() })),
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

/** Sets a password, which signs the user out everywhere; oneself is signed in anew on this page. */
export function useSetPassword(self: boolean) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ user, password }: { user: User; password: string }) => {
      await ok(api.PATCH("/api/v1/users/{user_id}", { params: { path: { user_id: user.id }, header: ifMatch(user) }, body: { password } }));
      if (self) session.begin(await ok(anonymous.POST("/api/v1/auth/login", { body: { email: user.email, password } })));
    },
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
    mutationFn: (body: { name: string; scopes: ApiScope[]; vhost_ids: string[]; expires_at?: string }) => ok(api.POST("/api/v1/api-keys", { body, headers: idempotent() })),
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
