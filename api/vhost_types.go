package api

import "time"

// Vhost is a named set of rules, chosen by the host of an address.
type Vhost struct {
	ID              string         `json:"id" doc:"Id of the vhost" example:"vh_01jx3v2v9ke8ra4nqk2m3b7xwz"`
	Name            string         `json:"name" doc:"Unique name; default takes every host no other vhost claims" example:"sport"`
	Hostnames       []string       `json:"hostnames" doc:"Hosts that choose this vhost, exact or with a leading *." example:"[\"live.example.com\",\"*.sport.example.com\"]"`
	Enabled         bool           `json:"enabled" doc:"false refuses everybody and ends what is live"`
	PublishPolicy   string         `json:"publish_policy" enum:"open,key,token,key_or_token" doc:"What a publisher has to show"`
	PlayPolicy      string         `json:"play_policy" enum:"open,token" doc:"What a player has to show"`
	DuplicatePolicy string         `json:"duplicate_policy" enum:"reject,takeover_same_key,takeover" doc:"What happens to a second publisher of one stream"`
	RefererEmpty    string         `json:"referer_empty" enum:"allow,deny" doc:"What happens to peers that send no referer, where referer rules exist"`
	RefererMatch    string         `json:"referer_match" enum:"label,srs_suffix" doc:"label: example.com is not part of evilexample.com; srs_suffix: as SRS matches"`
	IPPreset        string         `json:"ip_preset" enum:"standard,srs2" doc:"standard: a deny rule refuses, then, where allow rules exist, one has to match; srs2: as SRS 2 does, without rules nobody gets in"`
	Media           VhostMedia     `json:"media" doc:"How streams of this vhost are treated"`
	BandwidthCheck  BandwidthCheck `json:"bandwidth_check" doc:"Measuring the bandwidth of peers; off unless asked for"`
	CreatedAt       time.Time      `json:"created_at" doc:"When the vhost was made"`
	UpdatedAt       time.Time      `json:"updated_at" doc:"When it was last changed"`
	Revision        int64          `json:"revision" doc:"Grows with each change; the ETag is this number in quotes" example:"12"`
}

// VhostCreate makes a vhost. What is left out has the default.
type VhostCreate struct {
	Name            string              `json:"name" minLength:"1" maxLength:"64" pattern:"^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$" doc:"Unique name" example:"sport"`
	Hostnames       []string            `json:"hostnames,omitempty" maxItems:"100" doc:"Hosts that choose this vhost, exact or with a leading *."`
	Enabled         *bool               `json:"enabled,omitempty" doc:"true when left out"`
	PublishPolicy   string              `json:"publish_policy,omitempty" enum:"open,key,token,key_or_token" doc:"key_or_token when left out"`
	PlayPolicy      string              `json:"play_policy,omitempty" enum:"open,token" doc:"open when left out"`
	DuplicatePolicy string              `json:"duplicate_policy,omitempty" enum:"reject,takeover_same_key,takeover" doc:"takeover_same_key when left out"`
	RefererEmpty    string              `json:"referer_empty,omitempty" enum:"allow,deny" doc:"allow when left out"`
	RefererMatch    string              `json:"referer_match,omitempty" enum:"label,srs_suffix" doc:"label when left out"`
	IPPreset        string              `json:"ip_preset,omitempty" enum:"standard,srs2" doc:"standard when left out"`
	Media           *VhostMediaEdit     `json:"media,omitempty" doc:"Settings that differ from the defaults"`
	BandwidthCheck  *BandwidthCheckEdit `json:"bandwidth_check,omitempty" doc:"Measuring the bandwidth of peers"`
}

// VhostUpdate changes a vhost. What is left out stays.
type VhostUpdate struct {
	Name            *string             `json:"name,omitempty" minLength:"1" maxLength:"64" pattern:"^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$" doc:"New name; addresses that name the vhost change with it"`
	Hostnames       *[]string           `json:"hostnames,omitempty" maxItems:"100" doc:"The whole new list"`
	Enabled         *bool               `json:"enabled,omitempty" doc:"false refuses everybody and ends what is live within a second"`
	PublishPolicy   *string             `json:"publish_policy,omitempty" enum:"open,key,token,key_or_token" doc:"What a publisher has to show"`
	PlayPolicy      *string             `json:"play_policy,omitempty" enum:"open,token" doc:"What a player has to show"`
	DuplicatePolicy *string             `json:"duplicate_policy,omitempty" enum:"reject,takeover_same_key,takeover" doc:"What happens to a second publisher of one stream"`
	RefererEmpty    *string             `json:"referer_empty,omitempty" enum:"allow,deny" doc:"What happens to peers that send no referer"`
	RefererMatch    *string             `json:"referer_match,omitempty" enum:"label,srs_suffix" doc:"How a referer rule meets a host"`
	IPPreset        *string             `json:"ip_preset,omitempty" enum:"standard,srs2" doc:"How the IP rules make one answer"`
	Media           *VhostMediaEdit     `json:"media,omitempty" doc:"The settings to change"`
	BandwidthCheck  *BandwidthCheckEdit `json:"bandwidth_check,omitempty" doc:"Measuring the bandwidth of peers"`
}
