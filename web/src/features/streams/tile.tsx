import { useState } from "react";
import { Link } from "wouter";
import type { Stream } from "@/api/types";
import { plainText } from "@/format/hostile";
import { count, fps } from "@/format/numbers";
import { cx } from "@/ui/cx";
import { Clock, Eye } from "@/ui/icon";
import { State } from "@/ui/mark";
import { Since } from "@/ui/moment";
import { Bitrate, Unit } from "@/ui/quantity";
import { Spark } from "@/ui/spark";
import { useInView } from "@/ui/in-view";
import { healthOf } from "./health";
import { useStayed } from "./preview";
import { useRateHistory } from "./rate-history";
import { TilePicture } from "./tile-picture";

interface TileProps {
  stream: Stream;
  pinned: boolean;
  onPin: () => void;
}

/** A stream at a glance: its picture on hover or pinned, its bit rate, its health in shape, colour and word. */
export function Tile({ stream, pinned, onPin }: TileProps) {
  const [over, setOver] = useState(false);
  const stayed = useStayed(over);
  const [ref, seen] = useInView<HTMLElement>();
  const rates = useRateHistory(stream, seen);
  const health = healthOf(stream);
  const { live } = stream;
  const name = plainText(stream.name, 80);
  return (
    <article
      ref={ref}
      className={cx("tile", live && (health.tone === "bad" || health.tone === "warn") && health.tone)}
      onPointerEnter={(e) => setOver(e.pointerType === "mouse")}
      onPointerLeave={() => setOver(false)}
    >
      <TilePicture stream={stream} playing={Boolean(live) && (pinned || stayed)} pinned={pinned} onPin={onPin} showPin={over || pinned} />
      <div className="body">
        <div className="name">
          <Link className="cover cut" href={`/streams/${stream.id}`}>
            <b title={name}>{name}</b>
          </Link>
          <span>
            {plainText(stream.vhost, 24)} / {plainText(stream.app, 24)}
          </span>
        </div>
        <div className="flow">
          <Spark values={rates} full={60} tone={health.tone} label={`${name}, bit rate, last 15 minutes`} />
          <span className="rate">
            <Bitrate kbps={live?.in_kbps} />
          </span>
        </div>
        <Foot stream={stream} />
      </div>
    </article>
  );
}

function Foot({ stream }: { stream: Stream }) {
  const health = healthOf(stream);
  const { live } = stream;
  return (
    <div className="meta">
      <State tone={health.tone}>{health.word}</State>
      {live ? (
        <span className="facts-in">
          {live.fps > 0 && (
            <span>
              {fps(live.fps)}
              <Unit>fps</Unit>
            </span>
          )}
          <span title={`${count(live.players)} players`}>
            <Eye />
            <span className="vh">Players: </span>
            {count(live.players)}
          </span>
          <span className="up">
            <Clock />
            <span className="vh">Live for </span>
            <Since at={live.started_at} short />
          </span>
        </span>
      ) : stream.waiting_players > 0 ? (
        <span className="facts-in">
          <span>
            <Eye />
            {count(stream.waiting_players)} waiting
          </span>
        </span>
      ) : (
        <Link className="link" href={`/streams/${stream.id}`}>
          Connect an encoder
        </Link>
      )}
    </div>
  );
}
