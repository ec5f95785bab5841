import type { Tone } from "@/ui/mark";

interface Said {
  words: string;
  tone: Tone;
}

const reasons: Readonly<Record<string, Said>> = {
  peer_closed: { words: "It closed the connection", tone: "idle" },
  unpublished: { words: "It stopped publishing", tone: "idle" },
  handshake: { words: "The handshake failed", tone: "warn" },
  protocol: { words: "It sent something that is not valid RTMP", tone: "warn" },
  too_large: { words: "It sent a message over the limit", tone: "warn" },
  idle: { words: "It sent nothing for too long", tone: "warn" },
  slow: { words: "It was too slow to keep up", tone: "warn" },
  network: { words: "The network broke", tone: "warn" },
  stream_busy: { words: "Somebody else publishes this stream", tone: "bad" },
  stream_not_found: { words: "Nobody published the stream", tone: "idle" },
  stream_ended: { words: "The stream ended", tone: "idle" },
  replaced: { words: "A newer publisher took over", tone: "warn" },
  vhost_removed: { words: "Its vhost was removed or disabled", tone: "warn" },
  stream_disabled: { words: "The stream was disabled", tone: "warn" },
  key_revoked: { words: "Its stream key was disabled or removed", tone: "warn" },
  expired: { words: "Its permission expired", tone: "warn" },
  completed: { words: "It got as much as it asked for", tone: "idle" },
  unsupported_codec: { words: "It does not list the stream's codec", tone: "warn" },
  kicked: { words: "Kicked", tone: "warn" },
  limit: { words: "A limit was reached", tone: "bad" },
  shutdown: { words: "Penstock shut down", tone: "idle" },
  internal: { words: "An internal error", tone: "bad" },
  refused_vhost: { words: "No such vhost, or it is disabled", tone: "bad" },
  refused_name: { words: "The name is not allowed", tone: "bad" },
  refused_ip: { words: "An IP rule", tone: "bad" },
  refused_referer: { words: "A referer rule", tone: "bad" },
  refused_key: { words: "The stream key is not valid", tone: "bad" },
  refused_token: { words: "The token is not valid", tone: "bad" },
  refused_stream: { words: "The stream does not exist or is disabled", tone: "bad" },
  refused_guessing: { words: "Too many wrong keys from this address", tone: "bad" },
  refused_banned: { words: "The address is banned for now", tone: "bad" },
  refused_not_ready: { words: "Keys cannot be looked up now", tone: "bad" },
};

/** A stable reason in words. One that is not known here is shown as it is. */
export function reasonWords(reason: string): string {
  return reasons[reason]?.words ?? reason.replaceAll("_", " ");
}

export function reasonTone(reason: string): Tone {
  return reasons[reason]?.tone ?? "idle";
}
