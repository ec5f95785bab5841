package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/penstock-media/penstock/api/store"
)

type doctorCommand struct {
	RTMP    []string `default:":1935" env:"PENSTOCK_RTMP" help:"RTMP addresses that serve would use."`
	HTTP    []string `default:":8080" env:"PENSTOCK_HTTP" help:"HTTP addresses that serve would use."`
	RTMPS   []string `name:"rtmps" env:"PENSTOCK_RTMPS" help:"RTMPS addresses that serve would use."`
	HTTPS   []string `name:"https" env:"PENSTOCK_HTTPS" help:"HTTPS addresses that serve would use."`
	TLSCert string   `name:"tls-cert" env:"PENSTOCK_TLS_CERT" help:"Certificate that serve would use."`
	TLSKey  string   `name:"tls-key" env:"PENSTOCK_TLS_KEY" help:"Key of the certificate."`
}

// finding is one thing the doctor looked at.
type finding struct {
	what   string
	said   string
	advice string // what to do; empty when all is well
	fatal  bool   // serve would not start
}

// Run looks at everything serve needs and says what to do about what is wrong.
// It fails when serve would not start.
func (d doctorCommand) Run(c *command) error {
	findings := []finding{
		{what: "version", said: fmt.Sprintf("penstock %s, %s, %s/%s, %d CPUs", version, runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())},
		c.checkDataDir(),
		c.checkDatabase(),
		checkDescriptors(),
	}
	for _, port := range []struct {
		what  string
		addrs []string
	}{{"rtmp", d.RTMP}, {"http", d.HTTP}, {"rtmps", d.RTMPS}, {"https", d.HTTPS}} {
		for _, addr := range port.addrs {
			findings = append(findings, checkPort(c.ctx, port.what, addr))
		}
	}
	if d.TLSCert != "" || d.TLSKey != "" {
		findings = append(findings, checkCertificate(d.TLSCert, d.TLSKey))
	}
	failed := false
	for _, f := range findings {
		mark := "ok  "
		switch {
		case f.fatal:
			mark, failed = "FAIL", true
		case f.advice != "":
			mark = "note"
		}
		if err := c.print("%s  %-11s %s\n", mark, f.what, plain(strings.Join(strings.Fields(f.said), " "))); err != nil {
			return err
		}
		if f.advice != "" {
			if err := c.print("                  %s\n", f.advice); err != nil {
				return err
			}
		}
	}
	if failed {
		return exitError{1}
	}
	return nil
}

func (c *command) checkDataDir() finding {
	f := finding{what: "data"}
	dir, err := filepath.Abs(c.globals.DataDir)
	if err != nil {
		dir = c.globals.DataDir
	}
	f.said = dir
	info, err := os.Stat(dir)
	switch {
	case os.IsNotExist(err):
		f.said += " (serve makes it)"
		return f
	case err != nil:
		f.fatal, f.said, f.advice = true, err.Error(), "Choose another place with --data-dir."
		return f
	case info.Mode().Perm()&0o077 != 0:
		f.advice = fmt.Sprintf("Other users may look inside (%v): chmod 700 %s", info.Mode().Perm(), dir)
	}
	probe, err := os.CreateTemp(dir, ".probe")
	if err != nil {
		f.fatal, f.said, f.advice = true, err.Error(), "Give this user the right to write there, or choose another place with --data-dir."
		return f
	}
	_ = probe.Close()
	_ = os.Remove(probe.Name())
	const lowest = 256 << 20
	if free, known := freeBytes(dir); known && free < lowest {
		f.advice = fmt.Sprintf("Only %d MB are free there.", free>>20)
	}
	return f
}

func (c *command) checkDatabase() finding {
	f := finding{what: "database", said: c.globals.databaseName()}
	const patience = 10 * time.Second
	ctx, cancel := context.WithTimeout(c.ctx, patience)
	defer cancel()
	if _, missing := store.Missing(c.globals.dsn()); missing {
		f.said += " (serve makes it)"
		return f
	}
	s, err := c.openStore(ctx, store.Options{SkipMigrate: true})
	switch {
	case errors.Is(err, store.ErrOlderSchema):
		f.advice = "Its schema is older than this version: serve and penstock migrate bring it up to date. Make a backup first."
		return f
	case errors.Is(err, store.ErrNewerSchema):
		f.fatal, f.said, f.advice = true, err.Error(), "A newer Penstock has used it: run that version, or restore the backup from before."
		return f
	case errors.Is(err, store.ErrDSN):
		f.fatal, f.said, f.advice = true, err.Error(), "Correct --database: nothing could be asked yet."
		return f
	case err != nil:
		f.fatal, f.said, f.advice = true, err.Error(), "Is --database right, and does the server answer?"
		return f
	}
	defer func() { _ = s.Close() }()
	if _, err := s.Snapshot(ctx); err != nil {
		f.fatal, f.said, f.advice = true, err.Error(), "The configuration in it is not valid: correct it with penstock vhost set."
	}
	return f
}

func checkDescriptors() finding {
	const enough = 8192
	most, known := maxDescriptors()
	f := finding{what: "descriptors", said: fmt.Sprintf("%d sockets and files at once", most)}
	switch {
	case !known:
		f.said = "not known here"
	case most < enough:
		f.advice = "Each publisher and player needs one: raise it (ulimit -n, or LimitNOFILE= in systemd)."
	}
	return f
}

func checkPort(ctx context.Context, what, addr string) finding {
	f := finding{what: what, said: addr}
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		f.said = fmt.Sprintf("%s: %v", addr, err)
		f.advice = "This is well if it is Penstock that runs there."
		return f
	}
	_ = ln.Close()
	return f
}
