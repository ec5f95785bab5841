package api

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/penstock-media/penstock/server"
)

// collector gives Prometheus the engine's figures. Its labels come from closed
// lists, never from a peer.
type collector struct {
	api *API

	streams, publishers, players, sessions *prometheus.Desc
	received, sent, accepted               *prometheus.Desc
	ended, refused, handshakes             *prometheus.Desc
	jumps, drift, jitter, findings         *prometheus.Desc
	database, revision, info               *prometheus.Desc
}

func newCollector(a *API) *collector {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("penstock_"+name, help, labels, nil)
	}
	return &collector{
		api:        a,
		streams:    desc("streams", "Streams with a publisher."),
		publishers: desc("publishers", "Connected publishers."),
		players:    desc("players", "Connected players."),
		sessions:   desc("sessions", "Open connections, whatever they do."),
		received:   desc("received_bytes_total", "Bytes from publishers."),
		sent:       desc("sent_bytes_total", "Bytes to players."),
		accepted:   desc("sessions_total", "Connections accepted."),
		ended:      desc("sessions_ended_total", "Sessions that ended, by reason.", "reason"),
		handshakes: desc("handshake_failures_total", "Connections that ended in their handshake, by what was wrong with it.", "reason"),
		refused:    desc("refusals_total", "Connections refused, by reason.", "reason"),
		jumps:      desc("timestamp_jumps_total", "Jumps of publishers' timestamps."),
		drift:      desc("av_drift_max_seconds", "The most that any live stream's audio and video clocks have drifted apart since its publisher began."),
		jitter:     desc("arrival_jitter_max_seconds", "The most uneven arrival of any live stream's packets, by their timestamps."),
		findings:   desc("stream_findings", "Live streams with a finding, by what was found (av_drift, stalled, ...).", "code"),
		database:   desc("database_up", "Whether the database answers."),
		revision:   desc("applied_revision", "Revision of the configuration in force."),
		info:       desc("build_info", "Version of Penstock.", "version"),
	}
}

// Describe implements prometheus.Collector.
func (c *collector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		c.streams, c.publishers, c.players, c.sessions, c.received, c.sent, c.accepted, c.ended, c.refused, c.handshakes,
		c.jumps, c.drift, c.jitter, c.findings,
		c.database, c.revision, c.info,
	} {
		ch <- d
	}
}

// Collect implements prometheus.Collector.
func (c *collector) Collect(ch chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	counter := func(d *prometheus.Desc, v uint64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(v), labels...)
	}
	t := c.api.engine.Totals()
	gauge(c.streams, float64(t.Live))
	gauge(c.publishers, float64(t.Publishers))
	gauge(c.players, float64(t.Players))
	gauge(c.sessions, float64(t.Sessions))
	counter(c.received, t.BytesIn)
	counter(c.sent, t.BytesOut)
	counter(c.accepted, t.SessionsTotal)
	for reason, n := range t.EndingsTotal {
		counter(c.ended, n, reason)
	}
	for reason, n := range t.HandshakesTotal {
		counter(c.handshakes, n, reason)
	}
	for reason, n := range t.RefusalsTotal {
		counter(c.refused, n, reason)
	}
	counter(c.jumps, t.JumpsTotal)
	worst := worstOf(c.api.engine.Streams())
	gauge(c.drift, float64(worst.drift)/1000)
	gauge(c.jitter, float64(worst.jitter)/1000)
	for code, n := range worst.findings {
		gauge(c.findings, float64(n), code)
	}
	up := 0.0
	if c.api.store.State().OK {
		up = 1
	}
	gauge(c.database, up)
	gauge(c.revision, float64(c.api.applied.Status().Revision))
	gauge(c.info, 1, c.api.version)
}

// worst is what is wrong with the live streams, without a word of which.
type worst struct {
	drift, jitter int            // ms
	findings      map[string]int // streams by code
}

func worstOf(streams []server.StreamInfo) worst {
	w := worst{findings: make(map[string]int)}
	for i := range streams {
		s := &streams[i]
		if !s.Live {
			continue
		}
		w.drift = max(w.drift, s.Clocks.AVDrift, -s.Clocks.AVDrift)
		w.jitter = max(w.jitter, s.Clocks.Jitter)
		for _, f := range s.Findings {
			w.findings[f.Code]++
		}
	}
	return w
}

// registry has everything /metrics shows.
func (a *API) registry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(newCollector(a), collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}
