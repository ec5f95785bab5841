package rtmp

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// row is what came on the wire, and what it means.
type row struct {
	about            string
	tcURL, app, name string
	want             Target // Args apart
	args             string // wanted arguments, k=v separated by spaces
}

var targetRows = []row{
	{"the plain case", "rtmp://h/live", "live", "cam", Target{Vhost: "h", App: "live", Name: "cam"}, ""},
	{"port", "rtmp://h:1935/live", "live", "cam", Target{Vhost: "h", App: "live", Name: "cam"}, ""},
	{"other port, rtmps", "rtmps://h:443/live", "live", "cam", Target{Vhost: "h", App: "live", Name: "cam"}, ""},
	{"host in capitals, with a final dot", "rtmp://LIVE.Example.COM./live", "live", "cam", Target{Vhost: "live.example.com", App: "live", Name: "cam"}, ""},
	{"IPv4", "rtmp://127.0.0.1:11936/live", "live", "cam", Target{Vhost: "127.0.0.1", App: "live", Name: "cam"}, ""},
	{"IPv6 with port", "rtmp://[::1]:1935/live", "live", "cam", Target{Vhost: "::1", App: "live", Name: "cam"}, ""},
	{"IPv6 without", "rtmp://[2001:db8::1]/live", "live", "cam", Target{Vhost: "2001:db8::1", App: "live", Name: "cam"}, ""},
	{"user and password", "rtmp://u:p@h/live", "live", "cam", Target{Vhost: "h", App: "live", Name: "cam"}, ""},
	{"no tcUrl (OSEE GoStream)", "", "live", "cam", Target{App: "live", Name: "cam"}, ""},
	{"tcUrl without scheme", "h/live", "live", "cam", Target{App: "live", Name: "cam"}, ""},
	{"tcUrl in apostrophes (Neko)", "'rtmp://h/live'", "live", "cam", Target{Vhost: "h", App: "live", Name: "cam"}, ""},
	{"slashes (Ubiquiti)", "rtmp://h/live/", "/live/", "/cam/", Target{Vhost: "h", App: "live", Name: "cam"}, ""},
	{"double slashes", "rtmp://h//live", "live//a", "b//cam", Target{Vhost: "h", App: "live/a/b", Name: "cam"}, ""},
	{"_definst_ (Wowza)", "rtmp://h/live/_definst_", "live/_definst_", "cam", Target{Vhost: "h", App: "live", Name: "cam"}, ""},
	{"_definst_ in the name", "rtmp://h/live", "live", "_definst_/cam", Target{Vhost: "h", App: "live", Name: "cam"}, ""},

	{"FFmpeg, one segment", "rtmp://h/onlyone", "onlyone", "", Target{Vhost: "h", App: "live", Name: "onlyone", Alone: true}, ""},
	{"FFmpeg, /a/b/c/d?k=v", "rtmp://h/a/b", "a/b", "c/d?k=v", Target{Vhost: "h", App: "a/b/c", Name: "d"}, "k=v"},
	{"GStreamer, /a/b/c/d", "rtmp://h/a/b/c", "a/b/c", "d", Target{Vhost: "h", App: "a/b/c", Name: "d"}, ""},
	{"librtmp, /a/b/c/d", "rtmp://h/a", "a", "b/c/d", Target{Vhost: "h", App: "a/b/c", Name: "d"}, ""},
	{
		"FFmpeg, query in the app", "rtmp://h/live?vhost=v1&t=a", "live?vhost=v1&t=a", "stream1",
		Target{Vhost: "v1", App: "live", Name: "stream1", Param: "vhost=v1&t=a"},
		"t=a vhost=v1",
	},
	{
		"FFmpeg, key not decoded", "rtmp://h/live", "live", "key%20name?token=abc&user=x%2Fy",
		Target{Vhost: "h", App: "live", Name: "key name"},
		"token=abc user=x/y",
	},
	{"OBS, key decoded", "rtmp://h/live", "live", "obskey?token=a b&x=1", Target{Vhost: "h", App: "live", Name: "obskey"}, "token=a~b x=1"},
	{"OBS, key as the name", "rtmp://h/live", "live", "sk_abc123", Target{Vhost: "h", App: "live", Name: "sk_abc123"}, ""},
	{"OBS, no stream key, app alone", "rtmp://h/live", "live", "", Target{Vhost: "h", App: "live", Name: "live", Alone: true}, ""},
	{"OBS, no stream key, but arguments", "rtmp://h/live", "live", "?key=sk_abc", Target{Vhost: "h", App: "live", Name: "sk_abc"}, "key=sk_abc"},
	{"the same with secret=", "rtmp://h/live", "live", "?secret=sk_abc", Target{Vhost: "h", App: "live", Name: "sk_abc"}, "secret=sk_abc"},
	{"OBS multitrack", "rtmp://h/live", "live", "cam?clientConfigId=7", Target{Vhost: "h", App: "live", Name: "cam"}, "clientConfigId=7"},
	{"key= beside the name", "rtmp://h/live", "live", "cam?key=sk_x", Target{Vhost: "h", App: "live", Name: "cam"}, "key=sk_x"},
	{"token= and jwt=", "rtmp://h/live", "live", "cam?token=a.b.c&jwt=d", Target{Vhost: "h", App: "live", Name: "cam"}, "jwt=d token=a.b.c"},
	{"secret=, base64 not encoded", "rtmp://h/live", "live", "cam?secret=a+/=", Target{Vhost: "h", App: "live", Name: "cam"}, "secret=a+/="},
	{
		"Flash, arguments of the app", "rtmp://h/live?token=x", "live?token=x", "cam",
		Target{Vhost: "h", App: "live", Name: "cam", Param: "token=x"},
		"token=x",
	},
	{
		"all four places: the name wins over the app, the app over tcUrl", "rtmp://h/live?a=1&b=1&c=1", "live?a=2&b=2", "cam?a=3",
		Target{Vhost: "h", App: "live", Name: "cam", Param: "a=2&b=2"},
		"a=3 b=2 c=1",
	},
	{
		"a slash in a value of the app", "rtmp://h/live?sig=a/b", "live?sig=a/b", "cam",
		Target{Vhost: "h", App: "live", Name: "cam", Param: "sig=a/b"},
		"sig=a/b",
	},
	{
		"the name behind the query of the app", "rtmp://h/live?x=1/cam", "live?x=1/cam", "",
		Target{Vhost: "h", App: "live", Name: "cam", Param: "x=1"},
		"x=1",
	},
	{
		"gortmplib, all in the app", "rtmp://h/live/cam?sig=a/b", "live/cam?sig=a/b", "",
		Target{Vhost: "h", App: "live", Name: "cam", Param: "sig=a/b"},
		"sig=a/b",
	},
	{"commas as separators", "rtmp://h/live", "live", "cam?a=1,b=2,3", Target{Vhost: "h", App: "live", Name: "cam"}, "a=1 b=2,3"},
	{"empty and strange arguments", "rtmp://h/live", "live", "cam?&=x&a&b=%zz&", Target{Vhost: "h", App: "live", Name: "cam"}, "a= b=%zz"},

	{"vhost in the name", "rtmp://1.2.3.4/live", "live", "cam?vhost=V.com", Target{Vhost: "v.com", App: "live", Name: "cam"}, "vhost=V.com"},
	{"vhost in tcUrl alone (SRS forward)", "rtmp://1.2.3.4/live?vhost=v.com", "live", "cam", Target{Vhost: "v.com", App: "live", Name: "cam"}, "vhost=v.com"},
	{
		"vhost in the app", "rtmp://1.2.3.4/live", "live?vhost=v.com", "cam",
		Target{Vhost: "v.com", App: "live", Name: "cam", Param: "vhost=v.com"},
		"vhost=v.com",
	},
	{
		"domain= is vhost=", "rtmp://1.2.3.4/live", "live?domain=v.com", "cam",
		Target{Vhost: "v.com", App: "live", Name: "cam", Param: "domain=v.com"},
		"domain=v.com",
	},
	{
		"the name's domain wins over the app's vhost", "rtmp://1.2.3.4/live", "live?vhost=a.com", "cam?domain=b.com",
		Target{Vhost: "b.com", App: "live", Name: "cam", Param: "vhost=a.com"},
		"domain=b.com vhost=a.com",
	},
	{"vhost with a port", "rtmp://1.2.3.4/live", "live", "cam?vhost=v.com:1935", Target{Vhost: "v.com", App: "live", Name: "cam"}, "vhost=v.com:1935"},
	{"dots", "rtmp://1.2.3.4/live", "live...vhost...demo.srs.com", "cam", Target{Vhost: "demo.srs.com", App: "live", Name: "cam"}, "vhost=demo.srs.com"},
	{"dots and an instance", "rtmp://1.2.3.4/live", "live...vhost...v.com/inst", "cam", Target{Vhost: "v.com", App: "live/inst", Name: "cam"}, "vhost=v.com"},
	{"dots in tcUrl are of no matter", "rtmp://1.2.3.4/live...vhost...v.com", "live...vhost...v.com", "cam", Target{Vhost: "v.com", App: "live", Name: "cam"}, "vhost=v.com"},
	{"dots and equals", "rtmp://1.2.3.4/live", "live...vhost=v.com", "cam", Target{Vhost: "v.com", App: "live", Name: "cam"}, "vhost=v.com"},
	{"commas", "rtmp://1.2.3.4/live", "live,vhost,v.com", "cam", Target{Vhost: "v.com", App: "live", Name: "cam"}, "vhost=v.com"},
	{"ampersands", "rtmp://1.2.3.4/live", "live&&vhost=v.com", "cam", Target{Vhost: "v.com", App: "live", Name: "cam"}, "vhost=v.com"},
	{
		"ampersands and more", "rtmp://1.2.3.4/live", "live&&vhost=v.com&k=v", "cam",
		Target{Vhost: "v.com", App: "live", Name: "cam", Param: "k=v"},
		"k=v vhost=v.com",
	},
	{
		"dots and a query", "rtmp://1.2.3.4/live", "live...vhost...v.com?k=v", "cam",
		Target{Vhost: "v.com", App: "live", Name: "cam", Param: "k=v"},
		"k=v vhost=v.com",
	},
	{"dots and domain", "rtmp://1.2.3.4/live", "live...domain...v.com", "cam", Target{Vhost: "v.com", App: "live", Name: "cam"}, "vhost=v.com"},
	{"commas and equals", "rtmp://1.2.3.4/live", "live,vhost=v.com", "cam", Target{Vhost: "v.com", App: "live", Name: "cam"}, "vhost=v.com"},
	{"commas and more", "rtmp://1.2.3.4/live", "live,vhost,v.com,k=v", "cam", Target{Vhost: "v.com", App: "live", Name: "cam", Param: "k=v"}, "k=v vhost=v.com"},
	{"ampersands and dots", "rtmp://1.2.3.4/live", "live&&vhost...v.com", "cam", Target{Vhost: "v.com", App: "live", Name: "cam"}, "vhost=v.com"},
	{"dots, in capitals", "rtmp://1.2.3.4/live", "live...vhost...V.Com", "cam", Target{Vhost: "v.com", App: "live", Name: "cam"}, "vhost=V.Com"},
	{"dots and _definst_", "rtmp://1.2.3.4/live", "live...vhost...v.com/_definst_", "cam", Target{Vhost: "v.com", App: "live", Name: "cam"}, "vhost=v.com"},
	{"_definst_ and a vhost", "rtmp://1.2.3.4/live/_definst_", "live/_definst_?vhost=v.com", "cam", Target{Vhost: "v.com", App: "live", Name: "cam", Param: "vhost=v.com"}, "vhost=v.com"},
	{"blanks and slashes", "rtmp://h/live ", " /live / ", " / cam / ", Target{Vhost: "h", App: "live", Name: "cam"}, ""},
	{"blanks that were encoded", "rtmp://h/live", "%20live", "cam%20", Target{Vhost: "h", App: "live", Name: "cam"}, ""},
	{"SRS's default vhost", "rtmp://__defaultVhost__/live", "live", "cam", Target{Vhost: "__defaultVhost__", App: "live", Name: "cam"}, ""},

	{"blanks and slashes around", "rtmp://h/live", " live/ ", "/ a //?key=k", Target{Vhost: "h", App: "live", Name: "a"}, "key=k"}, // S0-36
	{"spaces and CJK", "rtmp://h/\u76f4\u64ad", "\u76f4\u64ad", "\u6211\u7684 \u6d41", Target{Vhost: "h", App: "\u76f4\u64ad", Name: "\u6211\u7684 \u6d41"}, ""},
	{"a slash that was encoded", "rtmp://h/live", "live", "a%2Fb", Target{Vhost: "h", App: "live/a", Name: "b"}, ""},
	{"invalid encoding stays", "rtmp://h/live", "live", "100%", Target{Vhost: "h", App: "live", Name: "100%"}, ""},
	{"encoded once, not twice", "rtmp://h/live", "live", "a%2520b", Target{Vhost: "h", App: "live", Name: "a%20b"}, ""},
	{"app missing", "rtmp://h/", "", "cam", Target{Vhost: "h", App: "live", Name: "cam", Alone: true}, ""},
	{"FFmpeg and librtmp, x.mp4", "rtmp://h/live", "live", "mp4:x.mp4", Target{Vhost: "h", App: "live", Name: "x.mp4"}, ""},
	{"Flash, flv:", "rtmp://h/live", "live", "flv:x?token=t", Target{Vhost: "h", App: "live", Name: "x"}, "token=t"},
	{"FFmpeg, a/x.mp4", "rtmp://h/live", "live", "mp4:a/x.mp4", Target{Vhost: "h", App: "live/a", Name: "x.mp4"}, ""},
	{"kind within the path", "rtmp://h/live", "live", "a/mp3:x", Target{Vhost: "h", App: "live/a", Name: "x"}, ""},
	{"another colon", "rtmp://h/live", "live", "cam:1", Target{Vhost: "h", App: "live", Name: "cam:1"}, ""},
	{"a kind and no name", "rtmp://h/live", "live", "mp4:", Target{Vhost: "h", App: "live", Name: "live", Alone: true}, ""},
}

// S0-07, S0-08, S0-09, S0-36.
func TestParseTarget(t *testing.T) {
	for _, r := range targetRows {
		t.Run(r.about, func(t *testing.T) {
			got, err := ParseTarget(r.tcURL, r.app, r.name)
			if err != nil {
				t.Fatal(err)
			}
			want := r.want
			_, want.NameParam, _ = strings.Cut(r.name, "?")
			want.Args = url.Values{}
			for pair := range strings.FieldsSeq(r.args) {
				k, v, _ := strings.Cut(pair, "=")
				want.Args.Set(k, strings.ReplaceAll(v, "~", " "))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Whichever way a client cuts a URL, publisher and player meet.
func TestParseTargetOneIdentity(t *testing.T) {
	var first Target
	for i, cut := range [][2]string{
		{"a", "b/c/d"}, {"a/b", "c/d"}, {"a/b/c", "d"}, {"/a//b/", "/c/d/"}, {"a/_definst_/b", "c/d"}, {"a%2Fb", "c%2fd"},
	} {
		got, err := ParseTarget("rtmp://h/x", cut[0], cut[1])
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = got
		}
		if diff := cmp.Diff(first, got); diff != "" {
			t.Errorf("%q: %s", cut, diff)
		}
	}
}

func TestParseTargetRefuses(t *testing.T) {
	const secret = "hush"
	for about, in := range map[string][3]string{
		"nothing at all":   {"", "", ""},
		"only slashes":     {"rtmp://h/", "//", "/"},
		"parent":           {"rtmp://h/live", "live", "../" + secret},
		"parent, encoded":  {"rtmp://h/live", "live", "%2e%2e%2f" + secret},
		"parent in app":    {"rtmp://h/live", "live/..", secret},
		"backslash":        {"rtmp://h/live", "live", secret + `\x`},
		"NUL":              {"rtmp://h/live", "live", secret + "%00"},
		"line break":       {"rtmp://h/live", "live", secret + "\n" + secret},
		"escape":           {"rtmp://h/live", "live", secret + "\x1b[31m"},
		"encoded question": {"rtmp://h/live", "live", secret + "%3Fa=b"},
		"hash":             {"rtmp://h/live", "live", secret + "#x"},
		"not UTF-8":        {"rtmp://h/live", "live", secret + "\xff"},
		"long name":        {"rtmp://h/live", "live", secret + strings.Repeat("x", 128)},
		"long app":         {"rtmp://h/live", strings.Repeat("x/", 65), secret},
		"vhost with slash": {"rtmp://h/live", "live", secret + "?vhost=a/b"},
		"vhost with tags":  {"rtmp://<b>/live", "live", secret},
		"long vhost":       {"rtmp://" + strings.Repeat("x", 254) + "/live", "live", secret},
	} {
		_, err := ParseTarget(in[0], in[1], in[2])
		if !errors.Is(err, ErrTarget) {
			t.Errorf("%s: %v", about, err)
		}
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %q tells the name", about, err)
		}
	}
	if _, err := ParseTarget("rtmp://h/live", "live", strings.Repeat("\u754c", 128)); err != nil {
		t.Errorf("128 characters of 3 bytes: %v", err)
	}
}

func TestParseTargetManyArguments(t *testing.T) {
	got, err := ParseTarget("", "live", "cam?"+strings.Repeat("a=1&", 5)+strings.Join(manyArgs(1000), "&"))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Args) > maxArgs {
		t.Errorf("%d arguments", len(got.Args))
	}
}

func manyArgs(n int) []string {
	var args []string
	for i := range n {
		args = append(args, "k"+strings.Repeat("x", i%200)+"=1")
	}
	return args
}

func FuzzParseTarget(f *testing.F) {
	for _, r := range targetRows {
		f.Add(r.tcURL, r.app, r.name)
	}
	f.Fuzz(func(t *testing.T, tcURL, app, name string) {
		got, err := ParseTarget(tcURL, app, name)
		if err != nil {
			if !errors.Is(err, ErrTarget) {
				t.Fatal(err)
			}
			return
		}
		if got.App == "" || got.Name == "" || strings.Contains(got.Name, "/") ||
			strings.HasPrefix(got.App, "/") || strings.Contains(got.App, "//") {
			t.Fatalf("app %q, name %q", got.App, got.Name)
		}
	})
}
