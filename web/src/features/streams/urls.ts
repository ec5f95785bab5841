// The API makes addresses with the host the request came to. Behind a listener on a wildcard
// address there may be no better name than the one this page was opened with.

/** An address a peer can use: a wildcard or empty host becomes the one in the browser's address bar. */
export function reachable(raw: string, here: string = window.location.hostname): string {
  const found = /^([a-z]+:\/\/)(\[[^\]]*\]|[^/:]*)(.*)$/i.exec(raw);
  if (!found) return raw;
  const [, scheme = "", host = "", rest = ""] = found;
  const wildcard = host === "" || host === "0.0.0.0" || host === "[::]" || host === "*";
  if (!wildcard) return raw;
  return scheme + (here.includes(":") && !here.startsWith("[") ? `[${here}]` : here) + rest;
}

/** The path this page plays a stream from. The default vhost answers on every host; another is named. */
export function playPath(stream: { vhost: string; app: string; name: string }): string {
  const app = stream.app.split("/").map(encodeURIComponent).join("/");
  const query = stream.vhost === "default" ? "" : `?vhost=${encodeURIComponent(stream.vhost)}`;
  return `/${app}/${encodeURIComponent(stream.name)}.flv${query}`;
}
