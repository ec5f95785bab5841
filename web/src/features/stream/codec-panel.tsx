import { Fragment, type ReactNode } from "react";
import type { StreamLive } from "@/api/types";
import { fps } from "@/format/numbers";
import { plainText } from "@/format/hostile";
import { Panel } from "@/ui/panel";
import { Bytes, Unit } from "@/ui/quantity";

function channels(n: number): string {
  return n === 1 ? "mono" : n === 2 ? "stereo" : n === 6 ? "5.1" : n === 8 ? "7.1" : `${n} channels`;
}

/** What the decoder configurations say, and what has flowed. */
export function CodecPanel({ live }: { live: StreamLive }) {
  const { video, audio } = live;
  const groups: [string, ReactNode][][] = [
    video
      ? [
          ["Video", [[video.codec, video.profile].filter(Boolean).join(" "), video.level ? `level ${video.level}` : ""].filter(Boolean).map((s) => plainText(s, 60)).join(", ")],
          ["Picture", video.width_px > 0 ? <>{video.width_px} × {video.height_px}{live.fps > 0 && <>, {fps(live.fps)}<Unit>fps</Unit></>}</> : "not known yet"],
        ]
      : [["Video", "none"]],
    audio
      ? [
          ["Audio", [[audio.codec, audio.profile].filter(Boolean).join("-"), audio.channels > 0 ? channels(audio.channels) : ""].filter(Boolean).map((s) => plainText(s, 60)).join(", ")],
          ["Sample rate", audio.sample_rate_hz > 0 ? <>{audio.sample_rate_hz / 1000}<Unit>kHz</Unit></> : "not known yet"],
        ]
      : [["Audio", "none"]],
    [
      ["Received", <Bytes key="i" n={live.bytes_in} />],
      ["Sent", <Bytes key="o" n={live.bytes_out} />],
    ],
  ];
  return (
    <Panel title="Codecs" className="o8">
      <dl className="facts pad">
        {groups.map((rows, i) => (
          <Fragment key={rows[0]?.[0]}>
            {i > 0 && <div className="rule" />}
            {rows.map(([name, value]) => (
              <Fragment key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </Fragment>
            ))}
          </Fragment>
        ))}
      </dl>
    </Panel>
  );
}
