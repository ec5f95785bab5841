package main

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"

	"github.com/realclientip/realclientip-go"
)

// behindProxies gives next the address of the client where a trusted proxy passes
// a request on, so that rules and limits by address mean the client and not the
// proxy. What anybody else says in X-Forwarded-For is not believed.
func behindProxies(trusted []netip.Prefix, next http.Handler) (http.Handler, error) {
	if len(trusted) == 0 {
		return next, nil
	}
	ranges := make([]net.IPNet, len(trusted))
	for i, p := range trusted {
		base := p.Masked().Addr()
		ranges[i] = net.IPNet{IP: base.AsSlice(), Mask: net.CIDRMask(p.Bits(), base.BitLen())}
	}
	strategy, err := realclientip.NewRightmostTrustedRangeStrategy("X-Forwarded-For", ranges)
	if err != nil {
		return nil, fmt.Errorf("trusted proxies: %w", err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		peer, err := netip.ParseAddrPort(r.RemoteAddr)
		if err == nil && slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(peer.Addr().Unmap()) }) {
			if client, err := netip.ParseAddr(strategy.ClientIP(r.Header, r.RemoteAddr)); err == nil {
				r = r.Clone(r.Context())
				r.RemoteAddr = netip.AddrPortFrom(client.Unmap().WithZone(""), 0).String()
			}
		}
		next.ServeHTTP(w, r)
	}), nil
}
