import { useMemo, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { useMay } from "@/app/session";
import { useTopic } from "@/feed/use-topic";
import { count, plural } from "@/format/numbers";
import { Search } from "@/ui/icon";
import { Page } from "@/ui/page";
import { Segmented } from "@/ui/segmented";
import { EndedSessions } from "./ended-sessions";
import { EventList } from "./event-list";
import { readFilter, writeFilter, type Filter } from "./filter";
import { KickDialog, type Kickable } from "./kick-dialog";
import { LiveSessions } from "./live-sessions";
import { SessionDrawer } from "./session-drawer";

/** Who is connected, who was, and what happened. */
export default function Sessions() {
  const search = useSearch();
  const [, go] = useLocation();
  const filter = useMemo(() => readFilter(search), [search]);
  const open = new URLSearchParams(search).get("session");
  const overview = useTopic("overview").items[0];
  const [kicked, setKicked] = useState<Kickable | null>(null);
  const may = useMay("operator");

  const at = (f: Filter, session?: string) => {
    const query = [writeFilter(f), session ? `session=${encodeURIComponent(session)}` : ""].filter(Boolean).join("&");
    return query ? `/sessions?${query}` : "/sessions";
  };
  const change = (part: Partial<Filter>) => go(at({ ...filter, ...part }), { replace: true });
  const show = (id: string | null) => go(at(filter, id ?? undefined), { replace: id === null });
  const onKick = may ? setKicked : undefined;

  return (
    <Page title="Sessions" about={overview ? `${plural(overview.publishers, "publisher")}, ${plural(overview.players, "player")} connected` : "Loading"}>
      <div className="tools">
        {filter.show !== "events" && (
          <div className="with-icon">
            <Search />
            <input
              className="input"
              type="search"
              placeholder="Stream, address or agent"
              aria-label="Search sessions"
              value={filter.q}
              onChange={(e) => change({ q: e.target.value })}
            />
            <kbd>/</kbd>
          </div>
        )}
        <Segmented
          label="Show"
          value={filter.show}
          onChange={(s) => change({ show: s })}
          segments={[
            { value: "live", label: <>Live <span className="n">{overview ? count(overview.publishers + overview.players) : ""}</span></> },
            { value: "ended", label: "Ended" },
            { value: "events", label: "Events" },
          ]}
        />
        {filter.show !== "events" && (
          <Segmented
            label="Role"
            value={filter.role === "" ? "all" : filter.role}
            onChange={(role) => change({ role: role === "all" ? "" : role })}
            segments={[
              { value: "all", label: "All" },
              { value: "publisher", label: "Publishers" },
              { value: "player", label: "Players" },
            ]}
          />
        )}
      </div>
      {filter.show === "live" && <LiveSessions filter={filter} open={open} onOpen={show} onKick={onKick} onClear={() => go("/sessions", { replace: true })} />}
      {filter.show === "ended" && <EndedSessions filter={filter} open={open} onOpen={show} />}
      {filter.show === "events" && <EventList />}
      <SessionDrawer id={open} onClose={() => show(null)} onKick={onKick} />
      <KickDialog target={kicked} onClose={() => setKicked(null)} />
    </Page>
  );
}
