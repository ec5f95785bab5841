package main

import (
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"

	"github.com/penstock-media/penstock/server/config"
)

// doorkeeper bounds the HTTP connections that play nothing: a player's is taken over by
// the engine, which counts it as a session. It is the server's ConnState.
type doorkeeper struct {
	most, perAddress int
	trusted          []netip.Prefix // bring everybody
	log              *slog.Logger

	mu        sync.Mutex
	inside    map[net.Conn]netip.Addr // guarded by mu
	byAddress map[netip.Addr]int      // guarded by mu
	full      bool                    // somebody was turned away, and nobody has left since; guarded by mu
}

func newDoorkeeper(l config.Limits, trusted []netip.Prefix, log *slog.Logger) *doorkeeper {
	d := &doorkeeper{
		most: l.HTTPConnections, perAddress: l.HTTPPerAddress, trusted: trusted, log: log,
		inside: map[net.Conn]netip.Addr{}, byAddress: map[netip.Addr]int{},
	}
	for _, n := range []*int{&d.most, &d.perAddress} {
		if *n == config.NoLimit {
			*n = math.MaxInt
		}
	}
	return d
}

// shareDescriptors keeps a quarter of the descriptors at most for HTTP connections that
// play nothing, and sessions from these: else whoever opens many of the one would leave
// none to the other.
func shareDescriptors(l config.Limits) config.Limits {
	const share = 4
	descriptors, ok := maxDescriptors()
	if !ok {
		return l
	}
	most := int(min(descriptors/share, math.MaxInt32))
	if l.HTTPConnections == config.NoLimit || l.HTTPConnections > most {
		l.HTTPConnections = most
	}
	l.ReservedDescriptors += l.HTTPConnections
	return l
}

// state is told of every connection's life.
func (d *doorkeeper) state(nc net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		if !d.enter(nc) {
			_ = nc.Close() // the server finds it closed
		}
	case http.StateHijacked, http.StateClosed:
		d.leave(nc)
	case http.StateActive, http.StateIdle:
	}
}

// enter writes a connection down, if there is room.
func (d *doorkeeper) enter(nc net.Conn) bool {
	peer, _ := netip.ParseAddrPort(nc.RemoteAddr().String())
	addr := peer.Addr().Unmap()
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.inside) >= d.most || d.byAddress[addr] >= d.perAddress && !d.bringsOthers(addr) {
		if !d.full {
			d.full = true
			d.log.Warn("HTTP connection not taken: there are too many (limits http_connections, http_per_address)",
				"peer", nc.RemoteAddr().String(), "connections", len(d.inside), "of_this_address", d.byAddress[addr])
		}
		return false
	}
	d.inside[nc] = addr
	d.byAddress[addr]++
	return true
}

// bringsOthers reports whether everybody may come from an address: it is this
// machine's, or a proxy's.
func (d *doorkeeper) bringsOthers(a netip.Addr) bool {
	return a == netip.AddrFrom4([4]byte{127, 0, 0, 1}) || a == netip.IPv6Loopback() ||
		slices.ContainsFunc(d.trusted, func(p netip.Prefix) bool { return p.Contains(a) })
}

func (d *doorkeeper) leave(nc net.Conn) {
	d.mu.Lock()
	defer d.mu.Unlock()
	addr, ok := d.inside[nc]
	if !ok {
		return
	}
	delete(d.inside, nc)
	d.full = false
	if d.byAddress[addr]--; d.byAddress[addr] == 0 {
		delete(d.byAddress, addr)
	}
}
