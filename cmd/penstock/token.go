package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server/config"
)

type tokenCommands struct {
	Mint    tokenMint    `cmd:"" help:"Sign a token and print it."`
	Inspect tokenInspect `cmd:"" help:"Say what a token permits and whether it is valid."`
}

type tokenMint struct {
	Action    string        `arg:"" enum:"publish,play" help:"What it permits: publish or play."`
	Stream    string        `arg:"" placeholder:"APP/STREAM" help:"The stream, such as live/demo; a trailing * stands for any rest."`
	Vhost     string        `default:"default" help:"Name of the vhost."`
	Expires   time.Duration `default:"1h" help:"How long a session may begin with it."`
	Max       time.Duration `placeholder:"DURATION" help:"How long such a session may last. Default: no end."`
	IP        string        `placeholder:"ADDRESS" help:"Only from this address or range."`
	Referer   string        `placeholder:"HOST" help:"Only from pages of this host."`
	SingleUse bool          `help:"For one session only."`
}

// Run signs the token with the newest signing key, which it makes where there is
// none.
func (m tokenMint) Run(c *command) error {
	app, name, err := splitStream(m.Stream)
	if err != nil {
		return err
	}
	return c.withStore(func(s *store.Store) error {
		if _, err := c.vhost(s, m.Vhost); err != nil {
			return err
		}
		key, err := signingKey(c, s)
		if err != nil {
			return err
		}
		id, err := store.NewID("tok")
		if err != nil {
			return err
		}
		token, err := config.MintToken(key, config.TokenClaims{
			ID: id, Action: config.Action(m.Action), Vhost: m.Vhost, App: app, Stream: name,
			ExpiresAt: time.Now().Add(m.Expires), IP: m.IP, Referer: m.Referer, Max: m.Max, SingleUse: m.SingleUse,
		})
		if err != nil {
			return err
		}
		return c.print("%s\n", token)
	})
}

// signingKey is the key that signs tokens.
func signingKey(c *command, s *store.Store) (config.TokenKey, error) {
	snapshot, err := s.Snapshot(c.ctx)
	if err != nil {
		return config.TokenKey{}, err
	}
	if len(snapshot.TokenKeys) > 0 {
		return snapshot.TokenKeys[0], nil
	}
	made, err := s.CreateTokenKey(c.ctx, c.actor(), store.TokenKey{Label: "first", Enabled: true})
	if err != nil {
		return config.TokenKey{}, err
	}
	return config.TokenKey{ID: made.ID, Secret: made.Secret}, nil
}

type tokenInspect struct {
	Token string `arg:"" optional:"" help:"The token; read from standard input when left out, so that no other user of this machine sees it."`
}

// Run prints the claims of a token, never the token.
func (i tokenInspect) Run(c *command) error {
	raw := i.Token
	if raw == "" {
		data, err := io.ReadAll(io.LimitReader(c.stdin, 4<<10))
		if err != nil {
			return fmt.Errorf("read the token from standard input: %w", err)
		}
		raw = strings.TrimSpace(string(data))
	}
	return c.withStore(func(s *store.Store) error {
		snapshot, err := s.Snapshot(c.ctx)
		if err != nil {
			return err
		}
		claims, invalid := config.VerifyToken(snapshot, raw, time.Now())
		if claims.ID != "" || invalid == nil {
			if err := c.printClaims(claims); err != nil {
				return err
			}
		}
		if invalid != nil {
			return invalid
		}
		return c.print("valid      yes\n")
	})
}

func (c *command) printClaims(t config.TokenClaims) error {
	lines := [][2]string{
		{"id", t.ID},
		{"permits", string(t.Action) + " " + t.App + "/" + t.Stream + " in vhost " + t.Vhost},
		{"expires", when(t.ExpiresAt)},
	}
	add := func(name, value string, given bool) {
		if given {
			lines = append(lines, [2]string{name, value})
		}
	}
	add("not before", when(t.NotBefore), !t.NotBefore.IsZero())
	add("max", t.Max.String(), t.Max > 0)
	add("ip", t.IP, t.IP != "")
	add("referer", t.Referer, t.Referer != "")
	add("uses", "one", t.SingleUse)
	var errs []error
	for _, line := range lines {
		errs = append(errs, c.print("%-10s %s\n", line[0], plain(line[1])))
	}
	return errors.Join(errs...)
}
