import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode } from "react";
import { api, ok } from "@/api/client";
import type { System } from "@/api/types";
import { NodePanel } from "@/features/overview/node-panel";
import { reachable } from "@/features/streams/urls";
import { useTopic } from "@/feed/use-topic";
import { count, memory } from "@/format/numbers";
import { duration } from "@/format/time";
import { CopyField } from "@/ui/copy";
import { Mark } from "@/ui/mark";
import { Moment } from "@/ui/moment";
import { Page } from "@/ui/page";
import { Panel } from "@/ui/panel";
import { Bytes, Quantity } from "@/ui/quantity";
import { Skeleton } from "@/ui/skeleton";

/** How this server is doing. */
export default function SystemPage() {
  const system = useTopic("system").items[0];
  return (
    <Page title="System" about={system ? `Penstock ${system.version} on ${system.node}, up ${duration(system.uptime_seconds)}` : "Loading"}>
      {system ? (
        <Loaded system={system} />
      ) : (
        <section className="panel">
          <Skeleton lines={6} />
        </section>
      )}
    </Page>
  );
}

function Loaded({ system }: { system: System }) {
  // The feed knows no request and so no addresses.
  const urls = useQuery({ queryKey: ["system"], queryFn: () => ok(api.GET("/api/v1/system")), staleTime: Infinity }).data?.urls;
  const rows: [string, ReactNode][] = [
    ["Version", system.version],
    ["Built with", system.go_version],
    ["Started", <Moment key="s" at={system.started_at} as="stamp" />],
    ["Its clock", <Moment key="c" at={system.server_time} as="clock" />],
    ["Goroutines", count(system.goroutines)],
    ["Memory from the system", <Quantity key="m" of={memory(system.memory_bytes)} />],
    ["In use by objects", <Quantity key="h" of={memory(system.heap_bytes)} />],
    ["Received since the start", <Bytes key="i" n={system.totals.bytes_in} />],
    ["Sent since the start", <Bytes key="o" n={system.totals.bytes_out} />],
    ["Connections accepted", count(system.totals.sessions)],
    ["Connections refused", count(system.totals.refusals)],
  ];
  return (
    <>
      {system.degraded && (
        <Panel title="Needs you" sub={count(system.degraded_reasons.length)}>
          {system.degraded_reasons.map((reason) => (
            <div className="note" key={reason}>
              <Mark tone="bad" />
              <div className="b">
                <p className="do">{reason}</p>
              </div>
            </div>
          ))}
        </Panel>
      )}
      <div className="split">
        <div className="stack">
          <Panel title="Where it is reached">
            <div className="pad stack">
              {!urls && <Skeleton lines={3} />}
              {urls?.rtmp.map((url) => (
                <CopyField key={url} label="RTMP" what="RTMP address" value={reachable(url)} />
              ))}
              {urls && <CopyField label="HTTP" what="HTTP address" value={reachable(urls.http)} />}
              {urls && <CopyField label="WebSocket" what="WebSocket address" value={reachable(urls.ws)} />}
            </div>
            <footer>
              <a className="link" href="/docs">
                REST API documentation
              </a>
            </footer>
          </Panel>
          <Panel title="Details">
            <dl className="facts pad">
              {rows.map(([name, value]) => (
                <Fragment key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </Fragment>
              ))}
            </dl>
          </Panel>
        </div>
        <div className="stack">
          <NodePanel system={system} />
        </div>
      </div>
    </>
  );
}
