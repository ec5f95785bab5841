import { ApiError } from "@/api/problem";
import { Button } from "./button";
import { Empty } from "./empty";

/** What could not be loaded, why, what now, and the request id for whoever looks into it. */
export function Failed({ what, error, retry }: { what: string; error: Error; retry: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <div role="alert">
      <Empty
        title={`${what} could not be loaded`}
        acts={
          <div className="stack tight justify-items-center">
            <Button onClick={retry}>Try now</Button>
            {requestId && <code className="xs ink-3">request {requestId}</code>}
          </div>
        }
      >
        {error.message}
      </Empty>
    </div>
  );
}
