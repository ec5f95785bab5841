package api_test

import (
	"sync"
	"sync/atomic"
	"testing"
)

// TestManyGuessesAtOnceAreNoWayAround: what is tried at the same time counts as
// what is tried in turn.
func TestManyGuessesAtOnceAreNoWayAround(t *testing.T) {
	h := newHouse(t)
	var guesses atomic.Int32
	var all sync.WaitGroup
	for range 60 {
		all.Go(func() {
			r := h.do(call{method: "POST", path: "/api/v1/setup", body: map[string]any{
				"token": "setup_guess", "email": email, "password": password,
			}})
			switch r.status {
			case 410:
				guesses.Add(1)
			case 429:
			default:
				t.Errorf("got %d %s", r.status, r.body)
			}
		})
	}
	all.Wait()
	if n := guesses.Load(); n < 1 || n > 10 {
		t.Errorf("%d guesses were looked at", n)
	}
}
