package main

import (
	"bufio"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/amf"
)

// TestHostileTexts: whatever a peer calls itself and what it asks for, each line of
// the log is one line of JSON, and no key is in it.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	p := prepare(t).withAdmin()
	key := p.newKey("live/show")
	p.start()
	texts := []string{
		"a\r\n{\"level\":\"ERROR\",\"msg\":\"forged\"}", "\x1b[31mred\x1b[0m", `"},"msg":"forged","x":{"`, "\x00\x01\x7f", "\u202emoc", "\u009b31m",
		"<img src=x onerror=alert(1)>", "\xff\xfe\xfd", "../../etc/passwd", "${jndi:ldap://x}", "%s%n%d", strings.Repeat("A", 2000), key,
		"show?key=" + key, "show?token=" + key, "//" + key, key + "/", "x/" + key,
	}
	for i, text := range texts {
		agent := strings.ReplaceAll(text, key, "") // nobody calls himself by his key
		for _, verb := range []string{"publish", "play"} {
			a := p.attack(t, source(i))
			hello := amf.Object{
				{Key: "app", Value: "live/" + text},
				{Key: "tcUrl", Value: "rtmp://" + text + "/live?x=" + text},
				{Key: "flashVer", Value: agent},
				{Key: "pageUrl", Value: "http://user:" + text + "@host/" + text + "?" + text},
			}
			a.write(a.message(3, 20, 0, call("connect", 1, hello)))
			a.write(a.message(3, 20, 0, call(text, 2, text)))
			a.write(a.message(3, 20, 0, call("createStream", 3, nil)))
			a.write(a.message(3, 20, 1, call(verb, 4, nil, text)))
			_, _ = a.hears("NetStream.") // a refusal, or the end
			_ = a.Close()
		}
		request := "GET /live/" + strings.NewReplacer("\r", "%0D", "\n", "%0A", " ", "%20").Replace(text) + ".flv?key=" + key + " HTTP/1.1\r\n" +
			"Host: " + p.http + "\r\nConnection: close\r\nUser-Agent: " + agent + "\r\nReferer: http://u:" + key + "@h/?" + key + "\r\n\r\n"
		p.askRaw(t, request)
	}
	a := p.signIn(t)
	if list := a.refusals(); len(list) < len(texts) {
		t.Errorf("%d refusals are listed", len(list))
	}
	if _, _, body := a.ask(http.MethodGet, "/refusals", "", nil); strings.Contains(string(body), key) {
		t.Error("a stream key is in the list of refusals")
	}
	lines := 0
	for scanner := bufio.NewScanner(strings.NewReader(p.logged())); scanner.Scan(); lines++ {
		var line struct {
			Level string `json:"level"`
			Msg   string `json:"msg"`
		}
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil || line.Level == "" {
			t.Errorf("not a line of a log: %q", scanner.Text())
		}
		if line.Msg == "forged" || line.Level == "ERROR" {
			t.Errorf("a forged line, or a mistake: %q", scanner.Text())
		}
	}
	if lines < len(texts) {
		t.Errorf("only %d lines of log", lines)
	}
}

// askRaw sends bytes to the HTTP address and waits for the end of the answer.
func (p *program) askRaw(t *testing.T, request string) (answer string) {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", p.http)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	a := &attacker{Conn: conn, t: t}
	a.write([]byte(request))
	said, _ := a.hears("\x00no such text")
	return said
}

// TestHostileRequests: paths, headers and bodies that broke other servers are
// refused, and none of them hangs.
func TestHostileRequests(t *testing.T) {
	t.Parallel()
	p := prepare(t).withAdmin()
	p.start()
	before := p.settled(t)
	const end = " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
	for _, request := range []string{
		"GET /../../etc/passwd" + end, "GET /assets/..%2f..%2f..%2fetc/passwd" + end, "GET /%2e%2e/%2e%2e/etc/passwd" + end, "GET /assets/%00" + end,
		"GET /docs/../../etc/passwd" + end, "GET /live/..%2f..%2fetc/passwd.flv" + end, "GET /live/a%00b.flv" + end, "GET /live/%ff%fe.flv" + end,
		"GET /live/" + strings.Repeat("a", 3000) + ".flv" + end, "TRACE /" + end, "\x00\x01\x02\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("a", 70_000) + "\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("A: b\r\n", 9000) + "\r\n",
		"POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"GET /api/v1/feed" + end, "GET /api/v1/feed?ticket=" + strings.Repeat("a", 3000) + end, "GET /api/v1/streams" + end,
		"POST /api/v1/setup HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
	} {
		began := time.Now()
		answer := p.askRaw(t, request)
		first, _, _ := strings.Cut(answer, "\r\n")
		if !strings.HasPrefix(first, "HTTP/1.1 4") || strings.Contains(answer, "root:") || strings.Contains(strings.ToLower(answer), "\r\nlocation:") {
			t.Errorf("%.60q: %q", request, first)
		}
		if took := time.Since(began); took > 4*time.Second {
			t.Errorf("%.60q: answered after %v", request, took)
		}
	}
	p.back(t, before)
}

// TestGuessersAreSlowed: of many tries at once from one address ten are answered,
// the others after a wait, and an encoder elsewhere does not notice.
func TestGuessersAreSlowed(t *testing.T) {
	t.Parallel()
	p := prepare(t).withAdmin()
	key := p.newKey("live/show")
	p.start()
	answers := make(chan string, 40)
	for range cap(answers) {
		a := p.attack(t, source(1000))
		go func() {
			a.ask("publish", "sk_guess"+strings.Repeat("0", 32))
			said, _ := a.hears("NetStream.Publish.")
			answers <- said
		}()
	}
	began := time.Now()
	a := p.attack(t, source(2000))
	a.ask("publish", key)
	if said, err := a.hears("NetStream.Publish.Start"); err != nil {
		t.Errorf("an encoder from elsewhere: %q", said)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("an encoder from elsewhere is let in after %v", took)
	}
	honest := 0
	for range cap(answers) {
		if said := <-answers; strings.Contains(said, "not accepted") {
			honest++
		}
	}
	if honest == 0 || honest > 10 {
		t.Errorf("%d of %d guesses were answered, at most 10 may be", honest, cap(answers))
	}
	// Who watches behind the guesser's address is not a guesser.
	viewer := p.attack(t, source(1000))
	viewer.ask("play", "show")
	if said, err := viewer.hears("NetStream.Play.Start"); err != nil {
		t.Errorf("a viewer behind the same address: %q", said)
	}
}

// TestKilled: after kill -9 at any moment the program is ready again in a second,
// and knows everything that it said it had stored.
func TestKilled(t *testing.T) {
	t.Parallel()
	p := prepare(t).withAdmin()
	key := p.newKey("live/show")
	var stored []string
	for round := range 4 {
		began := time.Now()
		p.start()
		if took := time.Since(began); took > 5*time.Second { // a second, on a machine that does nothing else
			t.Errorf("ready after %v", took)
		}
		encoder := p.attack(t, source(1))
		encoder.ask("publish", key)
		if said, err := encoder.hears("NetStream.Publish.Start"); err != nil {
			t.Fatalf("round %d: the encoder does not come back: %q", round, said)
		}
		a := p.signIn(t)
		for i := range 5 {
			name := "s" + string(rune('a'+round)) + string(rune('a'+i))
			a.call(http.MethodPost, "/streams", "", map[string]any{"name": name}, nil)
			stored = append(stored, name)
		}
		if round == 3 {
			var list struct {
				Items []struct{ Name string } `json:"items"`
			}
			a.call(http.MethodGet, "/streams?limit=200", "", nil, &list)
			have := map[string]int{}
			for _, s := range list.Items {
				have[s.Name]++
			}
			for _, name := range stored {
				if have[name] != 1 {
					t.Errorf("stream %s is there %d times", name, have[name])
				}
			}
			return
		}
		_ = p.cmd.Process.Kill()
		<-p.exited
	}
}
