package rtmp

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

// ErrURL says that a URL cannot be dialled. It is wrapped with what is wrong,
// without the URL: that may hold a secret.
var ErrURL = errors.New("not an RTMP URL")

// Address is an RTMP URL taken apart: where to connect, and what to ask for.
type Address struct {
	TLS   bool
	Host  string // host:port to connect to
	TCURL string // without user, password and stream name
	App   string
	Name  string // with its query
	Query string // of the app, for rtmp://host/app?query/name
	Login Login  // of user:password@, percent-decoded
}

// ParseAddress takes apart rtmp[s]://host[:port]/app[/more][/name][?query]. The
// name is the last path element with the query; a query in front of the last
// element, as in /app?token=x/name, belongs to the app. The default port is 1935,
// and 443 for rtmps.
func ParseAddress(raw string) (Address, error) {
	scheme, _, ok := strings.Cut(raw, "://")
	if !ok || (scheme != "rtmp" && scheme != "rtmps") {
		return Address{}, fmt.Errorf("rtmp: want rtmp:// or rtmps://: %w", ErrURL)
	}
	authority, path := splitAuthority(raw)
	authority = authority[len(scheme+"://"):]
	var login Login
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		login, authority = parseLogin(authority[:i]), authority[i+1:]
	}
	u, err := url.Parse("rtmp://" + authority)
	if err != nil || u.Hostname() == "" {
		return Address{}, fmt.Errorf("rtmp: no host: %w", ErrURL) // err repeats the URL
	}
	a := Address{TLS: scheme == "rtmps", Login: login}
	port := u.Port()
	if port == "" {
		port = "1935"
		if a.TLS {
			port = "443"
		}
	}
	a.Host = net.JoinHostPort(u.Hostname(), port)
	a.App, a.Name = splitPath(path)
	a.App, a.Query, _ = strings.Cut(a.App, "?")
	a.TCURL = scheme + "://" + authority + "/" + a.App
	return a, nil
}

// splitPath finds where the app ends.
func splitPath(path string) (app, name string) {
	before, query, found := strings.Cut(path, "?")
	if i := strings.LastIndexByte(before, '/'); i >= 0 {
		name = before[i+1:]
		if found {
			name += "?" + query
		}
		return before[:i], name
	}
	own, _, _ := strings.Cut(query, "?") // the name may have a query too
	if i := strings.LastIndexByte(own, '/'); found && i >= 0 {
		return before + "?" + query[:i], query[i+1:]
	}
	return path, ""
}
