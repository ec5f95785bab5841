import { plainText } from "@/format/hostile";
import { encodedName, safeName } from "./safe-name";

/** Under a stream's name: what it becomes in addresses when it cannot stand there as it is, and a name that can, one click away. */
export function NameHint({ name, onTake, children }: { name: string; onTake: (name: string) => void; children?: string }) {
  const encoded = encodedName(name);
  if (encoded === null) return children;
  const safe = safeName(name);
  return (
    <>
      In addresses this is <code className="break-all">{plainText(encoded, 60)}</code>, and some encoders and players get that wrong.{" "}
      {safe ? (
        <button type="button" className="link" onClick={() => onTake(safe)}>
          Use {safe}
        </button>
      ) : (
        "Letters a to z, digits, dots and dashes are safest."
      )}
    </>
  );
}
