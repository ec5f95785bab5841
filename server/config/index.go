package config

// index finds a vhost by name or host without a walk.
type index struct {
	byName map[string]*Vhost
	byHost map[string]*Vhost
}
