package bandwidth

import (
	"errors"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// script is a client: what it says to each call, and how fast it publishes.
type script struct {
	answers map[string][]string
	queue   []string
	calls   []string
	fields  map[string]map[string]any
	played  int
	flood   bool // publishes as fast as it is read
}

const flooded = 1000 // bytes of each message of a flood

func (s *script) Call(name string, fields ...Field) error {
	if name == playing {
		s.played += len(fields[0].Value.(string))
		return nil
	}
	s.calls = append(s.calls, name)
	s.fields[name] = map[string]any{}
	for _, f := range fields {
		s.fields[name][f.Name] = f.Value
	}
	s.queue = append(s.queue, s.answers[name]...)
	return nil
}

func (s *script) Heard(deadline time.Time) (string, int, error) {
	if len(s.queue) > 0 {
		name := s.queue[0]
		s.queue = s.queue[1:]
		return name, 50, nil
	}
	if s.flood && s.calls[len(s.calls)-1] == startPublish {
		return "onSrsBandCheckPublishing", flooded, nil
	}
	time.Sleep(time.Until(deadline))
	return "", 0, os.ErrDeadlineExceeded
}

func honest() *script {
	return &script{flood: true, fields: map[string]map[string]any{}, answers: map[string][]string{
		startPlay: {"other", startingPlay}, stopPlay: {stoppedPlay},
		startPublish: {startingPublish}, stopPublish: {stoppedPublish}, finished: {final},
	}}
}

// S0-83, S0-84, S0-85.
func TestCheck(t *testing.T) {
	for name, after := range map[string][]string{"stopped": {stoppedPublish}, "final packet of Flash": {final}} {
		synctest.Test(t, func(t *testing.T) {
			s := honest()
			s.answers[stopPublish] = after
			begun := time.Now()
			r, err := Check(s, 1000)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if took := time.Since(begun); took != 2*Duration {
				t.Errorf("%s: took %v", name, took)
			}
			const most = 1000 * 3000 / 8 // bytes in 3 s
			if s.played != r.PlayBytes || r.PlayBytes > most+padding || r.PlayBytes < most-padding || r.PublishBytes > most+flooded {
				t.Errorf("%s: %+v, %d bytes played", name, r, s.played)
			}
			if r.PlayKbps < 990 || r.PlayKbps > 1011 || r.PublishKbps < 990 || r.PublishKbps > 1011 {
				t.Errorf("%s: %+v", name, r)
			}
			want := []string{startPlay, stopPlay, startPublish, stopPublish, finished}
			if diff := cmp.Diff(want, s.calls); diff != "" {
				t.Error(diff)
			}
			for call, fields := range map[string][]string{
				startPlay: {"limit_kbps", "duration_ms", "interval_ms"}, startPublish: {"limit_kbps", "duration_ms", "interval_ms"},
				stopPlay:    {"duration_ms", "interval_ms", "duration_delta", "bytes_delta"},
				stopPublish: {"duration_ms", "interval_ms", "duration_delta", "bytes_delta"},
				finished:    {"start_time", "end_time", "play_kbps", "publish_kbps", "play_bytes", "publish_bytes", "play_time", "publish_time"},
			} {
				for _, f := range fields {
					if _, ok := s.fields[call][f]; !ok || len(s.fields[call]) != len(fields) {
						t.Errorf("%s has %v, want %v", call, s.fields[call], fields)
					}
				}
			}
			if s.fields[startPlay]["duration_ms"] != 3000.0 || s.fields[startPlay]["limit_kbps"] != 1000.0 ||
				s.fields[finished]["play_bytes"] != float64(r.PlayBytes) {
				t.Errorf("%v", s.fields)
			}
		})
	}
}

// S0-85, S0-86: no wait is longer than six seconds, and the last no longer than 600 ms.
func TestCheckSilence(t *testing.T) {
	order := []string{startPlay, stopPlay, startPublish, stopPublish}
	spent := map[string]time.Duration{stopPlay: Duration, startPublish: Duration, stopPublish: 2 * Duration}
	for _, silent := range order {
		synctest.Test(t, func(t *testing.T) {
			s := honest()
			s.answers[silent] = nil
			if silent == startPublish {
				s.flood = false
			}
			begun := time.Now()
			if _, err := Check(s, 1000); !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("silent after %s: %v", silent, err)
			}
			if took := time.Since(begun); took != spent[silent]+Wait {
				t.Errorf("silent after %s: took %v", silent, took)
			}
			if last := s.calls[len(s.calls)-1]; last != silent || !slices.Contains(order, last) {
				t.Errorf("the last call was %s", last)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		s := honest()
		s.answers[finished] = nil
		begun := time.Now()
		if _, err := Check(s, 1000); err != nil {
			t.Error(err)
		}
		if took := time.Since(begun); took != 2*Duration+Final {
			t.Errorf("without the final packet: took %v", took)
		}
	})
	synctest.Test(t, func(t *testing.T) { // a client that stops sending
		s := honest()
		s.flood = false
		begun := time.Now()
		if _, err := Check(s, 1000); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Error(err)
		}
		if took := time.Since(begun); took != Duration+Wait {
			t.Errorf("without data: took %v", took)
		}
	})
}
