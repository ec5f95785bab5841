package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/netip"

	"github.com/penstock-media/penstock/api"
	"github.com/penstock-media/penstock/api/apply"
	"github.com/penstock-media/penstock/api/auth"
	"github.com/penstock-media/penstock/api/outbox"
	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server"
	"github.com/penstock-media/penstock/server/config"
)

// plane is the control plane: the API, the loop that carries the configuration
// from the store to the engine, and the recorder that carries back what happened.
type plane struct {
	api  *api.API
	auth *auth.Auth
	// proxies are the ranges whose word about a client's address is believed.
	proxies []netip.Prefix
	// rooms are what runs until its context ends.
	rooms []func(context.Context) error
}

// planeParts are what the control plane is built on.
type planeParts struct {
	store  *store.Store
	keys   *apply.Keys
	engine *server.Engine
	limits config.Limits
	log    *slog.Logger
	node   string

	http, https []net.Addr // what the API is served on
}

// newPlane makes the control plane, and gives the engine its first configuration.
func newPlane(ctx context.Context, s serveCommand, p planeParts) (*plane, error) {
	proxies, err := prefixes(s.TrustedProxies)
	if err != nil {
		return nil, fmt.Errorf("--trusted-proxies: %w", err)
	}
	who, err := auth.New(ctx, auth.Config{Store: p.store, Logger: p.log})
	if err != nil {
		return nil, err
	}
	var control *api.API
	loop := apply.New(apply.Config{
		Store: p.store, Engine: p.engine, Keys: p.keys, Logger: p.log,
		Changed: func() { control.Changed() },
	})
	recorder := outbox.New(outbox.Config{Store: p.store, Engine: p.engine, Node: p.node, Logger: p.log})
	control, err = api.New(api.Config{
		Store: p.store, Engine: p.engine, Auth: who, Applied: loop, Backlog: recorder, Logger: p.log,
		Version: version, Node: p.node, PublicURL: s.PublicURL, PublicRTMP: s.PublicRTMP, PublicRTMPS: s.PublicRTMPS,
		HTTPAddrs: p.http, HTTPSAddrs: p.https, TrustedProxies: proxies, Limits: p.limits,
	})
	if err != nil {
		return nil, err
	}
	if err := loop.First(ctx); err != nil {
		return nil, fmt.Errorf("apply the configuration in the database: %w", err)
	}
	rooms := []func(context.Context) error{loop.Run, control.Run, recorder.Run}
	return &plane{api: control, auth: who, proxies: proxies, rooms: rooms}, nil
}

// setupLink is the one-time link that creates the first user, empty when there is
// one.
func (p *plane) setupLink(ctx context.Context, dashboard string) (string, error) {
	token, err := p.auth.NewSetupToken(ctx)
	if err != nil || token == "" {
		return "", err
	}
	return dashboard + "/setup#token=" + token.Reveal(), nil
}

// prefixes reads addresses and ranges.
func prefixes(texts []string) ([]netip.Prefix, error) {
	var all []netip.Prefix
	for _, text := range texts {
		if addr, err := netip.ParseAddr(text); err == nil {
			all = append(all, netip.PrefixFrom(addr, addr.BitLen()))
			continue
		}
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("%q is neither an address nor a range such as 10.0.0.0/8", text)
		}
		all = append(all, prefix)
	}
	return all, nil
}
