import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useMemo, type ReactNode } from "react";
import { useRoute } from "wouter";
import { ApiError } from "@/api/problem";
import { FeedContext, newFeed } from "@/feed/use-topic";
import { Toaster } from "@/ui/toaster";
import { Entrance } from "./entrance";
import { Screens } from "./screens";
import { useSession } from "./session";
import { Shell } from "./shell";

const Setup = lazy(() => import("@/features/setup/setup"));

function newCache(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // What the server refused stays refused; what did not reach it is tried again.
        retry: (tries, error) => tries < 2 && !(error instanceof ApiError && error.status < 500),
      },
    },
  });
}

export function App() {
  const cache = useMemo(() => newCache(), []);
  return (
    <QueryClientProvider client={cache}>
      <Gatekeeper cache={cache} />
      <Toaster />
    </QueryClientProvider>
  );
}

/** Signed in: the dashboard. Otherwise: the way in. The set-up goes on after its first step has signed somebody in. */
function Gatekeeper({ cache }: { cache: QueryClient }) {
  const state = useSession();
  const [inSetup] = useRoute("/setup");
  if (state.kind === "unknown" || (state.kind === "out" && !inSetup)) return <Entrance />;
  const user = state.kind === "in" ? state.user.id : "";
  const inside = inSetup ? (
    <Suspense>
      <Setup />
    </Suspense>
  ) : (
    <Shell>
      <Screens />
    </Shell>
  );
  return (
    <LiveData key={user} cache={cache} on={user !== ""}>
      {inside}
    </LiveData>
  );
}

/** The live feed, for as long as one user is signed in. */
function LiveData({ cache, on, children }: { cache: QueryClient; on: boolean; children: ReactNode }) {
  const feed = useMemo(() => newFeed(cache), [cache]);
  useEffect(() => {
    if (!on) return;
    feed.start();
    const onVisible = () => document.visibilityState === "visible" && feed.retryNow();
    document.addEventListener("visibilitychange", onVisible);
    window.addEventListener("online", feed.retryNow);
    return () => {
      document.removeEventListener("visibilitychange", onVisible);
      window.removeEventListener("online", feed.retryNow);
      feed.stop();
    };
  }, [feed, on]);
  return <FeedContext.Provider value={feed}>{children}</FeedContext.Provider>;
}
