// Command convene finds a time and a place for people to meet, from one sentence. Without arguments it serves the API
// on a loopback address with everything built in: Redis in the process, a rule-based model, demo people and places.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	_ "time/tzdata" // zones must be right on machines that have none installed

	"github.com/alecthomas/kong"
)

// Exit statuses.
const (
	exitDone   = 0
	exitFailed = 1
	exitMisuse = 2
	// exitInterrupted is what shells give a program that Ctrl-C has ended: 128 and the number of the signal.
	exitInterrupted = 130
)

type commands struct {
	Serve   serveCommand   `cmd:"" default:"withargs" help:"Serve the API (the default)."`
	Ask     askCommand     `cmd:"" help:"Ask in the terminal; without a sentence, keep a conversation going."`
	Health  healthCommand  `cmd:"" help:"Ask the server on this machine whether it is alive, for containers."`
	Eval    evalCommand    `cmd:"" help:"Run the understanding stages on labelled sentences and print the results."`
	Model   modelCommand   `cmd:"" help:"Serve the built-in model alone, compatible with the OpenAI API."`
	Replay  replayCommand  `cmd:"" help:"Record turns, play recordings back as a server, or put a server under load."`
	Secrets secretsCommand `cmd:"" help:"Make and rotate the keyset that seals connected calendars."`
	Key     keyCommand     `cmd:"" help:"Make, list and revoke the keys with which a site's servers call."`
	Version versionCommand `cmd:"" help:"Print which build of the program this is."`
	Config  configCommand  `cmd:"" help:"Print the settings in force and where each comes from, without secrets."`
}

// streams are where a command reads and writes; tests give their own.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// How much the heap may grow before it is collected, in percent. A turn leaves half a megabyte of garbage and the live
// heap is small, so that collecting at every doubling would take a sixth of the processor's time. An embedded Redis
// makes the heap grow with every turn, and five times its size would be too much.
const (
	garbage          = 400
	garbageWithRedis = 100
)

func main() {
	setGCPercent(garbage)
	runtime.MemProfileRate = 0 // (*app).profile sets it when it serves profiles
	ctx, stop := interruptible(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(status)
}

// setGCPercent sets how much the heap may grow before it is collected, unless GOGC does.
func setGCPercent(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// run is the whole program without its process.
func run(ctx context.Context, args []string, std streams) (status int) {
	var cli commands
	exited := -1
	parser, err := kong.New(&cli,
		kong.Name("convene"),
		kong.Description("Finds a time and a place for people to meet, from one sentence."),
		kong.DefaultEnvars("CONVENE"),
		kong.Writers(std.out, std.err),
		kong.Exit(func(code int) { exited = code }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(std),
		kong.PostBuild(hideSharedSettings),
	)
	if err != nil {
		return report(std.err, err, exitFailed)
	}
	parsed, err := parser.Parse(args)
	if exited >= 0 {
		return exited
	}
	if err != nil {
		return report(std.err, fmt.Errorf("%w; see convene --help", err), exitMisuse)
	}
	if err := parsed.Run(parser.Model); err != nil {
		return report(std.err, err, statusOf(err))
	}
	return exitDone
}

// sharedSettings is the group of the settings that commands share with serve, whose help lists them.
const sharedSettings = "shared"

func hideSharedSettings(k *kong.Kong) error {
	for _, command := range k.Model.Leaves(false) {
		hidden := false
		for _, flag := range command.Flags {
			flag.Hidden = flag.Group != nil && flag.Group.Key == sharedSettings
			hidden = hidden || flag.Hidden
		}
		if hidden {
			command.Detail += "\n\nThe settings of \"convene serve\" count here too; \"convene serve --help\" lists them."
		}
	}
	return nil
}

// misuse marks an error of the command line rather than of the work.
type misuse struct{ error }

func (m misuse) Unwrap() error { return m.error }

func statusOf(err error) int {
	if _, ok := errors.AsType[misuse](err); ok {
		return exitMisuse
	}
	if errors.Is(err, errInterrupted) {
		return exitInterrupted
	}
	return exitFailed
}

// report prints the error on one line, except an interruption by Ctrl-C alone.
func report(w io.Writer, err error, status int) int {
	if err.Error() == errInterrupted.Error() { // joined by kong with nothing
		return status
	}
	fmt.Fprintln(w, "convene: "+strings.ReplaceAll(err.Error(), "\n", "; "))
	return status
}
