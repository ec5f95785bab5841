package server_test

import (
	"context"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"log/slog"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/penstock-media/penstock/server"
	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/flv"
	"github.com/penstock-media/penstock/server/rtmp"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for what should happen at once.
const patience = 10 * time.Second

// lab is an engine on a loopback port with an HTTP server in front of its
// players, and the keys and configuration it is given.
type lab struct {
	t      *testing.T
	engine *server.Engine
	web    *httptest.Server
	addr   string
	trust  *x509.CertPool // of the RTMPS address, where there is one
	log    *logBook

	revision int64
	vhosts   []config.Vhost
	tokens   []config.TokenKey
	keys     *keyRing
}

// setUp changes a lab before it starts.
type setUp func(*lab, *server.Config)

// vhost is a setUp that changes the default vhost.
func vhost(f func(*config.Vhost)) setUp {
	return func(l *lab, _ *server.Config) { f(&l.vhosts[0]) }
}

func newLab(t *testing.T, changes ...setUp) *lab {
	t.Helper()
	l := &lab{
		t: t, log: &logBook{}, vhosts: []config.Vhost{config.NewVhost(config.DefaultVhost)},
		keys: &keyRing{keys: make(map[config.KeyHash]config.StreamKey)},
	}
	l.vhosts[0].PublishPolicy = config.PublishOpen
	cfg := server.Config{
		Logger: slog.New(slog.NewJSONHandler(l.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		RTMP:   []string{"127.0.0.1:0"}, Keys: l.keys,
	}
	for _, change := range changes {
		change(l, &cfg)
	}
	engine, err := server.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	l.engine = engine
	l.apply()
	if err := engine.Listen(); err != nil {
		t.Fatal(err)
	}
	l.addr = engine.Addrs()[0].String()
	l.web = httptest.NewServer(engine.PlayHandler())
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- engine.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("Run: %v", err)
			}
		case <-time.After(patience):
			t.Error("the engine does not stop")
		}
		l.web.Close()
	})
	return l
}

// apply makes the lab's vhosts the engine's configuration.
func (l *lab) apply() {
	l.t.Helper()
	l.revision++
	snap, err := config.New(l.revision, l.vhosts, l.tokens)
	if err != nil {
		l.t.Fatal(err)
	}
	if err := l.engine.Apply(snap); err != nil {
		l.t.Fatal(err)
	}
}

func (l *lab) url(path string) string { return "rtmp://" + l.addr + "/" + path }

// publisher is a client that publishes; its reading side notes how it ended.
type publisher struct {
	*rtmp.Client
	end chan error
}

func (l *lab) dial(path string) *rtmp.Client {
	l.t.Helper()
	c, err := rtmp.Dial(l.t.Context(), l.url(path), rtmp.DialConfig{Timeout: patience})
	if err != nil {
		l.t.Fatalf("dial: %v", err)
	}
	l.t.Cleanup(func() { _ = c.Close() })
	return c
}

func (l *lab) publish(path string) *publisher {
	l.t.Helper()
	c := l.dial(path)
	if err := c.Publish(l.t.Context(), ""); err != nil {
		l.t.Fatalf("publish: %v", err)
	}
	return l.listen(c)
}

func (l *lab) listen(c *rtmp.Client) *publisher {
	p := &publisher{Client: c, end: make(chan error, 1)}
	go func() {
		for {
			if _, err := c.ReadMedia(); err != nil {
				p.end <- err
				return
			}
		}
	}()
	return p
}

// play plays until Play.Start was said.
func (l *lab) play(path string) *rtmp.Client {
	l.t.Helper()
	c := l.dial(path)
	if err := c.Play(l.t.Context(), ""); err != nil {
		l.t.Fatalf("play: %v", err)
	}
	c.Conn().SetIdleTimeout(patience)
	return c
}

// refused asserts that the peer was told the code, and returns the sentence.
func refused(t *testing.T, err error, code string) string {
	t.Helper()
	status, ok := errors.AsType[*rtmp.StatusError](err)
	if !ok {
		t.Fatalf("got %v, want a refusal with %s", err, code)
	}
	if status.Code != code || status.Description == "" {
		t.Fatalf("got %s %q, want %s and a sentence", status.Code, status.Description, code)
	}
	return status.Description
}

// within fails the test if the condition does not come true in time.
func within(t *testing.T, d time.Duration, what string, cond func() bool) {
	t.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if cond() {
			return
		}
	}
	t.Fatalf("not within %v: %s", d, what)
}

func receive[T any](t *testing.T, c <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatalf("nothing came: %s", what)
		panic("unreachable")
	}
}

// stream returns the engine's view of a stream of the default vhost.
func (l *lab) stream(name string) (server.StreamInfo, bool) {
	for _, s := range l.engine.Streams() {
		if s.App == "live" && s.Name == name {
			return s, true
		}
	}
	return server.StreamInfo{}, false
}

// session returns the live session with a role.
func (l *lab) session(role string) server.SessionInfo {
	l.t.Helper()
	var found server.SessionInfo
	within(l.t, patience, "a session with role "+role, func() bool {
		for _, s := range l.engine.Sessions() {
			if s.Role == role {
				found = s
				return true
			}
		}
		return false
	})
	return found
}

// event waits for an event of a type.
func (l *lab) event(typ string) server.Event {
	l.t.Helper()
	var found server.Event
	within(l.t, patience, "event "+typ, func() bool {
		for _, e := range l.engine.Events(0) {
			if e.Type == typ {
				found = e
				return true
			}
		}
		return false
	})
	return found
}

// Synthetic media: small, valid, and each message different.

var (
	avcConfig = []byte{
		0x17, 0, 0, 0, 0, 1, 0x42, 0xc0, 0x0d, 0xff, 0xe1, 0, 0x19,
		0x67, 0x42, 0xc0, 0x0d, 0xda, 0x05, 0x07, 0xec, 0x04, 0x40, 0, 0, 3, 0, 0x40, 0, 0, 0x0c, 0x83, 0xc5, 0x0a, 0xa8, 0, 0, 0,
		1, 0, 4, 0x68, 0xce, 0x0f, 0xc8,
	}
	aacConfig = []byte{0xaf, 0, 0x12, 0x10}
)

// frame is a picture that carries its number, padded to size.
func frame(key bool, n, size int) []byte {
	head, nal := byte(0x27), byte(0x41)
	if key {
		head, nal = 0x17, 0x65
	}
	body := make([]byte, max(size, 16))
	body[0], body[1] = head, 1
	binary.BigEndian.PutUint32(body[5:], uint32(len(body)-9))
	body[9], body[10] = nal, 0x9a
	binary.BigEndian.PutUint32(body[12:], uint32(n))
	return body
}

func numberOf(payload []byte) int { return int(binary.BigEndian.Uint32(payload[12:])) }

func sound(n int) []byte { return []byte{0xaf, 1, 0x21, byte(n >> 8), byte(n)} }

// send publishes one GOP of n pictures with sound, from picture number first on,
// 40 ms apart.
func (p *publisher) send(t *testing.T, first, n int) {
	t.Helper()
	for i := range n {
		at := uint32((first + i) * 40)
		p.write(t, message.TypeVideo, at, frame(i == 0, first+i, 0))
		p.write(t, message.TypeAudio, at, sound(first+i))
	}
}

func (p *publisher) write(t *testing.T, typ uint8, at uint32, payload []byte) {
	t.Helper()
	if err := p.WriteMedia(typ, at, payload); err != nil {
		t.Fatalf("write media: %v", err)
	}
}

func (p *publisher) configs(t *testing.T) {
	t.Helper()
	p.write(t, message.TypeAudio, 0, aacConfig)
	p.write(t, message.TypeVideo, 0, avcConfig)
}

// picture reads until a coded picture and returns its number and whether it is a
// key frame.
func picture(t *testing.T, c *rtmp.Client) (n int, key bool) {
	t.Helper()
	for {
		m, err := c.ReadMedia()
		if errors.Is(err, rtmp.ErrUnpublished) {
			continue
		}
		if err != nil {
			t.Fatalf("read media: %v", err)
		}
		if m.Type == message.TypeVideo && len(m.Payload) >= 16 && m.Payload[1] == 1 {
			return numberOf(m.Payload), m.Payload[0] == 0x17
		}
	}
}

// until reads up to a picture: what was published before it is in the log.
func until(t *testing.T, c *rtmp.Client, last int) {
	t.Helper()
	for {
		if n, _ := picture(t, c); n >= last {
			return
		}
	}
}

// keyRing is a KeySource in memory.
type keyRing struct {
	mu   sync.Mutex
	keys map[config.KeyHash]config.StreamKey
	err  error
}

func (k *keyRing) Key(_ context.Context, h config.KeyHash) (config.StreamKey, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.err != nil {
		return config.StreamKey{}, k.err
	}
	key, ok := k.keys[h]
	if !ok {
		return config.StreamKey{}, config.ErrNoKey
	}
	return key, nil
}

// add makes a key for a stream and returns its secret.
func (k *keyRing) add(id, name string) string {
	secret := config.NewStreamKeySecret().Reveal()
	k.mu.Lock()
	defer k.mu.Unlock()
	k.keys[config.HashKey(secret)] = config.StreamKey{
		ID: id, StreamID: "st_" + name, Vhost: config.DefaultVhost, App: "live", Stream: name,
		Enabled: true, StreamEnabled: true,
	}
	return secret
}

func (k *keyRing) change(secret string, f func(*config.StreamKey)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	key := k.keys[config.HashKey(secret)]
	f(&key)
	k.keys[config.HashKey(secret)] = key
}

// logBook keeps what is logged.
type logBook struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *logBook) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBook) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// shared is the path of sample media, or skips the test.
func shared(t *testing.T, path string) string {
	t.Helper()
	root := os.Getenv("PENSTOCK_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "shared")
	}
	full := filepath.Join(root, path)
	if _, err := os.Stat(full); err != nil {
		t.Skipf("no sample media: %s is missing (PENSTOCK_SHARED names the folder)", path)
	}
	return full
}

// tags reads a sample file.
func tags(t *testing.T, path string) []flv.Tag {
	t.Helper()
	f, err := os.Open(shared(t, path))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var out []flv.Tag
	r := flv.NewReader(f)
	for {
		tag, err := r.Next()
		if err != nil {
			return out
		}
		tag.Body = append([]byte(nil), tag.Body...)
		out = append(out, tag)
	}
}

// plain opens a TCP connection to the engine.
func (l *lab) plain() net.Conn {
	l.t.Helper()
	var d net.Dialer
	nc, err := d.DialContext(l.t.Context(), "tcp", l.addr)
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { _ = nc.Close() })
	return nc
}
