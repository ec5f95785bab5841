package apply

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server/config"
)

// shelf is a store of keys that can be away.
type shelf struct {
	keys  map[config.KeyHash]config.StreamKey
	away  bool
	asked int
	wait  chan struct{} // closed: answer; nil: at once
}

func (s *shelf) KeyByHash(_ context.Context, h config.KeyHash) (config.StreamKey, error) {
	s.asked++
	k, ok := s.keys[h]
	if s.wait != nil {
		<-s.wait
	}
	switch {
	case s.away:
		return config.StreamKey{}, store.ErrUnavailable
	case !ok:
		return config.StreamKey{}, config.ErrNoKey
	}
	return k, nil
}

func (s *shelf) UseToken(context.Context, string, time.Time) error { return nil }

func TestKeysAreRememberedAndForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := config.HashKey("sk_one")
		s := &shelf{keys: map[config.KeyHash]config.StreamKey{h: {ID: "key_1", Enabled: true}}}
		k := newKeys(s)
		ask := func(enabled bool, asked int) {
			t.Helper()
			key, err := k.Key(t.Context(), h)
			if err != nil || key.Enabled != enabled || s.asked != asked {
				t.Errorf("got %+v, %v; asked %d times, want %d", key, err, s.asked, asked)
			}
		}
		ask(true, 1)
		ask(true, 1) // from memory
		s.keys[h] = config.StreamKey{ID: "key_1"}
		k.Forget()
		ask(false, 2)

		s.away = true
		ask(false, 2)
		k.Forget()
		ask(false, 3) // the old answer holds while the database is away
		time.Sleep(23 * time.Hour)
		ask(false, 4)
		time.Sleep(2 * time.Hour)
		if _, err := k.Key(t.Context(), h); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("after a day: %v", err)
		}
	})
}

func TestUnknownKeysAreRememberedShortly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shelf{}
		k := newKeys(s)
		h := config.HashKey("sk_guess")
		for range 5 {
			if _, err := k.Key(t.Context(), h); !errors.Is(err, config.ErrNoKey) {
				t.Errorf("got %v", err)
			}
		}
		if s.asked != 1 {
			t.Errorf("a guess was looked up %d times", s.asked)
		}
		time.Sleep(3 * time.Second)
		_, _ = k.Key(t.Context(), h)
		if s.asked != 2 {
			t.Error("an unknown key is remembered too long")
		}
		s.away = true
		k.Forget()
		if _, err := k.Key(t.Context(), h); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("with the database away an unknown key gives %v", err)
		}
	})
}

func TestAnAnswerFromBeforeAChangeIsAskedForAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := config.HashKey("sk_one")
		s := &shelf{keys: map[config.KeyHash]config.StreamKey{h: {ID: "key_1", Enabled: true}}, wait: make(chan struct{})}
		k := newKeys(s)
		go func() { _, _ = k.Key(context.Background(), h) }()
		synctest.Wait() // the store has read the old row and not answered yet
		s.keys[h] = config.StreamKey{ID: "key_1"}
		k.Forget()
		close(s.wait)
		synctest.Wait()
		if key, err := k.Key(t.Context(), h); err != nil || key.Enabled {
			t.Errorf("got %+v, %v", key, err)
		}
	})
}
