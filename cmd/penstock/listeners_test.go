package main

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestSeveralListeners: two addresses of each kind, given as a list and one by one. All
// take the same streams, all are shown, and who comes by TLS is said to.
func TestSeveralListeners(t *testing.T) {
	t.Parallel()
	file := samples(t, "gen/h264_baseline_aac.flv")[0]
	f := newCertificate(t, "live.example.com")
	p := prepare(t).withAdmin()
	p.tool("vhost", "set", "default", "publish_policy=open", "queue_ms=60000")
	const two = "127.0.0.1:0,127.0.0.1:0"
	p.start("--rtmp", "127.0.0.1:0", "--http", "127.0.0.1:0", "--rtmps", two, "--https", two, "--tls-cert", f.cert, "--tls-key", f.key)
	var system struct {
		Listeners []struct{ Protocol, Address string }
		URLs      struct{ RTMP []string }
	}
	a := p.signIn(t)
	a.call(http.MethodGet, "/system", "", nil, &system)
	at := map[string][]string{}
	for _, l := range system.Listeners {
		at[l.Protocol] = append(at[l.Protocol], l.Address)
	}
	var inputs []string
	for _, protocol := range []string{"rtmp", "rtmps", "http", "https"} {
		if len(at[protocol]) != 2 || !strings.Contains(p.logged(), `"`+protocol+`":"`+strings.Join(at[protocol], ",")+`"`) {
			t.Fatalf("%s listens on %v", protocol, at[protocol])
		}
		if strings.HasPrefix(protocol, "rtmp") {
			for _, addr := range at[protocol] {
				inputs = append(inputs, protocol+"://"+addr)
			}
		}
	}
	if !slices.Equal(system.URLs.RTMP, inputs) {
		t.Errorf("encoders are told %v, want %v", system.URLs.RTMP, inputs)
	}
	outputs := []string{"http://" + at["http"][0], "http://" + at["http"][1], "https://" + at["https"][0], "https://" + at["https"][1]}
	tags := readFLV(t, file)
	for i, input := range inputs {
		protocol, _, _ := strings.Cut(input, ":")
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			ctx, stream := within(t, time.Minute), name0(i)
			player := p.playHTTP(ctx, t, outputs[i]+"/live/"+stream+".flv")
			var publishing sync.WaitGroup
			publishing.Go(func() { publish(ctx, t, input+"/live/"+stream, tags, 3) })
			defer publishing.Wait()
			a := p.operator(t)
			spoken := func(state string) func() bool {
				return func() bool {
					return slices.ContainsFunc(a.sessions(state+"&protocol="+protocol, stream), func(s liveSession) bool {
						return s.Role == "publisher" && s.Protocol == protocol
					})
				}
			}
			eventually(t, patience, "the publisher is live by "+protocol, spoken("live"))
			publishing.Wait()
			if err := compare(tags, player.collect()); err != nil {
				t.Error(err)
			}
			eventually(t, patience, "the publisher was there by "+protocol, spoken("ended"))
			var streams struct {
				Items []struct {
					Name string
					URLs map[string]string
				}
			}
			a.call(http.MethodGet, "/streams?limit=200", "", nil, &streams)
			for _, s := range streams.Items {
				if s.Name == stream && s.URLs["rtmps_play"] != inputs[2]+"/live/"+stream {
					t.Errorf("addresses of the stream: %v", s.URLs)
				}
			}
		})
	}
	t.Cleanup(func() {
		for _, protocol := range []string{"rtmp", "rtmps"} {
			n := 0
			for line := range strings.Lines(p.logged()) {
				if strings.Contains(line, `"msg":"accepted"`) && strings.Contains(line, `"protocol":"`+protocol+`"`) {
					n++
				}
			}
			if n != 2 {
				t.Errorf("the log has %d sessions by %s", n, protocol)
			}
		}
	})
}
