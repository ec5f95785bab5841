package api

import (
	"context"
	"math"
	"sync"
	"time"
)

// What the overview keeps: 15 minutes in points of five seconds.
const (
	sampleEvery  = time.Second
	pointEvery   = 5 * time.Second
	pointsKept   = 180
	pingTimeout  = time.Second
	slowBacklog  = 1000
	fullestFiles = 0.9 // of the file descriptors there may be
)

// sampler looks at the server now and then and remembers what it saw.
type sampler struct {
	api *API

	mu       sync.Mutex
	cpu      float64         // guarded by mu: percent of one core, of the last seconds
	latency  time.Duration   // guarded by mu: of the database
	points   []OverviewPoint // guarded by mu: oldest first
	refusals uint64          // guarded by mu: at the last point
}

func newSampler(a *API) *sampler { return &sampler{api: a} }

// run samples until ctx ends.
func (s *sampler) run(ctx context.Context) error {
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	last, lastCPU, lastPoint := time.Now(), cpuTime(), time.Time{}
	for {
		select {
		case <-ctx.Done():
			return nil
		case now := <-tick.C:
			cpu := cpuTime()
			if wall := now.Sub(last); wall > 0 {
				s.smooth(100 * float64(cpu-lastCPU) / float64(wall))
			}
			last, lastCPU = now, cpu
			if now.Sub(lastPoint) >= pointEvery {
				lastPoint = now
				s.ping(ctx)
				s.point(now)
			}
		}
	}
}

// smooth takes a second's processor time over into the figure that is shown.
func (s *sampler) smooth(percent float64) {
	const share = 0.4 // of the newest second
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cpu = math.Round((share*percent+(1-share)*s.cpu)*10) / 10
}

func (s *sampler) ping(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	from := time.Now()
	_ = s.api.store.Ping(ctx) // store.State says how it went
	s.mu.Lock()
	defer s.mu.Unlock()
	s.latency = time.Since(from)
}

func (s *sampler) point(now time.Time) {
	o := s.api.overview(now, reach{})
	s.mu.Lock()
	defer s.mu.Unlock()
	p := OverviewPoint{
		Time: o.Time, Streams: o.Streams, Players: o.Players, InKbps: o.InKbps, OutKbps: o.OutKbps,
		CPUPercent: o.CPUPercent, Memory: o.Memory,
	}
	if len(s.points) > 0 {
		p.Refusals = int(o.Refusals - s.refusals)
	}
	s.refusals = o.Refusals
	s.points = append(s.points, p)
	if len(s.points) > pointsKept {
		s.points = append([]OverviewPoint(nil), s.points[1:]...)
	}
}

// figures are the newest ones.
func (s *sampler) figures() (cpu float64, latency time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cpu, s.latency
}

// history returns the points, oldest first.
func (s *sampler) history() []OverviewPoint {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]OverviewPoint{}, s.points...)
}
