package access

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/penstock-media/penstock/server/config"
)

// vhost finds the vhost of the host asked for.
func (r *run) vhost(context.Context) verdict {
	v := r.snap.Vhost(r.req.VhostHost)
	if v == nil {
		return verdict{
			reason: config.ReasonRefusedVhost,
			detail: fmt.Sprintf("no vhost takes the host %q and there is no default vhost", clip(r.req.VhostHost)),
		}
	}
	r.dec.Vhost = v
	r.oneStream()
	if !v.Enabled {
		return verdict{reason: config.ReasonRefusedVhost, detail: fmt.Sprintf("the vhost %q is disabled", v.Name)}
	}
	return verdict{detail: fmt.Sprintf("the vhost is %q", v.Name)}
}

// name checks the form of app and stream name.
func (r *run) name(context.Context) verdict {
	if err := config.ValidApp(r.req.App); err != nil {
		return verdict{reason: config.ReasonRefusedName, detail: err.Error()}
	}
	if slices.ContainsFunc(strings.Split(r.req.App, "/"), nameIsSecret) {
		// An app is shown to everybody.
		return verdict{
			reason: config.ReasonRefusedName,
			detail: "a stream key stands in front of the stream's name: take it out of the server's URL",
		}
	}
	if err := config.ValidName(r.req.Name); err != nil {
		return verdict{reason: config.ReasonRefusedName, detail: err.Error()}
	}
	return verdict{}
}

// stream checks that the stream is not switched off. A stream named by its key
// is only known after the credential check, which then does the same.
func (r *run) stream(context.Context) verdict {
	if nameIsSecret(r.req.Name) {
		return verdict{detail: "the stream is named by its key"}
	}
	if r.dec.Vhost.StreamDisabled(r.req.App, r.req.Name) {
		return streamDisabled()
	}
	return verdict{}
}

func streamDisabled() verdict {
	return verdict{reason: config.ReasonRefusedStream, detail: "the stream is disabled; enable it in its settings"}
}

// clip shortens what a peer sent to what fits a sentence.
func clip(s string) string {
	const longest = 80
	if len(s) > longest {
		return s[:longest] + "…"
	}
	return s
}

// oneStream makes one stream of an app where the vhost says so: whatever name the peer
// sends, the stream is called as the last part of its app. A stream key in the name's
// place stays there, to be checked.
func (r *run) oneStream() {
	if r.dec.Vhost == nil || r.dec.Vhost.Media.StreamIdentity != config.IdentityApp {
		return
	}
	if secret := nameIsSecret(r.req.Name); !secret && r.dec.KeyID == "" {
		if r.req.Alone {
			r.req.App, r.req.Alone = r.req.Name, false
		}
		r.req.Name = lastPart(r.req.App)
		r.dec.App, r.dec.Name = r.req.App, r.req.Name
	} else if r.dec.KeyID != "" && r.dec.Name != "" {
		r.dec.Name = lastPart(r.dec.App)
	}
}

func lastPart(app string) string { return app[strings.LastIndexByte(app, '/')+1:] }
