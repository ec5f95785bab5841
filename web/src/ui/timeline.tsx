import type { ReactNode } from "react";
import { Mark, type Tone } from "./mark";
import { Moment } from "./moment";

export interface TimelineItem {
  id: string;
  at: string;
  tone: Tone;
  title: ReactNode;
  text?: ReactNode;
}

/** What happened, newest first. */
export function Timeline({ items }: { items: readonly TimelineItem[] }) {
  return (
    <ol className="timeline">
      {items.map((i) => (
        <li key={i.id}>
          <Moment at={i.at} as="stamp" />
          <Mark tone={i.tone} />
          <div>
            <b>{i.title}</b>
            {i.text && <p>{i.text}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}
