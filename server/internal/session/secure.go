package session

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"time"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/roster"
	"github.com/penstock-media/penstock/server/rtmp"
)

// tlsTimeout is how long a peer may take for the TLS handshake. What remains of
// Config.HandshakeTimeout is for RTMP's.
const tlsTimeout = 5 * time.Second

// secure does the TLS handshake, where there is TLS.
func (c *session) secure(ctx context.Context) error {
	tc, ok := c.nc.Conn.(*tls.Conn)
	if !ok {
		return nil
	}
	if err := c.nc.SetDeadline(time.Now().Add(tlsTimeout)); err != nil {
		return err
	}
	if err := tc.HandshakeContext(ctx); err != nil {
		return tlsError(err)
	}
	state := tc.ConnectionState()
	c.log.Debug("secured", slog.String("version", tls.VersionName(state.Version)), slog.String("server_name", printable(state.ServerName)))
	return c.nc.SetDeadline(time.Time{})
}

// tlsError is why a connection never became one under TLS, in a sentence. A peer that
// went without a word has made no mistake.
func tlsError(err error) error {
	detail := "TLS: " + err.Error()
	if first, ok := errors.AsType[tls.RecordHeaderError](err); ok && first.Conn != nil {
		detail = notTLS(first.RecordHeader[:])
	} else if end := roster.EndingFor(err); end.Reason == config.ReasonPeerClosed {
		return &end
	} else if rtmp.IsTimeout(err) {
		detail = "The peer did not finish the TLS handshake in time."
	}
	return &roster.Ending{Reason: config.ReasonHandshake, Detail: detail}
}

// spoof is what to say of a PROXY protocol header that nobody expects.
const spoof = "a PROXY protocol header from an address that may not send one (--proxy-protocol-from)"

// notTLS says what begins with these bytes on a port for RTMPS.
func notTLS(first []byte) string {
	const here = " on a port for RTMPS."
	switch {
	case first[0] == 3: // C0, with the time of C1 behind it
		return "The peer speaks plain RTMP" + here + " Its address should begin with rtmps://, or name the RTMP port."
	case bytes.Equal(first, []byte("PROXY")), bytes.Equal(first, []byte("\r\n\r\n\x00")):
		return "The peer sent " + spoof + "."
	}
	for _, method := range []string{"GET ", "POST", "HEAD", "OPTI", "CONN"} {
		if bytes.HasPrefix(first, []byte(method)) {
			return "The peer speaks plain HTTP" + here
		}
	}
	return "The peer does not speak TLS" + here
}

// notRTMP says what a peer speaks on a port for plain RTMP.
func notRTMP(e *rtmp.NotRTMPError) string {
	switch {
	case e.What == "TLS":
		return "The peer speaks TLS on a port for plain RTMP. Its address should begin with rtmp://, or name the RTMPS port."
	case e.First == 'P':
		return "The peer speaks HTTP, or sent " + spoof + "."
	case e.First == '\r':
		return "The peer sent " + spoof + "."
	case e.What == "unknown":
		return "The peer does not speak RTMP."
	}
	return "The peer speaks " + e.What + " on a port for RTMP."
}
