package roster

import (
	"testing"

	"github.com/penstock-media/penstock/server/config"
	"github.com/penstock-media/penstock/server/internal/media"
)

func TestForm(t *testing.T) {
	nothing, hevc, all := Abilities{}, Abilities{Codecs: []string{"hvc1"}}, Abilities{Multitrack: true, Codecs: []string{"*"}}
	for _, c := range []struct {
		who  Abilities
		hevc config.HEVCForm
		many config.Multitrack
		want media.Form
	}{
		{nothing, config.HEVCAuto, config.MultitrackAuto, media.Form{DefaultTracks: true}},
		{hevc, config.HEVCAuto, config.MultitrackAuto, media.Form{DefaultTracks: true, HEVC: media.HEVCEnhanced}},
		{all, config.HEVCAuto, config.MultitrackAuto, media.Form{HEVC: media.HEVCEnhanced}},
		{nothing, config.HEVCAsPublished, config.MultitrackAll, media.Form{}},
		{all, config.HEVCLegacy, config.MultitrackDefault, media.Form{DefaultTracks: true, HEVC: media.HEVCLegacy}},
		{nothing, config.HEVCEnhanced, config.MultitrackAll, media.Form{HEVC: media.HEVCEnhanced}},
	} {
		if got := c.who.Form(config.Media{HEVCToPlayers: c.hevc, MultitrackToPlayers: c.many}); got != c.want {
			t.Errorf("%+v, %s, %s: %+v, want %+v", c.who, c.hevc, c.many, got, c.want)
		}
	}
	const hvc1, opus = 0x68766331, 0x4f707573
	for _, c := range []struct {
		who  Abilities
		want string
	}{{nothing, "hvc1 and Opus"}, {hevc, "Opus"}, {all, ""}} {
		if got := c.who.Unknown([]uint32{hvc1, opus}); got != c.want {
			t.Errorf("%+v: %q, want %q", c.who, got, c.want)
		}
	}
}
