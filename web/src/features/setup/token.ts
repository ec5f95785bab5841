/**
 * The token of the one-time link, from #token= or ?token=. A token in the query is moved behind the
 * hash at once, where it reaches no log and no referer; there it survives a reload until it has been used.
 */
export function takeToken(location: Pick<Location, "hash" | "search" | "pathname">, history: Pick<History, "replaceState">): string {
  const inHash = new URLSearchParams(location.hash.replace(/^#/, "")).get("token");
  if (inHash) return inHash;
  const inQuery = new URLSearchParams(location.search).get("token");
  if (inQuery) history.replaceState(null, "", `${location.pathname}#token=${encodeURIComponent(inQuery)}`);
  return inQuery ?? "";
}

/** Forgets a token that has been used. */
export function dropToken(location: Pick<Location, "pathname">, history: Pick<History, "replaceState">): void {
  history.replaceState(null, "", location.pathname);
}
