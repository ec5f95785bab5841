package rtmp

import (
	"fmt"

	"github.com/penstock-media/penstock/server/amf"
)

// Levels of a Status.
const (
	LevelStatus  = "status"
	LevelWarning = "warning"
	LevelError   = "error"
)

// Codes of a Status.
const (
	CodeConnectSuccess   = "NetConnection.Connect.Success"
	CodeConnectRejected  = "NetConnection.Connect.Rejected"
	CodeConnectClosed    = "NetConnection.Connect.Closed"
	CodeConnectInvalid   = "NetConnection.Connect.InvalidApp"
	CodeConnectReconnect = "NetConnection.Connect.ReconnectRequest"
	CodeCallFailed       = "NetConnection.Call.Failed"

	CodePublishStart     = "NetStream.Publish.Start"
	CodePublishBadName   = "NetStream.Publish.BadName"
	CodePublishDenied    = "NetStream.Publish.Denied"
	CodePublishRejected  = "NetStream.Publish.Rejected"
	CodeUnpublishSuccess = "NetStream.Unpublish.Success"

	CodeDataStart = "NetStream.Data.Start"

	CodePlayReset           = "NetStream.Play.Reset"
	CodePlayStart           = "NetStream.Play.Start"
	CodePlayStop            = "NetStream.Play.Stop"
	CodePlayComplete        = "NetStream.Play.Complete"
	CodePlayFailed          = "NetStream.Play.Failed"
	CodePlayStreamNotFound  = "NetStream.Play.StreamNotFound"
	CodePlayNoTrack         = "NetStream.Play.NoSupportedTrackFound"
	CodePlayPublishNotify   = "NetStream.Play.PublishNotify"
	CodePlayUnpublishNotify = "NetStream.Play.UnpublishNotify"
	CodePauseNotify         = "NetStream.Pause.Notify"
	CodeUnpauseNotify       = "NetStream.Unpause.Notify"
	CodeSeekNotify          = "NetStream.Seek.Notify"
)

// Status is what onStatus, and the answer to connect, carry.
type Status struct {
	Level       string // LevelStatus, LevelWarning or LevelError
	Code        string
	Description string // for a person; reaches the peer, so no secrets
}

// StatusError is a Status that means failure: what a client was told, or what
// the server is about to say.
type StatusError Status

// Error gives code and description.
func (e *StatusError) Error() string {
	if e.Description == "" {
		return e.Code
	}
	return fmt.Sprintf("%s: %s", e.Code, e.Description)
}

// object is s as the information object of a command.
func (s Status) object() amf.Object {
	return amf.Object{
		{Key: "level", Value: s.Level},
		{Key: "code", Value: s.Code},
		{Key: "description", Value: s.Description},
	}
}

// withDefaults fills in what an error status must not lack.
func (e *StatusError) status(code string) Status {
	s := Status{Level: LevelError, Code: code}
	if e == nil {
		return s
	}
	if e.Level != "" {
		s.Level = e.Level
	}
	if e.Code != "" {
		s.Code = e.Code
	}
	s.Description = e.Description
	return s
}

// parseStatus reads an information object. What is missing is left empty.
func parseStatus(v amf.Value) (s Status) {
	ps, _ := amf.Properties(v)
	o := amf.Object(ps)
	s.Code, _ = amf.String(o.Get("code"))
	s.Level, _ = amf.String(o.Get("level"))
	s.Description, _ = amf.String(o.Get("description"))
	return s
}
