package access

import (
	"context"
	"net/netip"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/config"
)

// fakeKeys is the keys of one stream, or an outage.
type fakeKeys struct {
	keys map[config.KeyHash]config.StreamKey
	err  error
}

func (f fakeKeys) Key(_ context.Context, h config.KeyHash) (config.StreamKey, error) {
	if f.err != nil {
		return config.StreamKey{}, f.err
	}
	k, ok := f.keys[h]
	if !ok {
		return config.StreamKey{}, config.ErrNoKey
	}
	return k, nil
}

func snapshot(t *testing.T, vhosts ...config.Vhost) *config.Snapshot {
	t.Helper()
	s, err := config.New(1, vhosts, []config.TokenKey{{ID: "k1", Secret: "a secret that signs"}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestDecideKeyAlone(t *testing.T) {
	secret := config.NewStreamKeySecret().Reveal()
	keys := fakeKeys{keys: map[config.KeyHash]config.StreamKey{
		config.HashKey(secret): {
			ID: "key_1", StreamID: "st_1", Vhost: "default", App: "live", Stream: "talk",
			Enabled: true, StreamEnabled: true,
		},
	}}
	d := Decide(t.Context(), snapshot(t, config.NewVhost("default")), keys, Request{
		Action: Publish, VhostHost: "127.0.0.1", App: "live", Name: secret,
		Peer: netip.MustParseAddr("127.0.0.1"), Now: time.Now(),
	})
	if !d.Allow || d.Name != "talk" || d.KeyID != "key_1" || d.StreamID != "st_1" {
		t.Fatalf("not let in as talk: %+v", d)
	}
}
