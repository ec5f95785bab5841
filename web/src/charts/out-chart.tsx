import { useMemo } from "react";
import type { OverviewPoint } from "@/api/types";
import { bitrate, bitrateTick } from "@/format/numbers";
import { useNow } from "@/ui/now";
import { Chart } from "./chart";
import { layOut } from "./series";

/** The bit rate to all players over the last 15 minutes. */
export default function OutChart({ points }: { points: readonly OverviewPoint[] }) {
  const now = Math.floor(useNow().getTime() / 1000);
  const data = useMemo(
    () => layOut(points.map((p) => ({ at: new Date(p.time).getTime() / 1000, value: p.out_kbps })), now, 900, 5),
    [points, now],
  );
  return <Chart title="Out, all players" data={data} span={900} now={now} format={bitrate} tick={bitrateTick} sync="overview" times lead height={236} />;
}
