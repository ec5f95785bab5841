import { Checks, type Check } from "@/ui/checks";
import { GateArt } from "@/ui/gate";

/** The closed gate, and the steps still to come. */
export function WhatsNext({ items }: { items: readonly Check[] }) {
  return (
    <section className="panel" aria-label="What comes next">
      <div className="wait-pic wide">
        <GateArt />
      </div>
      <div className="pad">
        <Checks items={items} />
      </div>
    </section>
  );
}
