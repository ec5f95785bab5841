package api

import (
	"net/netip"
	"strconv"
	"time"

	"github.com/penstock-media/penstock/server/config"
)

// set takes a field over unless it was left out.
func set[T any](field *T, sent *T) {
	if sent != nil {
		*field = *sent
	}
}

// setName is set for named strings.
func setName[T ~string](field *T, sent *string) {
	if sent != nil {
		*field = T(*sent)
	}
}

// setUnlessEmpty takes a name over unless it is empty, which stands for the default.
func setUnlessEmpty[T ~string](field *T, sent string) {
	if sent != "" {
		*field = T(sent)
	}
}

// setTime takes a time over unless it was left out; null is the zero time.
func setTime(field *time.Time, sent Nullable[time.Time]) {
	switch {
	case !sent.Sent:
	case sent.Value == nil:
		*field = time.Time{}
	default:
		*field = sent.Value.UTC()
	}
}

// list is s, and [] instead of null.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// timeOrNil is nil for the zero time.
func timeOrNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

// timeOr is the time p points to, or the zero time.
func timeOr(p *time.Time) time.Time {
	if p == nil {
		return time.Time{}
	}
	return p.UTC()
}

// prefixes reads address ranges; pointer is where they stand in the body.
func prefixes(texts []string, pointer string) ([]netip.Prefix, error) {
	out := make([]netip.Prefix, len(texts))
	for i, s := range texts {
		p, err := config.ParsePrefix(s)
		if err != nil {
			return nil, invalid(pointer+"/"+strconv.Itoa(i), "neither an address nor a range such as 198.51.100.0/24")
		}
		out[i] = p
	}
	return out, nil
}

func prefixTexts(ps []netip.Prefix) []string {
	out := make([]string, len(ps))
	for i, p := range ps {
		out[i] = p.String()
	}
	return out
}
