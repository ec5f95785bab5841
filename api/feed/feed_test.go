package feed_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"github.com/penstock-media/penstock/api/feed"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// board is a source whose items tests change.
type board struct {
	mu    sync.Mutex
	items []feed.Item
	total int
}

type thing struct {
	ID string `json:"id"`
	N  int    `json:"n"`
}

func (b *board) set(things ...thing) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items, b.total = nil, len(things)
	for _, t := range things {
		b.items = append(b.items, feed.Item{ID: t.ID, Value: t})
	}
}

func (b *board) source(context.Context, string) ([]feed.Item, int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.items, b.total, nil
}

// stage is a feed over HTTP.
type stage struct {
	*testing.T
	feed  *feed.Feed
	board *board
	url   string
	alive atomic.Bool
	stop  context.CancelFunc
	log   book
}

// book is a log that may be read while it is written.
type book struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *book) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *book) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

const tick = 20 * time.Millisecond

// patience is how long a busy machine may take for what is done in a moment.
const patience = 30 * time.Second

func home() netip.Addr { return netip.MustParseAddr("127.0.0.1") }

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{T: t, board: &board{}}
	s.alive.Store(true)
	s.board.set(thing{"a", 1}, thing{"b", 1})
	s.feed = feed.New(feed.Config{
		Topics: map[string]feed.Source{"things": s.board.source},
		Find: func(_ context.Context, topic string) (feed.Source, bool) {
			if topic == "thing:broken" {
				return func(context.Context, string) ([]feed.Item, int, error) { return nil, 0, errors.New("no") }, true
			}
			if strings.HasPrefix(topic, "thing:gone") {
				return func(context.Context, string) ([]feed.Item, int, error) { return nil, 0, feed.ErrUnknown }, true
			}
			return s.board.source, strings.HasPrefix(topic, "thing:")
		},
		Kinds: []string{"thing:{id}"}, Logger: slog.New(slog.NewTextHandler(&s.log, &slog.HandlerOptions{Level: slog.LevelDebug})), Epoch: "epoch-1", Tick: tick,
		CheckOrigin: func(r *http.Request) bool {
			o := r.Header.Get("Origin")
			return o == "" || strings.HasSuffix(o, "//here.example")
		},
	})
	ctx, cancel := context.WithCancel(context.Background())
	s.stop = cancel
	var run sync.WaitGroup
	run.Go(func() {
		if err := s.feed.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.feed.Serve(w, r, r.URL.Query().Get("ticket"), home()); err != nil {
			http.Error(w, err.Error(), http.StatusForbidden)
		}
	}))
	s.url = "ws" + strings.TrimPrefix(srv.URL, "http")
	t.Cleanup(func() {
		cancel()
		run.Wait()
		srv.Close()
		http.DefaultClient.CloseIdleConnections()
	})
	return s
}

func (s *stage) ticket() string {
	s.Helper()
	t, err := s.feed.Ticket(feed.Viewer{ID: "usr_1", IP: home(), Alive: func(context.Context) bool { return s.alive.Load() }})
	if err != nil {
		s.Fatal(err)
	}
	return t
}

// watcher is a client of the feed.
type watcher struct {
	*stage
	conn *websocket.Conn
}

func (s *stage) dial(ticket, origin string) (*websocket.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	o := &websocket.DialOptions{HTTPHeader: http.Header{}}
	if origin != "" {
		o.HTTPHeader.Set("Origin", origin)
	}
	c, res, err := websocket.Dial(ctx, s.url+"?ticket="+ticket, o)
	if res != nil && res.Body != nil {
		res.Body.Close()
	}
	return c, err
}

func (s *stage) watch() *watcher {
	s.Helper()
	c, err := s.dial(s.ticket(), "")
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = c.CloseNow() })
	w := &watcher{s, c}
	if m := w.next(); m.Type != "hello" || m.Epoch != "epoch-1" || m.TickMS != 20 || fmt.Sprint(m.Topics) != "[thing:{id} things]" {
		s.Fatalf("got %+v", m)
	}
	return w
}

// message is any message of the server.
type message struct {
	Type   string   `json:"type"`
	Topic  string   `json:"topic"`
	Epoch  string   `json:"epoch"`
	Code   string   `json:"code"`
	TickMS int      `json:"tick_ms"`
	Topics []string `json:"topics"`
	Seq    uint64   `json:"seq"`
	Items  []thing  `json:"items"`
	Up     []thing  `json:"up"`
	Rm     []string `json:"rm"`
	Total  int      `json:"total"`
}

func (w *watcher) next() message {
	w.Helper()
	m, err := w.read()
	if err != nil {
		w.Fatal(err)
	}
	return m
}

func (w *watcher) read() (message, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, b, err := w.conn.Read(ctx)
	if err != nil {
		return message{}, err
	}
	var m message
	return m, json.Unmarshal(b, &m)
}

func (w *watcher) send(text string) {
	w.Helper()
	if err := w.conn.Write(context.Background(), websocket.MessageText, []byte(text)); err != nil {
		w.Fatal(err)
	}
}

func (w *watcher) sub(topic string) message {
	w.Helper()
	w.send(`{"type":"sub","topic":"` + topic + `"}`)
	return w.next()
}

func TestSnapshotThenDeltas(t *testing.T) {
	s := newStage(t)
	w := s.watch()
	m := w.sub("things")
	if m.Type != "snap" || m.Epoch != "epoch-1" || len(m.Items) != 2 || m.Items[0].ID != "a" || m.Total != 2 {
		t.Fatalf("got %+v", m)
	}
	s.board.set(thing{"b", 2}, thing{"c", 1})
	d := w.next()
	if d.Type != "delta" || d.Seq != m.Seq+1 || len(d.Up) != 2 || d.Up[0] != (thing{"b", 2}) || fmt.Sprint(d.Rm) != "[a]" {
		t.Errorf("got %+v", d)
	}
	w.send(`{"type":"unsub","topic":"things"}`)
	if again := w.sub("thing:1"); again.Type != "snap" || again.Topic != "thing:1" {
		t.Errorf("got %+v", again)
	}
}

func TestResumeGivesWhatWasMissed(t *testing.T) {
	s := newStage(t)
	first := s.watch()
	snap := first.sub("things")
	_ = first.conn.CloseNow()
	other := s.watch()
	other.sub("things")
	for n := 2; n <= 4; n++ {
		s.board.set(thing{"a", n})
		other.next()
	}
	back := s.watch()
	back.send(fmt.Sprintf(`{"type":"sub","topic":"things","since":{"epoch":"epoch-1","seq":%d}}`, snap.Seq))
	for n := uint64(1); n <= 3; n++ {
		if m := back.next(); m.Type != "delta" || m.Seq != snap.Seq+n || m.Up[0].N != int(n)+1 {
			t.Errorf("delta %d is %+v", n, m)
		}
	}
	for _, since := range []string{`{"epoch":"epoch-0","seq":1}`, `{"epoch":"epoch-1","seq":99999}`} {
		lost := s.watch()
		lost.send(`{"type":"sub","topic":"things","since":` + since + `}`)
		if m := lost.next(); m.Type != "snap" || m.Items[0].N != 4 {
			t.Errorf("%s: got %+v", since, m)
		}
	}
}

func TestTicketsAreUsedOnceFromTheSameAddress(t *testing.T) {
	s := newStage(t)
	used := s.ticket()
	c, err := s.dial(used, "https://here.example")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.CloseNow() }()
	away, err := s.feed.Ticket(feed.Viewer{ID: "usr_1", IP: netip.MustParseAddr("198.51.100.7"), Alive: func(context.Context) bool { return true }})
	if err != nil {
		t.Fatal(err)
	}
	for name, ticket := range map[string]string{"used": used, "none": "", "made up": "tkt_X", "of another address": away} {
		if c, err := s.dial(ticket, ""); err == nil {
			_ = c.CloseNow()
			t.Errorf("a ticket that is %s opens a socket", name)
		}
	}
	if c, err := s.dial(s.ticket(), "https://evil.example"); err == nil {
		_ = c.CloseNow()
		t.Error("a page of another site opens a socket")
	}
}

func TestASignedOutViewerIsClosed(t *testing.T) {
	s := newStage(t)
	w := s.watch()
	w.sub("things")
	s.alive.Store(false)
	s.feed.Recheck()
	if _, err := w.read(); websocket.CloseStatus(err) != websocket.StatusPolicyViolation {
		t.Errorf("got %v", err)
	}
}

func TestTheEndSaysReconnect(t *testing.T) {
	s := newStage(t)
	w := s.watch()
	w.sub("things")
	s.stop()
	if _, err := w.read(); websocket.CloseStatus(err) != websocket.StatusServiceRestart {
		t.Errorf("got %v", err)
	}
}

// What a client asks that is not there is no fault of the server: it is told so, and
// the log has a bounded line of it for who looks closely.
func TestUnknownTopicsAreNoWarnings(t *testing.T) {
	s := newStage(t)
	w := s.watch()
	long := strings.Repeat("x", 1000)
	for topic, code := range map[string]string{long: "unknown_topic", "thing:gone" + long: "not_found", "thing:gone": "not_found"} {
		if m := w.sub(topic); m.Type != "error" || m.Code != code {
			t.Errorf("%.20s: got %+v", topic, m)
		}
	}
	said := s.log.String()
	if strings.Contains(said, "WARN") || strings.Count(said, "DEBUG") < 3 || strings.Contains(said, long[:100]) {
		t.Errorf("the log says\n%s", said)
	}
	w.sub("thing:broken")
	if said := s.log.String(); !strings.Contains(said, "WARN") {
		t.Errorf("a topic that cannot be read is no warning:\n%s", said)
	}
}

func TestLimitsOfASocket(t *testing.T) {
	s := newStage(t)
	w := s.watch()
	for text, code := range map[string]string{
		`{"type":"sub","topic":"nothing"}`: "unknown_topic", `{`: "bad_message", `{"type":"shout"}`: "bad_message",
		`{"type":"sub","topic":"thing:broken"}`: "not_found",
	} {
		w.send(text)
		if m := w.next(); m.Type != "error" || m.Code != code {
			t.Errorf("%s: got %+v", text, m)
		}
	}
	many := s.watch()
	for i := range 33 {
		m := many.sub(fmt.Sprintf("thing:%d", i))
		if want := map[bool]string{true: "snap", false: "error"}[i < 32]; m.Type != want {
			t.Errorf("topic %d gives %+v", i, m)
		}
		time.Sleep(55 * time.Millisecond) // 20 frames a second are allowed
	}
	loud := s.watch()
	for range 10_000 { // until it is closed, on a machine of any speed
		if loud.conn.Write(context.Background(), websocket.MessageText, []byte(`{"type":"unsub","topic":"things"}`)) != nil {
			break
		}
	}
	if _, err := loud.read(); websocket.CloseStatus(err) != websocket.StatusPolicyViolation {
		t.Errorf("more frames than allowed: %v", err)
	}
	big := s.watch()
	_ = big.conn.Write(context.Background(), websocket.MessageText, []byte(strings.Repeat("x", 20<<10)))
	if _, err := big.read(); websocket.CloseStatus(err) != websocket.StatusMessageTooBig {
		t.Errorf("a big frame: %v", err)
	}
}

// TestFramesAreBoundedAsTheyAreRead: compressed, 4 MiB of spaces take 4 KiB.
func TestFramesAreBoundedAsTheyAreRead(t *testing.T) {
	s := newStage(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c, res, err := websocket.Dial(ctx, s.url+"?ticket="+s.ticket(), &websocket.DialOptions{CompressionMode: websocket.CompressionNoContextTakeover})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.CloseNow() }()
	if !strings.Contains(res.Header.Get("Sec-WebSocket-Extensions"), "permessage-deflate") {
		t.Fatal("frames are not compressed")
	}
	bomb := `{"type":"unsub","topic":"things"` + strings.Repeat(" ", 4<<20) + "}"
	if err := c.Write(ctx, websocket.MessageText, []byte(bomb)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Read(ctx); err != nil { // hello
		t.Fatal(err)
	}
	if _, _, err := c.Read(ctx); websocket.CloseStatus(err) != websocket.StatusMessageTooBig {
		t.Errorf("got %v", err)
	}
}

func TestEightSocketsAUser(t *testing.T) {
	s := newStage(t)
	for range 8 {
		s.watch()
	}
	if c, err := s.dial(s.ticket(), ""); err == nil {
		_ = c.CloseNow()
		t.Error("the ninth socket opens")
	}
}

func TestASlowClientGetsASnapshotInsteadOfABacklog(t *testing.T) {
	s := newStage(t)
	fast, slow := s.watch(), s.watch()
	fast.sub("things")
	slow.sub("things")
	const messages = 40
	big := strings.Repeat("x", 512<<10)
	for n := range messages { // far more than socket buffers and the queue hold
		s.board.mu.Lock()
		s.board.items = []feed.Item{{ID: "big", Value: map[string]any{"id": "big", "n": n, "text": fmt.Sprint(n) + big}}}
		s.board.mu.Unlock()
		fast.conn.SetReadLimit(-1)
		if m := fast.next(); m.Type != "delta" {
			t.Fatalf("the fast client got %+v", m)
		}
	}
	slow.conn.SetReadLimit(-1)
	var last message
	deltas := 0
	for last.Type != "snap" {
		last = slow.next()
		if last.Type == "delta" {
			deltas++
		}
	}
	if last.Items[0].N != messages-1 || deltas >= messages-1 {
		t.Errorf("after %d deltas the snapshot has %+v", deltas, last.Items)
	}
}
