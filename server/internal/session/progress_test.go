package session

import (
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/internal/roster"
)

// S0-66: age, messages, and rates now, over 30 s and over 5 min, every 10 s.
func TestProgress(t *testing.T) {
	var p progress
	now := time.Unix(1000, 0)
	values := func(bytes uint64, messages uint64) map[string]int64 {
		m := map[string]int64{}
		attrs := p.note(now, roster.Meter{BytesIn: bytes, BytesOut: 2 * bytes}, messages)
		for i := 0; i < len(attrs); i += 2 {
			n, ok := attrs[i+1].(int64)
			if v, unsigned := attrs[i+1].(uint64); unsigned {
				n, ok = int64(v), true
			}
			if !ok {
				t.Fatalf("%v is %T", attrs[i], attrs[i+1])
			}
			m[attrs[i].(string)] = n
		}
		return m
	}
	bytes := uint64(5_000_000)
	if got := values(bytes, 0); len(got) != 0 {
		t.Errorf("a line at the beginning: %v", got)
	}
	for range 10 { // at 1 s
		now = now.Add(time.Second)
		bytes += 125_000
		got := values(bytes, 7)
		if last := now.Equal(time.Unix(1010, 0)); last != (len(got) > 0) {
			t.Fatalf("at %v: %v", now, got)
		} else if last && (got["age_ms"] != 10_000 || got["messages"] != 7 || got["in_kbps"] != 1000 || got["out_kbps_5min"] != 2000) {
			t.Errorf("after 10 s: %v", got)
		}
	}
	for range 100 { // ten times as much, for longer than what is kept
		now = now.Add(progressEvery)
		bytes += 12_500_000
		values(bytes, 8)
	}
	now = now.Add(progressEvery) // and then nothing
	got := values(bytes, 9)
	want := map[string]int64{
		"age_ms": 1_020_000, "messages": 9, "in_kbps": 0, "out_kbps": 0,
		"in_kbps_30s": 6666, "out_kbps_30s": 13_333, "in_kbps_5min": 9666, "out_kbps_5min": 19_333,
	}
	for k, v := range want {
		if got[k] != v {
			t.Errorf("%s is %d, want %d", k, got[k], v)
		}
	}
	if len(p.marks) != progressMarks {
		t.Errorf("%d marks are kept", len(p.marks))
	}
}
