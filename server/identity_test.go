package server_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/penstock-media/penstock/server/config"
)

// A client of the engine learns where it is, and the session's id in the engine's
// log is what it was told.
//
// S0-24, S2-22.
func TestClientLearnsWhereItIs(t *testing.T) {
	l := newLab(t)
	p := l.publish("live/a")
	got := p.Server()
	if got.Name != "Penstock" || got.PID != "" || got.IP != "" { // of its machine it says nothing
		t.Errorf("the server says %+v", got)
	}
	if id := l.session("publisher").ID; got.ID != id {
		t.Errorf("told of connection %q, which is %q", got.ID, id)
	}
	srs := newLab(t, vhost(func(v *config.Vhost) { v.Media.Profile = config.ProfileSRS2 }))
	got = srs.publish("live/a").Server()
	if got.FMSVer != "FMS/3,5,3,888" || got.Name != "Penstock" || got.PID != strconv.Itoa(os.Getpid()) || !strings.HasPrefix(srs.addr, got.IP+":") || got.ID == "" {
		t.Errorf("in the profile of SRS it says %+v", got)
	}
	if _, err := strconv.Atoi(got.ID); err != nil {
		t.Errorf("in the profile of SRS the connection is %q, where SRS has a number", got.ID)
	}
}
