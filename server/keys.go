package server

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/penstock-media/penstock/server/config"
)

// The bounds of what is remembered of keys.
const (
	maxRememberedKeys = 100_000
	maxStaleKey       = 24 * time.Hour
	// askWithin is how long the source may take while there is an old answer.
	askWithin = 2 * time.Second
)

// keyCache asks its source each time, and answers from memory when the source
// cannot be asked: with the database away, known encoders come back on air.
type keyCache struct {
	source KeySource

	mu    sync.Mutex
	known map[config.KeyHash]knownKey // guarded by mu
}

type knownKey struct {
	key  config.StreamKey
	seen time.Time
}

func newKeyCache(source KeySource) *keyCache {
	return &keyCache{source: source, known: make(map[config.KeyHash]knownKey)}
}

// Key implements access.Keys.
func (c *keyCache) Key(ctx context.Context, hash config.KeyHash) (config.StreamKey, error) {
	if c.source == nil {
		return config.StreamKey{}, config.ErrNoKey
	}
	old, known := c.remembered(hash)
	if known {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, askWithin)
		defer cancel()
	}
	key, err := c.source.Key(ctx, hash)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err == nil:
		if len(c.known) >= maxRememberedKeys {
			for h := range c.known { // any one: which is as good as another
				delete(c.known, h)
				break
			}
		}
		c.known[hash] = knownKey{key, time.Now()}
		return key, nil
	case errors.Is(err, config.ErrNoKey):
		delete(c.known, hash)
		return config.StreamKey{}, err
	}
	if known {
		return old, nil
	}
	return config.StreamKey{}, err
}

// remembered returns the last answer, if it is not too old.
func (c *keyCache) remembered(hash config.KeyHash) (config.StreamKey, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, ok := c.known[hash]
	return k.key, ok && time.Since(k.seen) < maxStaleKey
}

// forget drops what is remembered of the keys with these ids, or of all.
func (c *keyCache) forget(ids ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(ids) == 0 {
		clear(c.known)
		return
	}
	for h, k := range c.known {
		if slices.Contains(ids, k.key.ID) {
			delete(c.known, h)
		}
	}
}

// tokenUser is the optional part of a KeySource that makes single-use tokens
// work: UseToken remembers a token's id until it expires and returns
// config.ErrUsed the second time.
type tokenUser interface {
	UseToken(ctx context.Context, id string, expires time.Time) error
}

// UseToken asks the source, if it can remember tokens.
func (c *keyCache) UseToken(ctx context.Context, id string, expires time.Time) error {
	u, ok := c.source.(tokenUser)
	if !ok {
		return errors.New("server: this server does not remember used tokens")
	}
	return u.UseToken(ctx, id, expires)
}
