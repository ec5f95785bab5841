// Package certificate serves TLS with a certificate from files, and takes a renewed
// one into use without a restart.
package certificate

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync/atomic"
	"time"
)

// lookEvery is how often, at most, the files are looked at: a handshake costs far
// more than that.
const lookEvery = 2 * time.Second

// Certificate is a certificate with its key, as the files have them. All methods may
// be called from any goroutine.
//
// Nothing watches the files: the first handshake after lookEvery asks whether they
// have changed. A new pair that cannot be read, or whose halves do not belong together,
// is logged once and changes nothing.
type Certificate struct {
	certFile, keyFile string
	log               *slog.Logger
	born              time.Time

	pair     atomic.Pointer[pair]
	nextLook atomic.Int64 // as time since born
}

// pair is what was read, and from which files.
type pair struct {
	tls  *tls.Certificate
	from [2]os.FileInfo // nil where there was no file
}

// Load reads a PEM certificate, with what chains it to its root behind it, and its
// key. The error says which file is wrong. A nil log is silence.
func Load(certFile, keyFile string, log *slog.Logger) (*Certificate, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	c := &Certificate{certFile: certFile, keyFile: keyFile, log: log, born: time.Now()}
	p := &pair{from: c.look()}
	var err error
	if p.tls, err = c.read(); err != nil {
		return nil, err
	}
	c.pair.Store(p)
	c.nextLook.Store(int64(lookEvery))
	c.loaded(p.tls)
	return c, nil
}

// Config returns what a TLS server is configured with: the certificate, whatever name
// a client asks for, and TLS 1.2 or newer.
func (c *Certificate) Config() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			return c.current(), nil
		},
	}
}

// NotAfter is when the certificate in use expires.
func (c *Certificate) NotAfter() time.Time { return c.pair.Load().tls.Leaf.NotAfter }

// Names are the host names the certificate in use is for.
func (c *Certificate) Names() []string { return c.pair.Load().tls.Leaf.DNSNames }

// current returns the certificate to use now. One caller in lookEvery looks at the
// files, the others do not wait for it.
func (c *Certificate) current() *tls.Certificate {
	now, next := int64(time.Since(c.born)), c.nextLook.Load()
	if now >= next && c.nextLook.CompareAndSwap(next, now+int64(lookEvery)) {
		c.renew()
	}
	return c.pair.Load().tls
}

// renew takes the files' pair into use when it is another one.
func (c *Certificate) renew() {
	old, from := c.pair.Load(), c.look()
	if same(old.from[0], from[0]) && same(old.from[1], from[1]) {
		return
	}
	fresh, err := c.read()
	if err != nil {
		c.log.Error("the new certificate cannot be used: the one before stays in use",
			"cert", c.certFile, "key", c.keyFile, "err", err)
		c.pair.Store(&pair{tls: old.tls, from: from})
		return
	}
	c.pair.Store(&pair{tls: fresh, from: from})
	c.loaded(fresh)
}

// look asks what the files are now, through symbolic links.
func (c *Certificate) look() [2]os.FileInfo {
	var is [2]os.FileInfo
	for i, name := range []string{c.certFile, c.keyFile} {
		if info, err := os.Stat(name); err == nil {
			is[i] = info
		}
	}
	return is
}

func same(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

func (c *Certificate) read() (*tls.Certificate, error) {
	cert, err := os.ReadFile(c.certFile)
	if err != nil {
		return nil, fmt.Errorf("read the certificate: %w", err)
	}
	key, err := os.ReadFile(c.keyFile)
	if err != nil {
		return nil, fmt.Errorf("read the certificate's key: %w", err)
	}
	both, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("certificate %s with key %s: %w", c.certFile, c.keyFile, err)
	}
	return &both, nil
}

// loaded tells which certificate is used from now on.
func (c *Certificate) loaded(cert *tls.Certificate) {
	attrs := []any{"cert", c.certFile, "names", cert.Leaf.DNSNames, "not_after", cert.Leaf.NotAfter.UTC()}
	if time.Now().After(cert.Leaf.NotAfter) {
		c.log.Warn("the certificate has expired: clients will not trust it", attrs...)
		return
	}
	c.log.Info("certificate in use", attrs...)
}
