package main

import (
	"fmt"
	"io"
)

// result is what a load came to. Times are ms.
type result struct {
	Publishers int     `json:"publishers"`
	Players    int     `json:"players"`
	Seconds    float64 `json:"seconds"`

	InMbits  float64 `json:"in_mbit_s"`  // what the publishers sent
	OutMbits float64 `json:"out_mbit_s"` // what the players got
	LateMS   float64 `json:"publisher_late_ms"`

	Short   int          `json:"short_players"` // got under 95 % of what was published
	Gaps    int          `json:"gap_players"`   // got nothing for over a second
	Failed  int          `json:"failed"`        // publishers and players that were refused or cut off
	Reasons []string     `json:"reasons,omitempty"`
	Latency *percentiles `json:"latency_ms,omitempty"`
	First   *percentiles `json:"first_frame_ms,omitempty"`

	Server *process `json:"server,omitempty"`
}

// percentiles are in ms.
type percentiles struct {
	Count uint64  `json:"count"`
	P50   float64 `json:"p50"`
	P90   float64 `json:"p90"`
	P99   float64 `json:"p99"`
	Max   float64 `json:"max"`
}

// process is what the server's process took.
type process struct {
	CPUSeconds   float64 `json:"cpu_s"`
	CPUPerGB     float64 `json:"cpu_s_per_gb"` // of what players got; without players: of what was published
	RSSkB        int64   `json:"rss_kb"`
	RSSPerPlayer float64 `json:"rss_per_player_kb"` // growth since before the players came
}

// whole says that each player got what was published.
func (r *result) whole() bool { return r.Short == 0 && r.Gaps == 0 && r.Failed == 0 }

func (r *result) print(w io.Writer) error {
	var err error
	line := func(name, format string, a ...any) {
		if err == nil {
			_, err = fmt.Fprintf(w, "%-16s "+format+"\n", append([]any{name}, a...)...)
		}
	}
	line("load", "%d publishers, %d players, %.1f s", r.Publishers, r.Players, r.Seconds)
	line("in / out", "%.1f / %.1f Mbit/s", r.InMbits, r.OutMbits)
	for _, p := range []struct {
		name string
		p    *percentiles
	}{{"latency", r.Latency}, {"first frame", r.First}} {
		if p.p != nil {
			line(p.name, "p50 %.2f  p90 %.2f  p99 %.2f  max %.2f ms  (%d)", p.p.P50, p.p.P90, p.p.P99, p.p.Max, p.p.Count)
		}
	}
	if r.Server != nil {
		line("server", "%.2f CPU-s, %.2f CPU-s/GB, %d kB resident, %.1f kB a player",
			r.Server.CPUSeconds, r.Server.CPUPerGB, r.Server.RSSkB, r.Server.RSSPerPlayer)
	}
	line("short / gaps", "%d players under 95 %%, %d without anything for over a second, %d failed", r.Short, r.Gaps, r.Failed)
	if r.LateMS > 20 {
		line("note", "a publisher was %.0f ms late: this machine is too busy to measure latency", r.LateMS)
	}
	for _, reason := range r.Reasons {
		line("failed", "%s", reason)
	}
	return err
}
