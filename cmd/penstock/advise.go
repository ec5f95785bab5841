package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
)

// advice is an error with a next step for the person who reads it.
type advice struct {
	err  error
	what string
}

// Error implements error.
func (a *advice) Error() string { return a.err.Error() + "\n  " + a.what }

// Unwrap gives the error the advice is about.
func (a *advice) Unwrap() error { return a.err }

// advise adds a next step to errors that have a usual one.
func advise(err error) error {
	if _, already := errors.AsType[*advice](err); already {
		return err
	}
	var op *net.OpError
	listening := errors.As(err, &op) && op.Op == "listen"
	switch {
	case listening && errors.Is(err, syscall.EADDRINUSE):
		return &advice{
			err: fmt.Errorf("%s is in use: another program listens there", port(op.Addr)),
			what: "Stop that program (ss -ltnp shows it), or choose another port: " +
				"--rtmp :1936 for RTMP, --http :8081 for HTTP; --rtmps and --https likewise.",
		}
	case listening && errors.Is(err, syscall.EACCES):
		return &advice{
			err: fmt.Errorf("%s may not be listened on by this user", port(op.Addr)),
			what: "Choose a port from 1024 on, or allow it: " +
				"setcap cap_net_bind_service=+ep penstock, or AmbientCapabilities=CAP_NET_BIND_SERVICE in systemd.",
		}
	case listening && errors.Is(err, syscall.EADDRNOTAVAIL):
		return &advice{
			err:  fmt.Errorf("%s is not an address of this machine", op.Addr),
			what: "Leave the host out (:1935) to listen on every address, or use one that `ip addr` shows.",
		}
	case errors.Is(err, os.ErrPermission):
		return &advice{err: err, what: "Give this user the right to write there, or choose another place with --data-dir."}
	case errors.Is(err, syscall.ENOSPC):
		return &advice{err: err, what: "The disk is full: free some space, or choose another place with --data-dir."}
	case errors.Is(err, syscall.ECONNREFUSED):
		return &advice{err: err, what: "Nothing answers there: is PostgreSQL running, and is --database right?"}
	}
	return err
}

// port names the port of an address: "port 1935".
func port(addr net.Addr) string {
	if addr == nil {
		return "the port"
	}
	if _, p, err := net.SplitHostPort(addr.String()); err == nil {
		return "port " + p
	}
	return addr.String()
}
