import type { AuditEntry } from "@/api/types";
import { plainText } from "@/format/hostile";
import { changes } from "./changes";

/** What a change did, field by field. */
export function Change({ entry }: { entry: AuditEntry }) {
  const rows = changes(entry.before, entry.after);
  return (
    <>
      {rows.length === 0 ? (
        <p className="text-sm text-ink-2">No field is recorded for this change.</p>
      ) : (
        <div className="scroll">
          <table className="table">
            <thead>
              <tr>
                <th>Field</th>
                <th>Before</th>
                <th>After</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((r) => (
                <tr key={r.field}>
                  <td>
                    <code>{plainText(r.field, 80)}</code>
                  </td>
                  <td className="text-ink-3">{plainText(r.before)}</td>
                  <td>{plainText(r.after)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p className="hint">
        {entry.target_id && (
          <>
            To <code>{entry.target_id}</code>.{" "}
          </>
        )}
        {entry.request_id && (
          <>
            Request <code>{entry.request_id}</code>.
          </>
        )}
      </p>
    </>
  );
}
