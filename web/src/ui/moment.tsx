import { absolute, duration, hms, relative, shortDuration, stamp } from "@/format/time";
import { unknown } from "@/format/numbers";
import { useNow } from "./now";

interface MomentProps {
  at: string | null | undefined;
  /** relative: "2 min ago". clock: "14:12:31". stamp: the time, or the day when it was not today. */
  as?: "relative" | "clock" | "stamp";
  className?: string;
}

/** A moment in a short form; the whole one stands in the title. */
export function Moment({ at, as = "relative", className }: MomentProps) {
  const now = useNow();
  if (!at) return <span className="ink-3">{unknown}</span>;
  const date = new Date(at);
  const text = as === "clock" ? hms(date) : as === "stamp" ? stamp(date, now) : relative(date, now);
  return (
    <time dateTime={at} title={absolute(date)} className={className}>
      {text}
    </time>
  );
}

/** How long something has been going on. */
export function Since({ at, short = false }: { at: string | null | undefined; short?: boolean }) {
  const now = useNow();
  if (!at) return <span className="ink-3">{unknown}</span>;
  const seconds = (now.getTime() - new Date(at).getTime()) / 1000;
  return <span title={`Since ${absolute(new Date(at))}`}>{short ? shortDuration(seconds) : duration(seconds)}</span>;
}
