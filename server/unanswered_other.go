//go:build !linux

package server

import "net"

func limitUnanswered(net.Conn) {}
