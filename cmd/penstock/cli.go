package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/alecthomas/kong"
)

// environment is what a command may touch of the process it runs in.
type environment struct {
	stdin          io.Reader
	stdout, stderr io.Writer
}

// cli is the command line. A flag comes from the command line, else from its
// environment variable, else from the configuration file, else from its default.
type cli struct {
	globals `embed:""`

	Serve   serveCommand   `cmd:"" default:"withargs" help:"Run the gateway (the default command)."`
	Migrate migrateCommand `cmd:"" help:"Bring the database to this version's schema."`
	User    userCommands   `cmd:"" help:"Dashboard users."`
	Key     keyCommands    `cmd:"" help:"Stream keys: what an encoder publishes with."`
	Token   tokenCommands  `cmd:"" help:"Signed tokens: an expiring permission to publish or play."`
	Vhost   vhostCommands  `cmd:"" help:"Vhosts: named sets of rules."`
	Limits  limitsCommand  `cmd:"" help:"What a peer may cost: every limit, what it is and what it means."`
	Publish publishCommand `cmd:"" help:"Publish a file in real time: FLV, raw H.264, H.265, AAC or MP3."`
	Doctor  doctorCommand  `cmd:"" help:"Check this machine and the database, and say what to do."`
	OpenAPI openapiCommand `cmd:"" name:"openapi" hidden:"" help:"Print the REST API's OpenAPI document."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

// globals are the flags that every command takes.
type globals struct {
	Config    string `short:"c" type:"path" placeholder:"FILE" env:"PENSTOCK_CONFIG" help:"YAML file with any of these flags as keys (data_dir: …)."`
	DataDir   string `type:"path" default:"data" env:"PENSTOCK_DATA_DIR" help:"Directory for the SQLite database and everything else that is kept (created with mode 0700)."`
	Database  string `placeholder:"URL" env:"PENSTOCK_DATABASE" help:"sqlite:PATH or postgres://USER@HOST/NAME. Default: penstock.db in the data directory."`
	LogLevel  string `enum:"debug,info,warn,error" default:"info" env:"PENSTOCK_LOG_LEVEL" help:"debug, info, warn or error."`
	LogFormat string `enum:"auto,text,json" default:"auto" env:"PENSTOCK_LOG_FORMAT" help:"auto (for people on a terminal, else text), text or json."`
}

// command is what a subcommand's Run gets.
type command struct {
	environment
	ctx     context.Context //nolint:containedctx // the process's own context, made in run and passed to one Run
	globals globals
	file    *configFile // what it said besides flags
}

// exitError ends the process with a code, without a message of its own.
type exitError struct{ code int }

// Error implements error.
func (e exitError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

// withDefault is the help of a flag with its default, which kong leaves out where
// there is a placeholder.
func withDefault(v *kong.Value) string {
	shown := *v
	if v.Flag != nil && v.Flag.PlaceHolder != "" && v.Default != "" {
		shown.Help += " Default: " + v.Default + "."
	}
	return kong.DefaultHelpValueFormatter(&shown)
}

// run parses the arguments, runs the command and returns the exit code: 0 well,
// 1 failed, 2 for a command line that makes no sense.
func run(ctx context.Context, args []string, env environment) (code int) {
	var c cli
	exited := -1
	file := &configFile{}
	parser, err := kong.New(
		&c,
		kong.Name("penstock"),
		kong.Description("A live media gateway: encoders publish over RTMP, players take RTMP, HTTP-FLV and WebSocket-FLV."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.ValueFormatter(withDefault),
		kong.Writers(env.stdout, env.stderr),
		kong.Exit(func(code int) { exited = code }),
		kong.Resolvers(file),
	)
	if err != nil {
		_, _ = fmt.Fprintln(env.stderr, "penstock:", err)
		return 2
	}
	parsed, err := parser.Parse(args)
	switch {
	case exited >= 0: // --help printed what it had to
		return exited
	case err != nil:
		_, _ = fmt.Fprintf(env.stderr, "penstock: %v\nSee penstock --help.\n", err)
		return 2
	}
	err = parsed.Run(&command{environment: env, ctx: ctx, globals: c.globals, file: file})
	var exit exitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.code
	default:
		_, _ = fmt.Fprintln(env.stderr, "penstock:", advise(err))
		return 1
	}
}
