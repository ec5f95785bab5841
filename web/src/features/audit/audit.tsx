import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, ok } from "@/api/client";
import type { AuditEntry } from "@/api/types";
import { plainText } from "@/format/hostile";
import { Button } from "@/ui/button";
import { cx } from "@/ui/cx";
import { Drawer } from "@/ui/dialog";
import { Empty } from "@/ui/empty";
import { Failed } from "@/ui/failed";
import { Moment } from "@/ui/moment";
import { Page } from "@/ui/page";
import { Skeleton } from "@/ui/skeleton";
import { Change } from "./change";

function useAudit() {
  return useInfiniteQuery({
    queryKey: ["audit"],
    queryFn: ({ pageParam }) => ok(api.GET("/api/v1/audit", { params: { query: { limit: 50, ...(pageParam ? { cursor: pageParam } : {}) } } })),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: 15_000,
  });
}

function actor(e: AuditEntry): string {
  if (e.actor_name) return plainText(e.actor_name, 60);
  return { user: "A user", api_key: "An API key", setup: "Set-up", cli: "The command line", system: "Penstock" }[e.actor_kind];
}

/** Who changed what, and from where. */
export default function Audit() {
  const audit = useAudit();
  const [open, setOpen] = useState<AuditEntry | null>(null);
  const items = audit.data?.pages.flatMap((p) => p.items) ?? [];
  return (
    <Page title="Audit" about="Every change: who, what, before and after, from where. Secrets are never in it.">
      <section className="panel" aria-label="Changes">
        {audit.isPending ? (
          <Skeleton lines={8} />
        ) : audit.error ? (
          <Failed what="The audit" error={audit.error} retry={() => void audit.refetch()} />
        ) : items.length === 0 ? (
          <Empty title="No change yet">The first one will stand here.</Empty>
        ) : (
          <div className="scroll">
            <table className="table list">
              <thead>
                <tr>
                  <th>When</th>
                  <th>Who</th>
                  <th>What</th>
                  <th>To</th>
                  <th>From</th>
                  <th className="act">
                    <span className="vh">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {items.map((e) => (
                  <tr key={e.id} className={cx(open?.id === e.id && "is-on")}>
                    <td className="s0 fit">
                      <Moment at={e.occurred_at} as="stamp" />
                    </td>
                    <td className="s1">{actor(e)}</td>
                    <td>
                      <b>{plainText(e.action, 60)}</b>
                    </td>
                    <td className="full">
                      <code className="ink-3">{e.target_id ?? "–"}</code>
                    </td>
                    <td className="mono" data-l="From">
                      {e.ip ?? "–"}
                    </td>
                    <td className="act">
                      <Button small className="row-acts" onClick={() => setOpen(e)} aria-label={`Show the change ${e.action}`}>
                        Show
                      </Button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        {audit.hasNextPage && (
          <footer>
            <span className="end">
              <Button small working={audit.isFetchingNextPage && "Loading…"} onClick={() => void audit.fetchNextPage()}>
                Show more
              </Button>
            </span>
          </footer>
        )}
      </section>
      <Drawer
        open={open !== null}
        onClose={() => setOpen(null)}
        title={open?.action ?? ""}
        sub={
          open && (
            <>
              {actor(open)} <Moment at={open.occurred_at} as="stamp" />
            </>
          )
        }
      >
        {open && <Change entry={open} />}
      </Drawer>
    </Page>
  );
}
