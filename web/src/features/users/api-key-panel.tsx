import { useState } from "react";
import { sentence } from "@/api/problem";
import type { APIKey } from "@/api/types";
import { plainText } from "@/format/hostile";
import { date } from "@/format/time";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/dialog";
import { Empty } from "@/ui/empty";
import { Failed } from "@/ui/failed";
import { Plus } from "@/ui/icon";
import { State } from "@/ui/mark";
import { Moment } from "@/ui/moment";
import { useNow } from "@/ui/now";
import { Panel } from "@/ui/panel";
import { Skeleton } from "@/ui/skeleton";
import { done } from "@/ui/toast-store";
import { useApiKeys, useRevokeApiKey } from "./queries";
import { VhostTags } from "./vhost-limit";

/** Credentials of machines, without their secrets. */
export function ApiKeyPanel({ onAdd }: { onAdd: () => void }) {
  const keys = useApiKeys();
  const [revoking, setRevoking] = useState<APIKey | null>(null);
  const add = (
    <Button look="quiet" small onClick={onAdd}>
      <Plus />
      New API key
    </Button>
  );
  return (
    <Panel title="API keys" sub={keys.data?.length} end={add}>
      {keys.isPending ? (
        <Skeleton lines={3} />
      ) : keys.error ? (
        <Failed what="API keys" error={keys.error} retry={() => void keys.refetch()} />
      ) : keys.data.length === 0 ? (
        <Empty title="No API key">A backend that mints tokens or makes streams needs one. Everything this dashboard does can be done with it.</Empty>
      ) : (
        <div className="scroll">
          <table className="table list">
            <thead>
              <tr>
                <th>Name</th>
                <th>May do</th>
                <th>State</th>
                <th className="r">Last used</th>
                <th className="act">
                  <span className="vh">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {keys.data.map((k) => (
                <Row key={k.id} item={k} onRevoke={() => setRevoking(k)} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {revoking && <Revoke item={revoking} onClose={() => setRevoking(null)} />}
    </Panel>
  );
}

function Row({ item, onRevoke }: { item: APIKey; onRevoke: () => void }) {
  const now = useNow();
  const ended = item.revoked_at ? "Revoked" : item.expires_at && new Date(item.expires_at) <= now ? "Expired" : null;
  const name = plainText(item.name, 60);
  return (
    <tr>
      <td className="s0">
        <b>{name}</b> <code className="ink-3">…{item.secret_last4}</code>
      </td>
      <td className="full">
        <span className="chip-list">
          {item.scopes.map((s) => (
            <span className="tag" key={s}>
              {s}
            </span>
          ))}
          <VhostTags ids={item.vhost_ids} />
        </span>
      </td>
      <td className="s1">
        <State tone={ended ? "idle" : "ok"}>{ended ?? (item.expires_at ? `Until ${date(new Date(item.expires_at))}` : "Valid")}</State>
      </td>
      <td className="r" data-l="Last used">
        {item.last_used_at ? <Moment at={item.last_used_at} /> : "never"}
      </td>
      <td className="act">
        {!ended && (
          <Button small look="danger" className="row-acts" aria-label={`Revoke ${name}`} onClick={onRevoke}>
            Revoke
          </Button>
        )}
      </td>
    </tr>
  );
}

function Revoke({ item, onClose }: { item: APIKey; onClose: () => void }) {
  const revoke = useRevokeApiKey();
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Revoke ${plainText(item.name, 60)}?`}
      about="What uses it is refused from the next request on. It cannot be brought back."
      verb="Revoke API key"
      working="Revoking…"
      busy={revoke.isPending}
      problem={revoke.error ? sentence(revoke.error) : undefined}
      onConfirm={() =>
        revoke.mutate(item, {
          onSuccess: () => {
            done("The API key is revoked.");
            onClose();
          },
        })
      }
    />
  );
}
