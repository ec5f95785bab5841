//go:build !linux

package server

import (
	"net"
	"time"
)

func limitUnanswered(net.Conn, time.Duration) {}
