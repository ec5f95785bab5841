const protocols: Readonly<Record<string, string>> = { rtmp: "RTMP", rtmps: "RTMPS", "http-flv": "HTTP-FLV", "ws-flv": "WS-FLV" };

export function protocolName(protocol: string): string {
  return protocols[protocol] ?? protocol;
}
