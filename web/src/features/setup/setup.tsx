import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { anonymous, ok } from "@/api/client";
import type { KeySecret, Stream } from "@/api/types";
import { Plain } from "@/app/plain";
import { useSession } from "@/app/session";
import { ButtonLink } from "@/ui/button";
import { AccountStep } from "./account-step";
import { EncoderStep } from "./encoder-step";
import { Steps } from "./steps";
import { StreamStep } from "./stream-step";
import { takeToken } from "./token";

/** The first run: the admin, the first stream with its key, the encoder, and the picture. */
export default function Setup() {
  const session = useSession();
  const [token] = useState(() => takeToken(window.location, window.history));
  const [made, setMade] = useState<{ stream: Stream; key: KeySecret } | null>(null);
  const [live, setLive] = useState(false);
  const step = session.kind !== "in" ? 1 : !made ? 2 : live ? 4 : 3;
  useEffect(() => {
    document.title = "Set-up · Penstock";
  }, []);
  return (
    <Plain brand foot={<span>Penstock at {window.location.host}</span>}>
      <main className="first">
        <Steps step={step} />
        {step === 1 && <FirstUser token={token} />}
        {step === 2 && <StreamStep onMade={setMade} />}
        {made && <EncoderStep stream={made.stream} secret={made.key} onLive={() => setLive(true)} />}
      </main>
    </Plain>
  );
}

function FirstUser({ token }: { token: string }) {
  const setup = useQuery({ queryKey: ["setup"], queryFn: () => ok(anonymous.GET("/api/v1/setup")) });
  if (setup.data && !setup.data.needed) {
    return (
      <div className="stack gap-6">
        <div>
          <h1>This server is set up</h1>
          <p className="lead">The one-time link has done its work. Sign in with the account that was made.</p>
        </div>
        <div className="acts">
          <ButtonLink href="/" look="primary">
            Sign in
          </ButtonLink>
        </div>
      </div>
    );
  }
  return <AccountStep token={token} />;
}
