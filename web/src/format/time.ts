const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** A length of time in words: "34 s", "12 min", "1 h 52 min", "12 d 4 h". */
export function duration(totalSeconds: number): string {
  const s = Math.max(0, Math.floor(totalSeconds));
  if (s < minute) return `${s} s`;
  if (s < hour) return `${Math.floor(s / minute)} min`;
  if (s < day) {
    const min = Math.floor((s % hour) / minute);
    return `${Math.floor(s / hour)} h${min ? ` ${String(min).padStart(2, "0")} min` : ""}`;
  }
  const h = Math.floor((s % day) / hour);
  return `${Math.floor(s / day)} d${h ? ` ${h} h` : ""}`;
}

/** The same for narrow places: "34s", "12m", "1h 52m", "12d 4h". */
export function shortDuration(totalSeconds: number): string {
  return duration(totalSeconds)
    .replace(/ min/g, "m")
    .replace(/ (s|h|d)(?= |$)/g, "$1");
}

/** "0:24", "12:05", "1:02:09": a clock that runs. */
export function clock(totalSeconds: number): string {
  const s = Math.max(0, Math.floor(totalSeconds));
  const rest = `${String(Math.floor((s % hour) / minute)).padStart(s >= hour ? 2 : 1, "0")}:${String(s % minute).padStart(2, "0")}`;
  return s >= hour ? `${Math.floor(s / hour)}:${rest}` : rest;
}

const timeOfDay = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
const hourMinute = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", hour12: false });
const dayMonth = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const dayMonthYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** "14:12:31", on the viewer's own clock. */
export function hms(at: Date): string {
  return timeOfDay.format(at);
}

/** "14:12". */
export function hm(at: Date): string {
  return hourMinute.format(at);
}

/** The whole moment with its zone, for a title: "14 Mar 2026, 14:17:08 UTC". */
export function absolute(at: Date): string {
  const zone = new Intl.DateTimeFormat("en-GB", { timeZoneName: "short" }).formatToParts(at).find((p) => p.type === "timeZoneName")?.value;
  return `${dayMonthYear.format(at)}, ${hms(at)}${zone ? ` ${zone}` : ""}`;
}

/** "31 Mar 2026". */
export function date(at: Date): string {
  return dayMonthYear.format(at);
}

/** How long ago, or how far ahead: "just now", "2 min ago", "yesterday, 11:34", "in 43 min", "12 Mar, 09:20". */
export function relative(at: Date, now: Date): string {
  const s = (now.getTime() - at.getTime()) / 1000;
  if (s < -1) return -s < day ? `in ${duration(-s)}` : date(at);
  if (s < 5) return "just now";
  if (s < 12 * hour) return `${duration(s < hour ? s : Math.floor(s / hour) * hour)} ago`;
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  if (at.getTime() >= midnight) return `today, ${hm(at)}`;
  if (at.getTime() >= midnight - day * 1000) return `yesterday, ${hm(at)}`;
  return now.getFullYear() === at.getFullYear() ? `${dayMonth.format(at)}, ${hm(at)}` : date(at);
}

/** Today's moments as a time, older ones with their day. For lists in order of time. */
export function stamp(at: Date, now: Date): string {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  return at.getTime() >= midnight ? hms(at) : `${dayMonth.format(at)}, ${hm(at)}`;
}
