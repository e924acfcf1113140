package main

import (
	"cmp"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/alecthomas/kong"
	"github.com/rs/zerolog"
	"golang.org/x/term"

	"convene/pkg/llm"
	"convene/pkg/llm/openai"
)

// settings are shared by all commands that answer turns. The environment variable of each flag is its name after
// CONVENE_, unless the field names another.
type settings struct {
	Now       fixedTime `help:"Fix the clock at this RFC 3339 time, for demonstrations and tests." placeholder:"RFC3339"`
	People    string    `help:"People as JSON in place of the demo people." placeholder:"FILE"`
	Calendars string    `help:"Folder of .ics files, named after the people's ids, in place of the demo calendars." placeholder:"DIR"`
	Tasks     string    `help:"Tasks in place of those of the demo: a file (.ics with VTODO, todo.txt as .txt, .json), or a folder of files named after the people's ids." placeholder:"DIR|FILE"`
	Mail      string    `help:"Mail in place of the demo's: a Maildir, which is the organizer's, or a folder of mailboxes named after the people's ids: each a Maildir, or folders inbox, sent and drafts of .eml files, which are only read." placeholder:"DIR"`
	World     string    `help:"Folder with a world of your own in place of the demo: people.json, calendars, mail, tasks.ics, preferences.json and meta.json." placeholder:"DIR"`
	RedisURL  string    `name:"redis-url" env:"REDIS_URL" help:"Redis that keeps state: one server, a Cluster or Sentinel; without it, nothing outlives the process." placeholder:"URL"`
	RouterURL string    `name:"router-url" env:"ROUTER_URL" help:"Server that speaks OSRM's API, for travel times by road; without it they are estimated." placeholder:"URL"`
	MCPTools  []string  `name:"mcp-tools" help:"Families of tools that agents are offered over MCP, as calendar,schedule; all by default." placeholder:"FAMILY"`
	LogLevel  string    `default:"info" enum:"debug,info,warn,error,disabled" help:"How much to log: ${enum}."`

	Notice        time.Duration `default:"30m" help:"How long before its start an event may still be proposed."`
	Grace         time.Duration `default:"150ms" help:"How long a turn waits for calendars before it shows preliminary candidates."`
	TurnDeadline  time.Duration `default:"60s" help:"How long a turn may take."`
	ChangesExpire time.Duration `default:"5m" help:"How long changes of a person's own day can be confirmed once they were shown, by the real clock."`
	PlansKeep     time.Duration `default:"24h" help:"How long a request of several steps waits for an answer that it needs."`
	MailHold      time.Duration `default:"20s" help:"How long a mail that was confirmed waits before it is sent, so that it can be stopped, by the real clock; 0s sends it at once."`
	MaxTurns      int           `default:"512" help:"How many turns this process runs at once; one tenant alone gets seven eighths of those of all processes together."`
	MaxQueue      int           `default:"10000" help:"How many accepted turns may be unfinished on all processes together; a conversation has 8 of them at most."`

	OpenAI     modelSettings    `embed:""`
	Connect    connectSettings  `embed:""`
	Venues     placeSettings    `embed:""`
	Activities activitySettings `embed:""`
	Door       doorSettings     `embed:""`

	// publicURL is where browsers reach the server; empty if nothing is served.
	publicURL string
	// world is what --world has; nil without it.
	world *worldFolder
}

// fixedTime is an RFC 3339 time on the command line.
type fixedTime struct{ time.Time }

// UnmarshalText says what is wrong in words for the command line.
func (t *fixedTime) UnmarshalText(b []byte) (err error) {
	if t.Time, err = time.Parse(time.RFC3339, string(b)); err != nil {
		return fmt.Errorf("%q is not a time as 2026-11-20T09:00:00-08:00", b)
	}
	return nil
}

// clock is time.Now, or a clock that stands still.
func (s settings) clock() func() time.Time {
	if s.Now.IsZero() {
		return time.Now
	}
	return func() time.Time { return s.Now.Time }
}

// logger writes for people on a terminal and JSON otherwise, where each line says which build and process it is from.
func (s settings) logger(w io.Writer) (zerolog.Logger, error) {
	level, err := zerolog.ParseLevel(s.LogLevel)
	if err != nil {
		return zerolog.Nop(), misuse{fmt.Errorf("--log-level: %w", err)}
	}
	if isTerminal(w) {
		w = zerolog.ConsoleWriter{Out: w, TimeFormat: time.TimeOnly, NoColor: !styled(w)}
	}
	fields := zerolog.New(w).Level(level).With().Timestamp()
	if _, terminal := w.(zerolog.ConsoleWriter); !terminal {
		fields = fields.Str("version", thisBuild().Version).Str("instance", instance())
	}
	return fields.Logger(), nil
}

func isTerminal(w any) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// styled reports whether colours may be written, and lines overwritten: on a terminal that can do it, unless NO_COLOR
// forbids it (https://no-color.org).
func styled(w any) bool {
	return isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// configCommand prints the settings in force.
type configCommand struct {
	Serve serveCommand `embed:""`
}

// Run prints a line per setting: its name, its variable, its value and the source of the value. Of a secret it prints
// only that it is set. Unknown variables with our prefix are named on standard error.
func (c *configCommand) Run(app *kong.Application, parsed *kong.Context, std streams) error {
	c.Serve.fillIn()
	table := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "SETTING\tENVIRONMENT\tVALUE\tFROM")
	for _, flag := range parsed.Selected().Flags {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", flag.Name, strings.Join(flag.Envs, " "), shown(flag),
			source(flag, parsed.Path))
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("print settings: %w", err)
	}
	for _, stray := range strayVariables(app, os.Environ()) {
		fmt.Fprintln(std.err, "convene: warning: "+stray)
	}
	return nil
}

// fillIn sets the defaults that come from other packages.
func (c *serveCommand) fillIn() {
	given := openai.Config{Stages: c.OpenAI.stages()}
	for stage, own := range map[llm.Stage]*stageSettings{
		llm.Classify: &c.OpenAI.Classify, llm.Template: &c.OpenAI.Template, llm.Select: &c.OpenAI.Select,
		llm.Plan: &c.OpenAI.Plan,
	} {
		in := given.Stage(stage)
		*own = stageSettings{cmp.Or(own.Model, c.modelOf(stage)), in.Effort, in.Deadline, string(in.ToolMode)}
	}
	if c.searchesWeb() {
		web := c.webSearch()
		c.Activities.Model, c.Activities.Effort, c.Activities.Deadline = web.Model, web.Effort, web.Deadline
	}
	c.Connect.PublicURL = c.Connect.publicURL(c.Listen)
	if c.Door.LimitAddress.text == "" {
		c.Door.LimitAddress.text = usualAddressRate + " where keys are needed"
	}
}

// secretFlags are not shown.
var secretFlags = []string{
	"openai-api-key", "redis-url", "secrets-keyset", "foursquare-api-key", "google-places-api-key", "google-client-secret",
	"microsoft-client-secret",
}

func shown(flag *kong.Flag) string {
	value := fmt.Sprint(flag.Target.Interface())
	switch {
	case flag.Target.IsZero() && !flag.IsBool():
		return "-"
	case slices.Contains(secretFlags, flag.Name), hasPassword(value):
		return "(set)"
	default:
		return value
	}
}

// hasPassword reports whether a value is a URL with user information.
func hasPassword(value string) bool {
	u, err := url.Parse(value)
	return err == nil && u.User != nil
}

// source says where a flag's value comes from; given is the parsed command line.
func source(flag *kong.Flag, given []*kong.Path) string {
	if slices.ContainsFunc(given, func(p *kong.Path) bool { return p.Flag == flag && !p.Resolved }) {
		return "command line"
	}
	for _, name := range flag.Envs {
		if _, ok := os.LookupEnv(name); ok {
			return "environment " + name
		}
	}
	return "default"
}
