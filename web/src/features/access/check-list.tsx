import type { AccessCheck } from "@/api/types";
import { sentenceText } from "@/format/hostile";
import { Checks } from "@/ui/checks";
import { checkName, checkResults, checkTones } from "./words";

/** Every check of a decision in order; those after the refusal were not reached. */
export function CheckList({ checks }: { checks: readonly AccessCheck[] }) {
  return (
    <Checks
      items={checks.map((c) => ({
        tone: checkTones[c.result],
        text: checkName(c.name),
        result: checkResults[c.result],
        why: c.detail && sentenceText(c.detail),
        stop: c.result === "fail",
      }))}
    />
  );
}
