import mpegts from "mpegts.js";

/** How playing goes, in a form the screen can say in words. */
export type PlayerStatus =
  | { kind: "connecting" }
  | { kind: "playing" }
  | { kind: "blocked" } // the browser wants a press on play first
  | { kind: "ended" }
  | { kind: "failed"; why: string; final: boolean };

export interface Source {
  /** Path of the HTTP-FLV stream on this server. */
  path: string;
  hasVideo: boolean;
  hasAudio: boolean;
}

export type Transport = "HTTP-FLV" | "WebSocket-FLV";

const retryAfter = 1500;
const mostTries = 6;

/**
 * Plays one live stream in a video element: over HTTP-FLV, and over WebSocket-FLV where that fails.
 * Ends with destroy.
 */
export class LivePlayer {
  readonly #video: HTMLVideoElement;
  readonly #source: Source;
  readonly #onStatus: (status: PlayerStatus) => void;
  #player: mpegts.Player | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tries = 0;
  #destroyed = false;
  transport: Transport = "HTTP-FLV";

  constructor(video: HTMLVideoElement, source: Source, onStatus: (status: PlayerStatus) => void) {
    this.#video = video;
    this.#source = source;
    this.#onStatus = onStatus;
    mpegts.LoggingControl.enableAll = false;
    if (mpegts.getFeatureList().mseLivePlayback) {
      this.#open();
    } else {
      onStatus({ kind: "failed", why: "This browser cannot play FLV streams: it has no Media Source Extensions. Use the RTMP address in VLC.", final: true });
    }
  }

  destroy(): void {
    this.#destroyed = true;
    clearTimeout(this.#timer);
    this.#close();
  }

  /** Goes to the newest picture, after a pause. */
  resume(): void {
    const { buffered } = this.#video;
    if (buffered.length > 0) this.#video.currentTime = Math.max(0, buffered.end(buffered.length - 1) - 0.3);
    this.#play();
  }

  setMuted(muted: boolean): void {
    this.#video.muted = muted;
  }

  /** Seconds between what is shown and the newest that has arrived. */
  behind(): number {
    const { buffered, currentTime } = this.#video;
    return buffered.length === 0 ? 0 : Math.max(0, buffered.end(buffered.length - 1) - currentTime);
  }

  #open(): void {
    this.#onStatus({ kind: "connecting" });
    const url = new URL(this.#source.path, window.location.href);
    if (this.transport === "WebSocket-FLV") url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const player = mpegts.createPlayer(
      { type: "flv", isLive: true, url: url.href, hasAudio: this.#source.hasAudio, hasVideo: this.#source.hasVideo, cors: false },
      {
        enableWorker: false,
        enableStashBuffer: false,
        lazyLoad: false,
        autoCleanupSourceBuffer: true,
        // Plays a little faster when it has fallen behind, rather than jumping.
        liveSync: true,
        liveSyncMaxLatency: 2,
        liveSyncTargetLatency: 0.8,
        liveSyncPlaybackRate: 1.1,
        referrerPolicy: "same-origin",
      },
    );
    this.#player = player;
    player.on(mpegts.Events.ERROR, (type: string, detail: string, info: { code?: number; msg?: string } | undefined) => this.#failed(type, detail, info));
    player.on(mpegts.Events.LOADING_COMPLETE, () => {
      if (this.#destroyed) return;
      this.#close();
      this.#onStatus({ kind: "ended" });
    });
    player.attachMediaElement(this.#video);
    this.#video.onplaying = () => {
      this.#tries = 0;
      this.#onStatus({ kind: "playing" });
    };
    player.load();
    this.#play();
  }

  #play(): void {
    this.#video.play().catch((error: unknown) => {
      if (!this.#destroyed && error instanceof DOMException && error.name === "NotAllowedError") this.#onStatus({ kind: "blocked" });
    });
  }

  #failed(type: string, detail: string, info: { code?: number; msg?: string } | undefined): void {
    if (this.#destroyed) return;
    this.#close();
    const { why, final } = explain(type, detail, info);
    this.#tries++;
    const last = final || this.#tries >= mostTries;
    this.#onStatus({ kind: "failed", why, final: last });
    if (last) return;
    // The other way in: a proxy may break long replies but let websockets through, or the reverse.
    if (type === mpegts.ErrorTypes.NETWORK_ERROR && info?.code !== 404) this.transport = this.transport === "HTTP-FLV" ? "WebSocket-FLV" : "HTTP-FLV";
    this.#timer = setTimeout(() => this.#open(), retryAfter);
  }

  #close(): void {
    const player = this.#player;
    this.#player = undefined;
    if (!player) return;
    this.#video.onplaying = null;
    player.pause();
    player.unload();
    player.detachMediaElement();
    player.destroy();
  }
}

/** What went wrong, in words, and whether trying again is of no use. */
export function explain(type: string, detail: string, info: { code?: number; msg?: string } | undefined): { why: string; final: boolean } {
  if (type === "NetworkError") {
    switch (info?.code) {
      case 401:
      case 403:
        return { why: "This player was refused. The vhost may ask for a token or have a referer rule; Access shows which.", final: true };
      case 404:
        return { why: "Nobody publishes this stream at the moment.", final: false };
      case 503:
        return { why: "The server takes no more players just now.", final: false };
    }
    return { why: "The connection broke. Trying again.", final: false };
  }
  if (detail === "CodecUnsupported" || (info?.msg ?? "").includes("codec")) {
    return { why: "This browser cannot show the stream’s codec. Play it over RTMP in VLC.", final: true };
  }
  if (type === "MediaError") return { why: "The browser could not decode what arrived. Trying again.", final: false };
  return { why: "Playing failed. Trying again.", final: false };
}
