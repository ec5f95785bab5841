package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

const (
	adminName     = "ada@example.com"
	adminPassword = "correct horse battery staple"
)

// admin speaks to the REST API as a signed-in admin.
type admin struct {
	t     *testing.T
	base  string
	token string
}

// withAdmin makes a user with the command line, before the program starts.
func (p *program) withAdmin() *program {
	p.t.Helper()
	p.tool("migrate")
	if _, err := p.try(adminPassword+"\n", "user", "create", adminName, "--role", "admin"); err != nil {
		p.t.Fatalf("penstock user create: %v", err)
	}
	p.plant(adminPassword)
	return p
}

// signIn signs that user in.
func (p *program) signIn(t *testing.T) *admin {
	t.Helper()
	a := &admin{t: t, base: "http://" + p.http + "/api/v1"}
	var login struct {
		AccessToken string `json:"access_token"`
	}
	a.call(http.MethodPost, "/auth/login", "", map[string]any{"email": adminName, "password": adminPassword}, &login)
	a.token = p.plant(login.AccessToken)
	return a
}

// call makes a request that has to succeed, and reads the reply into out.
func (a *admin) call(method, path, etag string, in, out any) http.Header {
	a.t.Helper()
	status, header, body := a.ask(method, path, etag, in)
	if status/100 != 2 {
		a.t.Fatalf("%s %s: %d %s", method, path, status, body)
	}
	if out != nil {
		if err := json.Unmarshal(body, out); err != nil {
			a.t.Fatalf("%s %s: %v in %s", method, path, err, body)
		}
	}
	return header
}

// ask makes a request.
func (a *admin) ask(method, path, etag string, in any) (status int, header http.Header, body []byte) {
	a.t.Helper()
	var payload io.Reader
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			a.t.Fatal(err)
		}
		payload = bytes.NewReader(data)
	}
	request, err := http.NewRequestWithContext(a.t.Context(), method, a.base+path, payload)
	if err != nil {
		a.t.Fatal(err)
	}
	if in != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if a.token != "" {
		request.Header.Set("Authorization", "Bearer "+a.token)
	}
	if etag != "" {
		request.Header.Set("If-Match", etag)
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 20 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		a.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer response.Body.Close()
	body, err = io.ReadAll(response.Body)
	if err != nil {
		a.t.Fatalf("%s %s: %v", method, path, err)
	}
	return response.StatusCode, response.Header, body
}

// change reads a resource and patches it.
func (a *admin) change(path string, patch map[string]any) {
	a.t.Helper()
	header := a.call(http.MethodGet, path, "", nil, nil)
	a.call(http.MethodPatch, path, header.Get("ETag"), patch, nil)
}

type liveSession struct {
	ID, State, Role, Protocol, Name, Reason, Detail string
	KeyID                                           string `json:"key_id"`
}

// sessions lists the sessions of a stream in one state, live or ended.
func (a *admin) sessions(state, stream string) []liveSession {
	a.t.Helper()
	var list struct{ Items []liveSession }
	a.call(http.MethodGet, "/sessions?limit=200&state="+state, "", nil, &list)
	var found []liveSession
	for _, s := range list.Items {
		if s.Name == stream {
			found = append(found, s)
		}
	}
	return found
}

// operator is that user, signed in once for all tests that run side by side: a server
// checks few passwords at a time.
func (p *program) operator(t *testing.T) *admin {
	t.Helper()
	p.signing.Lock()
	defer p.signing.Unlock()
	if p.signed == "" {
		p.signed = p.signIn(t).token
	}
	return &admin{t: t, base: "http://" + p.http + "/api/v1", token: p.signed}
}

// kick ends the sessions of a stream that have a role, as an admin made for it.
func (p *program) kick(t *testing.T, stream, role string) {
	t.Helper()
	a := p.operator(t)
	kicked := 0
	for _, s := range a.sessions("live", stream) {
		if s.Role == role {
			a.call(http.MethodDelete, "/sessions/"+url.PathEscape(s.ID), "", nil, nil)
			kicked++
		}
	}
	if kicked == 0 {
		t.Errorf("no %s of %s to kick", role, stream)
	}
}

type refusal struct {
	Action, Protocol, Vhost, App, Name, Peer, Reason, Detail string
	Checks                                                   []struct{ Name, Result, Detail string }
}

func (a *admin) refusals() []refusal {
	a.t.Helper()
	var list struct{ Items []refusal }
	a.call(http.MethodGet, "/refusals", "", nil, &list)
	return list.Items
}

// newKey makes a stream with a key on the command line.
func (p *program) newKey(stream string) (secret string) {
	p.t.Helper()
	secret = p.tool("key", "create", stream)
	if !strings.HasPrefix(secret, "sk_") {
		p.t.Fatalf("penstock key create printed %q", secret)
	}
	return p.plant(secret)
}

// keyID finds the id of a key by the end of its secret.
func (a *admin) keyID(stream, secret string) (streamID, keyID string) {
	a.t.Helper()
	var streams struct{ Items []struct{ ID, Name string } }
	a.call(http.MethodGet, "/streams?limit=200", "", nil, &streams)
	for _, s := range streams.Items {
		if s.Name != stream {
			continue
		}
		var keys struct {
			Items []struct {
				ID    string
				Last4 string `json:"secret_last4"`
			}
		}
		a.call(http.MethodGet, fmt.Sprintf("/streams/%s/keys", s.ID), "", nil, &keys)
		for _, k := range keys.Items {
			if strings.HasSuffix(secret, k.Last4) {
				return s.ID, k.ID
			}
		}
	}
	a.t.Fatalf("the key of %s is not listed", stream)
	return "", ""
}
