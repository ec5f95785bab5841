export interface FieldChange {
  field: string;
  before: string;
  after: string;
}

function isRecord(v: unknown): v is Record<string, unknown> {
  return typeof v === "object" && v !== null && !Array.isArray(v);
}

function show(v: unknown): string {
  if (v === undefined) return "–";
  return typeof v === "string" ? v : JSON.stringify(v);
}

function flatten(v: unknown, at: string, into: Map<string, string>): void {
  if (isRecord(v)) {
    for (const [key, inner] of Object.entries(v)) flatten(inner, at ? `${at}.${key}` : key, into);
  } else if (at) {
    into.set(at, show(v));
  }
}

const bookkeeping = new Set(["revision", "updated_at"]);

/** The fields that differ between two states of a thing; all of them when it was made or deleted. */
export function changes(before: unknown, after: unknown): FieldChange[] {
  const was = new Map<string, string>();
  const is = new Map<string, string>();
  flatten(before, "", was);
  flatten(after, "", is);
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((f) => !bookkeeping.has(f) && was.get(f) !== is.get(f))
    .map((field) => ({ field, before: was.get(field) ?? "–", after: is.get(field) ?? "–" }));
}
