package session

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/access"
	"github.com/penstock-media/penstock/server/rtmp"
)

// request reads what a peer asks for from the places it may stand in: tcUrl, app
// and name.
func request(tcURL, app, name string) (access.Request, error) {
	t, err := rtmp.ParseTarget(tcURL, app, name)
	if err != nil {
		return access.Request{}, err
	}
	return access.Request{
		VhostHost: t.Vhost, App: t.App, Name: t.Name, Alone: t.Alone,
		Key:   config.Secret(first(t.Args, "key", "secret")),
		Token: config.Secret(first(t.Args, "token", "jwt")),
	}, nil
}

// first returns the first argument that is not empty.
func first(args url.Values, names ...string) string {
	for _, n := range names {
		if v := args.Get(n); v != "" {
			return v
		}
	}
	return ""
}

// RequestOf reads a whole URL the way a peer that is given it would: rtmp:// as
// FFmpeg splits it, http:// as a player of HTTP-FLV asks for it. The host, app,
// name, key and token of the request are filled in.
func RequestOf(rawURL string) (access.Request, error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		// url.Error repeats the URL, which may hold a key.
		return access.Request{}, errors.New("the URL cannot be read: write it as rtmp://host/app/name")
	}
	path := strings.Trim(u.EscapedPath(), "/")
	protocol := "rtmp"
	switch u.Scheme {
	case "rtmp":
	case "rtmps":
		protocol = "rtmps"
	case "http", "https", "ws", "wss":
		protocol = "http-flv"
		if u.Scheme == "ws" || u.Scheme == "wss" {
			protocol = "ws-flv"
		}
		path = strings.TrimSuffix(path, ".flv")
	default:
		return access.Request{}, fmt.Errorf("the scheme %q is none of rtmp, rtmps, http, https, ws, wss", u.Scheme)
	}
	app, name := path, ""
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		app, name = path[:i], path[i+1:]
	}
	if u.RawQuery != "" {
		name += "?" + u.RawQuery
	}
	req, err := request("rtmp://"+u.Host+"/"+app, app, name)
	req.Protocol = protocol
	return req, err
}
