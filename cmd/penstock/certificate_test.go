package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/rtmp"
)

// certificateFiles are a certificate and a key on disk.
type certificateFiles struct {
	t         *testing.T
	cert, key string
}

func newCertificate(t *testing.T, name string) certificateFiles {
	t.Helper()
	dir := t.TempDir()
	f := certificateFiles{t: t, cert: filepath.Join(dir, "cert.pem"), key: filepath.Join(dir, "key.pem")}
	f.issue(name)
	return f
}

// issue puts a self-signed certificate for a name in place.
func (f certificateFiles) issue(name string) {
	f.t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		f.t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{name}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		f.t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		f.t.Fatal(err)
	}
	f.put(f.cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	f.put(f.key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}))
}

func (f certificateFiles) put(name string, data []byte) {
	f.t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		f.t.Fatal(err)
	}
}

// serve are the flags that put TLS on.
func (f certificateFiles) serve() []string {
	return []string{"--rtmps", "127.0.0.1:0", "--https", "127.0.0.1:0", "--tls-cert", f.cert, "--tls-key", f.key}
}

// shownAt is the name on the certificate that an address shows.
func shownAt(t *testing.T, addr string) string {
	t.Helper()
	d := tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true}}
	nc, err := d.DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = nc.Close() }()
	return nc.(*tls.Conn).ConnectionState().PeerCertificates[0].DNSNames[0]
}

// secureOpen returns a running program with RTMPS and HTTPS where anybody may publish.
func secureOpen(t *testing.T, f certificateFiles) *program {
	t.Helper()
	p := prepare(t)
	p.withAdmin()
	p.tool("vhost", "set", "default", "publish_policy=open", "queue_ms=60000")
	p.start(f.serve()...)
	return p
}

// TestFFmpegOverRTMPS has ffmpeg publish and play over RTMPS; a player without TLS and
// one over HTTPS get the same.
func TestFFmpegOverRTMPS(t *testing.T) {
	t.Parallel()
	needs(t, "ffmpeg")
	file := samples(t, "gen/h264_bframes_aac.flv")[0]
	p := secureOpen(t, newCertificate(t, "live.example.com"))
	want, ok := muxed(t, file)
	if !ok {
		t.Fatal("ffmpeg cannot copy the sample")
	}
	ctx := within(t, time.Minute)
	secure := "rtmps://" + p.rtmps + "/live/secure"
	overRTMP := p.playRTMP(ctx, t, p.url("secure"))
	overHTTPS := p.playHTTP(ctx, t, "https://"+p.https+"/live/secure.flv")
	out := filepath.Join(t.TempDir(), "played.flv")
	played := ffmpeg(t, "-tls_verify", "0", "-i", secure, "-c", "copy", "-f", "flv", out)
	eventually(t, 8*time.Second, "three players wait", func() bool {
		m := p.metrics(t) // who waits over HTTP is no player yet
		return m["penstock_players"] == 2 && m["penstock_sessions"] == 3
	})
	publishFile(ctx, t, file, secure)
	if err := compare(want, overRTMP.collect()); err != nil {
		t.Errorf("over RTMP: %v", err)
	}
	if err := compare(want, overHTTPS.collect()); err != nil {
		t.Errorf("over HTTPS: %v", err)
	}
	if done := <-played; done.err != nil {
		t.Errorf("ffmpeg plays: %v\n%s", done.err, done.said)
	}
	if got, all := len(frames(readFLV(t, out))), len(frames(want)); got < all*9/10 {
		t.Errorf("ffmpeg played %d of %d frames", got, all)
	}
}

// TestDashboardOverHTTPS: all of HTTP is there, encoders are told of RTMPS, and the
// session's cookie is kept to TLS.
func TestDashboardOverHTTPS(t *testing.T) {
	t.Parallel()
	p := secureOpen(t, newCertificate(t, "live.example.com"))
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}}
	defer client.CloseIdleConnections()
	for path, want := range map[string]string{"/": "<!doctype html>", "/readyz": "", "/metrics": "penstock_"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+p.https+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept", "text/html,*/*")
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusOK || !strings.Contains(strings.ToLower(string(body)), want) {
			t.Errorf("%s: %s, %.200s", path, resp.Status, body)
		}
	}
	var system struct {
		URLs struct {
			RTMP []string `json:"rtmp"`
		} `json:"urls"`
	}
	p.signIn(t).call(http.MethodGet, "/system", "", nil, &system)
	if want := "rtmps://" + p.rtmps; !slices.Contains(system.URLs.RTMP, want) {
		t.Errorf("addresses %v, want %s among them", system.URLs.RTMP, want)
	}
	login := strings.NewReader(`{"email":"` + adminName + `","password":"` + adminPassword + `"}`)
	resp, err := client.Post("https://"+p.https+"/api/v1/auth/login", "application/json", login)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if cookies := resp.Cookies(); resp.StatusCode != http.StatusOK || len(cookies) == 0 || !cookies[0].Secure {
		t.Errorf("login: %s, %v", resp.Status, cookies)
	}
}

// TestCertificateIsRenewed replaces the files while a publisher is on: it stays, both
// doors show the new one, and a broken pair changes nothing and is said once.
func TestCertificateIsRenewed(t *testing.T) {
	t.Parallel()
	f := newCertificate(t, "old.example.com")
	p := secureOpen(t, f)
	ctx := within(t, time.Minute)
	client, err := rtmp.Dial(ctx, "rtmps://"+p.rtmps+"/live/on", rtmp.DialConfig{
		Timeout: 10 * time.Second, TLS: &tls.Config{InsecureSkipVerify: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	if err := client.Publish(ctx, ""); err != nil {
		t.Fatal(err)
	}
	doors := []string{p.rtmps, p.https}
	both := func(name string) func() bool {
		return func() bool { return shownAt(t, doors[0]) == name && shownAt(t, doors[1]) == name }
	}
	if !both("old.example.com")() {
		t.Fatal("another certificate is shown")
	}
	f.issue("new.example.com")
	eventually(t, 10*time.Second, "the new certificate is shown", both("new.example.com"))
	const broken = "the new certificate cannot be used"
	before := strings.Count(p.logged(), broken) // the first look may have been between the two files
	f.put(f.key, []byte("no key"))
	eventually(t, 10*time.Second, "it is said that the pair is broken", func() bool {
		return both("new.example.com")() && strings.Count(p.logged(), broken) > before
	})
	time.Sleep(2500 * time.Millisecond)
	if !both("new.example.com")() || strings.Count(p.logged(), broken) != before+1 {
		t.Error("the broken pair is shown, or said again")
	}
	if err := client.WriteMedia(9, 0, []byte{0x17, 0, 0, 0, 0}); err != nil {
		t.Errorf("the publisher: %v", err)
	}
}

// TestCertificateFlags: what cannot work ends the start with a next step.
func TestCertificateFlags(t *testing.T) {
	t.Parallel()
	f := newCertificate(t, "live.example.com")
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"--rtmps", "127.0.0.1:0"}, "--tls-cert"},
		{[]string{"--https", "127.0.0.1:0"}, "--tls-cert"},
		{[]string{"--https", "127.0.0.1:0", "--tls-cert", f.cert}, "--tls-key"},
		{[]string{"--https", "127.0.0.1:0", "--tls-cert", f.cert, "--tls-key", f.cert}, f.cert},
		{[]string{"--https", "127.0.0.1:0", "--tls-cert", "/nowhere.pem", "--tls-key", f.key}, "/nowhere.pem"},
		{[]string{"--proxy-protocol-from", "everybody"}, "--proxy-protocol-from"},
	} {
		p := prepare(t)
		_, err := p.try("", append([]string{"serve", "--rtmp", "127.0.0.1:0", "--http", "127.0.0.1:0"}, c.args...)...)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %v", c.args, err)
		}
	}
	said := prepare(t).tool("doctor", "--tls-cert", f.cert, "--tls-key", f.key, "--rtmp", "127.0.0.1:0", "--http", "127.0.0.1:0", "--https", "127.0.0.1:0")
	if !strings.Contains(said, "live.example.com") || !strings.Contains(said, "Renew it") {
		t.Errorf("the doctor says: %s", said)
	}
}
