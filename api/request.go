package api

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"strings"

	"github.com/realclientip/realclientip-go"

	"github.com/penstock-media/penstock/api/store"
)

// request is what the outermost handler finds out about a request.
type request struct {
	id     string
	ip     netip.Addr // of the client; of the proxy when that is not trusted
	secure bool       // came over TLS, here or at a trusted proxy
	host   string     // as the client spelled it, with the port
}

type requestKey struct{}

func requestOf(ctx context.Context) request {
	r, _ := ctx.Value(requestKey{}).(request)
	return r
}

func requestID(ctx context.Context) string { return requestOf(ctx).id }

// identifier finds out about requests, believing proxies in trusted ranges only.
type identifier struct {
	trusted  []netip.Prefix
	strategy *realclientip.RightmostTrustedRangeStrategy // nil without trusted proxies
	goodID   *regexp.Regexp
}

func newIdentifier(trusted []netip.Prefix) (*identifier, error) {
	i := &identifier{trusted: trusted, goodID: regexp.MustCompile(`^[A-Za-z0-9._:-]{1,64}$`)}
	if len(trusted) == 0 {
		return i, nil
	}
	ranges := make([]net.IPNet, len(trusted))
	for n, p := range trusted {
		a := p.Masked().Addr()
		ranges[n] = net.IPNet{IP: a.AsSlice(), Mask: net.CIDRMask(p.Bits(), a.BitLen())}
	}
	s, err := realclientip.NewRightmostTrustedRangeStrategy("X-Forwarded-For", ranges)
	if err != nil {
		return nil, err
	}
	i.strategy = &s
	return i, nil
}

// identify reads what there is to know. An X-Request-Id of a plain form is kept.
func (i *identifier) identify(r *http.Request) request {
	q := request{id: r.Header.Get("X-Request-ID"), secure: r.TLS != nil, host: r.Host}
	if !i.goodID.MatchString(q.id) {
		id, err := store.NewID("req")
		if err != nil {
			id = "req_unknown"
		}
		q.id = id
	}
	if peer, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
		q.ip = peer.Addr().Unmap().WithZone("")
	}
	if i.strategy == nil || !i.trusts(q.ip) {
		return q
	}
	if client, err := netip.ParseAddr(i.strategy.ClientIP(r.Header, r.RemoteAddr)); err == nil {
		q.ip = client.Unmap().WithZone("")
	}
	if strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https") {
		q.secure = true
	}
	if h := r.Header.Get("X-Forwarded-Host"); h != "" {
		q.host = h
	}
	return q
}

func (i *identifier) trusts(a netip.Addr) bool {
	for _, p := range i.trusted {
		if p.Contains(a) {
			return true
		}
	}
	return false
}
