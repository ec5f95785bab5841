package api

import "github.com/penstock-media/penstock/server/config"

// BandwidthCheck makes a vhost measure its peers' bandwidth and serve nothing else.
type BandwidthCheck struct {
	Enabled    bool `json:"enabled" doc:"Whether the vhost measures bandwidth, as SRS 2 does, and serves nothing else"`
	KeySet     bool `json:"key_set" doc:"Whether there is a key, which peers have to show as key= in their address; it is never told"`
	IntervalMS int  `json:"interval_ms" minimum:"1000" maximum:"86400000" doc:"From one measurement to the next, whoever asks" example:"30000"`
	LimitKbps  int  `json:"limit_kbps" minimum:"10" maximum:"1000000" doc:"Most that is moved in each direction" example:"1000"`
}

// BandwidthCheckEdit is some of BandwidthCheck. What is left out stays as it is.
type BandwidthCheckEdit struct {
	Enabled    *bool   `json:"enabled,omitempty" doc:"Whether the vhost measures bandwidth, and serves nothing else"`
	Key        *string `json:"key,omitempty" maxLength:"256" writeOnly:"true" doc:"What peers have to show as key= in their address; empty takes it away"`
	IntervalMS *int    `json:"interval_ms,omitempty" minimum:"1000" maximum:"86400000" doc:"From one measurement to the next, whoever asks"`
	LimitKbps  *int    `json:"limit_kbps,omitempty" minimum:"10" maximum:"1000000" doc:"Most that is moved in each direction"`
}

// apply changes what is not left out.
func (e *BandwidthCheckEdit) apply(b *config.BandwidthCheck) {
	if e == nil {
		return
	}
	set(&b.Enabled, e.Enabled)
	set(&b.IntervalMS, e.IntervalMS)
	set(&b.LimitKbps, e.LimitKbps)
	if e.Key == nil {
		return
	}
	b.Key = config.KeyHash{}
	if *e.Key != "" {
		b.Key = config.HashKey(*e.Key)
	}
}

func bandwidthOf(b config.BandwidthCheck) BandwidthCheck {
	return BandwidthCheck{Enabled: b.Enabled, KeySet: b.Key != config.KeyHash{}, IntervalMS: b.IntervalMS, LimitKbps: b.LimitKbps}
}
