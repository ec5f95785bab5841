import type { FeedDelta, FeedSnap, FeedSub } from "@/api/types";
import { applyDelta, applySnap, type DeltaOf, type Identified, type SnapOf, type TopicState } from "./reducer";

/** How the feed stands. "paused" carries when live data stopped and when the next try is. */
export type FeedStatus = { kind: "connecting" } | { kind: "live" } | { kind: "paused"; since: number; retryAt: number };

/** The part of a websocket that is used, so that a test can stand in for it. */
export interface Socket {
  send: (text: string) => void;
  close: () => void;
  onmessage: ((e: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
}

export interface FeedOptions {
  /** The path of a websocket with a fresh ticket in it. */
  ticket: () => Promise<string>;
  open: (path: string) => Socket;
  read: (topic: string) => TopicState<Identified> | undefined;
  write: (topic: string, state: TopicState<Identified>) => void;
}

const firstDelay = 500;
const longestDelay = 15_000;
/** Without a word from the server for this long the connection is dead, whatever the socket says. */
const silence = 20_000;

/**
 * One websocket for the whole page. It keeps the topics somebody looks at up to date, says where it
 * stopped when it comes back, and tries again with growing pauses for as long as it is started.
 */
export class FeedClient {
  readonly #options: FeedOptions;
  readonly #wanted = new Map<string, number>(); // topic → how many look at it
  readonly #listeners = new Set<() => void>();
  #status: FeedStatus = { kind: "connecting" };
  #socket: Socket | undefined;
  #ready = false; // hello has come
  #timer: ReturnType<typeof setTimeout> | undefined;
  #watchdog: ReturnType<typeof setTimeout> | undefined;
  #delay = firstDelay;
  #started = false;
  #attempt = 0;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  get status(): FeedStatus {
    return this.#status;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#set({ kind: "connecting" });
    void this.#connect();
  }

  stop(): void {
    this.#started = false;
    this.#attempt++;
    clearTimeout(this.#timer);
    this.#drop();
  }

  /** Tries at once instead of at the end of the pause. */
  retryNow = (): void => {
    if (!this.#started || this.#socket) return;
    clearTimeout(this.#timer);
    void this.#connect();
  };

  /** Follows a topic until the returned function is called. */
  follow(topic: string): () => void {
    const lookers = this.#wanted.get(topic) ?? 0;
    this.#wanted.set(topic, lookers + 1);
    if (lookers === 0 && this.#ready) this.#ask(topic);
    return () => {
      const left = (this.#wanted.get(topic) ?? 1) - 1;
      if (left > 0) {
        this.#wanted.set(topic, left);
        return;
      }
      this.#wanted.delete(topic);
      if (this.#ready) this.#send({ type: "unsub", topic });
    };
  }

  async #connect(): Promise<void> {
    const attempt = ++this.#attempt;
    try {
      const path = await this.#options.ticket();
      if (attempt !== this.#attempt || !this.#started) return;
      const socket = this.#options.open(path);
      this.#socket = socket;
      socket.onmessage = (e) => {
        if (typeof e.data === "string") this.#receive(e.data);
      };
      socket.onclose = () => {
        if (this.#socket === socket) this.#lost();
      };
      this.#watch();
    } catch {
      if (attempt === this.#attempt && this.#started) this.#lost();
    }
  }

  #lost(): void {
    this.#drop();
    const now = Date.now();
    const pause = this.#delay * (0.75 + Math.random() / 2); // so that a restart is not met by everybody at once
    this.#delay = Math.min(this.#delay * 2, longestDelay);
    this.#set({ kind: "paused", since: this.#status.kind === "paused" ? this.#status.since : now, retryAt: now + pause });
    this.#timer = setTimeout(() => void this.#connect(), pause);
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#ready = false;
    clearTimeout(this.#watchdog);
    if (!socket) return;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }

  #watch(): void {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#lost(), silence);
  }

  #receive(text: string): void {
    this.#watch();
    const message = JSON.parse(text) as { type: string; topic?: string };
    switch (message.type) {
      case "hello":
        this.#ready = true;
        this.#delay = firstDelay;
        this.#set({ kind: "live" });
        for (const topic of this.#wanted.keys()) this.#ask(topic);
        return;
      case "snap": {
        const snap = message as unknown as SnapOf<Identified> & FeedSnap;
        this.#options.write(snap.topic, applySnap(snap));
        return;
      }
      case "delta": {
        const delta = message as unknown as DeltaOf<Identified> & FeedDelta;
        if (!this.#wanted.has(delta.topic)) return;
        const state = this.#options.read(delta.topic);
        const next = applyDelta(state, delta);
        if (!next) this.#ask(delta.topic, true);
        else if (next !== state) this.#options.write(delta.topic, next);
      }
    }
  }

  #ask(topic: string, fresh = false): void {
    const state = fresh ? undefined : this.#options.read(topic);
    this.#send({ type: "sub", topic, ...(state ? { since: { epoch: state.epoch, seq: state.seq } } : {}) });
  }

  #send(message: FeedSub): void {
    this.#socket?.send(JSON.stringify(message));
  }

  #set(status: FeedStatus): void {
    this.#status = status;
    this.#listeners.forEach((l) => l());
  }
}
