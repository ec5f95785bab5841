import { describe, expect, it, vi } from "vitest";
import { authFetch, AuthSession } from "./session";
import type { User } from "./types";

const user: User = {
  id: "usr_1",
  email: "ingrid@example.com",
  name: "Ingrid",
  role: "admin",
  vhost_ids: [],
  enabled: true,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
  revision: 1,
};

/** A server that accepts only the newest token. */
function server(valid: { token: string }) {
  const seen: { token: string | null; body: string }[] = [];
  const send = async (request: Request): Promise<Response> => {
    const token = request.headers.get("Authorization");
    seen.push({ token, body: await request.text() });
    return new Response(null, { status: token === `Bearer ${valid.token}` ? 204 : 401 });
  };
  return { seen, send };
}

function request(): Request {
  return new Request("http://penstock.test/api/v1/streams", { method: "POST", body: '{"name":"a"}' });
}

describe("authFetch", () => {
  it("renews an expired token and sends the whole request once more", async () => {
    const valid = { token: "old" };
    const refresh = vi.fn(() => Promise.resolve({ access_token: "new", user }));
    const session = new AuthSession(refresh);
    session.begin({ access_token: "old", user });
    const { seen, send } = server(valid);
    const call = authFetch(session, send);

    expect((await call(request())).status).toBe(204);
    valid.token = "new";
    expect((await call(request())).status).toBe(204);
    expect(refresh).toHaveBeenCalledTimes(1);
    expect(seen.map((s) => s.token)).toEqual(["Bearer old", "Bearer old", "Bearer new"]);
    expect(seen.at(-1)?.body).toBe('{"name":"a"}');
  });

  it("uses the refresh cookie once, however many requests wait for it", async () => {
    const refresh = vi.fn(() => Promise.resolve({ access_token: "new", user }));
    const session = new AuthSession(refresh);
    session.begin({ access_token: "old", user });
    const { send } = server({ token: "new" });
    const call = authFetch(session, send);
    const replies = await Promise.all([call(request()), call(request()), call(request())]);
    expect(replies.map((r) => r.status)).toEqual([204, 204, 204]);
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  it("signs out when the cookie is no longer good, and does not ask again", async () => {
    const refresh = vi.fn(() => Promise.resolve(null));
    const session = new AuthSession(refresh);
    session.begin({ access_token: "old", user });
    const { seen, send } = server({ token: "other" });
    const call = authFetch(session, send);
    expect((await call(request())).status).toBe(401);
    expect(session.state.kind).toBe("out");
    expect((await call(request())).status).toBe(401);
    expect(refresh).toHaveBeenCalledTimes(1);
    expect(seen).toHaveLength(2);
  });

  it("hands on a second 401 instead of going round", async () => {
    const session = new AuthSession(() => Promise.resolve({ access_token: "also wrong", user }));
    session.begin({ access_token: "wrong", user });
    const { seen, send } = server({ token: "right" });
    expect((await authFetch(session, send)(request())).status).toBe(401);
    expect(seen).toHaveLength(2);
  });

  it("keeps the session when the server cannot be asked", async () => {
    const session = new AuthSession(() => Promise.reject(new TypeError("network")));
    session.begin({ access_token: "old", user });
    const { send } = server({ token: "new" });
    await expect(authFetch(session, send)(request())).rejects.toThrow("network");
    expect(session.state.kind).toBe("in");
  });
});
