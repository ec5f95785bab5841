package roster

import (
	"sync"
	"time"

	"github.com/penstock-media/penstock/server/config"
)

// askTime is how long those who are asked to move are waited for before all others are
// ended: asking is one small write each, which a few may have no room for.
const askTime = time.Second

// Movable says that the session's peer can be asked to connect anew, elsewhere or to who
// comes after this server. ask asks it, and reports whether it could.
func (e *Entry) Movable(ask func() bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.move = ask
}

func (e *Entry) mover() func() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.move
}

// MoveAll asks everybody to move who can, and then ends all others. Who was asked stays
// until it goes or is ended.
func (r *Roster) MoveAll(reason config.Reason, detail string) {
	var asking sync.WaitGroup
	var rest []*Entry
	for _, e := range r.entries() {
		if ask := e.mover(); ask != nil {
			asking.Go(func() {
				if !ask() {
					e.End(reason, detail)
				}
			})
		} else {
			rest = append(rest, e)
		}
	}
	asked := make(chan struct{})
	go func() { // as long as the slowest, which is a write's time-out at most
		asking.Wait()
		close(asked)
	}()
	patience := time.NewTimer(askTime)
	defer patience.Stop()
	select {
	case <-asked:
	case <-patience.C:
	}
	for _, e := range rest {
		e.End(reason, detail)
	}
}
