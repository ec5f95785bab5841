package api

import "time"

// RefererRule allows or denies by the host of pageUrl or Referer.
type RefererRule struct {
	ID         string    `json:"id" doc:"Id of the rule" example:"rr_01jx3v2v9ke8ra4nqk2m3b7xwz"`
	VhostID    string    `json:"vhost_id" doc:"Its vhost" example:"vh_01jx3v2v9ke8ra4nqk2m3b7xwz"`
	Position   int       `json:"position" doc:"Rules are tried from the lowest; the first that matches decides" example:"1"`
	Scope      string    `json:"scope" enum:"all,publish,play" doc:"To whom it applies"`
	Action     string    `json:"action" enum:"allow,deny" doc:"What it does"`
	Pattern    string    `json:"pattern" doc:"A host; it matches its subdomains too, and *.host only those" example:"sport.example.com"`
	ReportOnly bool      `json:"report_only" doc:"true only writes down what it would do"`
	Note       string    `json:"note" doc:"Why the rule is there"`
	CreatedAt  time.Time `json:"created_at" doc:"When it was made"`
	UpdatedAt  time.Time `json:"updated_at" doc:"When it was last changed"`
	Revision   int64     `json:"revision" doc:"Grows with each change; the ETag is this number in quotes"`
}

// RefererRuleCreate makes a referer rule.
type RefererRuleCreate struct {
	Position   *int   `json:"position,omitempty" minimum:"0" maximum:"100000" doc:"Where it stands; after all others when left out"`
	Scope      string `json:"scope,omitempty" enum:"all,publish,play" doc:"To whom it applies; all when left out"`
	Action     string `json:"action" enum:"allow,deny" doc:"What it does"`
	Pattern    string `json:"pattern" minLength:"1" maxLength:"253" doc:"A host; it matches its subdomains too, and *.host only those" example:"sport.example.com"`
	ReportOnly bool   `json:"report_only,omitempty" doc:"true only writes down what it would do"`
	Note       string `json:"note,omitempty" maxLength:"256" doc:"Why the rule is there"`
}

// RefererRuleUpdate changes a referer rule. What is left out stays.
type RefererRuleUpdate struct {
	Position   *int    `json:"position,omitempty" minimum:"0" maximum:"100000" doc:"Where it stands"`
	Scope      *string `json:"scope,omitempty" enum:"all,publish,play" doc:"To whom it applies"`
	Action     *string `json:"action,omitempty" enum:"allow,deny" doc:"What it does"`
	Pattern    *string `json:"pattern,omitempty" minLength:"1" maxLength:"253" doc:"A host; it matches its subdomains too"`
	ReportOnly *bool   `json:"report_only,omitempty" doc:"true only writes down what it would do"`
	Note       *string `json:"note,omitempty" maxLength:"256" doc:"Why the rule is there"`
}

// IPRule allows or denies by address.
type IPRule struct {
	ID        string    `json:"id" doc:"Id of the rule" example:"ip_01jx3v2v9ke8ra4nqk2m3b7xwz"`
	VhostID   string    `json:"vhost_id" doc:"Its vhost" example:"vh_01jx3v2v9ke8ra4nqk2m3b7xwz"`
	Position  int       `json:"position" doc:"Where it stands in the list; ip_preset of the vhost says how the rules make one answer" example:"1"`
	Scope     string    `json:"scope" enum:"all,publish,play" doc:"To whom it applies"`
	Action    string    `json:"action" enum:"allow,deny" doc:"What it does"`
	CIDR      string    `json:"cidr" doc:"Addresses it matches" example:"192.0.2.128/25"`
	Note      string    `json:"note" doc:"Why the rule is there"`
	CreatedAt time.Time `json:"created_at" doc:"When it was made"`
	UpdatedAt time.Time `json:"updated_at" doc:"When it was last changed"`
	Revision  int64     `json:"revision" doc:"Grows with each change; the ETag is this number in quotes"`
}

// IPRuleCreate makes an IP rule.
type IPRuleCreate struct {
	Position *int   `json:"position,omitempty" minimum:"0" maximum:"100000" doc:"Where it stands; after all others when left out"`
	Scope    string `json:"scope,omitempty" enum:"all,publish,play" doc:"To whom it applies; all when left out"`
	Action   string `json:"action" enum:"allow,deny" doc:"What it does"`
	CIDR     string `json:"cidr" minLength:"1" maxLength:"64" doc:"An address or a range" example:"192.0.2.128/25"`
	Note     string `json:"note,omitempty" maxLength:"256" doc:"Why the rule is there"`
}

// IPRuleUpdate changes an IP rule. What is left out stays.
type IPRuleUpdate struct {
	Position *int    `json:"position,omitempty" minimum:"0" maximum:"100000" doc:"Where it stands"`
	Scope    *string `json:"scope,omitempty" enum:"all,publish,play" doc:"To whom it applies"`
	Action   *string `json:"action,omitempty" enum:"allow,deny" doc:"What it does"`
	CIDR     *string `json:"cidr,omitempty" minLength:"1" maxLength:"64" doc:"An address or a range"`
	Note     *string `json:"note,omitempty" maxLength:"256" doc:"Why the rule is there"`
}
