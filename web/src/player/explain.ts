/** What mpegts.js says beside an error. */
export interface ErrorInfo {
  code?: number;
  msg?: string;
}

/** Whether the server did not let this player in. */
export function wasRefused(info: ErrorInfo | undefined): boolean {
  return info?.code === 401 || info?.code === 403;
}

/** What went wrong, in words, and whether trying again is of no use. */
export function explain(type: string, detail: string, info: ErrorInfo | undefined): { why: string; final: boolean } {
  if (type === "NetworkError") {
    if (wasRefused(info)) return { why: "This player was refused. The vhost may ask for a token or have a referer rule; Access shows which.", final: true };
    switch (info?.code) {
      case 404:
        return { why: "Nobody publishes this stream at the moment.", final: false };
      case 503:
        return { why: "The server takes no more players just now.", final: false };
    }
    return { why: "The connection broke. Trying again.", final: false };
  }
  if (detail === "CodecUnsupported" || (info?.msg ?? "").includes("codec")) {
    return { why: "This browser cannot show the stream’s codec. Play it over RTMP in VLC.", final: true };
  }
  if (type === "MediaError") return { why: "The browser could not decode what arrived. Trying again.", final: false };
  return { why: "Playing failed. Trying again.", final: false };
}
