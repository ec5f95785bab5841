package api

import (
	"encoding/json"
	"time"
)

// User is a person who signs in to the dashboard.
type User struct {
	ID          string     `json:"id" doc:"Id of the user" example:"usr_01jx3v2v9ke8ra4nqk2m3b7xwz"`
	Email       string     `json:"email" doc:"What they sign in with" example:"ingrid@example.com"`
	Name        string     `json:"name" doc:"What others call them" example:"Ingrid Solheim"`
	Role        string     `json:"role" enum:"admin,operator,viewer" doc:"admin: everything; operator: streams, keys, tokens, kicks; viewer: looks"`
	VhostIDs    []string   `json:"vhost_ids" doc:"Vhosts they are limited to; empty: all" example:"[\"vh_01jx3v2v9ke8ra4nqk2m3b7xwz\"]"`
	Enabled     bool       `json:"enabled" doc:"false may not sign in"`
	LastLoginAt *time.Time `json:"last_login_at,omitempty" doc:"When they last signed in"`
	CreatedAt   time.Time  `json:"created_at" doc:"When the user was made"`
	UpdatedAt   time.Time  `json:"updated_at" doc:"When it was last changed"`
	Revision    int64      `json:"revision" doc:"Grows with each change; the ETag is this number in quotes"`
}

// UserCreate makes a user.
type UserCreate struct {
	Email    string   `json:"email" format:"email" maxLength:"254" doc:"What they sign in with" example:"ingrid@example.com"`
	Name     string   `json:"name,omitempty" maxLength:"128" doc:"What others call them" example:"Ingrid Solheim"`
	Role     string   `json:"role" enum:"admin,operator,viewer" doc:"What they may do"`
	VhostIDs []string `json:"vhost_ids,omitempty" maxItems:"100" doc:"Ids or names of the vhosts they are limited to; empty: all"`
	Password string   `json:"password" minLength:"12" maxLength:"256" doc:"12 characters or more"`
}

// UserUpdate changes a user. What is left out stays.
type UserUpdate struct {
	Email    *string   `json:"email,omitempty" format:"email" maxLength:"254" doc:"What they sign in with"`
	Name     *string   `json:"name,omitempty" maxLength:"128" doc:"What others call them"`
	Role     *string   `json:"role,omitempty" enum:"admin,operator,viewer" doc:"What they may do"`
	VhostIDs *[]string `json:"vhost_ids,omitempty" maxItems:"100" doc:"Ids or names of the vhosts they are limited to; empty: all. A new list signs the user out everywhere"`
	Enabled  *bool     `json:"enabled,omitempty" doc:"false signs the user out everywhere, for as long as it stays so"`
	Password *string   `json:"password,omitempty" minLength:"12" maxLength:"256" doc:"New password; signs the user out everywhere"`
}

// APIKey is a credential for machines, without its secret.
type APIKey struct { //nolint:revive // Key is a stream key
	ID         string     `json:"id" doc:"Id of the key" example:"ak_01jx3v2v9ke8ra4nqk2m3b7xwz"`
	Name       string     `json:"name" doc:"What uses it" example:"backend"`
	Scopes     []string   `json:"scopes" doc:"What it may do" enum:"streams:read,streams:write,keys:write,tokens:mint,sessions:kick,admin"`
	VhostIDs   []string   `json:"vhost_ids" doc:"Vhosts it is limited to; empty: all" example:"[\"vh_01jx3v2v9ke8ra4nqk2m3b7xwz\"]"`
	CIDRs      []string   `json:"cidrs" doc:"Addresses it may be used from; empty: any"`
	Last4      string     `json:"secret_last4" doc:"The last four characters of the secret" example:"b2Xk"`
	ExpiresAt  *time.Time `json:"expires_at,omitempty" doc:"Not valid from this time on"`
	LastUsedAt *time.Time `json:"last_used_at,omitempty" doc:"When it was last used, to the minute"`
	RevokedAt  *time.Time `json:"revoked_at,omitempty" doc:"When it was revoked"`
	LastUsedIP string     `json:"last_used_from,omitempty" doc:"The address it was last used from"`
	CreatedAt  time.Time  `json:"created_at" doc:"When it was made"`
	Revision   int64      `json:"revision" doc:"Grows with each change; the ETag is this number in quotes"`
}

// APIKeyCreate makes an API key.
type APIKeyCreate struct { //nolint:revive // KeyCreate makes a stream key
	Name      string     `json:"name" minLength:"1" maxLength:"128" doc:"What uses it" example:"backend"`
	Scopes    []string   `json:"scopes" minItems:"1" uniqueItems:"true" enum:"streams:read,streams:write,keys:write,tokens:mint,sessions:kick,admin" doc:"What it may do; admin includes all others" example:"[\"streams:read\",\"tokens:mint\"]"`
	VhostIDs  []string   `json:"vhost_ids,omitempty" maxItems:"100" doc:"Ids or names of the vhosts it is limited to; empty: all"`
	CIDRs     []string   `json:"cidrs,omitempty" maxItems:"64" doc:"Addresses it may be used from; empty: any"`
	ExpiresAt *time.Time `json:"expires_at,omitempty" doc:"Not valid from this time on"`
}

// APIKeySecret is an API key with its secret, shown this once.
type APIKeySecret struct { //nolint:revive // KeySecret is a stream key's
	APIKey APIKey `json:"api_key" doc:"The key"`
	Secret string `json:"secret" doc:"Send it as Authorization: Bearer. It cannot be read again" example:"ak_7YtqP0mXc8LwRb6Zs1NpE7uKd3Yb2Xk"`
}

// AuditEntry says who changed what.
type AuditEntry struct {
	ID         string          `json:"id" doc:"Id of the entry" example:"aud_01jx3v2v9ke8ra4nqk2m3b7xwz"`
	OccurredAt time.Time       `json:"occurred_at" doc:"When"`
	ActorKind  string          `json:"actor_kind" enum:"user,api_key,setup,cli,system" doc:"What kind of credential did it"`
	ActorID    string          `json:"actor_id,omitempty" doc:"Whose" example:"usr_01jx3v2v9ke8ra4nqk2m3b7xwz"`
	ActorName  string          `json:"actor_name,omitempty" doc:"What they were called then" example:"Ingrid Solheim"`
	Revision   int64           `json:"config_revision" doc:"Revision of the whole configuration after it"`
	Action     string          `json:"action" doc:"What was done" example:"vhost.update"`
	TargetID   string          `json:"target_id,omitempty" doc:"To what" example:"vh_01jx3v2v9ke8ra4nqk2m3b7xwz"`
	Before     json.RawMessage `json:"before,omitempty" doc:"How it was; secrets are never in it"`
	After      json.RawMessage `json:"after,omitempty" doc:"How it is now; secrets are never in it"`
	IP         string          `json:"ip,omitempty" doc:"From where" example:"203.0.113.40"`
	RequestID  string          `json:"request_id,omitempty" doc:"The X-Request-Id"`
}
