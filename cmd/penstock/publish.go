package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/penstock-media/penstock/server/rtmp"
)

type publishCommand struct {
	File  string  `arg:"" help:"What to publish: .flv, .h264 or .264, .h265, .hevc or .265 (with start codes), .aac (ADTS) or .mp3."`
	URL   string  `arg:"" name:"url" placeholder:"URL" help:"rtmp://HOST/APP/STREAM_KEY or rtmps://…; with - it is read from standard input, so that no other user of this machine sees the key."`
	Audio string  `placeholder:"FILE" help:"Sound from this file (.aac, .mp3 or .flv), in the place of the first one's."`
	FPS   float64 `name:"fps" placeholder:"N" help:"Frames a second of raw video. Default: what the file says, else 25."`
	Rate  float64 `default:"1" help:"How fast: 1 is real time, 2 twice as fast, 0 as fast as the server takes it."`
	Loop  bool    `help:"Begin again at the end, until interrupted."`
}

// Help is what --help says beneath the flags.
func (publishCommand) Help() string {
	return "Publishes a file in real time, to try a server, a key or a player. For anything that has to be encoded first, use ffmpeg."
}

// Run publishes until the file ends or the process is interrupted.
func (p publishCommand) Run(c *command) error {
	ctx, stop := signal.NotifyContext(c.ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	if p.URL == "-" {
		data, err := io.ReadAll(io.LimitReader(c.stdin, 4<<10))
		if err != nil {
			return fmt.Errorf("read the URL from standard input: %w", err)
		}
		p.URL = strings.TrimSpace(string(data))
	}
	if p.Rate < 0 || p.FPS < 0 || p.FPS > 1000 {
		return errors.New("--rate and --fps are not less than 0, and --fps is at most 1000")
	}
	addr, err := rtmp.ParseAddress(p.URL)
	if err != nil || addr.App == "" || addr.Name == "" {
		return &advice{
			err:  errors.New("that is not where a stream can be published"),
			what: "Use rtmp://HOST/APP/STREAM_KEY, as the dashboard shows it for OBS: the server's address, a slash, the stream key.",
		}
	}
	f, err := openFootage(p)
	if err != nil {
		return err
	}
	defer f.close()

	client, err := rtmp.Dial(ctx, p.URL, rtmp.DialConfig{Connect: rtmp.Connect{FlashVer: "FMLE/3.0 (compatible; Penstock " + version + ")"}})
	if err != nil {
		return p.failed(addr, "connect to", err)
	}
	defer func() { _ = client.Close() }()
	if err := client.Publish(ctx, ""); err != nil {
		return p.failed(addr, "publish at", err)
	}
	if err := c.print("publishing %s at %s (%s)\n", plain(p.File), plain(addr.TCURL), f.describe()); err != nil {
		return err
	}
	sent, err := newPacer(client, p.Rate).run(ctx, f)
	if err != nil && ctx.Err() == nil {
		return p.failed(addr, "publish at", err)
	}
	return c.print("sent %v of media: %d video and %d audio messages, %d kB\n", sent.media.Round(10*time.Millisecond), sent.video, sent.audio, sent.bytes/1000)
}

// failed says what went wrong at a server, and what to do. The key, which is the name of
// the URL, is never said: servers repeat it.
func (p publishCommand) failed(addr rtmp.Address, doing string, err error) error {
	said := strings.NewReplacer(p.secrets(addr)...).Replace(err.Error())
	err = &hidden{fmt.Sprintf("cannot %s %s: %s", doing, addr.TCURL, said), err}
	status, refused := errors.AsType[*rtmp.StatusError](err)
	var dns *net.DNSError
	switch {
	case errors.Is(err, rtmp.ErrLogin):
		return &advice{err, "The server wants a user and a password: rtmp://USER:PASSWORD@HOST/APP/STREAM_KEY."}
	case refused && (status.Code == rtmp.CodePublishBadName || status.Code == rtmp.CodePublishDenied || status.Code == rtmp.CodePublishRejected):
		return &advice{err, "The server's log and its dashboard say more. Is the stream key right and enabled, and does nobody else publish with it?"}
	case refused:
		return &advice{err, "Is the app, the part of the URL behind the host, right?"}
	case errors.Is(err, syscall.ECONNREFUSED):
		return &advice{err, "Nothing listens there: is the server running, and are host and port right?"}
	case errors.As(err, &dns):
		return &advice{err, "Is the host's name right?"}
	case errors.Is(err, context.DeadlineExceeded), rtmp.IsTimeout(err):
		return &advice{err, "The server does not answer: is it an RTMP port (1935, or 443 for rtmps), and does a firewall let you through?"}
	case errors.Is(err, rtmp.ErrHandshake):
		return &advice{err, "That is no RTMP server, or it wants rtmps:// where you said rtmp://, or the other way round."}
	}
	return err
}

// secrets are the parts of the URL that a server's words may repeat, each with what is
// said in its place.
func (p publishCommand) secrets(addr rtmp.Address) []string {
	name, query, _ := strings.Cut(addr.Name, "?")
	var out []string
	for _, s := range []string{p.URL, addr.Name, name, query, addr.Query, addr.Login.Password} {
		if s != "" {
			out = append(out, s, "***")
		}
	}
	return out
}

// hidden is an error in other words.
type hidden struct {
	words string
	err   error
}

// Error implements error.
func (h *hidden) Error() string { return h.words }

// Unwrap gives the error that is said in other words.
func (h *hidden) Unwrap() error { return h.err }
