package rtmp

import "slices"

// netStream is a message stream of a peer ("NetStream"): one that it created with
// createStream, or one that it uses without having done so.
type netStream struct {
	id      uint32
	created bool
	role    streamRole
	name    string // what it publishes or plays, as the peer says it
}

// streamRole is what a message stream is used for.
type streamRole uint8

const (
	roleIdle streamRole = iota
	rolePublishing
	rolePlaying
)

// netStreams are the message streams of a connection: a handful, in no order.
type netStreams []*netStream

// create returns a new message stream with the lowest free id from 1 on, or nil
// when there are most already. librtmp and some hardware take it for granted that
// the first is 1.
func (s *netStreams) create(most int) *netStream {
	if len(*s) >= most {
		return nil
	}
	id := uint32(1)
	for s.find(id) != nil {
		id++
	}
	ns := &netStream{id: id, created: true}
	*s = append(*s, ns)
	return ns
}

// use returns the message stream with an id, made up if the peer has not created
// it: cameras publish on 0, 1 or anything. nil: there are most already.
func (s *netStreams) use(id uint32, most int) *netStream {
	if ns := s.find(id); ns != nil {
		return ns
	}
	if len(*s) >= most {
		return nil
	}
	ns := &netStream{id: id}
	*s = append(*s, ns)
	return ns
}

func (s *netStreams) find(id uint32) *netStream {
	for _, ns := range *s {
		if ns.id == id {
			return ns
		}
	}
	return nil
}

// rest ends what a message stream is used for. One that was created stays.
func (s *netStreams) rest(ns *netStream) {
	ns.role, ns.name = roleIdle, ""
	if !ns.created {
		s.remove(ns.id)
	}
}

// remove forgets a message stream.
func (s *netStreams) remove(id uint32) {
	for i, ns := range *s {
		if ns.id == id {
			(*s)[i] = (*s)[len(*s)-1]
			(*s)[len(*s)-1] = nil
			*s = (*s)[:len(*s)-1]
			return
		}
	}
}

// only returns the one message stream that is in a role, or nil where none is, or
// several are.
func (s *netStreams) only(roles ...streamRole) *netStream {
	var found *netStream
	for _, ns := range *s {
		if !slices.Contains(roles, ns.role) {
			continue
		}
		if found != nil {
			return nil
		}
		found = ns
	}
	return found
}

// any reports whether a message stream is in a role.
func (s *netStreams) any(role streamRole) bool {
	for _, ns := range *s {
		if ns.role == role {
			return true
		}
	}
	return false
}

// meant returns the message stream that a command on id is about: the one with
// that id if it is in the role, or the only one that is where the peer never
// created the other (nobody agrees on the ids of commands).
func (s *netStreams) meant(id uint32, roles ...streamRole) *netStream {
	ns := s.find(id)
	if ns != nil {
		if slices.Contains(roles, ns.role) {
			return ns
		}
		if ns.created {
			return nil
		}
	}
	return s.only(roles...)
}
