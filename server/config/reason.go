package config

// Reason says why a session ended or was refused. It is the context cause that
// the log line, the API, the event and the metric show. The list is closed.
type Reason string

// The reasons. A refusal's name starts with "refused_".
const (
	ReasonPeerClosed      Reason = "peer_closed"
	ReasonUnpublished     Reason = "unpublished" // the publisher said it was done
	ReasonHandshake       Reason = "handshake"
	ReasonProtocol        Reason = "protocol"
	ReasonTooLarge        Reason = "too_large"
	ReasonIdle            Reason = "idle"
	ReasonSlow            Reason = "slow"
	ReasonNetwork         Reason = "network"
	ReasonStreamBusy      Reason = "stream_busy"
	ReasonStreamNotFound  Reason = "stream_not_found"
	ReasonStreamEnded     Reason = "stream_ended"
	ReasonReplaced        Reason = "replaced"
	ReasonVhostRemoved    Reason = "vhost_removed"
	ReasonStreamDisabled  Reason = "stream_disabled"
	ReasonKeyRevoked      Reason = "key_revoked"
	ReasonExpired         Reason = "expired"
	ReasonCompleted       Reason = "completed"         // the player has had as much as it asked for
	ReasonCodec           Reason = "unsupported_codec" // the player does not list the stream's codec
	ReasonKicked          Reason = "kicked"
	ReasonLimit           Reason = "limit"
	ReasonShutdown        Reason = "shutdown"
	ReasonInternal        Reason = "internal"
	ReasonRefusedVhost    Reason = "refused_vhost"
	ReasonRefusedName     Reason = "refused_name"
	ReasonRefusedIP       Reason = "refused_ip"
	ReasonRefusedReferer  Reason = "refused_referer"
	ReasonRefusedKey      Reason = "refused_key"
	ReasonRefusedToken    Reason = "refused_token"
	ReasonRefusedStream   Reason = "refused_stream"
	ReasonRefusedGuessing Reason = "refused_guessing"
	ReasonRefusedBanned   Reason = "refused_banned"
	ReasonRefusedNotReady Reason = "refused_not_ready" // keys cannot be looked up now
)

// Error makes a Reason usable as a context cause.
func (r Reason) Error() string { return string(r) }
