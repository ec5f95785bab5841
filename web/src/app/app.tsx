import { QueryClient, QueryClientProvider, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useMemo, useState, type ReactNode } from "react";
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
  const state = useSession();
  const user = state.kind === "in" ? state.user.id : "";
  return (
    <>
      {/* A cache for each user: what one was shown is not there for the next. */}
      <Cached key={user}>
        <Gatekeeper signedIn={user !== ""} />
      </Cached>
      <Toaster />
    </>
  );
}

function Cached({ children }: { children: ReactNode }) {
  const [cache] = useState(newCache);
  return <QueryClientProvider client={cache}>{children}</QueryClientProvider>;
}

/** Signed in: the dashboard. Otherwise: the way in. The set-up goes on after its first step has signed somebody in. */
function Gatekeeper({ signedIn }: { signedIn: boolean }) {
  const state = useSession();
  const [inSetup] = useRoute("/setup");
  if (state.kind === "unknown" || (!signedIn && !inSetup)) return <Entrance />;
  return (
    <LiveData on={signedIn}>
      {inSetup ? (
        <Suspense>
          <Setup />
        </Suspense>
      ) : (
        <Shell>
          <Screens />
        </Shell>
      )}
    </LiveData>
  );
}

/** The live feed, for as long as one user is signed in. */
function LiveData({ on, children }: { on: boolean; children: ReactNode }) {
  const cache = useQueryClient();
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
