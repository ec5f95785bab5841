package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/rtmp"
)

// otherHost is a network of its own on this machine, connected by a cable that can be
// pulled.
type otherHost struct {
	t             *testing.T
	name, cable   string
	ours, address string
}

// newOtherHost makes one, or skips the test where that is not allowed.
func newOtherHost(t *testing.T) *otherHost {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("makes a network namespace: only root may")
	}
	id := os.Getpid() % 10_000
	h := &otherHost{
		t: t, name: fmt.Sprintf("pst%d", id), cable: fmt.Sprintf("pst%da", id),
		ours: fmt.Sprintf("10.213.%d.1", id%250), address: fmt.Sprintf("10.213.%d.2", id%250),
	}
	t.Cleanup(func() {
		_ = exec.Command("ip", "netns", "del", h.name).Run()
		_ = exec.Command("ip", "link", "del", h.cable).Run()
	})
	far := h.cable + "b"
	for _, command := range []string{
		"netns add " + h.name,
		"link add " + h.cable + " type veth peer name " + far + " netns " + h.name,
		"addr add " + h.ours + "/30 dev " + h.cable, "link set " + h.cable + " up",
		"-n " + h.name + " addr add " + h.address + "/30 dev " + far, "-n " + h.name + " link set " + far + " up",
	} {
		if out, err := exec.Command("ip", strings.Fields(command)...).CombinedOutput(); err != nil {
			t.Skipf("no network namespaces here: ip %s: %s", command, out)
		}
	}
	return h
}

// runs starts a program on the other host; it is killed at the end of the test.
func (h *otherHost) runs(args ...string) {
	h.t.Helper()
	cmd := exec.Command("ip", append([]string{"netns", "exec", h.name}, args...)...)
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
}

// unplug pulls the cable.
func (h *otherHost) unplug() {
	h.t.Helper()
	if out, err := exec.Command("ip", "link", "set", h.cable, "down").CombinedOutput(); err != nil {
		h.t.Fatalf("%s", out)
	}
}

// TestCableIsPulled: an encoder and a player over HTTP whose network goes without a
// word are found out by TCP itself, whatever silence the vhost allows, and the encoder
// comes back on air.
func TestCableIsPulled(t *testing.T) { // C-54, R-2.45, R-3.18, R-3.46
	t.Parallel()
	needs(t, "ffmpeg")
	p := prepare(t)
	h := newOtherHost(t)
	p.withAdmin()
	p.tool("vhost", "set", "default", "publish_policy=open", "duplicate_policy=reject", "publisher_idle_ms=3600000")
	free := func() string {
		ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", h.ours+":0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = ln.Close() }()
		return ln.Addr().String()
	}
	far, web := free(), free()
	p.start("--rtmp", far, "--http", web)
	file := samples(t, "gen/h264_bframes_aac.flv")[0]
	h.runs("ffmpeg", "-v", "error", "-re", "-stream_loop", "-1", "-i", file, "-c", "copy", "-f", "flv", "rtmp://"+far+"/live/ghost")
	eventually(t, patience, "the encoder is on air", func() bool { return p.metrics(t)["penstock_publishers"] == 1 })
	h.runs("ffmpeg", "-v", "error", "-i", "http://"+web+"/live/ghost.flv", "-c", "copy", "-f", "null", "-")
	eventually(t, patience, "the player has media", func() bool {
		m := p.metrics(t)
		return m["penstock_players"] == 1 && m["penstock_sent_bytes_total"] > 10_000
	})

	h.unplug()
	gone := time.Now()
	for {
		client, err := rtmp.Dial(t.Context(), "rtmp://"+far+"/live/ghost", rtmp.DialConfig{Timeout: patience})
		if err != nil {
			t.Fatal(err)
		}
		err = client.Publish(t.Context(), "")
		_ = client.Close()
		if err == nil {
			break
		}
		if _, told := errors.AsType[*rtmp.StatusError](err); !told || time.Since(gone) > time.Minute {
			t.Fatalf("after %v: %v", time.Since(gone), err)
		}
		time.Sleep(200 * time.Millisecond)
	}
	t.Logf("the encoder is back on air after %v", time.Since(gone))
	var sessions struct {
		Items []struct {
			Peer string `json:"peer"`
		} `json:"items"`
	}
	api := p.signIn(t)
	eventually(t, time.Minute, "nothing of the other host is left", func() bool {
		api.call(http.MethodGet, "/sessions", "", nil, &sessions)
		for _, s := range sessions.Items {
			if strings.HasPrefix(s.Peer, h.address+":") {
				return false
			}
		}
		return true
	})
	t.Logf("the last of the other host is gone after %v", time.Since(gone))
}
