import type { Session } from "@/api/types";
import { agentName, hostOnly, plainText } from "@/format/hostile";
import { Mark, type Tone } from "@/ui/mark";
import { protocolName } from "./words";

const roles: Record<Session["role"], { word: string; tone: Tone }> = {
  publisher: { word: "Publisher", tone: "live" },
  player: { word: "Player", tone: "ok" },
  unknown: { word: "Connecting", tone: "wait" },
};

export function RoleCell({ session }: { session: Session }) {
  const role = roles[session.role];
  const tone = session.state === "ended" ? "idle" : role.tone;
  return (
    <span className="state">
      <Mark tone={tone} />
      {role.word}
    </span>
  );
}

export function StreamCell({ session, onOpen }: { session: Session; onOpen: () => void }) {
  return (
    <button type="button" className="cell-link two" onClick={onOpen} aria-label={`Show session of ${plainText(session.name || "no stream yet", 60)} from ${hostOnly(session.peer)}`}>
      <b className="cut">{plainText(session.name, 80) || <span className="ink-3">no stream yet</span>}</b>
      <span className="cut">
        {plainText(session.vhost, 30)} / {plainText(session.app, 30)}
      </span>
    </button>
  );
}

export function PeerCell({ session }: { session: Session }) {
  return (
    <span className="two">
      <span className="mono">{hostOnly(session.peer)}</span>
      <span className="cut">
        {[protocolName(session.protocol), agentName(session.agent)].filter(Boolean).join(", ")}
      </span>
    </span>
  );
}
