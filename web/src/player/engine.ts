import mpegts from "mpegts.js";
import { sentence } from "@/api/problem";
import type { Ticket } from "./admission";
import { explain, wasRefused, type ErrorInfo } from "./explain";

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
  /** Gives the token that the vhost asks players for; absent where it asks for none. */
  ticket?: Ticket | undefined;
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
  #tokenRefused = false;
  #destroyed = false;
  transport: Transport = "HTTP-FLV";

  constructor(video: HTMLVideoElement, source: Source, onStatus: (status: PlayerStatus) => void) {
    this.#video = video;
    this.#source = source;
    this.#onStatus = onStatus;
    mpegts.LoggingControl.enableAll = false;
    if (mpegts.getFeatureList().mseLivePlayback) {
      void this.#open();
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

  /** Starts playing; each start has a token that still holds, where one is needed. */
  async #open(): Promise<void> {
    this.#onStatus({ kind: "connecting" });
    const { ticket } = this.#source;
    let token: string | undefined;
    try {
      token = await ticket?.(this.#tokenRefused);
    } catch (error) {
      this.#retry(`No token to play with: ${sentence(error)}`, false);
      return;
    }
    if (!this.#destroyed) this.#load(token);
  }

  #load(token: string | undefined): void {
    const url = new URL(this.#source.path, window.location.href);
    if (token !== undefined) url.searchParams.set("token", token);
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
    player.on(mpegts.Events.ERROR, (type: string, detail: string, info: ErrorInfo | undefined) => this.#failed(type, detail, info));
    player.on(mpegts.Events.LOADING_COMPLETE, () => {
      if (this.#destroyed) return;
      this.#close();
      this.#onStatus({ kind: "ended" });
    });
    player.attachMediaElement(this.#video);
    this.#video.onplaying = () => {
      this.#tries = 0;
      this.#tokenRefused = false;
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

  #failed(type: string, detail: string, info: ErrorInfo | undefined): void {
    if (this.#destroyed) return;
    this.#close();
    // A token that was kept may have been revoked meanwhile; once, a fresh one is tried.
    if (this.#source.ticket && wasRefused(info) && !this.#tokenRefused) {
      this.#tokenRefused = true;
      void this.#open();
      return;
    }
    // The other way in: a proxy may break long replies but let websockets through, or the reverse.
    if (type === mpegts.ErrorTypes.NETWORK_ERROR && info?.code !== 404) this.transport = this.transport === "HTTP-FLV" ? "WebSocket-FLV" : "HTTP-FLV";
    const { why, final } = explain(type, detail, info);
    this.#retry(why, final);
  }

  #retry(why: string, final: boolean): void {
    if (this.#destroyed) return;
    this.#tries++;
    const last = final || this.#tries >= mostTries;
    this.#onStatus({ kind: "failed", why, final: last });
    if (!last) this.#timer = setTimeout(() => void this.#open(), retryAfter);
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
