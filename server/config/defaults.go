package config

import "errors"

// ErrNoKey says that no stream key has the hash that was looked up.
var ErrNoKey = errors.New("no such stream key")

// ErrUsed says that a single-use token has been used before.
var ErrUsed = errors.New("already used")

// NewVhost returns an enabled vhost with every default: publishers show a
// stream key or a token, anybody may play.
func NewVhost(name string) Vhost {
	return Vhost{
		Name:            name,
		Enabled:         true,
		PublishPolicy:   PublishKeyOrToken,
		PlayPolicy:      PlayOpen,
		DuplicatePolicy: DuplicateTakeoverSameKey,
		Media:           DefaultMedia(),
		RefererEmpty:    Allow,
		RefererMatch:    RefererMatchLabel,
		IPPreset:        IPPresetStandard,
		BandwidthCheck:  DefaultBandwidthCheck(),
	}
}
