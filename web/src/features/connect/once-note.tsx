import { Mark } from "@/ui/mark";

/** Beside a secret that is shown this once. */
export function OnceNote({ last4 }: { last4: string }) {
  return (
    <span className="once-note">
      <Mark tone="warn" />
      <span>Shown this once. Later you will see only …{last4}, and can make a new key whenever you like.</span>
    </span>
  );
}
