import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, idempotent, ifMatch, ok } from "@/api/client";
import type { IPRule, RefererRule } from "@/api/types";

export type Scope = RefererRule["scope"];
export type Verb = RefererRule["action"];

const refererKey = (vhost: string) => ["referer-rules", vhost] as const;
const ipKey = (vhost: string) => ["ip-rules", vhost] as const;

export function useRefererRules(vhostId: string | undefined) {
  return useQuery({
    queryKey: refererKey(vhostId ?? ""),
    queryFn: async () =>
      (await ok(api.GET("/api/v1/vhosts/{vhost_id}/referer-rules", { params: { path: { vhost_id: vhostId ?? "" }, query: { limit: 200 } } }))).items,
    enabled: vhostId !== undefined,
  });
}

export function useIpRules(vhostId: string | undefined) {
  return useQuery({
    queryKey: ipKey(vhostId ?? ""),
    queryFn: async () => (await ok(api.GET("/api/v1/vhosts/{vhost_id}/ip-rules", { params: { path: { vhost_id: vhostId ?? "" }, query: { limit: 200 } } }))).items,
    enabled: vhostId !== undefined,
  });
}

export interface NewRule {
  kind: "referer" | "ip";
  action: Verb;
  scope: Scope;
  match: string;
  reportOnly: boolean;
}

export function useAddRule(vhostId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (rule: NewRule) => {
      const params = { path: { vhost_id: vhostId } };
      const { action, scope } = rule;
      if (rule.kind === "ip") {
        await ok(api.POST("/api/v1/vhosts/{vhost_id}/ip-rules", { params, body: { action, scope, cidr: rule.match }, headers: idempotent() }));
      } else {
        const body = { action, scope, pattern: rule.match, report_only: rule.reportOnly };
        await ok(api.POST("/api/v1/vhosts/{vhost_id}/referer-rules", { params, body, headers: idempotent() }));
      }
    },
    onSettled: (_, __, rule) => cache.invalidateQueries({ queryKey: rule.kind === "ip" ? ipKey(vhostId) : refererKey(vhostId) }),
  });
}

export function useDeleteRule(vhostId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ kind, rule }: { kind: "referer"; rule: RefererRule } | { kind: "ip"; rule: IPRule }) => {
      const params = { path: { vhost_id: vhostId, rule_id: rule.id }, header: ifMatch(rule) };
      if (kind === "ip") await ok(api.DELETE("/api/v1/vhosts/{vhost_id}/ip-rules/{rule_id}", { params }));
      else await ok(api.DELETE("/api/v1/vhosts/{vhost_id}/referer-rules/{rule_id}", { params }));
    },
    onSettled: (_, __, { kind }) => cache.invalidateQueries({ queryKey: kind === "ip" ? ipKey(vhostId) : refererKey(vhostId) }),
  });
}

/** Changes the order by giving a rule another place. */
export function useMoveRule(vhostId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ kind, rule, position }: { kind: "referer" | "ip"; rule: { id: string; revision: number }; position: number }) => {
      const params = { path: { vhost_id: vhostId, rule_id: rule.id }, header: ifMatch(rule) };
      if (kind === "ip") await ok(api.PATCH("/api/v1/vhosts/{vhost_id}/ip-rules/{rule_id}", { params, body: { position } }));
      else await ok(api.PATCH("/api/v1/vhosts/{vhost_id}/referer-rules/{rule_id}", { params, body: { position } }));
    },
    onSettled: (_, __, { kind }) => cache.invalidateQueries({ queryKey: kind === "ip" ? ipKey(vhostId) : refererKey(vhostId) }),
  });
}

export interface Question {
  url: string;
  action: "publish" | "play";
  ip: string;
  referer: string;
}

/** Asks the same code that decides for real. */
export function useExplain() {
  return useMutation({
    mutationFn: (q: Question) =>
      ok(api.POST("/api/v1/access:explain", { body: { url: q.url, action: q.action, ...(q.ip ? { ip: q.ip } : {}), ...(q.referer ? { referer: q.referer } : {}) } })),
  });
}
