import type { ReactNode } from "react";
import type { System } from "@/api/types";
import { count, memory } from "@/format/numbers";
import { Badge } from "@/ui/mark";
import { Moment } from "@/ui/moment";
import { Panel } from "@/ui/panel";
import { Bytes, Quantity, Unit } from "@/ui/quantity";

/** How the machine is. */
export function NodePanel({ system }: { system: System }) {
  const cpu = system.cpu_percent / Math.max(system.cpus, 1);
  const files = system.open_files >= 0 && system.open_files_max > 0 ? system.open_files / system.open_files_max : null;
  return (
    <Panel title={system.node} sub={system.version} end={<Badge tone={system.degraded ? "warn" : "ok"}>{system.degraded ? "Degraded" : "Healthy"}</Badge>}>
      <div className="pad gauges">
        <Gauge name="CPU" part={cpu / 100}>
          {cpu.toFixed(cpu < 10 ? 1 : 0)}
          <Unit>{`% of ${system.cpus} ${system.cpus === 1 ? "core" : "cores"}`}</Unit>
        </Gauge>
        {files !== null && (
          <Gauge name="Open files" part={files}>
            {count(system.open_files)}
            <Unit>{`of ${count(system.open_files_max)}`}</Unit>
          </Gauge>
        )}
      </div>
      <dl className="facts pad pt-0">
        <dt>Memory</dt>
        <dd>
          <Quantity of={memory(system.memory_bytes)} />
        </dd>
        <dt>Database</dt>
        <dd>
          {system.database.engine === "postgres" ? "PostgreSQL" : "SQLite"},{" "}
          {system.database.state === "up" ? (
            <>
              {system.database.latency_ms}
              <Unit>ms</Unit>
            </>
          ) : (
            <b className="text-bad">away</b>
          )}
        </dd>
        <dt>Sent since the start</dt>
        <dd>
          <Bytes n={system.totals.bytes_out} />
        </dd>
        <dt>Revision applied</dt>
        <dd>
          {count(system.applied_revision)}
          {system.applied_at && (
            <>
              , <Moment at={system.applied_at} />
            </>
          )}
        </dd>
      </dl>
    </Panel>
  );
}

function Gauge({ name, part, children }: { name: string; part: number; children: ReactNode }) {
  const percent = Math.min(100, Math.max(0, part * 100));
  return (
    <div>
      <dl>
        <dt>{name}</dt>
        <dd>{children}</dd>
      </dl>
      <div className={percent > 85 ? "meter warn" : "meter"}>
        <i style={{ width: `${percent}%` }} />
      </div>
    </div>
  );
}
