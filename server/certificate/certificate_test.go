package certificate

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// issue makes a self-signed certificate for a name and returns it and its key as PEM.
func issue(t *testing.T, name string, notAfter time.Time) (cert, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: notAfter,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw})
}

// files are a certificate and a key on disk.
type files struct {
	t         *testing.T
	cert, key string
}

func newFiles(t *testing.T, name string) files {
	t.Helper()
	dir := t.TempDir()
	f := files{t: t, cert: filepath.Join(dir, "cert.pem"), key: filepath.Join(dir, "key.pem")}
	f.write(issue(t, name, time.Now().Add(time.Hour)))
	return f
}

// write replaces the files as a renewal does: by others under the same names.
func (f files) write(cert, key []byte) {
	f.t.Helper()
	for name, data := range map[string][]byte{f.cert: cert, f.key: key} {
		if err := os.WriteFile(name+".new", data, 0o600); err != nil {
			f.t.Fatal(err)
		}
		if err := os.Rename(name+".new", name); err != nil {
			f.t.Fatal(err)
		}
	}
}

// serves is the name of the certificate that a client sees.
func serves(t *testing.T, c *Certificate) string {
	t.Helper()
	ours, theirs := net.Pipe()
	server, client := tls.Server(ours, c.Config()), tls.Client(theirs, &tls.Config{InsecureSkipVerify: true})
	done := make(chan error, 1)
	go func() { done <- server.Handshake() }()
	if err := client.Handshake(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	_, _ = ours.Close(), theirs.Close()
	return client.ConnectionState().PeerCertificates[0].DNSNames[0]
}

// due makes the next handshake look at the files.
func (c *Certificate) due() { c.nextLook.Store(0) }

func TestRenewedFilesAreTakenIntoUse(t *testing.T) {
	f := newFiles(t, "old.example.com")
	var log bytes.Buffer
	c, err := Load(f.cert, f.key, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if got := serves(t, c); got != "old.example.com" {
		t.Fatalf("serves %s", got)
	}
	f.write(issue(t, "new.example.com", time.Now().Add(2*time.Hour)))
	if got := serves(t, c); got != "old.example.com" {
		t.Errorf("serves %s: the files were looked at again at once", got)
	}
	c.due()
	if got := serves(t, c); got != "new.example.com" || c.Names()[0] != got || time.Until(c.NotAfter()) < time.Hour {
		t.Errorf("serves %s, %v until %v", got, c.Names(), c.NotAfter())
	}
	if n := strings.Count(log.String(), "certificate in use"); n != 2 {
		t.Errorf("%d lines about certificates:\n%s", n, &log)
	}
}

// A broken pair keeps the old one, is said once, and is no obstacle for a good one.
func TestBrokenFilesKeepTheOldOne(t *testing.T) {
	good, _ := issue(t, "other.example.com", time.Now().Add(time.Hour))
	for name, broken := range map[string]func(files){
		"not PEM":    func(f files) { f.write([]byte("x"), []byte("y")) },
		"empty":      func(f files) { f.write(nil, nil) },
		"half a set": func(f files) { _ = os.WriteFile(f.cert, good, 0o600) },
		"gone":       func(f files) { _ = os.Remove(f.key) },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFiles(t, "old.example.com")
			var log bytes.Buffer
			c, err := Load(f.cert, f.key, slog.New(slog.NewTextHandler(&log, nil)))
			if err != nil {
				t.Fatal(err)
			}
			broken(f)
			for range 3 {
				c.due()
				if got := serves(t, c); got != "old.example.com" {
					t.Errorf("serves %s", got)
				}
			}
			if n := strings.Count(log.String(), "level=ERROR"); n != 1 {
				t.Errorf("%d errors:\n%s", n, &log)
			}
			if strings.Contains(log.String(), "PRIVATE KEY") {
				t.Error("the key is in the log")
			}
			f.write(issue(t, "new.example.com", time.Now().Add(time.Hour)))
			c.due()
			if got := serves(t, c); got != "new.example.com" {
				t.Errorf("serves %s when all is well again", got)
			}
		})
	}
}

// Handshakes go on beside a renewal; the race detector watches.
func TestRenewalBesideHandshakes(t *testing.T) {
	f := newFiles(t, "a.example.com")
	c, err := Load(f.cert, f.key, nil)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				c.due()
				if got := serves(t, c); got != "a.example.com" && got != "b.example.com" {
					t.Errorf("serves %s", got)
				}
			}
		})
	}
	f.write(issue(t, "b.example.com", time.Now().Add(time.Hour)))
	wg.Wait()
	c.due()
	if got := serves(t, c); got != "b.example.com" {
		t.Errorf("serves %s in the end", got)
	}
}

func TestLoadSaysWhatIsWrong(t *testing.T) {
	f := newFiles(t, "a.example.com")
	_, other := issue(t, "a.example.com", time.Now().Add(time.Hour))
	wrong := filepath.Join(t.TempDir(), "other.pem")
	if err := os.WriteFile(wrong, other, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ cert, key, says string }{
		{"/nowhere/cert.pem", f.key, "/nowhere/cert.pem"},
		{f.cert, "/nowhere/key.pem", "/nowhere/key.pem"},
		{f.cert, wrong, "does not match"},
		{f.key, f.key, f.key},
	} {
		if _, err := Load(c.cert, c.key, nil); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s with %s: %v", c.cert, c.key, err)
		}
	}
}

func TestExpiredIsSaid(t *testing.T) {
	f := newFiles(t, "a.example.com")
	f.write(issue(t, "a.example.com", time.Now().Add(-time.Minute)))
	var log bytes.Buffer
	if _, err := Load(f.cert, f.key, slog.New(slog.NewTextHandler(&log, nil))); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "level=WARN") {
		t.Errorf("not said:\n%s", &log)
	}
}

func TestOldTLSIsRefused(t *testing.T) {
	f := newFiles(t, "a.example.com")
	c, err := Load(f.cert, f.key, nil)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := net.Pipe()
	defer func() { _, _ = ours.Close(), theirs.Close() }()
	server := tls.Server(ours, c.Config())
	done := make(chan error, 1)
	go func() { done <- server.Handshake() }()
	client := tls.Client(theirs, &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11})
	if err := client.Handshake(); err == nil {
		t.Error("TLS 1.1 is spoken")
	}
	if err := <-done; err == nil {
		t.Error("TLS 1.1 is spoken")
	}
}
