package api

import "time"

// System is how this server is doing.
type System struct {
	ID              string       `json:"id" enum:"system" doc:"Always system"`
	Version         string       `json:"version" doc:"Version of Penstock" example:"0.1.0"`
	GoVersion       string       `json:"go_version" doc:"Version of Go it was built with" example:"go1.27.3"`
	Node            string       `json:"node" doc:"Name of this node" example:"ams-1"`
	StartedAt       time.Time    `json:"started_at" doc:"When it started"`
	UptimeSeconds   int64        `json:"uptime_seconds" doc:"How long it runs"`
	ServerTime      time.Time    `json:"server_time" doc:"Its clock"`
	Database        SystemDB     `json:"database" doc:"State of the database"`
	Revision        int64        `json:"applied_revision" doc:"Revision of the configuration in force"`
	AppliedAt       *time.Time   `json:"applied_at,omitempty" doc:"Since when it is in force"`
	Goroutines      int          `json:"goroutines" doc:"Running goroutines"`
	MemoryBytes     uint64       `json:"memory_bytes" doc:"Memory it holds from the system"`
	HeapBytes       uint64       `json:"heap_bytes" doc:"Of which in use by objects"`
	CPUPercent      float64      `json:"cpu_percent" doc:"Processor time over the last seconds, 100 is one core" example:"38.2"`
	CPUs            int          `json:"cpus" doc:"Cores it may use"`
	OpenFiles       int          `json:"open_files" doc:"File descriptors in use; -1 where that is not known"`
	OpenFilesMax    int          `json:"open_files_max" doc:"How many it may have; -1 where that is not known"`
	Listeners       []Listener   `json:"listeners" doc:"The addresses it is bound to"`
	URLs            *SystemURLs  `json:"urls,omitempty" doc:"Where encoders and players find it, with the host of the request; absent in the feed"`
	Degraded        bool         `json:"degraded" doc:"Whether something is wrong that an admin should look at"`
	DegradedReasons []string     `json:"degraded_reasons" doc:"What is wrong, in sentences"`
	Totals          SystemTotals `json:"totals" doc:"Counters since the start"`
}

// SystemDB is the state of the database.
type SystemDB struct {
	Engine    string `json:"engine" enum:"sqlite,postgres" doc:"Which database"`
	State     string `json:"state" enum:"up,down" doc:"Whether it answers"`
	LatencyMS int64  `json:"latency_ms" doc:"How long the last question took"`
	Detail    string `json:"detail,omitempty" doc:"Why it does not answer"`
}

// Listener is an address the server is bound to.
type Listener struct {
	Protocol string `json:"protocol" enum:"rtmp,rtmps,http,https" doc:"What is spoken there"`
	Address  string `json:"address" doc:"IP address and port" example:"[::]:1935"`
}

// SystemURLs is where encoders and players find this server.
type SystemURLs struct {
	RTMP []string `json:"rtmp" doc:"For encoders and RTMP players: each address that listens, rtmps:// behind rtmp://" example:"[\"rtmp://live.example.com\"]"`
	HTTP string   `json:"http" doc:"For HTTP-FLV players, the dashboard and this API" example:"https://live.example.com"`
	WS   string   `json:"ws" doc:"For WebSocket-FLV players" example:"wss://live.example.com"`
}

// SystemTotals are counters since the start.
type SystemTotals struct {
	BytesIn  uint64 `json:"bytes_in" doc:"Bytes from publishers"`
	BytesOut uint64 `json:"bytes_out" doc:"Bytes to players"`
	Sessions uint64 `json:"sessions" doc:"Connections accepted"`
	Refusals uint64 `json:"refusals" doc:"Connections refused"`
}

// Overview is the whole server in a few numbers.
type Overview struct {
	ID         string    `json:"id" enum:"overview" doc:"Always overview"`
	Time       time.Time `json:"time" doc:"When it was so"`
	Streams    int       `json:"streams" doc:"Live streams"`
	Publishers int       `json:"publishers" doc:"Connected publishers"`
	Players    int       `json:"players" doc:"Connected players"`
	InKbps     int       `json:"in_kbps" doc:"Bit rate from all publishers"`
	OutKbps    int       `json:"out_kbps" doc:"Bit rate to all players"`
	Refusals   uint64    `json:"refusals" doc:"Connections refused since the start; of the last 500 for who sees some vhosts only"`
	CPUPercent float64   `json:"cpu_percent" doc:"Processor time over the last seconds, 100 is one core"`
	Memory     uint64    `json:"memory_bytes" doc:"Memory it holds from the system"`
	Database   string    `json:"database" enum:"up,down" doc:"Whether the database answers"`
	Degraded   bool      `json:"degraded" doc:"Whether something is wrong that an admin should look at"`
}

// OverviewHistory is the overview of the last 15 minutes.
type OverviewHistory struct {
	Now    Overview        `json:"now" doc:"The present"`
	StepMS int             `json:"step_ms" doc:"Time between two points" example:"5000"`
	Items  []OverviewPoint `json:"items" doc:"Oldest first; empty for who sees some vhosts only"`
}

// OverviewPoint is one moment of the overview's history.
type OverviewPoint struct {
	Time       time.Time `json:"time" doc:"The moment"`
	Streams    int       `json:"streams" doc:"Live streams"`
	Players    int       `json:"players" doc:"Connected players"`
	InKbps     int       `json:"in_kbps" doc:"Bit rate from all publishers"`
	OutKbps    int       `json:"out_kbps" doc:"Bit rate to all players"`
	Refusals   int       `json:"refusals" doc:"Connections refused since the point before"`
	CPUPercent float64   `json:"cpu_percent" doc:"Processor time, 100 is one core"`
	Memory     uint64    `json:"memory_bytes" doc:"Memory it holds from the system"`
}
