import { Plain } from "@/app/plain";
import { Brand } from "@/ui/gate";

/** A fresh server, opened without its one-time link. */
export function SetupNeeded() {
  return (
    <Plain>
      <main className="center">
        <div className="signin">
          <div className="stack tight">
            <Brand />
            <h1>Nobody lives here yet</h1>
            <p className="sm ink-2">{window.location.host} is new and has no user.</p>
          </div>
          <p className="sm ink-2">
            Penstock printed a one-time link when it started. Look for <code>/setup#token=</code> in its output or log and open it: you become the admin.
          </p>
          <p className="hint">
            The link is lost or has ended? Restart Penstock for a new one, or run <code>penstock user create</code> on the server.
          </p>
        </div>
      </main>
    </Plain>
  );
}
