package rtmp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/penstock-media/penstock/server/amf"
)

// RedirectError is a refusal that names another server. Dial follows it by
// itself; Publish, Play and ReadMedia return it, and Redial follows.
type RedirectError struct {
	// URL is where to go, for Redial or Dial. It ends in "/" if it names no
	// stream, which is then the same. It may hold secrets, so Error leaves it out.
	URL    string
	Status StatusError
}

// Error gives the refusal, without the URL.
func (e *RedirectError) Error() string { return "redirected: " + e.Status.Error() }

// Unwrap is the refusal as a *StatusError.
func (e *RedirectError) Unwrap() error { return &e.Status }

// ReconnectError is a server's wish that the client connect again, there or
// elsewhere (Enhanced RTMP, ReconnectRequest): the server is about to stop. The
// connection lives until the client closes it, and ReadMedia may be called again;
// a publisher goes on to its next key frame. Only a client whose Connect.CapsEx
// has CapsReconnect is asked.
type ReconnectError struct {
	// URL is where to go, for Redial or Dial. It ends in "/": the stream is the
	// same. It may hold secrets, so Error leaves it out.
	URL string
	// Description is the server's reason; it may be empty.
	Description string
}

// Error gives the reason, without the URL.
func (e *ReconnectError) Error() string {
	if e.Description == "" {
		return "asked to reconnect"
	}
	return "asked to reconnect: " + e.Description
}

// redirect reads where a refusal sends the client. Adobe's servers and SRS put a
// tcUrl in ex.redirect; SRS puts one with the stream in ex.redirect2, and did so in
// ex.redirect before.
func (c *Client) redirect(info amf.Value) (target string, ok bool) {
	ps, _ := amf.Properties(info)
	ps, _ = amf.Properties(amf.Object(ps).Get("ex"))
	ex := amf.Object(ps)
	if code, _ := amf.Number(ex.Get("code")); code != 302 {
		return "", false
	}
	to, _ := amf.String(ex.Get("redirect"))
	whole := false
	if to == "" {
		to, _ = amf.String(ex.Get("redirect2"))
		whole = true
	}
	if to == "" {
		return "", false
	}
	to = resolve(c.tcURL, to)
	_, path := splitAuthority(to)
	path, _, _ = strings.Cut(path, "?")
	path = strings.TrimRight(path, "/")
	name, _, _ := strings.Cut(c.name, "?")
	whole = whole && path != c.addr.App || name != "" && strings.HasSuffix(path, "/"+name)
	if whole && strings.Contains(path, "/") {
		return to, true
	}
	return c.place(to), true
}

// reconnect reads a reconnect request. Without a tcUrl it means the same server.
func (c *Client) reconnect(info amf.Value) *ReconnectError {
	ps, _ := amf.Properties(info)
	to, _ := amf.String(amf.Object(ps).Get("tcUrl"))
	description, _ := amf.String(amf.Object(ps).Get("description"))
	return &ReconnectError{URL: c.place(resolve(c.tcURL, to)), Description: c.login.hide(description)}
}

// place writes a tcUrl so that ParseAddress takes all of its path for the app.
// One without a path means the app that the client is in.
func (c *Client) place(tcURL string) string {
	head, path := splitAuthority(tcURL)
	path, query, found := strings.Cut(path, "?")
	if path = strings.Trim(path, "/"); path == "" {
		path = c.addr.App
	}
	if found {
		path += "?" + query
	}
	return head + "/" + strings.TrimRight(path, "/") + "/"
}

// splitAuthority cuts scheme://authority off a URL. path is without its first
// slash.
func splitAuthority(s string) (head, path string) {
	begin := strings.Index(s, "://")
	if begin < 0 {
		return "", strings.TrimPrefix(s, "/")
	}
	begin += len("://")
	if end := strings.IndexAny(s[begin:], "/?"); end >= 0 {
		return s[:begin+end], strings.TrimPrefix(s[begin+end:], "/")
	}
	return s, ""
}

// resolve makes a reference absolute (RFC 3986, 5.2, but that nothing is encoded
// anew: servers compare what they get byte by byte).
func resolve(base, ref string) string {
	scheme, _, _ := strings.Cut(base, "://")
	head, path := splitAuthority(base)
	path, _, _ = strings.Cut(path, "?")
	before, _, _ := strings.Cut(ref, "?")
	switch {
	case ref == "":
		return base
	case strings.Contains(before, "://"):
		return ref
	case strings.HasPrefix(ref, "//"):
		return scheme + ":" + ref
	case strings.HasPrefix(ref, "/"):
		return head + ref
	case strings.HasPrefix(ref, "?"):
		return head + "/" + path + ref
	default:
		return head + "/" + path[:strings.LastIndexByte(path, '/')+1] + ref
	}
}

// errDowngrade keeps what was encrypted encrypted.
var errDowngrade = errors.New("from rtmps to rtmp")

// follow is how to connect to rawURL after from. What was set for the first
// server's eyes stays there: app, tcUrl, the name in its certificate, and the login
// unless the host is the same.
func (c DialConfig) follow(from Address, rawURL string) (Address, DialConfig, error) {
	to, err := ParseAddress(rawURL)
	if err != nil {
		return to, c, err
	}
	if from.TLS && !to.TLS {
		return to, c, fmt.Errorf("rtmp: sent elsewhere: %w", errDowngrade)
	}
	if to.Name == "" {
		to.Name = from.Name
	}
	c.Connect.App, c.Connect.TCURL = "", ""
	if !sameHost(from.Host, to.Host) {
		c.Login = Login{}
		if c.TLS != nil {
			c.TLS = c.TLS.Clone()
			c.TLS.ServerName = ""
		}
	}
	if to.Login != (Login{}) {
		c.Login = to.Login
	}
	return to, c, nil
}

func sameHost(a, b string) bool {
	host, _, _ := net.SplitHostPort(a)
	other, _, _ := net.SplitHostPort(b)
	return strings.EqualFold(host, other)
}

// Redial connects to the URL of a *ReconnectError or *RedirectError as this
// client was: with the same configuration and for the same stream. App and tcUrl
// are the URL's. The login goes along to the same host only, and nothing that came
// by rtmps goes on by rtmp. This client stays as it is.
func (c *Client) Redial(ctx context.Context, rawURL string) (*Client, error) {
	from := c.addr
	from.Name = c.name
	addr, cfg, err := c.cfg.follow(from, rawURL)
	if err != nil {
		return nil, err
	}
	return dial(ctx, addr, cfg)
}
