package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server/config"
)

type keyCommands struct {
	Create keyCreate `cmd:"" help:"Create a stream key, and its stream where there is none. The key is printed once."`
	List   keyList   `cmd:"" help:"List stream keys."`
	Revoke keyRevoke `cmd:"" help:"Delete a stream key. Who publishes with it is ended within a second or two."`
}

type keyCreate struct {
	Stream  string        `arg:"" placeholder:"APP/STREAM" help:"The stream, such as live/demo."`
	Vhost   string        `default:"default" help:"Name of the vhost."`
	Label   string        `help:"Whose key it is."`
	Expires time.Duration `placeholder:"DURATION" help:"End the key after this time, such as 720h. Default: never."`
}

// Run creates the key and prints its secret.
func (k keyCreate) Run(c *command) error {
	app, name, err := splitStream(k.Stream)
	if err != nil {
		return err
	}
	key := store.Key{Label: k.Label, Enabled: true}
	if k.Expires > 0 {
		key.ExpiresAt = time.Now().Add(k.Expires)
	}
	secret := config.NewStreamKeySecret()
	return c.withStore(func(s *store.Store) error {
		if err := k.store(c, s, app, name, key, secret); err != nil {
			return err
		}
		return c.print("%s\n", secret.Reveal())
	})
}

func (k keyCreate) store(c *command, s *store.Store, app, name string, key store.Key, secret config.Secret) error {
	stream, err := s.StreamByName(c.ctx, k.Vhost, app, name)
	switch {
	case err == nil:
		key.StreamID = stream.ID
		_, err = s.CreateKey(c.ctx, c.actor(), key, secret)
		return err
	case !errors.Is(err, store.ErrNotFound):
		return err
	}
	vhost, err := c.vhost(s, k.Vhost)
	if err != nil {
		return err
	}
	stream = store.Stream{VhostID: vhost.ID, App: app, Name: name, Enabled: true}
	_, _, err = s.CreateStreamWithKey(c.ctx, c.actor(), stream, key, secret)
	return err
}

type keyList struct {
	Stream string `arg:"" optional:"" placeholder:"APP/STREAM" help:"Only the keys of this stream."`
	Vhost  string `default:"default" help:"Name of the vhost the stream is in."`
}

// Run lists keys, without their secrets.
func (k keyList) Run(c *command) error {
	return c.withStore(func(s *store.Store) error {
		names := map[string]string{}
		only := ""
		if k.Stream != "" {
			app, name, err := splitStream(k.Stream)
			if err != nil {
				return err
			}
			stream, err := s.StreamByName(c.ctx, k.Vhost, app, name)
			if err != nil {
				return fmt.Errorf("stream %s in vhost %s: %w", k.Stream, k.Vhost, err)
			}
			only = stream.ID
		}
		err := every(func(o store.ListOptions) (store.List[store.Stream], error) {
			return s.Streams(c.ctx, store.StreamFilter{}, o)
		}, func(st store.Stream) { names[st.ID] = st.Vhost + " " + st.App + "/" + st.Name })
		if err != nil {
			return err
		}
		t := c.table("ID", "STREAM", "KEY", "LABEL", "ENABLED", "EXPIRES", "LAST USED")
		err = every(func(o store.ListOptions) (store.List[store.Key], error) { return s.Keys(c.ctx, only, o) }, func(key store.Key) {
			t.row(key.ID, names[key.StreamID], "sk_…"+key.LastFour, key.Label, yes(key.Enabled), when(key.ExpiresAt), when(key.LastUsedAt))
		})
		return errors.Join(err, t.flush())
	})
}

func when(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.UTC().Format(time.RFC3339)
}

type keyRevoke struct {
	ID string `arg:"" help:"The key's id, key_…; see penstock key list."`
}

// Run deletes the key.
func (k keyRevoke) Run(c *command) error {
	return c.withStore(func(s *store.Store) error {
		if err := s.DeleteKey(c.ctx, c.actor(), k.ID, 0); err != nil {
			return fmt.Errorf("key %s: %w", k.ID, err)
		}
		return c.print("deleted %s\n", k.ID)
	})
}
