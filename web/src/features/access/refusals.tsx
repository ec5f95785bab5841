import { useMemo, useState } from "react";
import type { Refusal } from "@/api/types";
import { reasonWords } from "@/features/events/reasons";
import { useTopic } from "@/feed/use-topic";
import { hostOnly, plainText, sentenceText } from "@/format/hostile";
import { Button } from "@/ui/button";
import { cx } from "@/ui/cx";
import { Empty } from "@/ui/empty";
import { Search } from "@/ui/icon";
import { Mark } from "@/ui/mark";
import { Moment } from "@/ui/moment";
import { Panel } from "@/ui/panel";
import { Segmented } from "@/ui/segmented";
import type { Question } from "./queries";
import { RefusalDrawer } from "./refusal-drawer";
import { who } from "./words";

type Show = "all" | "publish" | "play";

/** Who was not let in of late, and what decided it. */
export function Refusals({ onExplain }: { onExplain: (q: Question) => void }) {
  const { items, pending } = useTopic("refusals");
  const [show, setShow] = useState<Show>("all");
  const [q, setQ] = useState("");
  const [open, setOpen] = useState<Refusal | null>(null);
  const shown = useMemo(() => {
    const word = q.toLowerCase();
    return [...items]
      .filter((r) => (show === "all" || r.action === show) && `${r.vhost} ${r.app} ${r.name} ${r.peer} ${r.agent} ${r.reason} ${r.detail}`.toLowerCase().includes(word))
      .sort((a, b) => b.occurred_at.localeCompare(a.occurred_at))
      .slice(0, 50);
  }, [items, show, q]);
  return (
    <Panel
      title="Recent refusals"
      sub={items.length > 0 ? `the last ${items.length}` : undefined}
      end={
        <>
          <Segmented
            small
            label="Show"
            value={show}
            onChange={setShow}
            segments={[
              { value: "all", label: "All" },
              { value: "publish", label: "Publish" },
              { value: "play", label: "Play" },
            ]}
          />
          <div className="with-icon narrow hide-s">
            <Search />
            <input className="input" type="search" aria-label="Search refusals" placeholder="Search" value={q} onChange={(e) => setQ(e.target.value)} />
          </div>
        </>
      }
    >
      {shown.length === 0 ? (
        <Empty title={pending ? "Loading" : items.length === 0 ? "Nobody was refused" : "No refusal is like that"}>
          {items.length === 0 ? "Who is not let in stands here, with every check that was made and the rule that decided." : "Look under All, or for another word."}
        </Empty>
      ) : (
        <div className="scroll">
          <table className="table list">
            <thead>
              <tr>
                <th>When</th>
                <th>Who</th>
                <th>Stream</th>
                <th>Why</th>
                <th className="act">
                  <span className="vh">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((r) => (
                <tr key={r.id} className={cx(open?.id === r.id && "is-on")}>
                  <td className="s0 fit">
                    <Moment at={r.occurred_at} as="stamp" />
                  </td>
                  <td className="s1">
                    <span className="nowrap">
                      {who(r)} <span className="mono ink-3">{hostOnly(r.peer)}</span>
                    </span>
                  </td>
                  <td className="full">{[r.vhost, r.app, r.name || "…"].map((part) => plainText(part, 60)).join(" / ")}</td>
                  <td className="full">
                    <span className="row">
                      <Mark tone="bad" />
                      {sentenceText(r.detail || reasonWords(r.reason), 160)}
                    </span>
                  </td>
                  <td className="act">
                    <Button small className="row-acts" onClick={() => setOpen(r)} aria-label={`Explain the refusal of ${hostOnly(r.peer)}`}>
                      Explain
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <RefusalDrawer refusal={open} onClose={() => setOpen(null)} onExplain={onExplain} />
    </Panel>
  );
}
