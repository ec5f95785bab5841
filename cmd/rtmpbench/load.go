package main

import (
	"context"
	"slices"
	"sync"
	"time"
)

// run makes the load and measures it: publishers, then players over the ramp,
// then a while for all to settle, then the window.
func (l *load) run(ctx context.Context, say func(string, ...any)) (*result, error) {
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	start := time.Now()

	pubs := make([]*publisher, 0, l.publishers)
	for n := 1; n <= l.publishers; n++ {
		p, err := newPublisher(ctx, l.numbered(l.publishURL, n), l.rate, start)
		if err != nil {
			return nil, err
		}
		pubs = append(pubs, p)
		all.Go(func() { p.run(ctx) })
	}
	say("%d publishers send", l.publishers)
	before := resident(l.pid)

	players := l.join(ctx, &all, start)
	if len(players) > 0 {
		say("%d players joined", len(players))
	}
	if !wait(ctx, time.Now().Add(l.warm)) {
		return nil, context.Cause(ctx)
	}
	m := l.measure(ctx, pubs, players)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	r := l.result(pubs, players, m)
	if l.pid > 0 {
		r.Server = m.process(before, len(players))
	}
	return r, nil
}

// join lets the players of all streams join, evenly over the ramp and in turn.
func (l *load) join(ctx context.Context, all *sync.WaitGroup, start time.Time) []*player {
	total := l.publishers * l.players
	players := make([]*player, 0, total)
	begun := time.Now()
	for i := range total {
		if !wait(ctx, begun.Add(l.ramp*time.Duration(i)/time.Duration(total))) {
			break
		}
		// Probes are spread over the order of joining.
		turn := i / l.publishers
		probe := l.probes > 0 && turn*l.probes/l.players != (turn+1)*l.probes/l.players
		p := &player{probe: probe, start: start}
		url := l.numbered(l.playURL, i%l.publishers+1)
		players = append(players, p)
		all.Go(func() { p.run(ctx, url) })
	}
	return players
}

// measurement is what was counted in the window.
type measurement struct {
	took     time.Duration
	sent     []int64 // by publisher
	sentAll  int64
	received int64
	cpu      time.Duration
	rss      int64
}

func (l *load) measure(ctx context.Context, pubs []*publisher, players []*player) measurement {
	sent := make([]int64, len(pubs))
	for i, p := range pubs {
		sent[i] = -p.bytes.Load()
		p.late.Store(0)
	}
	now := time.Since(pubs[0].start)
	for _, p := range players {
		p.heard.Store(int64(now))
		p.counting.Store(true)
	}
	cpu := -spent(l.pid)
	begun := time.Now()
	wait(ctx, begun.Add(l.window))
	m := measurement{took: time.Since(begun), sent: sent, cpu: cpu + spent(l.pid), rss: resident(l.pid)}
	for i, p := range pubs {
		sent[i] += p.bytes.Load()
		m.sentAll += sent[i]
	}
	for _, p := range players {
		p.came(0, time.Since(p.start)) // a gap may not have ended
		p.counting.Store(false)
		m.received += p.bytes.Load()
	}
	return m
}

func (l *load) result(pubs []*publisher, players []*player, m measurement) *result {
	r := &result{
		Publishers: len(pubs), Players: len(players), Seconds: m.took.Seconds(),
		InMbits:  float64(m.sentAll) * 8 / 1e6 / m.took.Seconds(),
		OutMbits: float64(m.received) * 8 / 1e6 / m.took.Seconds(),
	}
	var latencies, first histogram
	for i, p := range players {
		if p.bytes.Load() < m.sent[i%len(pubs)]*95/100 {
			r.Short++
		}
		if time.Duration(p.gap.Load()) > time.Second {
			r.Gaps++
		}
		r.failed(p.failure.Load())
		latencies.merge(&p.latencies)
		if d := p.first.Load(); d > 0 {
			first.add(time.Duration(d))
		}
	}
	for _, p := range pubs {
		r.LateMS = max(r.LateMS, float64(p.late.Load())/1e6)
		r.failed(p.failure.Load())
	}
	r.Latency, r.First = latencies.percentiles(), first.percentiles()
	return r
}

// failed counts a failure, and keeps the first few that differ.
func (r *result) failed(err *error) {
	if err == nil {
		return
	}
	r.Failed++
	if reason := (*err).Error(); len(r.Reasons) < 5 && !slices.Contains(r.Reasons, reason) {
		r.Reasons = append(r.Reasons, reason)
	}
}

func (m measurement) process(before int64, players int) *process {
	delivered := m.received
	if players == 0 {
		delivered = m.sentAll
	}
	p := &process{CPUSeconds: m.cpu.Seconds(), RSSkB: m.rss}
	if delivered > 0 {
		p.CPUPerGB = m.cpu.Seconds() / (float64(delivered) / 1e9)
	}
	if players > 0 {
		p.RSSPerPlayer = float64(m.rss-before) / float64(players)
	}
	return p
}
