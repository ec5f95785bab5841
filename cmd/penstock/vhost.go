package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/penstock-media/penstock/api/store"
	"github.com/penstock-media/penstock/server/config"
)

type vhostCommands struct {
	Set  vhostSet  `cmd:"" help:"Change settings of a vhost, or create it: penstock vhost set default publish_policy=open"`
	List vhostList `cmd:"" help:"List the vhosts and their settings."`
}

type vhostSet struct {
	Name     string   `arg:"" help:"Name of the vhost; it is created where there is none."`
	Settings []string `arg:"" placeholder:"NAME=VALUE" help:"Settings by their API names: publish_policy, play_policy, gop, queue_ms …"`
}

// Run changes the vhost.
func (v vhostSet) Run(c *command) error {
	return c.withStore(func(s *store.Store) error {
		vhost, err := s.VhostByName(c.ctx, v.Name)
		missing := errors.Is(err, store.ErrNotFound)
		switch {
		case missing:
			vhost = store.NewVhost(v.Name)
		case err != nil:
			return err
		}
		for _, setting := range v.Settings {
			name, value, ok := strings.Cut(setting, "=")
			if !ok {
				return fmt.Errorf("%q is not NAME=VALUE, such as publish_policy=open", setting)
			}
			if err := set(&vhost, name, value); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		if missing {
			vhost, err = s.CreateVhost(c.ctx, c.actor(), vhost)
		} else {
			vhost, err = s.UpdateVhost(c.ctx, c.actor(), vhost)
		}
		if err != nil {
			return fmt.Errorf("vhost %s: %w", v.Name, err)
		}
		return c.printVhosts([]store.Vhost{vhost})
	})
}

// field reads and writes one setting of a vhost as text.
type field struct {
	name string
	get  func(v *store.Vhost) string
	set  func(v *store.Vhost, value string) error
}

// fields are the settings of a vhost under the names the API gives them.
func fields() []field {
	return []field{
		{
			"hostnames", func(v *store.Vhost) string { return strings.Join(v.Hostnames, ",") },
			func(v *store.Vhost, value string) error {
				v.Hostnames = slices.DeleteFunc(strings.Split(value, ","), func(h string) bool { return h == "" })
				return nil
			},
		},
		toggle("enabled", func(v *store.Vhost) *bool { return &v.Enabled }),
		text("publish_policy", func(v *store.Vhost) *config.PublishPolicy { return &v.PublishPolicy }),
		text("play_policy", func(v *store.Vhost) *config.PlayPolicy { return &v.PlayPolicy }),
		text("duplicate_policy", func(v *store.Vhost) *config.DuplicatePolicy { return &v.DuplicatePolicy }),
		text("referer_empty", func(v *store.Vhost) *config.RuleAction { return &v.RefererEmpty }),
		text("referer_match", func(v *store.Vhost) *config.RefererMatch { return &v.RefererMatch }),
		text("ip_preset", func(v *store.Vhost) *config.IPPreset { return &v.IPPreset }),
		toggle("gop", func(v *store.Vhost) *bool { return &v.Media.GOP }),
		number("queue_ms", func(v *store.Vhost) *int { return &v.Media.QueueMS }),
		number("merge_ms", func(v *store.Vhost) *int { return &v.Media.MergeMS }),
		number("chunk_size_bytes", func(v *store.Vhost) *int { return &v.Media.ChunkSize }),
		number("publisher_idle_ms", func(v *store.Vhost) *int { return &v.Media.PublisherIdleMS }),
		number("publisher_gap_ms", func(v *store.Vhost) *int { return &v.Media.PublisherGapMS }),
		number("play_wait_ms", func(v *store.Vhost) *int { return &v.Media.PlayWaitMS }),
		number("max_message_bytes", func(v *store.Vhost) *int { return &v.Media.MaxMessageBytes }),
		number("merge_min_messages", func(v *store.Vhost) *int { return &v.Media.MergeMinMessages }),
		number("send_buffer_bytes", func(v *store.Vhost) *int { return &v.Media.SendBufferBytes }),
		toggle("tcp_nodelay", func(v *store.Vhost) *bool { return &v.Media.TCPNoDelay }),
		number("first_media_ms", func(v *store.Vhost) *int { return &v.Media.FirstMediaMS }),
		number("republish_ms", func(v *store.Vhost) *int { return &v.Media.RepublishMS }),
		text("profile", func(v *store.Vhost) *config.Profile { return &v.Media.Profile }),
		text("stream_identity", func(v *store.Vhost) *config.StreamIdentity { return &v.Media.StreamIdentity }),
		text("timestamps", func(v *store.Vhost) *config.TimestampPolicy { return &v.Media.Timestamps }),
		text("atc", func(v *store.Vhost) *config.ATC { return &v.Media.ATC }),
		toggle("reduce_sequence_header", func(v *store.Vhost) *bool { return &v.Media.ReduceSequenceHeader }),
		text("hevc_to_players", func(v *store.Vhost) *config.HEVCForm { return &v.Media.HEVCToPlayers }),
		text("multitrack_to_players", func(v *store.Vhost) *config.Multitrack { return &v.Media.MultitrackToPlayers }),
		toggle("strict_codecs", func(v *store.Vhost) *bool { return &v.Media.StrictCodecs }),
	}
}

func text[T ~string](name string, at func(*store.Vhost) *T) field {
	return field{
		name, func(v *store.Vhost) string { return string(*at(v)) },
		func(v *store.Vhost, value string) error {
			*at(v) = T(value)
			return nil
		},
	}
}

func toggle(name string, at func(*store.Vhost) *bool) field {
	return field{
		name, func(v *store.Vhost) string { return strconv.FormatBool(*at(v)) },
		func(v *store.Vhost, value string) error {
			b, err := strconv.ParseBool(value)
			if err != nil {
				return fmt.Errorf("%q is neither true nor false", value)
			}
			*at(v) = b
			return nil
		},
	}
}

func number(name string, at func(*store.Vhost) *int) field {
	return field{
		name, func(v *store.Vhost) string { return strconv.Itoa(*at(v)) },
		func(v *store.Vhost, value string) error {
			n, err := strconv.Atoi(value)
			if err != nil {
				return fmt.Errorf("%q is not a whole number", value)
			}
			*at(v) = n
			return nil
		},
	}
}

// set changes one setting. Whether the value makes sense is for the store to say.
func set(v *store.Vhost, name, value string) error {
	var names []string
	for _, f := range fields() {
		if f.name == name {
			return f.set(v, value)
		}
		names = append(names, f.name)
	}
	return fmt.Errorf("there is no such setting (there are: %s)", strings.Join(names, ", "))
}

type vhostList struct{}

// Run lists vhosts with all their settings.
func (vhostList) Run(c *command) error {
	return c.withStore(func(s *store.Store) error {
		var all []store.Vhost
		err := every(func(o store.ListOptions) (store.List[store.Vhost], error) {
			return s.Vhosts(c.ctx, store.VhostFilter{}, o)
		}, func(v store.Vhost) { all = append(all, v) })
		if err != nil {
			return err
		}
		return c.printVhosts(all)
	})
}

func (c *command) printVhosts(all []store.Vhost) error {
	for _, v := range all {
		if err := c.print("%s\n", plain(v.Name)); err != nil {
			return err
		}
		for _, f := range fields() {
			if err := c.print("  %-18s %s\n", f.name, plain(f.get(&v))); err != nil {
				return err
			}
		}
	}
	return nil
}

// vhost finds a vhost by name.
func (c *command) vhost(s *store.Store, name string) (store.Vhost, error) {
	vhost, err := s.VhostByName(c.ctx, name)
	if errors.Is(err, store.ErrNotFound) {
		return store.Vhost{}, fmt.Errorf("there is no vhost %q (penstock vhost set %s enabled=true creates it)", name, name)
	}
	return vhost, err
}
