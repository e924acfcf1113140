package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"convene/pkg/api"
	playback "convene/pkg/replay"
)

// replayCommand records turns, plays them back and puts servers under load.
type replayCommand struct {
	Record recordCommand    `cmd:"" help:"Record turns as they are streamed, a file each."`
	Serve  playCommand      `cmd:"" help:"Play recordings back as a server, so that a front end needs no back end."`
	Load   loadTurnsCommand `cmd:"" help:"Have many clients talk to a server on this machine, and check every stream."`
}

// playCommand plays recordings back.
type playCommand struct {
	Recordings []string      `arg:"" optional:"" help:"Recordings, or folders of them; default testdata/streams." placeholder:"PATH"`
	Listen     string        `default:"127.0.0.1:8080" help:"Loopback address to listen on."`
	Speed      float64       `default:"1" help:"How many times as fast as recorded."`
	Cut        float64       `help:"Share of connections, 0 to 1, that break off: between two blocks or within one."`
	Stall      float64       `help:"Share of connections, 0 to 1, that fall silent once."`
	StallFor   time.Duration `default:"5s" help:"How long a connection falls silent."`
	Duplicate  bool          `help:"Two connections that read a turn from the same place at once break off at the same byte."`
	Seed       uint64        `default:"1" help:"Decides which connections break off, and where."`
}

// Run plays until ctx ends.
func (c *playCommand) Run(ctx context.Context, std streams) error {
	if err := api.CheckListen(c.Listen); err != nil {
		return misuse{fmt.Errorf("--listen: %w", err)}
	}
	recordings, err := readRecordings(c.Recordings)
	if err != nil {
		return err
	}
	player, err := playback.NewPlayer(playback.PlayerConfig{
		Recordings: recordings, Speed: c.Speed, Cut: c.Cut, Stall: c.Stall, StallFor: c.StallFor,
		Duplicate: c.Duplicate, Seed: c.Seed,
	})
	if err != nil {
		return misuse{err}
	}
	return serveHTTP(ctx, c.Listen, player, func(addr net.Addr) {
		fmt.Fprintf(std.err, "%d recordings are played at http://%s. A message that was recorded gets its recording, any "+
			"other the next one.\n", len(recordings), addr)
	})
}

func readRecordings(paths []string) ([]playback.Recording, error) {
	if len(paths) == 0 {
		paths = []string{"testdata/streams"}
	}
	recordings, err := playback.ReadFiles(paths...)
	if err != nil {
		return nil, misuse{err}
	}
	if len(recordings) == 0 {
		return nil, misuse{
			fmt.Errorf("there are no recordings in %s; make some with convene replay record", strings.Join(paths, ", ")),
		}
	}
	return recordings, nil
}

// loadTurnsCommand puts a server under load.
type loadTurnsCommand struct {
	Server    string        `default:"http://127.0.0.1:8080" help:"The server, on this machine." placeholder:"URL"`
	Key       string        `help:"Key or token to show to the server, where it needs one." placeholder:"KEY"`
	Clients   int           `default:"8" help:"How many turns run at once at most."`
	Turns     int           `default:"100" help:"Stop after this many turns."`
	Duration  time.Duration `default:"1m" help:"Start no more turns after this time."`
	Arrival   string        `default:"closed" enum:"closed,open" help:"closed: a client's next turn starts when its last is over; open: turns arrive at --rate."`
	Rate      float64       `default:"10" help:"Turns a second on average, where arrival is open."`
	Cut       float64       `help:"Share of connections, 0 to 1, that a client cuts and resumes."`
	Duplicate bool          `help:"Read each turn over two connections at once and compare them."`
	Scenarios []string      `help:"Scenarios (.txtar), recordings (.jsonl) or folders of recordings; without any, new events, edits and questions for the demo people." placeholder:"PATH,…"`
	More      []string      `arg:"" optional:"" name:"path" help:"More of them, as a shell writes a pattern out."`
	Seed      uint64        `default:"1" help:"Decides who says what, and where connections are cut."`
	JSON      bool          `name:"json" help:"Print the summary as JSON."`
}

// errChecksFailed says that the summary reports failed checks.
var errChecksFailed = errors.New("checks failed; the summary tells which")

// Run puts the server under load and prints the summary.
func (c *loadTurnsCommand) Run(ctx context.Context, std streams) error {
	if err := c.check(); err != nil {
		return misuse{err}
	}
	load := playback.Load{
		Server: c.Server, Key: c.Key, Clients: c.Clients, Turns: c.Turns, Duration: c.Duration,
		Arrival: playback.Arrival(c.Arrival), Rate: c.Rate, Cut: c.Cut, Duplicate: c.Duplicate, Seed: c.Seed,
		Progress: progressLine(std),
	}
	if err := c.read(&load); err != nil {
		return misuse{err}
	}
	summary, err := load.Run(ctx)
	if err != nil {
		return misuse{err}
	}
	if styled(std.err) {
		fmt.Fprint(std.err, "\r\x1b[2K")
	}
	if err := c.print(std, summary); err != nil {
		return fmt.Errorf("print the summary: %w", err)
	}
	if !summary.OK() {
		return errChecksFailed
	}
	return nil
}

// check refuses zero bounds and servers elsewhere.
func (c *loadTurnsCommand) check() error {
	if c.Clients < 1 || c.Turns < 1 || c.Duration <= 0 {
		return errors.New("--clients, --turns and --duration must be above 0")
	}
	return playback.CheckLocal(c.Server)
}

// read takes scripts from scenarios, and scripts with their expected answers from recordings.
func (c *loadTurnsCommand) read(load *playback.Load) error {
	for _, path := range append(c.Scenarios, c.More...) {
		if !strings.HasSuffix(path, scenarioExtension) {
			recordings, err := readRecordings([]string{path})
			if err != nil {
				return err
			}
			scripts, err := playback.ScriptsOf(recordings)
			if err != nil {
				return err
			}
			load.Recordings = append(load.Recordings, recordings...)
			load.Scripts = append(load.Scripts, scripts...)
			continue
		}
		s, err := readRecorded(path)
		if err != nil {
			return err
		}
		if script, ok := s.script(); ok {
			load.Scripts = append(load.Scripts, script)
		}
	}
	return nil
}

func (c *loadTurnsCommand) print(std streams, s playback.Summary) error {
	if !c.JSON {
		_, err := fmt.Fprint(std.out, s.Report())
		return err
	}
	encoder := json.NewEncoder(std.out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(s)
}

// progressLine overwrites one line on a terminal, and writes a line every five seconds elsewhere.
func progressLine(std streams) func(playback.Snapshot) {
	if styled(std.err) {
		return func(s playback.Snapshot) { fmt.Fprintf(std.err, "\r\x1b[2K%s", s) }
	}
	seconds := 0
	return func(s playback.Snapshot) {
		if seconds++; seconds%5 == 1 {
			fmt.Fprintln(std.err, s)
		}
	}
}

// recordCommand records turns.
type recordCommand struct {
	settings `embed:"" group:"shared"`

	Out       string   `required:"" type:"path" help:"Folder for the recordings." placeholder:"DIR"`
	Server    string   `help:"A running server to record; otherwise one is started, for each scenario its own." placeholder:"URL"`
	From      []string `help:"Scenarios (.txtar) to record." placeholder:"FILE,…"`
	Message   []string `arg:"" optional:"" help:"What to say, a sentence for each turn of one conversation; or more scenarios."`
	Organizer string   `default:"me" help:"Who asks."`
	Name      string   `help:"Name of the recordings of the sentences; default made from the first." placeholder:"NAME"`
	Measured  bool     `help:"Keep times and counts of tokens as they were; otherwise recordings of the same turn are the same each time."`
}

// Run records scenario after scenario, then the sentences.
func (c *recordCommand) Run(ctx context.Context, std streams) error {
	var said []string
	files := c.From
	for _, m := range c.Message {
		if strings.HasSuffix(m, scenarioExtension) {
			files = append(files, m)
		} else {
			said = append(said, m)
		}
	}
	var all []recorded
	for _, file := range files {
		s, err := readRecorded(file)
		if err != nil {
			return misuse{err}
		}
		all = append(all, s)
	}
	if len(said) > 0 {
		s, err := sentences(c.Name, c.Organizer, said)
		if err != nil {
			return err
		}
		all = append(all, s)
	}
	if len(all) == 0 {
		return misuse{errors.New("nothing to record: give --from a scenario, or say something")}
	}
	for _, s := range all {
		if err := c.record(ctx, s, std); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// record runs one conversation and saves its turns.
func (c *recordCommand) record(ctx context.Context, s recorded, std streams) (err error) {
	url := strings.TrimRight(c.Server, "/")
	if url == "" {
		dir, failed := os.MkdirTemp("", "convene-replay-")
		if failed != nil {
			return fmt.Errorf("make a folder for the scenario: %w", failed)
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		started, stop, failed := c.start(ctx, s, dir, std)
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, stop()) }()
		url = started
	}
	recorder := playback.NewRecorder(url, s.name)
	recorder.Measured = c.Measured
	recordings, err := s.run(ctx, recorder)
	if err != nil {
		return err
	}
	for _, r := range recordings {
		changed, err := r.Save(c.Out)
		if err != nil {
			return err
		}
		if changed {
			fmt.Fprintln(std.out, r.Name)
		} else {
			fmt.Fprintln(std.out, r.Name+" (unchanged)")
		}
	}
	return nil
}
