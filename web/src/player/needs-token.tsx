import { Mark } from "@/ui/mark";

/** In place of the picture, where the vhost asks for a token and the user may not mint one. */
export function NeedsToken({ bare }: { bare: boolean | undefined }) {
  return (
    <div className="say-over" role="status">
      <p>
        <Mark tone="idle" /> {bare ? "Players need a token here." : "This vhost lets players in with a token only (its setting play_policy is token). Viewers cannot mint one; an operator or an admin can watch here."}
      </p>
    </div>
  );
}
