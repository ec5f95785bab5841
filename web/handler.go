package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// Cache rules. Files under assets/ carry a hash of their content in their name and never
// change; index.html names them and must always be asked for; the few others are revalidated.
const (
	cacheForever = "public, max-age=31536000, immutable"
	cacheNever   = "no-store"
	cacheCheck   = "no-cache"
)

// gzipFrom is the size in bytes from which a file is also kept compressed.
const gzipFrom = 1024

// asset is one file of the build, ready to send.
type asset struct {
	body, gzipped []byte // gzipped is nil where it would not be smaller
	contentType   string
	cache         string
	etag          string
}

// Handler serves the dashboard. A path that is no file gets index.html, so that the
// application can route it, but only where a browser navigates: a script, a picture or an API client
// that asks for a missing path gets 404. Everything carries a strict content security policy.
func Handler() http.Handler {
	return newHandler(files())
}

func newHandler(fsys fs.FS) http.Handler {
	assets, err := load(fsys)
	if err != nil {
		panic("web: " + err.Error()) // impossible for an embedded file system
	}
	return &handler{assets: assets}
}

type handler struct {
	assets map[string]asset // by path without the leading slash
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Security-Policy", policy(r.Host))
	header.Set("X-Content-Type-Options", "nosniff")
	// The player's own requests keep their referer, because referer rules read it.
	header.Set("Referrer-Policy", "same-origin")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")

	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	found, ok := h.assets[name]
	if !ok && isNavigation(r) {
		found, ok = h.assets["index.html"]
	}
	if !ok {
		header.Set("Cache-Control", cacheNever)
		http.NotFound(w, r)
		return
	}
	found.serve(w, r)
}

func (a asset) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", a.contentType)
	header.Set("Cache-Control", a.cache)
	header.Add("Vary", "Accept-Encoding")
	if a.cache != cacheNever {
		header.Set("ETag", a.etag)
		if strings.Contains(r.Header.Get("If-None-Match"), a.etag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	body := a.body
	if a.gzipped != nil && acceptsGzip(r.Header.Get("Accept-Encoding")) {
		body = a.gzipped
		header.Set("Content-Encoding", "gzip")
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return
	}
	_, _ = w.Write(body) // the peer went away: nobody is left to tell
}

// acceptsGzip reports whether an Accept-Encoding header allows gzip.
func acceptsGzip(accept string) bool {
	for part := range strings.SplitSeq(accept, ",") {
		coding, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		if coding != "gzip" && coding != "*" {
			continue
		}
		weight, found := strings.CutPrefix(strings.ReplaceAll(params, " ", ""), "q=")
		return !found || strings.Trim(weight, "0.") != ""
	}
	return false
}

// isNavigation reports whether a browser is opening a page, not loading a part of one. Browsers
// say so in Sec-Fetch-Mode; where the header is missing (plain http to another host than localhost),
// asking for HTML has to do.
func isNavigation(r *http.Request) bool {
	if mode := r.Header.Get("Sec-Fetch-Mode"); mode != "" {
		return mode == "navigate"
	}
	return strings.Contains(r.Header.Get("Accept"), "text/html")
}

// hostPattern is what may stand in a policy: a name or address with an optional port. A Host header is
// the peer's to choose, and a semicolon in it would start a new directive.
var hostPattern = regexp.MustCompile(`^[A-Za-z0-9.\-]+(:[0-9]{1,5})?$|^\[[0-9A-Fa-f:.]+\](:[0-9]{1,5})?$`)

// policy is the content security policy. Nothing comes from elsewhere and nothing is inline. Older Safari does not take
// 'self' for the websocket schemes, so the host is named. Media plays from blob: (Media
// Source Extensions), which is also where mpegts.js starts its worker from.
func policy(host string) string {
	connect := "'self'"
	if hostPattern.MatchString(host) {
		connect = fmt.Sprintf("'self' ws://%[1]s wss://%[1]s", host)
	}
	return strings.Join([]string{
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		"img-src 'self' data: blob:",
		"font-src 'self'",
		"media-src 'self' blob:",
		"worker-src 'self' blob:",
		"connect-src " + connect,
		"manifest-src 'self'",
		"base-uri 'none'",
		"form-action 'self'",
		"frame-ancestors 'none'",
	}, "; ")
}

// load reads the whole build into memory (about a megabyte) and compresses it once.
func load(fsys fs.FS) (map[string]asset, error) {
	assets := make(map[string]asset)
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := fs.ReadFile(fsys, name)
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		sum := sha256.Sum256(body)
		assets[name] = asset{
			body:        body,
			gzipped:     compress(body),
			contentType: contentType(name),
			cache:       cacheFor(name),
			etag:        `"` + hex.EncodeToString(sum[:12]) + `"`,
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("load the dashboard: %w", err)
	}
	return assets, nil
}

func cacheFor(name string) string {
	switch {
	case name == "index.html":
		return cacheNever
	case strings.HasPrefix(name, "assets/"):
		return cacheForever
	default:
		return cacheCheck
	}
}

// contentType does not ask the operating system, whose table may say text/plain for a script.
func contentType(name string) string {
	switch ext := path.Ext(name); ext {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".webmanifest":
		return "application/manifest+json"
	case ".txt":
		return "text/plain; charset=utf-8"
	default:
		if t := mime.TypeByExtension(ext); t != "" {
			return t
		}
		return "application/octet-stream"
	}
}

// compress returns the gzipped body, or nil where that gains nothing.
func compress(body []byte) []byte {
	if len(body) < gzipFrom {
		return nil
	}
	var out bytes.Buffer
	zw, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil
	}
	if _, err := zw.Write(body); err != nil {
		return nil
	}
	if err := zw.Close(); err != nil || out.Len() >= len(body) {
		return nil
	}
	return out.Bytes()
}
