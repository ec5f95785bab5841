package rtmp

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ErrTarget says that what a client asked for cannot be the name of a stream.
// The wrapping error says why, without the name: that may be a secret.
var ErrTarget = errors.New("not a stream name")

// DefaultApp is the app of a stream that a client named with one word only.
const DefaultApp = "live"

// maxName is the length of an app or a name in characters.
const maxName = 128

// Target is what a client wants to publish or play, however it spelled it.
type Target struct {
	// Vhost is the host the client named, in lower case and without port: that
	// of tcUrl, or a vhost= argument. Empty if it named none.
	Vhost string
	// App and Name identify the stream: all path elements but the last, and the
	// last. Name may be a stream key.
	App, Name string
	// Alone: the client named one thing only, which is Name, in DefaultApp.
	Alone bool
	// Args are the arguments of all queries; those of the name win over those of
	// the app, which win over those of tcUrl.
	Args url.Values
	// Param and NameParam are the queries of the app and of the name as sent, for
	// callbacks that want them so.
	Param, NameParam string
}

// ParseTarget makes one identity of what clients send in tcUrl, app and stream
// name. Where app ends is the client's idea: FFmpeg sends app "a/b" and name
// "c/d" for what GStreamer calls app "a/b/c" and name "d". So both are put
// together, queries and "_definst_" taken out, and cut at the last slash. A
// single element is a name in DefaultApp. Flash's mark of a file's kind in front of
// the name is taken off: FFmpeg and librtmp make "mp4:x.mp4" of "x.mp4", whether they
// publish or play, and others do not. Arguments come from tcUrl, app and
// name. A name that is nothing but arguments (OBS without a stream key) takes a
// stream key in key= or secret= as the name.
func ParseTarget(tcURL, app, name string) (Target, error) {
	host, tcQuery := splitTCURL(clean(tcURL))
	app, appVhost := appVhost(clean(app))
	appPath, appQuery, _ := strings.Cut(app, "?")
	namePath, nameQuery, _ := strings.Cut(clean(name), "?")
	if strings.Trim(namePath, "/") == "" && nameQuery == "" && !strings.Contains(strings.Trim(appPath, "/"), "/") {
		// rtmp://host/app?x=1/name, sent whole as the app (gortmplib).
		if i := strings.LastIndexByte(appQuery, '/'); i >= 0 {
			appQuery, namePath = appQuery[:i], appQuery[i+1:]
		}
	}
	appArgs, nameArgs := parseArgs(appQuery), parseArgs(nameQuery)
	if appVhost != "" {
		appArgs.Set("vhost", appVhost)
	}
	t := Target{Vhost: host, Args: url.Values{}, Param: appQuery, NameParam: nameQuery}
	for _, args := range []url.Values{parseArgs(tcQuery), appArgs, nameArgs} {
		maps.Copy(t.Args, args)
		if v := first(args, "vhost", "domain"); v != "" {
			t.Vhost = normalHost(v)
		}
	}

	path := segments(unescape(appPath))
	last := segments(withoutKind(unescape(namePath)))
	if len(last) == 0 && nameQuery != "" {
		if key := first(t.Args, "key", "secret"); key != "" {
			last = []string{key}
		}
	}
	path = append(path, last...)
	switch len(path) {
	case 0:
		return Target{}, fmt.Errorf("rtmp: neither app nor name: %w", ErrTarget)
	case 1:
		t.App, t.Name, t.Alone = DefaultApp, withoutKind(path[0]), true
	default:
		t.App, t.Name = strings.Join(path[:len(path)-1], "/"), withoutKind(path[len(path)-1])
	}
	if err := checkName("app", t.App); err != nil {
		return Target{}, err
	}
	if err := checkName("name", t.Name); err != nil {
		return Target{}, err
	}
	if err := checkHost(t.Vhost); err != nil {
		return Target{}, err
	}
	return t, nil
}

// splitTCURL takes host and query out of a tcUrl, which may be missing, lack a
// scheme, hold user:password@ and end in anything.
func splitTCURL(s string) (host, query string) {
	s, query, _ = strings.Cut(s, "?")
	_, rest, ok := strings.Cut(s, "://")
	if !ok {
		return "", query
	}
	host, _, _ = strings.Cut(rest, "/")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	return normalHost(host), query
}

// normalHost is a host in the form hosts are compared in.
func normalHost(s string) string {
	if rest, ok := strings.CutPrefix(s, "["); ok { // IPv6
		s, _, _ = strings.Cut(rest, "]")
	} else if strings.Count(s, ":") == 1 {
		s, _, _ = strings.Cut(s, ":")
	}
	if strings.EqualFold(s, srsDefaultVhost) {
		return srsDefaultVhost
	}
	return strings.TrimSuffix(strings.ToLower(s), ".")
}

// srsDefaultVhost is how SRS and ZLMediaKit spell the default vhost.
const srsDefaultVhost = "__defaultVhost__"

// appVhost takes a vhost in one of SRS's old spellings out of an app:
//
//	live...vhost...example.com   live,vhost,example.com   live&&vhost=example.com
//
// What follows it, as far as "/", "," "&" or "..." tell, stays in the app. The
// spelling "?vhost=" is an argument like any other.
func appVhost(app string) (rest, vhost string) {
	path, query, hasQuery := strings.Cut(app, "?")
	for _, begin := range []string{"...", ",", "&&"} {
		for _, key := range []string{"vhost", "domain"} {
			for _, equals := range []string{"...", ",", "="} {
				before, after, ok := strings.Cut(path, begin+key+equals)
				if !ok {
					continue
				}
				end := len(after)
				for _, stop := range []string{"/", ",", "&", "..."} {
					if i := strings.Index(after, stop); i >= 0 {
						end = min(end, i)
					}
				}
				rest, vhost = before, after[:end]
				tail := after[end:]
				if strings.HasPrefix(tail, "/") {
					rest += tail
					tail = ""
				}
				if tail = strings.TrimLeft(tail, ".,&"); tail != "" {
					query, hasQuery = strings.Trim(tail+"&"+query, "&"), true
				}
				if hasQuery {
					rest += "?" + query
				}
				return rest, vhost
			}
		}
	}
	return app, ""
}

// segments are the elements of a path, without blanks around them, empty ones and
// Flash's name for the default instance.
func segments(path string) []string {
	var out []string
	for s := range strings.SplitSeq(path, "/") {
		if s = strings.TrimSpace(s); s != "" && s != "_definst_" {
			out = append(out, s)
		}
	}
	return out
}

// withoutKind takes Flash's mark of a file's kind off a name.
func withoutKind(name string) string {
	for _, kind := range []string{"mp4:", "flv:", "mp3:"} {
		if rest, ok := strings.CutPrefix(name, kind); ok {
			return rest
		}
	}
	return name
}

// first is the first argument there is, by the order of keys.
func first(args url.Values, keys ...string) string {
	for _, k := range keys {
		if v := args.Get(k); v != "" {
			return v
		}
	}
	return ""
}

// checkName holds the rules for apps and names: they end up in URLs, file names
// and pages.
func checkName(what, s string) error {
	switch {
	case !utf8.ValidString(s):
		return fmt.Errorf("rtmp: %s is not UTF-8: %w", what, ErrTarget)
	case utf8.RuneCountInString(s) > maxName:
		return fmt.Errorf("rtmp: %s is longer than %d characters: %w", what, maxName, ErrTarget)
	case strings.Contains(s, ".."):
		return fmt.Errorf("rtmp: %s contains \"..\": %w", what, ErrTarget)
	case strings.ContainsAny(s, `\?#`):
		return fmt.Errorf("rtmp: %s contains a backslash, question mark or hash: %w", what, ErrTarget)
	}
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return fmt.Errorf("rtmp: %s contains a character that cannot be printed: %w", what, ErrTarget)
		}
	}
	return nil
}

// checkHost keeps out what no host can be.
func checkHost(s string) error {
	if len(s) > 253 || !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsPrint(r) || strings.ContainsRune(" /\\?#@<>\"'", r)
	}) {
		return fmt.Errorf("rtmp: the vhost is not a host name: %w", ErrTarget)
	}
	return nil
}
