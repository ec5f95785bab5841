import { bitrate, bytes, type Quantity as Value, unknown } from "@/format/numbers";

/** A unit, small and dim, beside its number. */
export function Unit({ children }: { children: string }) {
  return (
    <span className="u">
      {children}
    </span>
  );
}

export function Quantity({ of }: { of: Value | null }) {
  if (!of) return <span className="ink-3">{unknown}</span>;
  return (
    <>
      {of.value}
      <Unit>{of.unit}</Unit>
    </>
  );
}

export function Bitrate({ kbps }: { kbps: number | null | undefined }) {
  return <Quantity of={kbps === null || kbps === undefined ? null : bitrate(kbps)} />;
}

export function Bytes({ n }: { n: number | null | undefined }) {
  return <Quantity of={n === null || n === undefined ? null : bytes(n)} />;
}
