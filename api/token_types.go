package api

import "time"

// TokenCreate asks for a token.
type TokenCreate struct {
	Action            string `json:"action" enum:"publish,play" doc:"What it permits"`
	Vhost             string `json:"vhost,omitempty" maxLength:"128" doc:"Name of the vhost; default when left out"`
	App               string `json:"app,omitempty" maxLength:"128" doc:"First part of the path; live when left out"`
	Stream            string `json:"stream" minLength:"1" maxLength:"128" doc:"Name of the stream; a trailing * permits every stream that begins so" example:"match-day"`
	ExpiresInSeconds  int    `json:"expires_in_seconds,omitempty" minimum:"1" maximum:"31536000" doc:"How long a session may begin with it; an hour when left out"`
	MaxSessionSeconds int    `json:"max_session_seconds,omitempty" minimum:"0" maximum:"31536000" doc:"How long such a session may last; 0: no end"`
	IP                string `json:"ip,omitempty" maxLength:"64" doc:"Only from this address or range" example:"198.51.100.7"`
	SingleUse         bool   `json:"single_use,omitempty" doc:"One session only"`
	Referer           string `json:"referer,omitempty" maxLength:"253" doc:"Only from pages of this host and its subdomains" example:"sport.example.com"`
}

// Token is a signed permission, and addresses ready to use.
type Token struct {
	ID        string    `json:"id" doc:"Its jti; DELETE /tokens/{id} revokes it" example:"tok_01jx3v2v9ke8ra4nqk2m3b7xwz"`
	Token     string    `json:"token" doc:"The JWT. It is not kept here and cannot be read again"`
	Action    string    `json:"action" enum:"publish,play" doc:"What it permits"`
	ExpiresAt time.Time `json:"expires_at" doc:"Until when a session may begin with it"`
	URLs      TokenURLs `json:"urls" doc:"Addresses with the token in them; absent ones do not exist for this action"`
}

// TokenURLs are addresses with the token in them.
type TokenURLs struct {
	RTMPServer    string `json:"rtmp_server,omitempty" doc:"What an encoder calls Server" example:"rtmp://live.example.com/live"`
	RTMPSServer   string `json:"rtmps_server,omitempty" doc:"The same Server under TLS; absent where RTMPS is off" example:"rtmps://live.example.com/live"`
	RTMPStreamKey string `json:"rtmp_stream_key,omitempty" doc:"What an encoder calls stream key" example:"match-day?token=eyJ…"`
	RTMP          string `json:"rtmp,omitempty" doc:"Both in one address" example:"rtmp://live.example.com/live/match-day?token=eyJ…"`
	RTMPS         string `json:"rtmps,omitempty" doc:"The same under TLS; absent where RTMPS is off"`
	HTTPFLV       string `json:"http_flv,omitempty" doc:"For HTTP-FLV players"`
	WSFLV         string `json:"ws_flv,omitempty" doc:"For WebSocket-FLV players"`
}

// TokenQuestion asks what a token says and whether it holds.
type TokenQuestion struct {
	Token string `json:"token" minLength:"1" maxLength:"2048" doc:"The JWT"`
}

// TokenAnswer is what a token says.
type TokenAnswer struct {
	Valid             bool       `json:"valid" doc:"Whether it would be accepted now"`
	Detail            string     `json:"detail" doc:"Why, or why not"`
	ID                string     `json:"id,omitempty" doc:"Its jti"`
	Action            string     `json:"action,omitempty" enum:"publish,play" doc:"What it permits"`
	Vhost             string     `json:"vhost,omitempty" doc:"Name of the vhost"`
	App               string     `json:"app,omitempty" doc:"First part of the path"`
	Stream            string     `json:"stream,omitempty" doc:"Name of the stream, perhaps with a trailing *"`
	NotBefore         *time.Time `json:"not_before,omitempty" doc:"From when it holds"`
	ExpiresAt         *time.Time `json:"expires_at,omitempty" doc:"Until when a session may begin with it"`
	MaxSessionSeconds int        `json:"max_session_seconds,omitempty" doc:"How long such a session may last; absent: no end"`
	IP                string     `json:"ip,omitempty" doc:"Only from this address or range"`
	Referer           string     `json:"referer,omitempty" doc:"Only from pages of this host"`
	SingleUse         bool       `json:"single_use,omitempty" doc:"One session only"`
	Revoked           bool       `json:"revoked,omitempty" doc:"It was revoked by id"`
}
