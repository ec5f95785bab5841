import type { FeedDelta, FeedSnap } from "@/api/types";

/** Anything the feed sends: it has an id within its topic. */
export interface Identified {
  id: string;
}

/** A topic as the page knows it. A new object for each change, so that React sees it. */
export interface TopicState<T extends Identified> {
  epoch: string;
  seq: number;
  /** How many there are; more than items where the server cuts a long topic. */
  total: number;
  /** By id, in the order of the server's snapshot; new ones at the end. */
  items: ReadonlyMap<string, T>;
}

/** A snapshot whose items are known to be of the topic's type. */
export type SnapOf<T> = Omit<FeedSnap, "items"> & { items: readonly T[] };

/** A delta whose items are known to be of the topic's type. */
export type DeltaOf<T> = Omit<FeedDelta, "up"> & { up: readonly T[] };

export function applySnap<T extends Identified>(snap: SnapOf<T>): TopicState<T> {
  return { epoch: snap.epoch, seq: snap.seq, total: snap.total, items: new Map(snap.items.map((i) => [i.id, i])) };
}

/**
 * Applies a delta. Undefined means that something is missing in between (no snapshot yet, or a
 * message was missed) and the topic has to be asked for again. A delta seen before changes nothing.
 */
export function applyDelta<T extends Identified>(state: TopicState<T> | undefined, delta: DeltaOf<T>): TopicState<T> | undefined {
  if (!state || delta.seq > state.seq + 1) return undefined;
  if (delta.seq <= state.seq) return state;
  const items = new Map(state.items);
  for (const id of delta.rm) items.delete(id);
  for (const item of delta.up) items.set(item.id, item);
  return { epoch: state.epoch, seq: delta.seq, total: delta.total, items };
}
