import { useEffect, useState } from "react";
import { cx } from "./cx";

/** True once waiting has taken so long (200 ms) that it should be shown. */
function useSlow(): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return slow;
}

/** Lines in the shape of what is about to come. */
export function Skeleton({ lines = 3, className }: { lines?: number; className?: string }) {
  const slow = useSlow();
  return (
    <div className={cx("pad stack", className)} aria-busy="true">
      <span className="vh">Loading</span>
      {slow && Array.from({ length: lines }, (_, i) => <span key={i} className={cx("skel", i % 3 === 1 ? "w-2/3" : i % 3 === 2 ? "w-1/2" : "w-full")} />)}
    </div>
  );
}
