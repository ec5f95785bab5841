package api

import (
	"context"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/penstock-media/penstock/server/config"
)

// rtmpPort is the port that rtmp:// means without saying so.
const rtmpPort = "1935"

// rtmpsPort is the port that rtmps:// means without saying so.
const rtmpsPort = "443"

// place is where a client finds this server.
type place struct {
	rtmp  string // host, with the port unless it is the usual one
	rtmps string // the same under TLS; empty where that is off
	http  string // host, with the port as the client spelled it
	tls   bool   // whether http is under TLS
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
	host := hostname(p.http)
	if p.rtmp = withoutPort(a.publicRTMP, rtmpPort); p.rtmp == "" {
		p.rtmp = bracketed(host)
		if all := ports(a.engine.Addrs()); len(all) > 0 {
			p.rtmp = withoutPort(net.JoinHostPort(host, all[0]), rtmpPort)
		}
	}
	if p.rtmps = withoutPort(a.publicRTMPS, rtmpsPort); p.rtmps == "" {
		// Who is told of one host for encoders finds TLS there too.
		if all := ports(a.engine.SecureAddrs()); len(all) > 0 {
			p.rtmps = withoutPort(net.JoinHostPort(hostname(p.rtmp), all[0]), rtmpsPort)
		}
	}
	return p
}

// rtmpURLs are where encoders find this server: each port that listens, plain ones
// first, or what people are to be told in place of them.
func (a *API) rtmpURLs(p place) []string {
	urls := []string{"rtmp://" + p.rtmp}
	add := func(scheme, own, usual string, addrs []net.Addr) {
		for _, port := range ports(addrs) {
			if u := scheme + withoutPort(net.JoinHostPort(hostname(own), port), usual); !slices.Contains(urls, u) {
				urls = append(urls, u)
			}
		}
	}
	if a.publicRTMP == "" {
		add("rtmp://", p.rtmp, rtmpPort, a.engine.Addrs())
	}
	if p.rtmps != "" {
		urls = append(urls, "rtmps://"+p.rtmps)
	}
	if a.publicRTMPS == "" {
		add("rtmps://", p.rtmp, rtmpsPort, a.engine.SecureAddrs())
	}
	return urls
}

// listeners are the addresses this server is bound to.
func (a *API) listeners() []Listener {
	all := []Listener{}
	for _, on := range []struct {
		protocol string
		addrs    []net.Addr
	}{
		{"rtmp", a.engine.Addrs()},
		{"rtmps", a.engine.SecureAddrs()},
		{"http", a.httpAddrs},
		{"https", a.httpsAddrs},
	} {
		for _, addr := range on.addrs {
			all = append(all, Listener{Protocol: on.protocol, Address: addr.String()})
		}
	}
	return all
}

// ports are the ports of addresses, each once.
func ports(addrs []net.Addr) []string {
	var all []string
	for _, addr := range addrs {
		if _, port, err := net.SplitHostPort(addr.String()); err == nil && !slices.Contains(all, port) {
			all = append(all, port)
		}
	}
	return all
}

// withoutPort takes the usual port off a host.
func withoutPort(host, usual string) string {
	if h, port, err := net.SplitHostPort(host); err == nil && port == usual {
		return bracketed(h)
	}
	return host
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
		if old == "" {
			return ""
		}
		if _, port, err := net.SplitHostPort(old); err == nil {
			return net.JoinHostPort(host, port)
		}
		return host
	}
	p.rtmp, p.rtmps, p.http = swap(p.rtmp), swap(p.rtmps), swap(p.http)
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
	u := &StreamURLs{
		RTMPServer: "rtmp://" + p.rtmp + "/" + app + query,
		RTMPPlay:   "rtmp://" + p.rtmp + "/" + path + query,
		HTTPFLV:    p.httpScheme() + p.http + "/" + path + ".flv" + query,
		WSFLV:      p.wsScheme() + p.http + "/" + path + ".flv" + query,
	}
	if p.rtmps != "" {
		u.RTMPSServer, u.RTMPSPlay = "rtmps://"+p.rtmps+"/"+app+query, "rtmps://"+p.rtmps+"/"+path+query
	}
	return u
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
