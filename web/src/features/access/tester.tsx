import { useState, type SubmitEvent } from "react";
import { sentence } from "@/api/problem";
import type { AccessAnswer } from "@/api/types";
import { sentenceText } from "@/format/hostile";
import { Button } from "@/ui/button";
import { TextField } from "@/ui/field";
import { Mark } from "@/ui/mark";
import { Panel } from "@/ui/panel";
import { Segmented } from "@/ui/segmented";
import { CheckList } from "./check-list";
import { useExplain, type Question } from "./queries";
import { refusalWords } from "./words";

/** Would this be let in? Asks the same code that decides for real. */
export function Tester({ question }: { question: Question | null }) {
  const [action, setAction] = useState<Question["action"]>(question?.action ?? "play");
  const [url, setUrl] = useState(question?.url ?? "");
  const [ip, setIp] = useState(question?.ip ?? "");
  const [referer, setReferer] = useState(question?.referer ?? "");
  const explain = useExplain();
  const submit = (e: SubmitEvent) => {
    e.preventDefault();
    explain.mutate({ url: url.trim(), action, ip: ip.trim(), referer: referer.trim() });
  };
  return (
    <Panel
      title="Would this be let in?"
      end={
        <Segmented
          small
          label="What it wants"
          value={action}
          onChange={(a) => {
            setAction(a);
            explain.reset();
          }}
          segments={[
            { value: "play", label: "Play" },
            { value: "publish", label: "Publish" },
          ]}
        />
      }
    >
      <form className="pad stack" onSubmit={submit}>
        <TextField
          label="Address"
          required
          spellCheck={false}
          autoComplete="off"
          placeholder={action === "play" ? `${window.location.origin}/live/match-day.flv` : `rtmp://${window.location.hostname}/live/sk_…`}
          value={url}
          onChange={(e) => setUrl(e.target.value)}
        />
        <div className="two-in ip">
          <TextField label="From IP" placeholder="Yours" value={ip} onChange={(e) => setIp(e.target.value)} />
          <TextField label="Referer" placeholder="None" value={referer} onChange={(e) => setReferer(e.target.value)} />
        </div>
        <div className="row">
          <Button type="submit" working={explain.isPending && "Asking…"}>
            Try it
          </Button>
          <span className="hint">Asks the same code that decides for real. Nothing is opened.</span>
        </div>
        <div aria-live="polite" className="stack">
          {explain.error && (
            <p className="hint bad">
              <Mark tone="bad" />
              {sentence(explain.error)}
            </p>
          )}
          {explain.data && <Answer answer={explain.data} />}
        </div>
      </form>
    </Panel>
  );
}

function Answer({ answer }: { answer: AccessAnswer }) {
  const { head, rest } = answer.allow ? { head: "It would be let in", rest: sentenceText(answer.detail) } : refusalWords(answer);
  return (
    <>
      <div className={answer.allow ? "verdict ok" : "verdict bad"}>
        <b>
          <Mark tone={answer.allow ? "ok" : "bad"} />
          {answer.allow ? head : `Refused: ${head.charAt(0).toLowerCase()}${head.slice(1)}`}
        </b>
        {rest && <p>{rest}</p>}
      </div>
      <CheckList checks={answer.checks} />
    </>
  );
}
