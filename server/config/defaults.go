package config

import "errors"

// ErrNoKey says that no stream key has the hash that was looked up.
var ErrNoKey = errors.New("no such stream key")

// ErrUsed says that a single-use token has been used before.
var ErrUsed = errors.New("already used")

// DefaultMedia returns how streams are treated unless somebody says otherwise.
func DefaultMedia() Media {
	return Media{
		GOP:             true,
		QueueMS:         3000,
		MergeMS:         0,
		ChunkSize:       60000,
		PublisherIdleMS: 10000,
		PublisherGapMS:  10000,
		PlayWaitMS:      10000,
		MaxMessageBytes: 8 << 20,
	}
}

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
	}
}
