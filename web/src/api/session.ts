import type { User } from "./types";

/** What the page knows of who is signed in. */
export type SessionState =
  | { kind: "unknown" } // before the first refresh
  | { kind: "out" }
  | { kind: "in"; user: User; token: string };

interface Grant {
  access_token: string;
  user: User;
}

type Refresh = () => Promise<Grant | null>;

/**
 * Holds the access token in memory, and nowhere else, and renews it through the refresh cookie.
 * However many requests find the token expired, the cookie is used once: using a rotated one again
 * would end every session of the user.
 */
export class AuthSession {
  #state: SessionState = { kind: "unknown" };
  #refreshing: Promise<boolean> | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #refresh: Refresh;

  constructor(refresh: Refresh) {
    this.#refresh = refresh;
  }

  get state(): SessionState {
    return this.#state;
  }

  get token(): string | undefined {
    return this.#state.kind === "in" ? this.#state.token : undefined;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  begin(grant: Grant): void {
    this.#set({ kind: "in", user: grant.user, token: grant.access_token });
  }

  end(): void {
    this.#set({ kind: "out" });
  }

  /** Renews the access token. False when nobody is signed in any more. Throws when the server cannot be asked. */
  renew(): Promise<boolean> {
    this.#refreshing ??= this.#renew().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #renew(): Promise<boolean> {
    const grant = await this.#refresh();
    if (grant) this.begin(grant);
    else this.end();
    return grant !== null;
  }

  #set(state: SessionState): void {
    this.#state = state;
    this.#listeners.forEach((l) => l());
  }
}

/**
 * fetch with the access token. A 401 renews the token and sends the request once more; a second
 * 401 is handed on.
 */
export function authFetch(session: AuthSession, send: (request: Request) => Promise<Response>) {
  return async (request: Request): Promise<Response> => {
    const spare = request.clone(); // a body can be read once
    const response = await send(withToken(request, session.token));
    if (response.status !== 401 || session.state.kind === "out") return response;
    if (!(await session.renew())) return response;
    return send(withToken(spare, session.token));
  };
}

function withToken(request: Request, token: string | undefined): Request {
  if (token) request.headers.set("Authorization", `Bearer ${token}`);
  return request;
}
