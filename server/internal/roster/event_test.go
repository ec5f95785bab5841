package roster

import "testing"

func TestEventsAreKeptInOrder(t *testing.T) {
	var v Events
	const n = maxEvents + 10
	for range n {
		v.Add(Event{Type: StreamPublished})
	}
	all := v.Since(0)
	if len(all) != maxEvents || all[0].Seq != n-maxEvents+1 || all[len(all)-1].Seq != n {
		t.Errorf("%d events from %d to %d", len(all), all[0].Seq, all[len(all)-1].Seq)
	}
	if last := v.Since(n - 3); len(last) != 3 || last[0].Seq != n-2 {
		t.Errorf("the last three: %+v", last)
	}
	if v.Since(n) != nil || v.Since(n+5) != nil {
		t.Error("events of the future")
	}
}

func TestASlowWatcherLosesEventsAndNobodyWaits(t *testing.T) {
	var v Events
	c, stop := v.Watch()
	for range watchBuffer + 5 {
		v.Add(Event{})
	}
	if e := <-c; e.Seq != 1 || e.Time.IsZero() {
		t.Errorf("first: %+v", e)
	}
	stop()
	stop()
	v.Add(Event{})
	left := 0
	for range c {
		left++
	}
	if left != watchBuffer-1 {
		t.Errorf("%d events were left", left)
	}
}

func TestRefusalsNewestFirst(t *testing.T) {
	var f refusals
	for i := range maxRefusals + 3 {
		f.add(Refusal{Reason: "r", Detail: string(rune('a' + i%26))})
	}
	f.count("limit")
	got := f.newestFirst()
	if len(got) != maxRefusals || got[0].Detail != string(rune('a'+(maxRefusals+2)%26)) {
		t.Errorf("%d refusals, newest %+v", len(got), got[0])
	}
	if n := f.totals(); n["r"] != maxRefusals+3 || n["limit"] != 1 {
		t.Errorf("totals: %v", n)
	}
}
