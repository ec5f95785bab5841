package rtmp

import (
	"log/slog"
	"strconv"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// ServerInfo is what a server says of itself in its answer to connect. Any field
// may be empty: most servers say no more than FMSVer. Name, Version, IP, PID and ID
// are those of SRS and Penstock; with them a connection can be followed from one
// server's log to another's.
type ServerInfo struct {
	FMSVer       string // "FMS/3,0,1,123": which of Adobe's servers it is like
	Capabilities float64
	Mode         float64
	Name         string // of the program, with its version
	Version      string
	IP           string // of the machine, as it knows itself
	PID          string // of the process
	ID           string // of the connection, in the server's log
	// Properties and Info are the whole answer.
	Properties, Info amf.Object
}

func parseServerInfo(cmd message.Command) ServerInfo {
	ps, _ := amf.Properties(cmd.Object)
	is, _ := amf.Properties(cmd.Arg(0))
	s := ServerInfo{Properties: ps, Info: is}
	s.FMSVer, _ = amf.String(s.Properties.Get("fmsVer"))
	s.Capabilities, _ = amf.Number(s.Properties.Get("capabilities"))
	s.Mode, _ = amf.Number(s.Properties.Get("mode"))
	ds, _ := amf.Properties(s.Info.Get("data"))
	data := amf.Object(ds)
	text := func(keys ...string) string { // the first that is there
		for _, key := range keys {
			switch v := data.Get(key).(type) {
			case string:
				return v
			case float64:
				return strconv.FormatFloat(v, 'f', -1, 64)
			}
		}
		return ""
	}
	s.Name = text("srs_server", "server")
	s.Version = text("srs_version", "server_version", "version")
	s.IP = text("srs_server_ip", "server_ip")
	s.PID = text("srs_pid", "pid")
	s.ID = text("srs_id", "connection")
	return s
}

// log says who was reached, where a person looks for it.
func (s ServerInfo) log(logger *slog.Logger) {
	if logger == nil {
		return
	}
	logger.Debug(
		"server", "fmsver", s.FMSVer, "name", s.Name, "version", s.Version,
		"ip", s.IP, "pid", s.PID, "id", s.ID,
	)
}
