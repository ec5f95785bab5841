package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// nginxModule is where Debian has nginx-rtmp.
const nginxModule = "/usr/lib/nginx/modules/ngx_rtmp_module.so"

// nginxRTMP runs nginx-rtmp with an application, on a free port, and returns what
// rtmp:// addresses of the application begin with.
func nginxRTMP(t *testing.T, application string) string {
	t.Helper()
	needs(t, "nginx")
	if _, err := os.Stat(nginxModule); err != nil {
		t.Skip("nginx-rtmp is not installed")
	}
	dir := t.TempDir()
	addr := freeAddress(t)
	user := ""
	if os.Geteuid() == 0 {
		user = "user root;"
	}
	conf := fmt.Sprintf(`load_module %s;
daemon off; master_process off; %s
pid %[3]s/nginx.pid; error_log %[3]s/error.log info;
events {}
rtmp { server { listen %s; application live { live on; %s } } }
`, nginxModule, user, dir, addr, application)
	file := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	end := background(t, "nginx", "-p", dir, "-c", file)
	eventually(t, patience, "nginx listens on "+addr, func() bool {
		select {
		case done := <-end:
			log, _ := os.ReadFile(filepath.Join(dir, "error.log"))
			t.Fatalf("nginx: %v\n%s\n%s", done.err, done.said, tail(string(log), 2000))
		default:
		}
		nc, err := net.DialTimeout("tcp", addr, time.Second)
		if err == nil {
			_ = nc.Close()
		}
		return err == nil
	})
	return "rtmp://" + addr + "/live/"
}

// freeAddress is a loopback address nobody listened on a moment ago.
func freeAddress(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return ln.Addr().String()
}

// TestNginxPushes: nginx-rtmp sends what is published to it on to Penstock. Its players
// get all of that from a key frame on.
func TestNginxPushes(t *testing.T) {
	t.Parallel()
	needs(t, "nginx")
	file := samples(t, "gen/h264_bframes_aac.flv")[0]
	p := open(t)
	tags := readFLV(t, file)
	at := nginxRTMP(t, "push rtmp://"+p.rtmp+"/live;")
	ctx := within(t, time.Minute)
	player := p.playRTMP(ctx, t, p.url("pushed"))
	publish(ctx, t, at+"pushed", tags, 2)
	// It begins to push once it has been published to, and then from a key frame on.
	if err := compareTracks(tags, player.collect(), 0.5); err != nil {
		t.Error(err)
	}
}

// TestNginxPulls: nginx-rtmp plays from Penstock and records what it gets, which is what
// was published.
func TestNginxPulls(t *testing.T) {
	t.Parallel()
	needs(t, "nginx")
	file := samples(t, "gen/h264_bframes_aac.flv")[0]
	p := open(t)
	tags := readFLV(t, file)
	recorded := t.TempDir()
	joined := p.joining(t, p.url("pulled"))
	nginxRTMP(t, "record all; record_path "+recorded+"; record_unique on; pull rtmp://"+p.rtmp+"/live name=pulled static;")
	joined(nil)
	publish(within(t, time.Minute), t, p.url("pulled"), tags, 2)
	var said error
	eventually(t, patience, "the recording is whole", func() bool {
		// It may have begun another one by now.
		files, _ := filepath.Glob(filepath.Join(recorded, "pulled-*.flv"))
		said = errors.New("no recording")
		for _, file := range files {
			if info, err := os.Stat(file); err != nil || info.Size() < 1<<10 {
				continue
			}
			if said = comparePayloads(tags, readFLV(t, file)); said == nil {
				return true
			}
		}
		return false
	})
}
