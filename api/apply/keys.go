package apply

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server/config"
)

// The bounds of what is remembered of stream keys.
const (
	maxKeys     = 100_000
	knownFor    = 30 * time.Second // a change made meanwhile drops it
	unknownFor  = 2 * time.Second
	knownAtMost = 24 * time.Hour // while the database is away
)

// Keys finds stream keys for the engine: in memory what was found a moment ago,
// in the database otherwise, and in memory again while the database is away.
type Keys struct {
	store keyStore

	mu         sync.Mutex
	answers    map[config.KeyHash]answer // guarded by mu
	generation int                       // guarded by mu; grows with Forget
}

// keyStore is what Keys needs of the store.
type keyStore interface {
	KeyByHash(ctx context.Context, h config.KeyHash) (config.StreamKey, error)
	UseToken(ctx context.Context, id string, expires time.Time) error
}

// answer is what the store said of a hash, and when.
type answer struct {
	key   config.StreamKey
	known bool
	stale bool // a change came after it: only good while the database is away
	at    time.Time
}

// NewKeys returns a Keys that asks s.
func NewKeys(s *store.Store) *Keys { return newKeys(s) }

func newKeys(s keyStore) *Keys {
	return &Keys{store: s, answers: map[config.KeyHash]answer{}}
}

// Key implements server.KeySource.
func (k *Keys) Key(ctx context.Context, h config.KeyHash) (config.StreamKey, error) {
	k.mu.Lock()
	was, ok := k.answers[h]
	generation := k.generation
	k.mu.Unlock()
	now := time.Now()
	if ok && !was.stale && was.fresh(now) {
		return was.reply()
	}
	key, err := k.store.KeyByHash(ctx, h)
	switch {
	case err == nil, errors.Is(err, config.ErrNoKey):
		is := answer{key: key, known: err == nil, at: now}
		k.remember(h, is, generation)
		return is.reply()
	case ok && was.known && now.Sub(was.at) < knownAtMost:
		return was.key, nil
	}
	return config.StreamKey{}, err
}

// fresh says whether the store need not be asked again.
func (a answer) fresh(now time.Time) bool {
	if a.known {
		return now.Sub(a.at) < knownFor
	}
	return now.Sub(a.at) < unknownFor
}

func (a answer) reply() (config.StreamKey, error) {
	if !a.known {
		return config.StreamKey{}, config.ErrNoKey
	}
	return a.key, nil
}

// remember keeps an answer, unless something changed while the store was asked.
func (k *Keys) remember(h config.KeyHash, a answer, generation int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	a.stale = k.generation != generation
	if _, known := k.answers[h]; !known && len(k.answers) >= maxKeys {
		for old := range k.answers { // any one
			delete(k.answers, old)
			break
		}
	}
	k.answers[h] = a
}

// Forget makes the store be asked again for every key. While the database is
// away the old answers still hold.
func (k *Keys) Forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.generation++
	for h, a := range k.answers {
		if !a.known {
			delete(k.answers, h)
			continue
		}
		a.stale = true
		k.answers[h] = a
	}
}

// UseToken remembers that a single-use token has been used: the second time the
// error is config.ErrUsed.
func (k *Keys) UseToken(ctx context.Context, id string, expires time.Time) error {
	return k.store.UseToken(ctx, id, expires)
}
