package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"

	"github.com/penstock-media/penstock/api"
	"github.com/penstock-media/penstock/api/apply"
	"github.com/penstock-media/penstock/api/auth"
	"github.com/penstock-media/penstock/api/store"
)

const (
	email    = "ingrid@example.com"
	password = "water flows downhill"
)

// database gives a test an empty database; see both.
var database = func(t *testing.T) string {
	t.Helper()
	return "sqlite:" + filepath.Join(t.TempDir(), "penstock.db")
}

// house is an API with a real database and a fake engine, served over HTTP.
type house struct {
	*testing.T
	url    string
	store  *store.Store
	auth   *auth.Auth
	api    *api.API
	engine *fakeEngine
	log    *bytes.Buffer
	closed bool // the test closes the store itself
}

// newHouse opens one that lives as long as the test.
func newHouse(t *testing.T, change ...func(*api.Config)) *house {
	t.Helper()
	h := &house{T: t, engine: newFakeEngine(), log: &bytes.Buffer{}}
	log := slog.New(slog.NewJSONHandler(&lockedWriter{w: h.log}, &slog.HandlerOptions{Level: slog.LevelDebug}))
	var err error
	h.store, err = store.Open(t.Context(), database(t), log)
	h.ok(err)
	h.auth, err = auth.New(t.Context(), auth.Config{Store: h.store, Logger: log})
	h.ok(err)
	loop := apply.New(apply.Config{Store: h.store, Engine: h.engine, Logger: log, Changed: func() { h.api.Changed() }})
	h.ok(loop.First(t.Context()))
	cfg := api.Config{Store: h.store, Engine: h.engine, Auth: h.auth, Applied: loop, Logger: log, Version: "1.2.3", Node: "ams-1"}
	for _, f := range change {
		f(&cfg)
	}
	h.api, err = api.New(cfg)
	h.ok(err)
	ctx, cancel := context.WithCancel(context.Background())
	var run sync.WaitGroup
	run.Go(func() { h.ok(h.api.Run(ctx)) })
	run.Go(func() {
		if err := loop.Run(ctx); err != nil && !h.closed {
			h.Error(err)
		}
	})
	srv := httptest.NewServer(h.api)
	h.url = srv.URL
	t.Cleanup(func() {
		cancel()
		run.Wait()
		srv.CloseClientConnections()
		srv.Close()
		h.ok(h.store.Close())
		http.DefaultClient.CloseIdleConnections()
	})
	return h
}

type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

func (h *house) ok(err error) {
	h.Helper()
	if err != nil {
		h.Error(err)
	}
}

// reply is what an API call gave.
type reply struct {
	status int
	header http.Header
	body   []byte
	t      *testing.T
}

// call is one request.
type call struct {
	method, path string
	token        string // bearer credential
	body         any    // JSON, or a string as it is
	header       http.Header
}

func (h *house) do(c call) reply {
	h.Helper()
	var body io.Reader
	switch b := c.body.(type) {
	case nil:
	case string:
		body = bytes.NewReader([]byte(b))
	default:
		raw, err := json.Marshal(b)
		h.ok(err)
		body = bytes.NewReader(raw)
	}
	ctx, cancel := context.WithTimeout(h.Context(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, c.method, h.url+c.path, body)
	if err != nil {
		h.Fatal(err)
	}
	maps.Copy(req.Header, c.header)
	if _, chosen := req.Header["Content-Type"]; body != nil && !chosen {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		h.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	h.ok(err)
	h.ok(h.api.CheckReply(c.method, c.path, res.StatusCode, res.Header.Get("Content-Type"), b))
	return reply{res.StatusCode, res.Header, b, h.T}
}

// want fails the test unless the reply has that status, and returns it.
func (r reply) want(status int) reply {
	r.t.Helper()
	if r.status != status {
		r.t.Fatalf("got status %d, want %d: %s", r.status, status, r.body)
	}
	return r
}

// problem fails the test unless the reply is that problem, and returns it.
func (r reply) problem(status int, code string) api.Problem {
	r.t.Helper()
	r.want(status)
	if ct := r.header.Get("Content-Type"); ct != "application/problem+json" {
		r.t.Errorf("a problem came as %q", ct)
	}
	p := read[api.Problem](r)
	if p.Code != code || p.Status != status || p.Type != "/docs/problems/"+code || p.RequestID == "" || p.Title == "" {
		r.t.Errorf("got problem %+v, want code %s", p, code)
	}
	return p
}

// read decodes the reply, and fails for what the type does not know.
func read[T any](r reply) T {
	r.t.Helper()
	var v T
	dec := json.NewDecoder(bytes.NewReader(r.body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&v); err != nil {
		r.t.Fatalf("decode %s: %v", r.body, err)
	}
	return v
}

// admin makes an admin and returns their access token.
func (h *house) admin() string {
	h.Helper()
	h.create(store.User{Email: email, Name: "Ingrid Solheim", Role: "admin"})
	return h.login(email)
}

// user makes a user of a role and returns their access token.
func (h *house) user(role string) string {
	h.Helper()
	address := role + "@example.com"
	h.create(store.User{Email: address, Role: role})
	return h.login(address)
}

// create makes a user whose password costs little to check.
func (h *house) create(u store.User) {
	h.Helper()
	var err error
	u.PasswordHash, err = argon2id.CreateHash(password, &argon2id.Params{Memory: 64, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32})
	h.ok(err)
	u.Enabled = true
	_, err = h.store.CreateUser(h.Context(), store.System(), u)
	h.ok(err)
}

func (h *house) login(address string) string {
	h.Helper()
	r := h.do(call{method: "POST", path: "/api/v1/auth/login", body: map[string]string{"email": address, "password": password}})
	return read[api.Login](r.want(200)).AccessToken
}

// patience is how long a busy machine may take for what is done in a moment.
const patience = 30 * time.Second

// eventually tries until f is true.
func (h *house) eventually(what string, f func() bool) {
	h.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if f() {
			return
		}
		if time.Now().After(end) {
			h.Fatalf("%s: not within %v", what, patience)
		}
	}
}
