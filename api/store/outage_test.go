package store

import (
	"testing"
	"time"

	"github.com/penstock-media/penstock/api/store/storetest"
)

// TestOutage: while PostgreSQL is away the store says so at once, and when it is
// back everything goes on by itself, with what was missed.
func TestOutage(t *testing.T) {
	direct := storetest.Postgres(t)
	p, dsn := storetest.NewProxy(t, direct)
	other := open(t, direct)
	s := open(t, dsn)
	changes := s.Changes(t.Context())
	next(t, changes)

	p.Down(true)
	began := time.Now()
	refused(t, ErrUnavailable, s.Ping(t.Context()))
	_, err := s.Snapshot(t.Context())
	refused(t, ErrUnavailable, err)
	if st := s.State(); st.OK || st.Error == "" {
		t.Errorf("the state while it is away: %+v", st)
	}
	if took := time.Since(began); took > pingTimeout+opTimeout {
		t.Errorf("to say so took %v", took)
	}
	newStream(t, other, "made meanwhile")
	p.Down(false)
	began = time.Now()
	if got := next(t, changes); got.Revision != 2 {
		t.Errorf("afterwards: %v", got)
	}
	t.Logf("in step again after %v", time.Since(began))
	must(t, s.Ping(t.Context()))
	if st := s.State(); !st.OK {
		t.Errorf("the state afterwards: %+v", st)
	}
}

// TestHang: a database that does not answer costs a bounded time.
func TestHang(t *testing.T) {
	p, dsn := storetest.NewProxy(t, storetest.Postgres(t))
	s := open(t, dsn)
	p.Stall(true)
	began := time.Now()
	refused(t, ErrUnavailable, s.Ping(t.Context()))
	if took := time.Since(began); took > pingTimeout+10*time.Second { // a second, and a busy machine
		t.Errorf("a ping took %v", took)
	}
	// From now on nobody waits for long.
	began = time.Now()
	_, err := s.CreateVhost(t.Context(), operator(), NewVhost("x"))
	refused(t, ErrUnavailable, err)
	if took := time.Since(began); took > awayTimeout+opTimeout {
		t.Errorf("a change took %v while the database was known to be away", took)
	}
	p.Stall(false)
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if err = s.Ping(t.Context()); err == nil {
			break
		}
	}
	must(t, err)
}
