package api

import (
	"encoding/json"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/penstock-media/penstock/api/auth"
)

// readiness is the body of /readyz.
type readiness struct {
	Status  string   `json:"status"` // "ready", "degraded" (it works, with limits) or "not_ready"
	Reasons []string `json:"reasons"`
}

func (a *API) mountHealth(r chi.Router) {
	r.Get("/healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte("{\"status\":\"ok\"}\n")) // the client may be gone
	})
	r.Get("/readyz", a.readyz)
	r.Handle("/metrics", a.forScrapers(promhttp.HandlerFor(a.registry(), promhttp.HandlerOpts{MaxRequestsInFlight: 4})))
}

// forScrapers answers who comes from this machine or a private network, where
// Prometheus is, and anybody else with a credential that may see all streams.
func (a *API) forScrapers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := requestOf(r.Context())
		if q.ip.IsLoopback() || q.ip.IsPrivate() || q.ip.IsLinkLocalUnicast() {
			next.ServeHTTP(w, r)
			return
		}
		p, problem := a.authenticate(r)
		switch {
		case problem != nil:
			writeProblem(w, q.id, problem)
		case p.Limited():
			writeProblem(w, q.id, wholeServer(p, "This"))
		case !p.May(auth.StreamsRead):
			writeProblem(w, q.id, newProblem("forbidden", "This needs the scope %s.", auth.StreamsRead))
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// readyz says whether new work may be sent here. Without the database it may:
// streams run and known keys publish.
func (a *API) readyz(w http.ResponseWriter, _ *http.Request) {
	state, status := readiness{Status: "ready", Reasons: a.degraded()}, http.StatusOK
	if len(state.Reasons) > 0 {
		state.Status = "degraded"
	}
	if a.draining.Load() {
		state.Reasons = append(state.Reasons, "The server is stopping.")
	}
	if a.draining.Load() || a.applied.Snapshot() == nil {
		state.Status, status = "not_ready", http.StatusServiceUnavailable
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(state) //nolint:errchkjson // it can be encoded; the client may be gone
}
