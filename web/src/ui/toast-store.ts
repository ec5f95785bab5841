import type { Tone } from "./mark";

export interface ToastMessage {
  id: number;
  tone: Tone;
  title: string;
  text?: string | undefined;
  action?: { label: string; run: () => void } | undefined;
}

type Listener = (messages: readonly ToastMessage[]) => void;

/** What is being said at the bottom of the page. Done goes by itself, failed stays until closed. */
export class ToastStore {
  #messages: readonly ToastMessage[] = [];
  #next = 1;
  readonly #listeners = new Set<Listener>();

  get messages(): readonly ToastMessage[] {
    return this.#messages;
  }

  subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  say(message: Omit<ToastMessage, "id">): void {
    this.#set([...this.#messages.slice(-3), { ...message, id: this.#next++ }]);
  }

  close(id: number): void {
    this.#set(this.#messages.filter((m) => m.id !== id));
  }

  #set(messages: readonly ToastMessage[]): void {
    this.#messages = messages;
    this.#listeners.forEach((l) => l(messages));
  }
}

export const toasts = new ToastStore();

export function done(title: string, action?: ToastMessage["action"]): void {
  toasts.say({ tone: "ok", title, action });
}

export function failed(title: string, text?: string): void {
  toasts.say({ tone: "bad", title, text });
}
