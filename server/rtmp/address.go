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

// Target is the stream that a server makes of the address: with the vhost,
// wherever it stands (rtmp://host/app?vhost=x/name, rtmp://host/app...vhost...x/name),
// the arguments of all queries, and names without what does not belong to them.
func (a Address) Target() (Target, error) {
	query := ""
	if a.Query != "" {
		query = "?" + a.Query
	}
	return ParseTarget(a.TCURL+query, a.App+query, a.Name)
}

// URL is what ParseAddress makes the address of, but for the login. It may hold
// secrets.
func (a Address) URL() string {
	s := a.TCURL
	if a.Query != "" {
		s += "?" + a.Query
	}
	if a.App == "" && a.Name == "" {
		return s
	}
	return s + "/" + a.Name
}

// FLV is where the stream is over HTTP, on a server at base (http://host:8080):
// base/app/name.flv, with the arguments of app and name.
func (a Address) FLV(base string) (string, error) {
	t, err := a.Target()
	if err != nil {
		return "", err
	}
	u := url.URL{Path: "/" + t.App + "/" + t.Name + ".flv", RawQuery: t.Args.Encode()}
	return strings.TrimRight(base, "/") + u.String(), nil
}

// With is the address with an argument set to a value, for instance with a new
// token: in the app's query if it stands there, else in that of the name. The rest
// stays as it is, byte for byte.
func (a Address) With(key, value string) Address {
	arg := key + "=" + url.QueryEscape(value)
	if query, ok := setArg(a.Query, key, arg); ok {
		a.Query = query
		return a
	}
	name, query, found := strings.Cut(a.Name, "?")
	set, ok := setArg(query, key, arg)
	switch {
	case ok:
		query = set
	case found && query != "":
		query += "&" + arg
	default:
		query = arg
	}
	a.Name = name + "?" + query
	return a
}

// setArg puts arg in the place of key=... in a query.
func setArg(query, key, arg string) (string, bool) {
	if query == "" {
		return "", false
	}
	parts := strings.Split(query, "&")
	found := false
	for i, p := range parts {
		if k, _, _ := strings.Cut(p, "="); k == key {
			parts[i], found = arg, true
		}
	}
	return strings.Join(parts, "&"), found
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
