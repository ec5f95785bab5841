import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useSyncExternalStore } from "react";
import { api, ok } from "@/api/client";
import type { FeedTopics, Overview, Stream } from "@/api/types";
import { FeedClient, type FeedStatus, type Socket } from "./client";
import type { Identified, TopicState } from "./reducer";
import { trailOverview, trailRates, type Bucket, type OverviewTrail, type RateTrail } from "./trail";

/** The topics by their name on the wire, with the type of their items. */
type TopicItem<T extends string> = T extends `stream:${string}` ? FeedTopics["stream"] : T extends keyof FeedTopics ? FeedTopics[T] : never;

function key(topic: string) {
  return ["feed", topic] as const;
}

const trailKeys = { overview: ["trail", "overview"], rates: ["trail", "rates"] } as const;

/** Makes the page's one feed client. What it receives goes into the Query cache. */
export function newFeed(cache: QueryClient): FeedClient {
  return new FeedClient({
    ticket: async () => (await ok(api.POST("/api/v1/feed-tickets"))).url,
    open: (path) => {
      const url = new URL(path, window.location.href);
      url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
      // The browser's socket has wider callbacks than the part that is used.
      return new WebSocket(url) as unknown as Socket;
    },
    read: (topic) => cache.getQueryData<TopicState<Identified>>(key(topic)),
    write: (topic, state) => {
      cache.setQueryData(key(topic), state);
      const items = state.items.values();
      if (topic === "overview") {
        for (const now of items as Iterable<Overview>) cache.setQueryData<OverviewTrail>(trailKeys.overview, (trail) => trailOverview(trail, now));
      } else if (topic === "streams") {
        cache.setQueryData<RateTrail>(trailKeys.rates, (trail) => trailRates(trail, items as Iterable<Stream>, Date.now() / 1000));
      }
    },
  });
}

export const FeedContext = createContext<FeedClient | null>(null);

function useFeed(): FeedClient {
  const feed = useContext(FeedContext);
  if (!feed) throw new Error("no feed above this component");
  return feed;
}

export interface Topic<T> {
  /** Nothing has come yet. */
  pending: boolean;
  items: readonly T[];
  /** How many there are on the server. */
  total: number;
}

const nothing: readonly never[] = [];

/** A topic of the live feed, for as long as the component is there. */
export function useTopic<T extends string>(topic: T): Topic<TopicItem<T>> {
  const feed = useFeed();
  const cache = useQueryClient();
  useEffect(() => feed.follow(topic), [feed, topic]);
  const { data } = useQuery({
    queryKey: key(topic),
    queryFn: () => cache.getQueryData<TopicState<TopicItem<T> & Identified>>(key(topic)) ?? null,
    enabled: false, // the feed writes it; nothing is fetched
    staleTime: Infinity,
    select: asTopic<TopicItem<T>>,
  });
  return data ?? { pending: true, items: nothing, total: 0 };
}

function asTopic<T>(state: TopicState<T & Identified> | null): Topic<T> {
  return state ? { pending: false, items: [...state.items.values()], total: state.total } : { pending: true, items: nothing, total: 0 };
}

export function useFeedStatus(): { status: FeedStatus; retryNow: () => void } {
  const feed = useFeed();
  const status = useSyncExternalStore(feed.subscribe, () => feed.status);
  return { status, retryNow: feed.retryNow };
}

/** What the overview was in the last 15 minutes, as far as this page has seen it. */
export function useOverviewTrail(): OverviewTrail["points"] {
  const cache = useQueryClient();
  const { data } = useQuery({ queryKey: trailKeys.overview, queryFn: () => cache.getQueryData<OverviewTrail>(trailKeys.overview) ?? null, enabled: false, staleTime: Infinity });
  return data?.points ?? nothing;
}

/** The bit rate of a stream in the last 15 minutes, as far as this page has seen it. */
export function useRateTrail(streamId: string): readonly Bucket[] {
  const cache = useQueryClient();
  const { data } = useQuery({
    queryKey: trailKeys.rates,
    queryFn: () => cache.getQueryData<RateTrail>(trailKeys.rates) ?? null,
    enabled: false,
    staleTime: Infinity,
    select: (trail) => trail?.get(streamId) ?? nothing,
  });
  return data ?? nothing;
}
