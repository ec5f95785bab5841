/** An error reply of the API (RFC 9457), as far as a person needs it. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string | undefined,
    readonly requestId: string | undefined,
    /** What is wrong with single fields, by their JSON pointer. */
    readonly fields: ReadonlyMap<string, string>,
  ) {
    super(message);
    this.name = "ApiError";
  }

  /** What is wrong with a field of the request: field("name") looks at /name and at body/name. */
  field(name: string): string | undefined {
    for (const [pointer, message] of this.fields) {
      if (pointer.split(/[./]/).at(-1) === name) return message;
    }
    return undefined;
  }
}

function isRecord(v: unknown): v is Record<string, unknown> {
  return typeof v === "object" && v !== null;
}

function str(v: unknown): string | undefined {
  return typeof v === "string" && v !== "" ? v : undefined;
}

/** Reads a problem document. Anything else (a proxy's page, nothing) becomes a sentence with the status. */
export function toApiError(body: unknown, response: Response): ApiError {
  const problem = isRecord(body) ? body : {};
  const fields = new Map<string, string>();
  if (Array.isArray(problem["errors"])) {
    for (const e of problem["errors"] as unknown[]) {
      if (!isRecord(e)) continue;
      const pointer = str(e["pointer"]);
      const message = str(e["message"]);
      if (pointer && message) fields.set(pointer, message);
    }
  }
  const message = str(problem["detail"]) ?? str(problem["title"]) ?? `The server answered ${response.status}.`;
  return new ApiError(message, response.status, str(problem["code"]), str(problem["request_id"]) ?? response.headers.get("X-Request-Id") ?? undefined, fields);
}

/** The sentence for a person, whatever was thrown. */
export function sentence(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof TypeError) return "The server cannot be reached.";
  return error instanceof Error ? error.message : "Something unexpected happened.";
}
