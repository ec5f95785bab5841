import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { anonymous, ok, session } from "@/api/client";
import { sentence } from "@/api/problem";
import { Login } from "@/features/login/login";
import { SetupNeeded } from "@/features/login/setup-needed";
import { Button } from "@/ui/button";
import { Empty } from "@/ui/empty";
import { Plain } from "./plain";
import { useSession } from "./session";

/** Finds out who is here: a user whose cookie still holds, a fresh server that needs its first user, or somebody who has to sign in. */
export function Entrance() {
  const state = useSession();
  const [problem, setProblem] = useState<unknown>(null);
  useEffect(() => {
    if (state.kind === "unknown" && problem === null) session.renew().catch(setProblem);
  }, [state.kind, problem]);
  const setup = useQuery({
    queryKey: ["setup"],
    queryFn: () => ok(anonymous.GET("/api/v1/setup")),
    enabled: state.kind === "out",
  });

  if (problem !== null) {
    return (
      <Plain>
        <main className="center">
          <div className="signin" role="alert">
            <Empty title="Penstock does not answer" acts={<Button onClick={() => setProblem(null)}>Try now</Button>}>
              {sentence(problem)}
            </Empty>
          </div>
        </main>
      </Plain>
    );
  }
  if (state.kind === "unknown" || setup.isPending) return null;
  return setup.data?.needed ? <SetupNeeded /> : <Login />;
}
