import { useState } from "react";
import { sentence } from "@/api/problem";
import type { Key } from "@/api/types";
import { useMay } from "@/app/session";
import { hostOnly, plainText } from "@/format/hostile";
import { absolute, date, hm } from "@/format/time";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/dialog";
import { Check, Ban, Ellipsis, Trash } from "@/ui/icon";
import { State, type Tone } from "@/ui/mark";
import { ActionMenu } from "@/ui/menu";
import { Moment } from "@/ui/moment";
import { useNow } from "@/ui/now";
import { done, failed } from "@/ui/toast-store";
import { useDeleteKey, useUpdateKey } from "./queries";
import { RotateDialog } from "./rotate-dialog";

/** How a key stands now. */
export function keyState(key: Key, now: Date): { tone: Tone; word: string } {
  if (!key.enabled) return { tone: "idle", word: "Disabled" };
  if (key.expires_at && new Date(key.expires_at) <= now) return { tone: "idle", word: "Expired" };
  if (key.not_before && new Date(key.not_before) > now) return { tone: "idle", word: "Not valid yet" };
  if (key.live_session_ids.length > 0) return { tone: "live", word: "In use" };
  if (key.last_used_at) return { tone: "ok", word: "Valid" };
  return { tone: "idle", word: "Not used yet" };
}

/** A stream key: its label, its last four characters, and what can be done with it. */
export function KeyItem({ streamId, streamName, item }: { streamId: string; streamName: string; item: Key }) {
  const [dialog, setDialog] = useState<"rotate" | "delete" | null>(null);
  const may = useMay("operator");
  const now = useNow();
  const update = useUpdateKey(streamId);
  const label = plainText(item.label || "Key", 60);
  const state = keyState(item, now);
  const toggle = (enabled: boolean) =>
    update.mutate(
      { key: item, enabled },
      {
        onSuccess: () => done(enabled ? `“${label}” works again.` : `“${label}” is disabled.`),
        onError: (e) => failed("The key was not changed.", sentence(e)),
      },
    );
  return (
    <div className="item">
      <div className="row">
        <b className="cut">{label}</b>
        <code className="ink-3">…{item.secret_last4}</code>
        <span className="end">
          <State tone={state.tone}>{state.word}</State>
          {may && (
            <>
              <Button small onClick={() => setDialog("rotate")} aria-label={`Rotate ${label}`}>
                Rotate
              </Button>
              <ActionMenu
                label={`More on ${label}`}
                className="btn small"
                trigger={<Ellipsis />}
                items={[
                  item.enabled
                    ? { label: "Disable", icon: <Ban />, onSelect: () => toggle(false) }
                    : { label: "Enable", icon: <Check />, onSelect: () => toggle(true) },
                  { label: "Delete…", icon: <Trash />, danger: true, onSelect: () => setDialog("delete") },
                ]}
              />
            </>
          )}
        </span>
      </div>
      <p>
        <Facts item={item} />
      </p>
      <RotateDialog open={dialog === "rotate"} onClose={() => setDialog(null)} streamId={streamId} streamName={streamName} item={item} />
      <DeleteKey open={dialog === "delete"} onClose={() => setDialog(null)} streamId={streamId} item={item} label={label} />
    </div>
  );
}

function Facts({ item }: { item: Key }) {
  const now = useNow();
  const before = item.previous_expires_at ? new Date(item.previous_expires_at) : null;
  return (
    <>
      {item.last_used_at ? (
        <>
          Last used <Moment at={item.last_used_at} />
          {item.last_used_from && ` from ${hostOnly(item.last_used_from)}`}
        </>
      ) : (
        <>
          Made <Moment at={item.created_at} />
        </>
      )}
      {item.expires_at && `. ${new Date(item.expires_at) > new Date() ? "Ends" : "Ended"} ${date(new Date(item.expires_at))}`}
      {item.expires_at && new Date(item.expires_at) > new Date() && (
        <>
          {" ("}
          <Moment at={item.expires_at} />)
        </>
      )}
      {before && before > now && (
        <>
          {`. The old secret${item.previous_secret_last4 ? ` …${item.previous_secret_last4}` : ""} works until `}
          <time dateTime={item.previous_expires_at} title={absolute(before)}>
            {before.toDateString() === now.toDateString() ? hm(before) : `${date(before)}, ${hm(before)}`}
          </time>
        </>
      )}
      {item.cidrs.length > 0 && `. Only from ${item.cidrs.join(", ")}`}
    </>
  );
}

function DeleteKey({ open, onClose, streamId, item, label }: { open: boolean; onClose: () => void; streamId: string; item: Key; label: string }) {
  const remove = useDeleteKey(streamId);
  const inUse = item.live_session_ids.length > 0;
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={`Delete ${label}?`}
      about={inUse ? "A publisher uses it now and is cut off within a second. It cannot be brought back." : "Encoders that have it are refused from now on. It cannot be brought back."}
      verb="Delete key"
      working="Deleting…"
      busy={remove.isPending}
      problem={remove.error ? sentence(remove.error) : undefined}
      onConfirm={() =>
        remove.mutate(item, {
          onSuccess: () => {
            done(`“${label}” is deleted.`);
            onClose();
          },
        })
      }
    />
  );
}
