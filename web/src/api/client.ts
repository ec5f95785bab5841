import createClient from "openapi-fetch";
import { toApiError } from "./problem";
import type { paths } from "./schema.gen";
import { authFetch, AuthSession } from "./session";

/** For the endpoints that work without a token: set-up, login, refresh. */
export const anonymous = createClient<paths>({ baseUrl: "", credentials: "same-origin" });

// The refresh cookie is shared by all tabs. The lock lets one tab at a time use it, where the browser has locks.
async function locked<T>(work: () => Promise<T>): Promise<T> {
  if (!("locks" in navigator)) return work();
  return navigator.locks.request("penstock.refresh", work);
}

export const session = new AuthSession(() =>
  locked(async () => {
    const { data, error, response } = await anonymous.POST("/api/v1/auth/refresh");
    if (data) return data;
    if (response.status === 401 || response.status === 403) return null;
    throw toApiError(error, response);
  }),
);

export const api = createClient<paths>({
  baseUrl: "",
  credentials: "same-origin",
  fetch: authFetch(session, (request) => fetch(request)),
});

interface Reply<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The reply's data, or its problem thrown. */
export async function ok<T>(reply: Promise<Reply<T>>): Promise<T> {
  const { data, error, response } = await reply;
  if (!response.ok) throw toApiError(error, response);
  return data as T; // absent only where the operation answers without a body
}

/** The header that lets a creating request be sent again without making a second thing. */
export function idempotent(): { "Idempotency-Key": string } {
  return { "Idempotency-Key": newId() };
}

function newId(): string {
  const b = crypto.getRandomValues(new Uint8Array(16)); // randomUUID is missing over plain http
  return Array.from(b, (x) => x.toString(16).padStart(2, "0")).join("");
}

/** The header that says which state a change is based on. */
export function ifMatch(thing: { revision: number }): { "If-Match": string } {
  return { "If-Match": `"${thing.revision}"` };
}
