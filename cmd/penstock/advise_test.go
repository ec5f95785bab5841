package main

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/penstock-media/penstock/server"
)

func TestAdviseOnBusyPort(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	engine, err := server.New(server.Config{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = listen(t.Context(), engine, []string{taken.Addr().String()})
	if err == nil {
		t.Fatal("listening twice on one port succeeds")
	}
	got := advise(fmt.Errorf("start: %w", err)).Error()
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	if !strings.Contains(got, "port "+port+" is in use") || !strings.Contains(got, "--http") {
		t.Errorf("the error does not say what to do:\n%s", got)
	}
}
