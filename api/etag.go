package api

import (
	"strconv"
	"strings"
)

// Precondition is the header every change of configuration needs.
type Precondition struct {
	IfMatch string `header:"If-Match" maxLength:"64" doc:"The ETag this change is based on" example:"\"12\""`
}

// etag is the ETag of a revision.
func etag(revision int64) string { return strconv.Quote(strconv.FormatInt(revision, 10)) }

// revision reads If-Match and compares it with the object as it is. It returns
// the revision to change.
func (m Precondition) revision(current int64) (int64, error) {
	s := strings.TrimSpace(m.IfMatch)
	switch s {
	case "":
		return 0, newProblem("precondition_required", "Send the object's ETag in If-Match.")
	case "*":
		return current, nil
	}
	for tag := range strings.SplitSeq(s, ",") {
		if strings.TrimPrefix(strings.TrimSpace(tag), "W/") == etag(current) {
			return current, nil
		}
	}
	return 0, newProblem("precondition_failed", "It is at %s now. Read it again and see what changed.", etag(current))
}

// single is the reply with one object of configuration.
type single[T any] struct {
	ETag string `header:"ETag" doc:"Send it in If-Match to change or delete the object"`
	Body T
}

// secret is the reply with a secret that is shown once.
type secret[T any] struct {
	ETag         string `header:"ETag" doc:"Send it in If-Match to change or delete the object"`
	CacheControl string `header:"Cache-Control" doc:"no-store"`
	Body         T
}

// plain is the reply with something that has no revision.
type plain[T any] struct {
	Body T
}

// none is the reply without a body.
type none struct{}

// uncached is the reply with a secret that has no revision.
type uncached[T any] struct {
	CacheControl string `header:"Cache-Control" doc:"no-store"`
	Body         T
}
