import { useState } from "react";
import { Link } from "wouter";
import type { Stream } from "@/api/types";
import { plainText } from "@/format/hostile";
import { count, fps, pictureName } from "@/format/numbers";
import { cx } from "@/ui/cx";
import { Clock, Eye, Pin } from "@/ui/icon";
import { OnPicture, State } from "@/ui/mark";
import { Moment, Since } from "@/ui/moment";
import { Bitrate, Unit } from "@/ui/quantity";
import { Spark } from "@/ui/spark";
import { useInView } from "@/ui/in-view";
import { healthOf, shortFinding } from "./health";
import { Preview, useStayed } from "./preview";
import { useRateHistory } from "./rate-history";

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
      <Picture stream={stream} playing={Boolean(live) && (pinned || stayed)} pinned={pinned} onPin={onPin} showPin={over || pinned} />
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

interface PictureProps {
  stream: Stream;
  playing: boolean;
  pinned: boolean;
  onPin: () => void;
  showPin: boolean;
}

function Picture({ stream, playing, pinned, onPin, showPin }: PictureProps) {
  const { live } = stream;
  if (!live) {
    return (
      <div className="pic none">
        <div className="no-pic">
          <b>Nobody publishes</b>
          {stream.created_at && (
            <span>
              Made <Moment at={stream.created_at} />
            </span>
          )}
        </div>
      </div>
    );
  }
  if (!live.video && !live.audio) {
    return (
      <div className="pic none">
        <div className="no-pic">
          <b>Waiting for the first picture</b>
          <span>
            The encoder connected <Moment at={live.started_at} /> and has sent no media
          </span>
        </div>
      </div>
    );
  }
  const finding = shortFinding(stream);
  const video = live.video ? { codec: live.video.codec, width: live.video.width_px, height: live.video.height_px } : null;
  return (
    <div className="pic">
      <Preview stream={stream} playing={playing} />
      <span className="tl">
        <OnPicture tone="live">Live</OnPicture>
        {finding && !showPin && (
          <OnPicture tone={live.health === "bad" ? "bad" : "warn"}>
            <span className="cut" title={finding}>
              {finding}
            </span>
          </OnPicture>
        )}
      </span>
      <span className={cx("tr", !showPin && "on-focus")}>
        <button type="button" className="ib" aria-pressed={pinned} aria-label={pinned ? "Unpin the live picture" : "Pin the live picture"} onClick={onPin}>
          <Pin />
        </button>
      </span>
      <span className="br on-pic">{pictureName(video, live.fps)}</span>
    </div>
  );
}
