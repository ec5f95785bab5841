/** A token, and until when a session may begin with it. */
export interface Pass {
  token: string;
  expires_at: string;
}

/** Which stream a pass lets a player into. */
export interface Place {
  vhost: string;
  app: string;
  name: string;
}

const margin = 60_000; // a pass that ends sooner is not begun with

/**
 * Play tokens by stream, minted when first needed and used again while they hold, so that going over a grid of
 * tiles mints one for each stream and not one for each look.
 */
export class Passes {
  readonly #mint: (place: Place) => Promise<Pass>;
  readonly #kept = new Map<string, Promise<Pass>>();

  constructor(mint: (place: Place) => Promise<Pass>) {
    this.#mint = mint;
  }

  /** A token that holds for a while; fresh does not trust the one that is kept. */
  async get(place: Place, fresh: boolean): Promise<string> {
    const id = JSON.stringify([place.vhost, place.app, place.name]);
    const kept = fresh ? undefined : await this.#kept.get(id)?.catch(() => undefined);
    if (kept && new Date(kept.expires_at).getTime() - Date.now() > margin) return kept.token;
    const minting = this.#mint(place);
    this.#kept.set(id, minting);
    return (await minting).token;
  }

  /** Forgets them all; another user may not mint. */
  clear(): void {
    this.#kept.clear();
  }
}
