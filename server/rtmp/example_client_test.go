package rtmp_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"time"

	"github.com/penstock-media/penstock/server/rtmp"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// A publisher sends in one goroutine and listens in another: that is where the
// server's pings are answered, and where it says that it is over.
func ExampleClient_Publish() {
	host, stop := rtmp.Demo(nil)
	defer stop()
	ctx := context.Background()

	c, err := rtmp.Dial(ctx, "rtmp://"+host+"/live/cam1?key=secret", rtmp.DialConfig{})
	if err != nil {
		panic(err)
	}
	if err := c.Publish(ctx, ""); err != nil { // the URL's name; a *rtmp.StatusError is a refusal
		panic(err)
	}
	over := make(chan error, 1)
	go func() {
		for {
			if _, err := c.ReadMedia(); err != nil {
				over <- err
				return
			}
		}
	}()
	for at := uint32(0); at < 1000; at += 40 {
		if err := c.WriteMedia(message.TypeAudio, at, []byte{0xAF, 1, 0x21}); err != nil {
			panic(err) // what the server said is in over
		}
	}
	fmt.Println("left in good order:", c.Close())
	<-over
	// Output: left in good order: <nil>
}

// As Flash Player publishes, where FMLE's commands are unknown.
func ExampleClient_PublishWith() {
	host, stop := rtmp.Demo(nil)
	defer stop()
	ctx := context.Background()

	c, err := rtmp.Dial(ctx, "rtmp://"+host+"/live", rtmp.DialConfig{
		Connect: rtmp.Connect{FlashVer: "WIN 32,0,0,465", PageURL: "https://example.com/studio"},
	})
	if err != nil {
		panic(err)
	}
	defer func() { _ = c.Close() }()
	err = c.PublishWith(ctx, rtmp.PublishOptions{Name: "cam1", Type: "record", Flash: true})
	fmt.Println(c.Address().Name, err)
	// Output: cam1 <nil>
}

// A player goes on when the publisher does, and ends when the server falls silent.
func ExampleClient_Play() {
	host, stop := rtmp.Demo(nil)
	defer stop()
	ctx := context.Background()

	c, err := rtmp.Dial(ctx, "rtmp://"+host+"/live/cam1", rtmp.DialConfig{ReadTimeout: 100 * time.Millisecond})
	if err != nil {
		panic(err)
	}
	defer func() { _ = c.Close() }()
	if err := c.Play(ctx, ""); err != nil {
		panic(err)
	}
	for {
		m, err := c.ReadMedia()
		switch {
		case errors.Is(err, rtmp.ErrUnpublished):
			fmt.Println("the publisher is gone, and may come back")
			continue
		case rtmp.IsTimeout(err):
			fmt.Println("nothing for a while")
			return
		case errors.Is(err, io.EOF):
			fmt.Println("the server left")
			return
		case err != nil:
			panic(err) // a *rtmp.StatusError says why it is over
		}
		fmt.Println(m.Type, m.Timestamp, len(m.Payload))
	}
	// Output:
	// 9 0 5
	// the publisher is gone, and may come back
	// nothing for a while
}

// Ten seconds of a recording, from its second minute on.
func ExampleClient_PlayWith() {
	host, stop := rtmp.Demo(nil)
	defer stop()
	ctx := context.Background()

	c, err := rtmp.Dial(ctx, "rtmp://"+host+"/films/mp4:film.mp4", rtmp.DialConfig{
		OnStatus: func(s rtmp.Status) { fmt.Println(s.Code) },
	})
	if err != nil {
		panic(err)
	}
	defer func() { _ = c.Close() }()
	err = c.PlayWith(ctx, rtmp.PlayOptions{
		Recorded: true, Start: time.Minute, Duration: 10 * time.Second, Reset: new(true),
	})
	if err != nil {
		panic(err)
	}
	if err := c.Pause(true, time.Minute); err != nil {
		panic(err)
	}
	for {
		m, err := c.ReadMedia()
		if err == nil && m.Timestamp == 40 {
			return
		}
	}
	// Output:
	// NetStream.Play.Start
	// NetStream.Play.UnpublishNotify
	// NetStream.Pause.Notify
}

// RTMPS with roots of one's own, from one of the machine's addresses, with the
// handshake that some networks want.
func ExampleDial() {
	conf, roots := selfSigned()
	host, stop := rtmp.Demo(conf)
	defer stop()

	from := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}}
	c, err := rtmp.Dial(context.Background(), "rtmps://"+host+"/live/cam1", rtmp.DialConfig{
		TLS:         &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		DialContext: from.DialContext, // or a proxy's
		Handshake:   rtmp.HandshakeDigest,
		Timeout:     5 * time.Second,
	})
	if err != nil {
		panic(err)
	}
	defer func() { _ = c.Close() }()
	fmt.Println(c.Server().FMSVer)
	// Output: FMS/3,5,7,7009
}

func selfSigned() (*tls.Config, *x509.CertPool) {
	web := httptest.NewUnstartedServer(nil)
	web.StartTLS()
	defer web.Close()
	roots := x509.NewCertPool()
	roots.AddCert(web.Certificate())
	return &tls.Config{Certificates: web.TLS.Certificates, MinVersion: tls.VersionTLS12}, roots
}

// User and password, for Adobe's servers and Limelight's. They may stand in the URL
// too.
func ExampleDial_login() {
	host, stop := rtmp.Demo(nil)
	defer stop()

	_, err := rtmp.Dial(context.Background(), "rtmp://"+host+"/private/cam1", rtmp.DialConfig{
		Login: rtmp.Login{User: "studio", Password: "secret"},
	})
	fmt.Println(errors.Is(err, rtmp.ErrLogin))
	fmt.Println(err) // neither user nor password
	// Output:
	// true
	// rtmp: connect: login: the server knows no such user: NetConnection.Connect.Rejected: authmod=adobe
}

// A server that is about to stop asks its clients to go elsewhere. They go on where
// they are until that is ready.
func ExampleClient_Redial() {
	host, stop := rtmp.Demo(nil)
	defer stop()
	ctx := context.Background()

	c, err := rtmp.Dial(ctx, "rtmp://"+host+"/live/moving?token=old", rtmp.DialConfig{
		Connect: rtmp.Connect{CapsEx: rtmp.CapsReconnect},
	})
	if err != nil {
		panic(err)
	}
	if err := c.Play(ctx, "moving"); err != nil {
		panic(err)
	}
	_, err = c.ReadMedia()
	move, ok := errors.AsType[*rtmp.ReconnectError](err)
	if !ok {
		panic(err)
	}
	fmt.Println(move)
	next, err := c.Redial(ctx, move.URL)
	if err != nil {
		panic(err)
	}
	_ = c.Close()
	fmt.Println(next.Address().Name)

	// The same with a token that is still good:
	again, err := next.Redial(ctx, next.Address().With("token", "new").URL())
	if err != nil {
		panic(err)
	}
	_ = next.Close()
	fmt.Println(again.Address().Name, again.Close())
	// Output:
	// asked to reconnect: maintenance
	// moving
	// moving?token=new <nil>
}

func ExampleParseAddress() {
	a, err := rtmp.ParseAddress("rtmp://192.0.2.1/live?vhost=tv.example/cam1?token=x")
	if err != nil {
		panic(err)
	}
	t, err := a.Target()
	if err != nil {
		panic(err)
	}
	flv, err := a.FLV("http://192.0.2.1:8080")
	if err != nil {
		panic(err)
	}
	fmt.Println(a.Host, t.Vhost, t.App, t.Name)
	fmt.Println(a.With("token", "y").URL())
	fmt.Println(flv)
	// Output:
	// 192.0.2.1:1935 tv.example live cam1
	// rtmp://192.0.2.1/live?vhost=tv.example/cam1?token=y
	// http://192.0.2.1:8080/live/cam1.flv?token=x&vhost=tv.example
}
