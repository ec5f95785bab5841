package api

import "time"

// Key is a stream key: the secret a publisher sends, without the secret.
type Key struct {
	ID             string     `json:"id" doc:"Id of the key" example:"key_01jx3v2v9ke8ra4nqk2m3b7xwz"`
	StreamID       string     `json:"stream_id" doc:"The stream it publishes" example:"st_01jx3v2v9ke8ra4nqk2m3b7xwz"`
	Label          string     `json:"label" doc:"Whose key it is" example:"Gallery A"`
	Last4          string     `json:"secret_last4" doc:"The last four characters of the secret" example:"q7Fd"`
	PreviousLast4  string     `json:"previous_secret_last4,omitempty" doc:"The old secret that still works after a rotation"`
	PreviousUntil  *time.Time `json:"previous_expires_at,omitempty" doc:"Until when the old secret works"`
	Enabled        bool       `json:"enabled" doc:"false refuses it and ends what it publishes within a second"`
	NotBefore      *time.Time `json:"not_before,omitempty" doc:"Not valid before this time"`
	ExpiresAt      *time.Time `json:"expires_at,omitempty" doc:"Not valid from this time on"`
	CIDRs          []string   `json:"cidrs" doc:"Addresses it may be used from; empty: any" example:"[\"198.51.100.0/24\"]"`
	LastUsedAt     *time.Time `json:"last_used_at,omitempty" doc:"When it last published"`
	LastUsedFrom   string     `json:"last_used_from,omitempty" doc:"The address it last published from"`
	LiveSessionIDs []string   `json:"live_session_ids" doc:"Sessions that publish with it now"`
	CreatedAt      time.Time  `json:"created_at" doc:"When it was made"`
	Revision       int64      `json:"revision" doc:"Grows with each change; the ETag is this number in quotes"`
}

// KeySecret is a key with its secret, shown this once.
type KeySecret struct {
	Key    Key        `json:"key" doc:"The key"`
	Secret string     `json:"secret" doc:"What the encoder sends as its stream key. It cannot be read again" example:"sk_4hT9vQm2Xc8LwRb6Zs1NpE7uKd3Yq7Fd"`
	URLs   StreamURLs `json:"urls" doc:"Addresses of the stream; rtmp_server is the other field of the encoder"`
}

// KeyCreate makes a key.
type KeyCreate struct {
	Label     string     `json:"label,omitempty" maxLength:"128" doc:"Whose key it is" example:"Gallery A"`
	Enabled   *bool      `json:"enabled,omitempty" doc:"true when left out"`
	NotBefore *time.Time `json:"not_before,omitempty" doc:"Not valid before this time"`
	ExpiresAt *time.Time `json:"expires_at,omitempty" doc:"Not valid from this time on"`
	CIDRs     []string   `json:"cidrs,omitempty" maxItems:"64" doc:"Addresses it may be used from; empty: any"`
}

// KeyUpdate changes a key. What is left out stays; null removes a time.
type KeyUpdate struct {
	Label     *string             `json:"label,omitempty" maxLength:"128" doc:"Whose key it is"`
	Enabled   *bool               `json:"enabled,omitempty" doc:"false refuses it and ends what it publishes within a second"`
	NotBefore Nullable[time.Time] `json:"not_before,omitzero" doc:"Not valid before this time; null: from ever"`
	ExpiresAt Nullable[time.Time] `json:"expires_at,omitzero" doc:"Not valid from this time on; null: never ends"`
	CIDRs     *[]string           `json:"cidrs,omitempty" maxItems:"64" doc:"Addresses it may be used from; empty: any"`
}

// KeyRotate replaces the secret of a key.
type KeyRotate struct {
	GraceSeconds int    `json:"grace_seconds,omitempty" minimum:"0" maximum:"2592000" doc:"How long the old secret still works; 0 ends it at once" example:"3600"`
	LiveSession  string `json:"live_session,omitempty" enum:"keep,kick" doc:"Whether a session that publishes with the old secret may go on while that works, or ends at once; keep when left out"`
}
