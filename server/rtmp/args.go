package rtmp

import (
	"net/url"
	"strings"
)

// maxArgs bounds how many arguments of one query are read.
const maxArgs = 64

// parseArgs reads a query. Arguments are separated by "&", in some clients by
// ",". Percent-encoding is undone where it is valid, and "+" stays "+": base64
// values come unescaped.
func parseArgs(query string) url.Values {
	args := url.Values{}
	for part := range strings.SplitSeq(query, "&") {
		for _, a := range splitCommas(part) {
			if len(args) >= maxArgs {
				return args
			}
			key, value, _ := strings.Cut(a, "=")
			if key = unescape(key); key != "" {
				args.Add(key, unescape(value))
			}
		}
	}
	return args
}

// splitCommas splits at commas that are followed by "name=". Others belong to
// the value.
func splitCommas(s string) []string {
	var parts []string
	from := 0
	for i := range len(s) {
		if s[i] != ',' {
			continue
		}
		name, _, found := strings.Cut(s[i+1:], "=")
		if found && isName(name) {
			parts = append(parts, s[from:i])
			from = i + 1
		}
	}
	return append(parts, s[from:])
}

func isName(s string) bool {
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_':
		default:
			return false
		}
	}
	return s != ""
}

// unescape undoes percent-encoding once; what is not valid stays as it is.
func unescape(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}
