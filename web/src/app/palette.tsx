import * as RadixDialog from "@radix-ui/react-dialog";
import { useId, useMemo, useState, type KeyboardEvent, type ReactNode } from "react";
import { useLocation } from "wouter";
import { useStreams } from "@/features/streams/queries";
import { useVhosts } from "@/features/vhosts/queries";
import { plainText } from "@/format/hostile";
import { cx } from "@/ui/cx";
import { DialogContent } from "@/ui/dialog";
import { Plus, Search, Shield, Tv } from "@/ui/icon";
import { nav } from "./nav";
import { useMay } from "./session";

interface Entry {
  id: string;
  group: "Streams" | "Go to" | "Do";
  label: string;
  icon: ReactNode;
  end?: ReactNode;
  href: string;
}

function useEntries(query: string): Entry[] {
  const streams = useStreams().items;
  const vhosts = useVhosts().data ?? [];
  const may = { viewer: true, operator: useMay("operator"), admin: useMay("admin") };
  const wanted = query.trim().toLowerCase();
  const matches = (text: string) => text.toLowerCase().includes(wanted);
  const found: Entry[] = streams
    .filter((s) => matches(`${s.name} ${s.vhost}/${s.app}`))
    .slice(0, wanted ? 8 : 4)
    .map((s) => ({ id: s.id, group: "Streams", label: plainText(s.name, 60), icon: <Tv />, end: `${s.vhost} / ${s.app}`, href: `/streams/${s.id}` }));
  for (const i of nav.flatMap((g) => g.items)) {
    if (may[i.needs] && matches(i.label)) {
      const keys = (
        <>
          <kbd>G</kbd>
          <kbd>{i.hotkey.toUpperCase()}</kbd>
        </>
      );
      found.push({ id: i.href, group: "Go to", label: i.label, icon: <i.icon />, end: keys, href: i.href });
    }
  }
  if (wanted) {
    const fitting = vhosts.filter((v) => matches(`policy of vhost ${v.name}`) || matches("policies: who may publish and play"));
    for (const v of fitting.slice(0, 6)) found.push({ id: v.id, group: "Go to", label: `Policy of vhost ${plainText(v.name, 40)}`, icon: <Shield />, href: `/access?vhost=${encodeURIComponent(v.name)}` });
  }
  if (may.operator && matches("new stream")) found.push({ id: "new", group: "Do", label: "New stream", icon: <Plus />, href: "/streams?new=1" });
  return found;
}

/** ⌘K: streams, screens and verbs by name. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [, go] = useLocation();
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const entries = useEntries(query);
  const groups = useMemo(() => [...new Set(entries.map((e) => e.group))], [entries]);
  const current = Math.min(chosen, entries.length - 1);

  const run = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    go(entry.href);
  };
  const onKey = (e: KeyboardEvent) => {
    if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      e.preventDefault();
      const step = e.key === "ArrowDown" ? 1 : -1;
      setChosen((current + step + entries.length) % Math.max(entries.length, 1));
    } else if (e.key === "Enter") {
      e.preventDefault();
      run(entries[current]);
    }
  };

  return (
    <RadixDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <RadixDialog.Portal>
        <div className="scrim top">
          <DialogContent className="palette" aria-describedby={undefined}>
            <RadixDialog.Title className="vh">Search or jump</RadixDialog.Title>
            <div className="q">
              <Search />
              <input
                role="combobox"
                aria-expanded="true"
                aria-controls={id}
                aria-activedescendant={entries[current] ? `${id}-${current}` : undefined}
                aria-label="Search streams, screens and actions"
                placeholder="Streams, screens, actions"
                value={query}
                onChange={(e) => {
                  setQuery(e.target.value);
                  setChosen(0);
                }}
                onKeyDown={onKey}
              />
              <kbd>Esc</kbd>
            </div>
            <div id={id} role="listbox" aria-label="Found" className="found">
              {groups.map((g) => (
                <div className="grp" role="group" aria-label={g} key={g}>
                  <h3 role="presentation">{g}</h3>
                  {entries.map((e, i) =>
                    e.group === g ? (
                      // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the focus stays in the input, which has the keys
                      <div
                        key={e.id}
                        id={`${id}-${i}`}
                        role="option"
                        aria-selected={i === current}
                        className={cx("it")}
                        onClick={() => run(e)}
                        onPointerMove={() => setChosen(i)}
                      >
                        {e.icon}
                        <span className="cut">{e.label}</span>
                        <span className="end">{e.end}</span>
                      </div>
                    ) : null,
                  )}
                </div>
              ))}
              {entries.length === 0 && <p className="pad text-sm text-ink-2">Nothing is called “{plainText(query, 40)}”.</p>}
            </div>
          </DialogContent>
        </div>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
