package config

import "time"

// NoLimit is the value of a limit that is switched off; only those that say so can
// be.
const NoLimit = -1

// Limits bound what a peer may cost before anybody knows it, and afterwards: time,
// memory, messages, connections (RELIABILITY 1). A zero field means the default
// that List names, so the zero Limits are the defaults.
type Limits struct {
	// The time until a peer is a publisher or a player.

	FirstTimeout, HandshakeTimeout, RequestTimeout time.Duration
	TLSTimeout, ProxyHeaderTimeout                 time.Duration

	// What it may send until then.

	UnauthBytes, UnauthMessage, UnauthMessages int

	// What it may send afterwards.

	AudioMessage, VideoMessage, OtherMessage           int
	ChunkStreams, UnfinishedMessages, UnfinishedBytes  int
	MinChunkSize, ChunkSize                            int
	AMFDepth, AMFProperties, AMFValues, AMFStringBytes int
	ControlRate, MessageStreams                        int

	// How long it may be slow, silent or gone.

	QueueBytes                                              int
	BlockedTimeout, WriteTimeout, PingInterval, DeadTimeout time.Duration

	// How many there may be. These three can be NoLimit.

	MaxSessions, MaxPerAddress, MaxPending int
	ReservedDescriptors                    int

	// Who guesses stream keys.

	KeyFailures, KeyFailuresNetwork int
	KeyWindow, KeyBlock, KeyTarpit  time.Duration
	NameCharacters                  int

	// Everything over HTTP. HTTPConnections and HTTPPerAddress can be NoLimit.

	HTTPHeaderTimeout, HTTPReadTimeout, HTTPWriteTimeout, HTTPIdleTimeout time.Duration
	HTTPHeaderBytes, HTTPBodyBytes, HTTPURLBytes, WebSocketMessage        int
	HTTPConnections, HTTPPerAddress                                       int
}

// limits is every limit with its range and what it means, in the order of a table.
func limits() []limit {
	const kib, mib = 1 << 10, 1 << 20
	return []limit{
		span("first_timeout", 5*time.Second, 500*time.Millisecond, time.Minute, func(l *Limits) *time.Duration { return &l.FirstTimeout },
			"from the accepted connection to the end of C1"),
		span("handshake_timeout", 10*time.Second, 100*time.Millisecond, time.Minute, func(l *Limits) *time.Duration { return &l.HandshakeTimeout },
			"from the accepted connection to the connect command, TLS included"),
		span("request_timeout", 10*time.Second, 100*time.Millisecond, 5*time.Minute, func(l *Limits) *time.Duration { return &l.RequestTimeout },
			"from connect to publish or play"),
		span("tls_timeout", 5*time.Second, 500*time.Millisecond, time.Minute, func(l *Limits) *time.Duration { return &l.TLSTimeout },
			"the TLS handshake of RTMPS"),
		span("proxy_header_timeout", 2*time.Second, 100*time.Millisecond, time.Minute, func(l *Limits) *time.Duration { return &l.ProxyHeaderTimeout },
			"a proxy's PROXY protocol header"),

		size("unauth_bytes", 32*kib, 8*kib, mib, func(l *Limits) *int { return &l.UnauthBytes },
			"what a peer may send in all before it publishes or plays"),
		size("unauth_message", 16*kib, 2*kib, mib, func(l *Limits) *int { return &l.UnauthMessage },
			"its longest message until then"),
		count("unauth_messages", 20, 5, 1000, func(l *Limits) *int { return &l.UnauthMessages },
			"how many messages it may send until then"),

		size("audio_message", mib, 4*kib, 16*mib-1, func(l *Limits) *int { return &l.AudioMessage },
			"longest audio message of a publisher"),
		size("video_message", 16*mib-1, 16*kib, 16*mib-1, func(l *Limits) *int { return &l.VideoMessage },
			"longest video message, whatever a vhost's max_message_bytes (8 MiB) allows"),
		size("other_message", 64*kib, 4*kib, 16*mib-1, func(l *Limits) *int { return &l.OtherMessage },
			"longest command or data message, metadata too"),
		count("chunk_streams", 64, 8, 65_597, func(l *Limits) *int { return &l.ChunkStreams },
			"chunk streams of a connection"),
		count("unfinished_messages", 8, 2, 64, func(l *Limits) *int { return &l.UnfinishedMessages },
			"messages of a connection that are under way at one time"),
		size("unfinished_bytes", 12*mib, 64*kib, 256*mib, func(l *Limits) *int { return &l.UnfinishedBytes },
			"what these may hold together; never less than one longest video and audio message"),
		size("min_chunk_size", 1, 1, 128, func(l *Limits) *int { return &l.MinChunkSize },
			"smallest chunk size a peer may set"),
		size("chunk_size", 4*kib, 128, 64*kib, func(l *Limits) *int { return &l.ChunkSize },
			"our chunk size until a player plays; then its vhost's chunk_size_bytes"),
		count("amf_depth", 8, 2, 64, func(l *Limits) *int { return &l.AMFDepth },
			"how deep objects of a command may be nested"),
		count("amf_properties", 256, 32, 4096, func(l *Limits) *int { return &l.AMFProperties },
			"properties of one object of a command"),
		count("amf_values", 4096, 64, 65_536, func(l *Limits) *int { return &l.AMFValues },
			"values in a command, all depths together"),
		size("amf_string", 16*kib, kib, mib, func(l *Limits) *int { return &l.AMFStringBytes },
			"longest string in a command"),
		count("control_rate", 100, 10, 100_000, func(l *Limits) *int { return &l.ControlRate },
			"messages other than media that a peer may send in a second, averaged over two"),
		count("message_streams", 8, 1, 64, func(l *Limits) *int { return &l.MessageStreams },
			"message streams of a connection"),

		size("queue_bytes", 4*mib, 64*kib, 256*mib, func(l *Limits) *int { return &l.QueueBytes },
			"how far a player may be behind, besides its vhost's queue_ms, until it jumps to a key frame"),
		span("blocked_timeout", 10*time.Second, time.Second, 5*time.Minute, func(l *Limits) *time.Duration { return &l.BlockedTimeout },
			"how long a player may take nothing while media waits for it"),
		span("write_timeout", 10*time.Second, time.Second, 5*time.Minute, func(l *Limits) *time.Duration { return &l.WriteTimeout },
			"one write of an answer"),
		span("ping_interval", 30*time.Second, 10*time.Millisecond, time.Hour, func(l *Limits) *time.Duration { return &l.PingInterval },
			"a player that is silent for so long is pinged, and closed after three times as long if it takes no media either"),
		span("dead_timeout", 14*time.Second, 4*time.Second, time.Hour, func(l *Limits) *time.Duration { return &l.DeadTimeout },
			"how long TCP waits for any sign of a peer's host (keep-alives, acknowledgements)"),

		open(count("max_sessions", 20_000, 1, 10_000_000, func(l *Limits) *int { return &l.MaxSessions },
			"publishers, players and those who have not said yet, over all protocols; never more than there are descriptors")),
		open(count("max_per_address", 256, 1, 10_000_000, func(l *Limits) *int { return &l.MaxPerAddress },
			"of these from one address; 127.0.0.1 and ::1 are not counted")),
		open(count("max_pending", 64, 1, 10_000_000, func(l *Limits) *int { return &l.MaxPending },
			"of these that neither publish nor play yet")),
		count("reserved_descriptors", 64, 16, 10_000_000, func(l *Limits) *int { return &l.ReservedDescriptors },
			"descriptors that sessions leave to the API, the dashboard and the database"),

		count("key_failures", 10, 1, 10_000, func(l *Limits) *int { return &l.KeyFailures },
			"wrong stream keys from an address (IPv6: a /64) in key_window until it is blocked"),
		count("key_failures_network", 30, 1, 100_000, func(l *Limits) *int { return &l.KeyFailuresNetwork },
			"the same from a /24 (IPv6: a /48)"),
		span("key_window", time.Minute, time.Second, 24*time.Hour, func(l *Limits) *time.Duration { return &l.KeyWindow },
			"the time in which they are counted"),
		span("key_block", 5*time.Minute, time.Second, 24*time.Hour, func(l *Limits) *time.Duration { return &l.KeyBlock },
			"how long a guesser is blocked"),
		span("key_tarpit", 4*time.Second, 4*time.Millisecond, 30*time.Second, func(l *Limits) *time.Duration { return &l.KeyTarpit },
			"how long it waits for its answers at most, at random from a quarter of it on"),
		count("name_characters", maxNameChars, 8, maxNameChars, func(l *Limits) *int { return &l.NameCharacters },
			"longest app and stream name"),

		size("http_header_bytes", 16*kib, 4*kib, mib, func(l *Limits) *int { return &l.HTTPHeaderBytes },
			"head of an HTTP request"),
		span("http_header_timeout", 5*time.Second, 500*time.Millisecond, time.Minute, func(l *Limits) *time.Duration { return &l.HTTPHeaderTimeout },
			"until the head of an HTTP request is complete"),
		size("http_body_bytes", mib, 64*kib, 64*mib, func(l *Limits) *int { return &l.HTTPBodyBytes },
			"body of a request to the API"),
		span("http_read_timeout", 30*time.Second, time.Second, 10*time.Minute, func(l *Limits) *time.Duration { return &l.HTTPReadTimeout },
			"until a request has come with its body"),
		span("http_write_timeout", time.Minute, time.Second, time.Hour, func(l *Limits) *time.Duration { return &l.HTTPWriteTimeout },
			"until it is answered; does not bound players"),
		span("http_idle_timeout", 2*time.Minute, time.Second, time.Hour, func(l *Limits) *time.Duration { return &l.HTTPIdleTimeout },
			"how long an HTTP connection may wait for its next request"),
		size("http_url_bytes", 4*kib, kib, 64*kib, func(l *Limits) *int { return &l.HTTPURLBytes },
			"URL of a request"),
		size("websocket_message", 16*kib, kib, mib, func(l *Limits) *int { return &l.WebSocketMessage },
			"longest message a browser may send on the dashboard's feed or WebSocket-FLV"),
		open(count("http_connections", 1024, 16, 10_000_000, func(l *Limits) *int { return &l.HTTPConnections },
			"HTTP connections that play nothing; never more than a quarter of the descriptors")),
		open(count("http_per_address", 128, 8, 10_000_000, func(l *Limits) *int { return &l.HTTPPerAddress },
			"of these from one address; 127.0.0.1, ::1 and trusted proxies are not counted")),
	}
}
