import type { Stream, System } from "@/api/types";
import { afterFirst, byHealthThenPlayers, firstSentence } from "@/features/streams/health";
import { plainText } from "@/format/hostile";
import { ButtonLink } from "@/ui/button";
import { Mark } from "@/ui/mark";
import { Panel } from "@/ui/panel";

interface Need {
  id: string;
  tone: "bad" | "warn";
  title: string;
  text: string;
  href: string;
  verb: string;
}

/** What somebody has to look at, the worst first. */
export function needs(streams: readonly Stream[], system: System | undefined): Need[] {
  const found: Need[] = (system?.degraded_reasons ?? []).map((text, i) => ({
    id: `system-${i}`,
    tone: "bad",
    title: firstSentence(text),
    text: afterFirst(text),
    href: "/system",
    verb: "Show system",
  }));
  for (const s of streams.filter((s) => s.live && s.live.findings.length > 0).sort(byHealthThenPlayers)) {
    const finding = s.live?.findings[0];
    if (!finding) continue;
    const name = plainText(s.name, 60);
    const more = (s.live?.findings.length ?? 1) - 1;
    found.push({
      id: s.id,
      tone: finding.severity === "bad" ? "bad" : "warn",
      title: `${name}: ${firstSentence(finding.text)}`,
      text: [afterFirst(finding.text), more > 0 ? `And ${more} more.` : ""].filter(Boolean).join(" "),
      href: `/streams/${s.id}`,
      verb: "Open stream",
    });
  }
  return found;
}

const most = 5;

/** First on the page: findings, not totals. */
export function NeedsYou({ items }: { items: readonly Need[] }) {
  if (items.length === 0) return null;
  return (
    <Panel title="Needs you" sub={`${items.length}, the worst first`}>
      {items.slice(0, most).map((n) => (
        <div className="note" key={n.id}>
          <Mark tone={n.tone} />
          <div className="b">
            <h3>{n.title}</h3>
            {n.text && <p>{n.text}</p>}
          </div>
          <div className="end">
            <ButtonLink small href={n.href}>
              {n.verb}
            </ButtonLink>
          </div>
        </div>
      ))}
    </Panel>
  );
}
