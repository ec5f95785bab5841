package api

import (
	"context"
	"net"
	"net/url"
	"strings"

	"github.com/penstock-media/penstock/server/config"
)

// rtmpPort is the port that rtmp:// means without saying so.
const rtmpPort = "1935"

// rtmpsPort is the port that rtmps:// means without saying so.
const rtmpsPort = "443"

// place is where a client finds this server.
type place struct {
	rtmp string // host, with the port unless it is the usual one
	http string // host, with the port as the client spelled it
	tls  bool
}

// placeOf says where the sender of a request finds this server.
func (a *API) placeOf(ctx context.Context) place {
	q := requestOf(ctx)
	p := place{http: q.host, tls: q.secure}
	if a.publicURL != nil {
		p.http, p.tls = a.publicURL.Host, a.publicURL.Scheme == "https"
	}
	if p.http == "" {
		p.http = "localhost"
	}
	if p.rtmp = a.publicRTMP; p.rtmp == "" {
		port := rtmpPort
		if addrs := a.engine.Addrs(); len(addrs) > 0 {
			if _, own, err := net.SplitHostPort(addrs[0].String()); err == nil {
				port = own
			}
		}
		p.rtmp = net.JoinHostPort(hostname(p.http), port)
	}
	if h, port, err := net.SplitHostPort(p.rtmp); err == nil && port == rtmpPort {
		p.rtmp = bracketed(h)
	}
	return p
}

// rtmpURLs are where encoders find this server: plain, and then under TLS where that
// is on, on the same host.
func (a *API) rtmpURLs(p place) []string {
	urls := []string{"rtmp://" + p.rtmp}
	for _, addr := range a.engine.SecureAddrs() {
		_, port, err := net.SplitHostPort(addr.String())
		if err != nil {
			continue
		}
		host := net.JoinHostPort(hostname(p.rtmp), port)
		if port == rtmpsPort {
			host = bracketed(hostname(p.rtmp))
		}
		urls = append(urls, "rtmps://"+host)
	}
	return urls
}

// hostname is a host without port and brackets.
func hostname(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		return h
	}
	return strings.Trim(host, "[]")
}

func bracketed(h string) string {
	if strings.Contains(h, ":") {
		return "[" + h + "]"
	}
	return h
}

// at is the place under another host name.
func (p place) at(host string) place {
	swap := func(old string) string {
		if _, port, err := net.SplitHostPort(old); err == nil {
			return net.JoinHostPort(host, port)
		}
		return host
	}
	p.rtmp, p.http = swap(p.rtmp), swap(p.http)
	return p
}

func (p place) httpScheme() string {
	if p.tls {
		return "https://"
	}
	return "http://"
}

func (p place) wsScheme() string {
	if p.tls {
		return "wss://"
	}
	return "ws://"
}

// streamURLs are the addresses of a stream: by the first host name of its vhost,
// or by the place's own with ?vhost= where the vhost has none.
func (a *API) streamURLs(ctx context.Context, n streamName) *StreamURLs {
	p, query := a.placeOf(ctx), ""
	if n.vhost != config.DefaultVhost {
		query = "?vhost=" + url.QueryEscape(n.vhost)
		if host := a.hostOf(n.vhost); host != "" {
			p, query = p.at(host), ""
		}
	}
	app, path := escapePath(n.app), escapePath(n.app)+"/"+url.PathEscape(n.name)
	return &StreamURLs{
		RTMPServer: "rtmp://" + p.rtmp + "/" + app + query,
		RTMPPlay:   "rtmp://" + p.rtmp + "/" + path + query,
		HTTPFLV:    p.httpScheme() + p.http + "/" + path + ".flv" + query,
		WSFLV:      p.wsScheme() + p.http + "/" + path + ".flv" + query,
	}
}

// hostOf is a host name that leads to a vhost, "" when it has none of its own.
func (a *API) hostOf(vhost string) string {
	snap := a.applied.Snapshot()
	if snap == nil {
		return ""
	}
	v := snap.Named(vhost)
	if v == nil {
		return ""
	}
	for _, h := range v.Hostnames {
		if !strings.HasPrefix(h, "*") {
			return h
		}
	}
	return ""
}

// escapePath escapes each element of a path.
func escapePath(s string) string {
	parts := strings.Split(s, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
}
