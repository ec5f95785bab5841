package api

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/penstock-media/penstock/api/auth"
)

func (a *API) registerSystem() {
	register(a, operation{
		id: "get-system", method: get, path: "/system", tag: "System", scope: auth.StreamsRead,
		summary: "Get how the server is doing",
	}, a.getSystem)
	register(a, operation{
		id: "get-overview", method: get, path: "/overview", tag: "System", scope: auth.StreamsRead,
		summary: "Get the whole server in a few numbers, with 15 minutes of history",
	}, a.getOverview)
}

func (a *API) getSystem(ctx context.Context, _ *struct{}) (*plain[System], error) {
	s := a.system(a.reachOf(ctx))
	p := a.placeOf(ctx)
	s.URLs = &SystemURLs{RTMP: a.rtmpURLs(p), HTTP: p.httpScheme() + p.http, WS: p.wsScheme() + p.http}
	return &plain[System]{Body: s}, nil
}

func (a *API) getOverview(ctx context.Context, _ *struct{}) (*plain[OverviewHistory], error) {
	r := a.reachOf(ctx)
	out := OverviewHistory{Now: a.overview(time.Now(), r), StepMS: int(pointEvery / time.Millisecond), Items: []OverviewPoint{}}
	if !r.limited() { // it is kept for the whole server only
		out.Items = a.sampler.history()
	}
	return &plain[OverviewHistory]{Body: out}, nil
}

// system is all of System but the addresses, which depend on the request. It is
// about the machine: who sees some vhosts only sees it too, except for what an
// error of the database says.
func (a *API) system(r reach) System {
	now := time.Now().UTC()
	held, heap := memoryUse()
	cpu, latency := a.sampler.figures()
	used, most := openFiles()
	status, db, totals := a.applied.Status(), a.store.State(), a.engine.Totals()
	reasons := a.degraded()
	if r.limited() {
		db.Error = ""
	}
	return System{
		ID: "system", Version: a.version, GoVersion: runtime.Version(), Node: a.node, StartedAt: a.started,
		UptimeSeconds: int64(now.Sub(a.started).Seconds()), ServerTime: now,
		Database: SystemDB{Engine: db.Engine, State: upDown(db.OK), LatencyMS: latency.Milliseconds(), Detail: db.Error},
		Revision: status.Revision, AppliedAt: timeOrNil(status.AppliedAt),
		Goroutines: runtime.NumGoroutine(), MemoryBytes: held, HeapBytes: heap, CPUPercent: cpu, CPUs: runtime.GOMAXPROCS(0),
		OpenFiles: used, OpenFilesMax: most, Degraded: len(reasons) > 0, DegradedReasons: reasons,
		Listeners: a.listeners(),
		Totals:    SystemTotals{BytesIn: totals.BytesIn, BytesOut: totals.BytesOut, Sessions: totals.SessionsTotal, Refusals: sum(totals.RefusalsTotal)},
	}
}

func (a *API) overview(now time.Time, r reach) Overview {
	held, _ := memoryUse()
	cpu, _ := a.sampler.figures()
	o := Overview{
		ID: "overview", Time: now.UTC(), CPUPercent: cpu, Memory: held,
		Database: upDown(a.store.State().OK), Degraded: len(a.degraded()) > 0,
	}
	if r.limited() {
		a.overviewOf(&o, r)
		return o
	}
	t := a.engine.Totals()
	o.Streams, o.Publishers, o.Players = t.Live, t.Publishers, t.Players
	o.InKbps, o.OutKbps, o.Refusals = t.InKbps, t.OutKbps, sum(t.RefusalsTotal)
	return o
}

// overviewOf counts what is within reach.
func (a *API) overviewOf(o *Overview, r reach) {
	for _, s := range a.engine.Streams() {
		if !r.name(s.Vhost) {
			continue
		}
		if s.Live {
			o.Streams++
			o.Publishers++
		}
		o.Players += s.Players
		o.InKbps += s.InKbps
		o.OutKbps += s.OutKbps
	}
	o.Refusals = uint64(len(a.refusals(r)))
}

// degraded says in sentences what an admin should look at.
func (a *API) degraded() []string {
	reasons := []string{}
	if db := a.store.State(); !db.OK {
		reasons = append(reasons, "The database cannot be reached since "+db.Since.UTC().Format(time.TimeOnly)+
			" UTC. Streams go on and known keys publish, but nothing can be changed.")
	}
	switch s := a.applied.Status(); {
	case s.Err != nil && a.store.State().OK:
		reasons = append(reasons, "The newest configuration could not be applied; the one before is in force. The log says why.")
	case s.AppliedAt.IsZero():
		reasons = append(reasons, "No configuration is in force yet.")
	}
	if a.backlog != nil {
		if waiting, lost := a.backlog.Waiting(); lost > 0 || waiting > slowBacklog {
			reasons = append(reasons, fmt.Sprintf("%d entries wait to be written to the database, and %d were given up.", waiting, lost))
		}
	}
	if used, most := openFiles(); used > 0 && most > 0 && float64(used) > fullestFiles*float64(most) {
		reasons = append(reasons, fmt.Sprintf("%d of %d file descriptors are in use. Raise the limit (ulimit -n).", used, most))
	}
	return reasons
}

func upDown(ok bool) string {
	if ok {
		return "up"
	}
	return "down"
}

func sum(byReason map[string]uint64) uint64 {
	var n uint64
	for _, v := range byReason {
		n += v
	}
	return n
}
