import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FeedClient, type Socket } from "./client";
import type { Identified, TopicState } from "./reducer";

class FakeSocket implements Socket {
  sent: unknown[] = [];
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  closed = false;
  send = (text: string) => void this.sent.push(JSON.parse(text));
  close = () => {
    this.closed = true;
  };
  say(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const hello = { type: "hello", epoch: "e1", server_time: "", tick_ms: 1000, topics: [] };

function setUp() {
  const sockets: FakeSocket[] = [];
  const cache = new Map<string, TopicState<Identified>>();
  const ticket = vi.fn(() => Promise.resolve("/api/v1/feed?ticket=t"));
  const client = new FeedClient({
    ticket,
    open: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    read: (topic) => cache.get(topic),
    write: (topic, state) => cache.set(topic, state),
  });
  return { client, sockets, cache, ticket };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("follows topics, also those asked for before the socket was open", async () => {
  const { client, sockets, cache } = setUp();
  client.follow("streams");
  client.start();
  await vi.advanceTimersByTimeAsync(0);
  sockets[0]?.say(hello);
  expect(client.status.kind).toBe("live");
  expect(sockets[0]?.sent).toEqual([{ type: "sub", topic: "streams" }]);
  sockets[0]?.say({ type: "snap", topic: "streams", epoch: "e1", seq: 3, items: [{ id: "a" }], total: 1 });
  sockets[0]?.say({ type: "delta", topic: "streams", seq: 4, up: [{ id: "b" }], rm: ["a"], total: 1 });
  expect([...(cache.get("streams")?.items.keys() ?? [])]).toEqual(["b"]);
});

it("says where it stopped when it comes back", async () => {
  const { client, sockets } = setUp();
  client.follow("streams");
  client.start();
  await vi.advanceTimersByTimeAsync(0);
  sockets[0]?.say(hello);
  sockets[0]?.say({ type: "snap", topic: "streams", epoch: "e1", seq: 7, items: [], total: 0 });
  sockets[0]?.onclose?.();
  expect(client.status.kind).toBe("paused");
  await vi.advanceTimersByTimeAsync(1000);
  sockets[1]?.say(hello);
  expect(sockets[1]?.sent).toEqual([{ type: "sub", topic: "streams", since: { epoch: "e1", seq: 7 } }]);
  expect(client.status.kind).toBe("live");
});

it("asks for a fresh snapshot when a message was missed", async () => {
  const { client, sockets } = setUp();
  client.follow("events");
  client.start();
  await vi.advanceTimersByTimeAsync(0);
  sockets[0]?.say(hello);
  sockets[0]?.say({ type: "snap", topic: "events", epoch: "e1", seq: 1, items: [], total: 0 });
  sockets[0]?.say({ type: "delta", topic: "events", seq: 3, up: [], rm: [], total: 0 });
  expect(sockets[0]?.sent.at(-1)).toEqual({ type: "sub", topic: "events" });
});

it("tries again with growing pauses, and counts the pause from its beginning", async () => {
  const { client, sockets, ticket } = setUp();
  ticket.mockRejectedValue(new TypeError("down"));
  client.start();
  await vi.advanceTimersByTimeAsync(0);
  const first = client.status;
  await vi.advanceTimersByTimeAsync(30_000);
  const later = client.status;
  expect(first.kind === "paused" && later.kind === "paused" && later.since === first.since).toBe(true);
  expect(ticket.mock.calls.length).toBeGreaterThan(3);
  expect(ticket.mock.calls.length).toBeLessThan(10);
  expect(sockets).toHaveLength(0);
  client.stop();
  const tries = ticket.mock.calls.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ticket.mock.calls.length).toBe(tries);
});

it("takes a silent connection for dead", async () => {
  const { client, sockets } = setUp();
  client.start();
  await vi.advanceTimersByTimeAsync(0);
  sockets[0]?.say(hello);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(sockets[0]?.closed).toBe(true);
  expect(client.status.kind).toBe("paused");
});

it("stops following when the last one looks away", async () => {
  const { client, sockets } = setUp();
  const one = client.follow("system");
  const two = client.follow("system");
  client.start();
  await vi.advanceTimersByTimeAsync(0);
  sockets[0]?.say(hello);
  one();
  expect(sockets[0]?.sent).toHaveLength(1);
  two();
  expect(sockets[0]?.sent.at(-1)).toEqual({ type: "unsub", topic: "system" });
});
