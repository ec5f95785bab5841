import { useState } from "react";
import { useLocation, useSearch } from "wouter";
import { useMay } from "@/app/session";
import { useVhosts } from "@/features/vhosts/queries";
import { SelectMenu } from "@/ui/menu";
import { Page } from "@/ui/page";
import { PolicyPanel } from "./policy-panel";
import { Refusals } from "./refusals";
import { RuleDialog } from "./rule-dialog";
import { IpRules, RefererRules } from "./rules";
import { Tester } from "./tester";
import type { Question } from "./queries";

/** Who may publish and play, and why somebody was not let in. */
export default function Access() {
  const vhosts = useVhosts().data;
  const search = useSearch();
  const [, go] = useLocation();
  const wanted = new URLSearchParams(search).get("vhost") ?? "default";
  const vhost = vhosts?.find((v) => v.name === wanted) ?? vhosts?.[0];
  const [adding, setAdding] = useState<"referer" | "ip" | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const may = useMay("admin");
  return (
    <Page
      title="Access"
      about="Who may publish and play. Referer rules are read from the top; the first that matches decides. Changes reach live sessions too."
      acts={
        vhosts &&
        vhosts.length > 1 &&
        vhost && (
          <SelectMenu
            label="Vhost"
            value={vhost.name}
            onChange={(name) => go(`/access?vhost=${encodeURIComponent(name)}`, { replace: true })}
            options={vhosts.map((v) => ({ value: v.name, label: v.name }))}
          />
        )
      }
    >
      <PolicyPanel key={vhost?.id ?? ""} vhost={vhost} />
      <div className="split access">
        <div className="stack">
          <RefererRules vhost={vhost} {...(may ? { onAdd: () => setAdding("referer") } : {})} />
          <IpRules vhost={vhost} {...(may ? { onAdd: () => setAdding("ip") } : {})} />
        </div>
        <Tester key={question ? JSON.stringify(question) : "empty"} question={question} />
      </div>
      <Refusals
        onExplain={(q) => {
          setQuestion(q);
          document.getElementById("main")?.scrollIntoView({ block: "start" });
        }}
      />
      {vhost && <RuleDialog kind={adding} vhost={vhost} onClose={() => setAdding(null)} />}
    </Page>
  );
}
