package session

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/roster"
	"github.com/penstock-media/penstock/server/rtmp"
)

// secure does the TLS handshake, where there is TLS. What remains of
// Limits.HandshakeTimeout is for RTMP's.
func (c *session) secure(ctx context.Context) error {
	tc, ok := c.nc.Conn.(*tls.Conn)
	if !ok {
		return nil
	}
	if err := c.nc.SetDeadline(time.Now().Add(c.srv.cfg.Limits.TLSTimeout)); err != nil {
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
	failed := &roster.Ending{Reason: config.ReasonHandshake, Handshake: roster.HandshakeTLS, Detail: "TLS: " + err.Error()}
	if first, ok := errors.AsType[tls.RecordHeaderError](err); ok && first.Conn != nil {
		failed.Handshake, failed.Detail = notTLS(first.RecordHeader[:])
	} else if end := roster.EndingFor(err); end.Reason == config.ReasonPeerClosed {
		return &end
	} else if rtmp.IsTimeout(err) {
		failed.Handshake, failed.Detail = roster.HandshakeTimeout, "The peer did not finish the TLS handshake in time."
	}
	return failed
}

// spoof is what to say of a PROXY protocol header that nobody expects.
const spoof = "The peer sent a PROXY protocol header, which is not taken from its address. If it is your load balancer, name it with --proxy-protocol-from."

// proxyHead reports whether bytes begin a PROXY protocol header, of version 1 or 2.
func proxyHead(b []byte) bool {
	return bytes.HasPrefix(b, []byte("PROXY")) || bytes.HasPrefix(b, []byte("\r\n\r\n\x00"))
}

// httpHead reports whether bytes begin a request of HTTP.
func httpHead(b []byte) bool {
	for _, method := range []string{"GET ", "POST", "HEAD", "OPTI", "CONN", "PUT ", "DELE", "PATC", "PRI ", "HTTP"} {
		if bytes.HasPrefix(b, []byte(method)) {
			return true
		}
	}
	return false
}

// notTLS says what begins with these bytes on a port for RTMPS.
func notTLS(first []byte) (roster.Handshake, string) {
	const here = " on a port for RTMPS."
	switch {
	case first[0] == 3: // C0, with the time of C1 behind it
		return roster.HandshakePlain, "The peer speaks plain RTMP" + here + " Its address should begin with rtmps://, or name the RTMP port."
	case proxyHead(first):
		return roster.HandshakeProxy, spoof
	case httpHead(first):
		return roster.HandshakeHTTP, "The peer speaks plain HTTP" + here
	}
	return roster.HandshakeUnknown, "The peer does not speak TLS" + here
}

// notRTMP is why a peer that speaks something else on a port for plain RTMP is closed.
func notRTMP(e *rtmp.NotRTMPError) *roster.Ending {
	end := &roster.Ending{Reason: config.ReasonHandshake, Handshake: roster.HandshakeUnknown}
	const here = " on a port for RTMP."
	switch {
	case e.What == "TLS":
		end.Handshake = roster.HandshakeTLS
		end.Detail = "The peer speaks TLS on a port for plain RTMP. Its address should begin with rtmp://, or name the RTMPS port."
	case proxyHead(e.Head):
		end.Handshake, end.Detail = roster.HandshakeProxy, spoof
	case httpHead(e.Head), e.What == "HTTP" && e.First != 'P':
		end.Handshake, end.Detail = roster.HandshakeHTTP, "The peer speaks HTTP"+here
	case e.What == "RTMPE":
		end.Handshake, end.Detail = roster.HandshakeRTMPE, "The peer speaks RTMPE, an encrypted RTMP that nobody uses any more. Use rtmps:// instead."
	default:
		end.Detail = fmt.Sprintf("The peer does not speak RTMP: its first byte is 0x%02x in place of 0x03.", e.First)
	}
	return end
}
