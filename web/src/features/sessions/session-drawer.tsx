import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode } from "react";
import { api, ok } from "@/api/client";
import type { Session } from "@/api/types";
import { reasonTone, reasonWords } from "@/features/events/reasons";
import { useTopic } from "@/feed/use-topic";
import { plainText, sentenceText } from "@/format/hostile";
import { count } from "@/format/numbers";
import { duration } from "@/format/time";
import { Button } from "@/ui/button";
import { CopyField } from "@/ui/copy";
import { Drawer } from "@/ui/dialog";
import { Failed } from "@/ui/failed";
import { State } from "@/ui/mark";
import { Moment } from "@/ui/moment";
import { Bitrate, Bytes, Unit } from "@/ui/quantity";
import { Skeleton } from "@/ui/skeleton";
import type { Kickable } from "./kick-dialog";
import { RoleCell } from "./session-cells";
import { protocolName } from "./words";

interface DrawerProps {
  id: string | null;
  onClose: () => void;
  onKick: ((target: Kickable) => void) | undefined;
}

/** Everything known of one session. */
export function SessionDrawer({ id, onClose, onKick }: DrawerProps) {
  const fed = useTopic("sessions").items.find((s) => s.id === id);
  const rest = useQuery({
    queryKey: ["session", id, fed === undefined],
    queryFn: () => ok(api.GET("/api/v1/sessions/{session_id}", { params: { path: { session_id: id ?? "" } } })),
    enabled: id !== null && !fed,
  });
  const session = fed ?? rest.data;
  const live = session?.state === "live";
  return (
    <Drawer
      open={id !== null}
      onClose={onClose}
      title={session ? plainText(session.name, 60) || "Session" : "Session"}
      sub={session && <RoleCell session={session} />}
      footer={
        live &&
        onKick && (
          <Button look="danger" onClick={() => onKick({ id: session.id, peer: session.peer, role: session.role })}>
            Kick
          </Button>
        )
      }
    >
      {session ? <Detail session={session} /> : rest.error ? <Failed what="The session" error={rest.error} retry={() => void rest.refetch()} /> : <Skeleton lines={6} />}
    </Drawer>
  );
}

function Detail({ session: s }: { session: Session }) {
  const rows: [string, ReactNode][] = [
    ["Stream", `${plainText(s.vhost, 60)} / ${plainText(s.app, 60)} / ${plainText(s.name, 120) || "–"}`],
    ["Protocol", protocolName(s.protocol)],
    ["Address", <span key="a" className="mono">{s.peer}</span>],
    ["Agent", s.agent ? <span key="g" className="break-all">{plainText(s.agent)}</span> : "–"],
    ["From page", s.page_url ? <span key="p" className="break-all">{plainText(s.page_url)}</span> : "–"],
    ["Stream key", s.key_id ? <code key="k">{s.key_id}</code> : "–"],
    ["Token", s.token_id ? <code key="t">{s.token_id}</code> : "–"],
    ["Codecs", [s.video_codec, s.audio_codec].filter(Boolean).join(", ") || "–"],
    ["Began", <Moment key="b" at={s.started_at} as="stamp" />],
    ["Lasted", duration(s.duration_ms / 1000)],
    ["In", <><Bytes key="i" n={s.bytes_in} />{s.state === "live" && <>, <Bitrate kbps={s.in_kbps} /></>}</>],
    ["Out", <><Bytes key="o" n={s.bytes_out} />{s.state === "live" && <>, <Bitrate kbps={s.out_kbps} /></>}</>],
    ["Skipped", <>{count(s.dropped_messages)}<Unit>messages</Unit></>],
  ];
  return (
    <>
      {s.state === "ended" && (
        <div className="stack tight">
          <State tone={reasonTone(s.reason ?? "")}>{reasonWords(s.reason ?? "unknown")}</State>
          {s.detail && <p className="text-sm text-ink-2">{sentenceText(s.detail)}</p>}
        </div>
      )}
      <dl className="facts">
        {rows.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
      <CopyField label="Id" what="session id" value={s.id} />
    </>
  );
}
