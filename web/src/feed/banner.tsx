import { hms, duration } from "@/format/time";
import { Button } from "@/ui/button";
import { Mark } from "@/ui/mark";
import { useNow } from "@/ui/now";
import { useFeedStatus } from "./use-topic";

/** Says that live data has paused, counts down to the next try, and goes without a word when data is back. */
export function FeedBanner() {
  const { status, retryNow } = useFeedStatus();
  const now = useNow().getTime();
  // A short break that mends itself is not worth a word.
  if (status.kind !== "paused" || now - status.since < 1500) return null;
  const wait = Math.ceil((status.retryAt - now) / 1000);
  return (
    <div className="banner" role="status">
      <Mark tone="warn" />
      <p>
        <b>Live data has paused.</b> {wait > 0 ? `Trying again in ${wait} s.` : "Trying again…"} What you see is from {hms(new Date(status.since))},{" "}
        {duration((now - status.since) / 1000)} ago.
      </p>
      <Button small onClick={retryNow}>
        Try now
      </Button>
    </div>
  );
}
