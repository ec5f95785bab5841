import { lazy, Suspense } from "react";
import { Redirect, Route, Switch } from "wouter";
import { Overview } from "@/features/overview/overview";
import { ButtonLink } from "@/ui/button";
import { Empty } from "@/ui/empty";
import { Skeleton } from "@/ui/skeleton";
import { Page } from "@/ui/page";

// Each screen is its own chunk but the one that opens first.
const Streams = lazy(() => import("@/features/streams/streams"));
const StreamPage = lazy(() => import("@/features/stream/stream-page"));
const Sessions = lazy(() => import("@/features/sessions/sessions"));
const Keys = lazy(() => import("@/features/keys/keys"));
const Access = lazy(() => import("@/features/access/access"));
const Users = lazy(() => import("@/features/users/users"));
const Audit = lazy(() => import("@/features/audit/audit"));
const System = lazy(() => import("@/features/system/system"));

export function Screens() {
  return (
    <Suspense fallback={<Skeleton lines={6} />}>
      <Switch>
        <Route path="/" component={Overview} />
        <Route path="/streams" component={Streams} />
        <Route path="/streams/:id">{({ id }) => <StreamPage key={id} id={id} />}</Route>
        <Route path="/sessions" component={Sessions} />
        <Route path="/keys" component={Keys} />
        <Route path="/access" component={Access} />
        <Route path="/users" component={Users} />
        <Route path="/audit" component={Audit} />
        <Route path="/system" component={System} />
        <Route path="/login">
          <Redirect to="/" replace />
        </Route>
        <Route>
          <Page title="Not here">
            <section className="panel">
              <Empty title="There is no such page" acts={<ButtonLink href="/">Go to overview</ButtonLink>}>
                The address may have been cut, or the thing it led to is gone.
              </Empty>
            </section>
          </Page>
        </Route>
      </Switch>
    </Suspense>
  );
}
