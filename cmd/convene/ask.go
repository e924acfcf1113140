package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"convene/pkg/meet"
)

// askCommand runs turns in the terminal, against a running server or one that it starts.
type askCommand struct {
	settings `embed:"" group:"shared"`

	Message        []string      `arg:"" optional:"" help:"What you want, or - for standard input; without it, a conversation starts."`
	Server         string        `help:"A running server to ask; otherwise one is started for this command." placeholder:"URL"`
	Key            string        `help:"Key or token to show to the server, where it needs one." placeholder:"KEY"`
	JSON           bool          `name:"json" help:"Print the updates as JSON, a line each."`
	Organizer      meet.PersonID `help:"Who asks; default the only person there is, and me on the demo world." placeholder:"ID"`
	With           []string      `help:"People who take part, by id." placeholder:"ID"`
	Timezone       string        `help:"Zone in which times are meant; default the organizer's." placeholder:"ZONE"`
	ConversationID string        `name:"conversation" help:"Go on with this conversation." placeholder:"ID"`
}

// Help explains the command to people at a terminal and to authors of scripts.
func (*askCommand) Help() string {
	return `Without a message each line of the input is a turn of one conversation, in a terminal and from a pipe.
"book it" or /confirm books what was proposed, /confirm 2 with the alternative of that number, /confirm 2 5 with a time
and a place; /cancel withdraws it, /quit ends. Of changes that wait, "yes" or /confirm makes all, "only 1 and 2" or
/confirm 1 2 those, /cancel none, and /undo takes them back. A number answers a question that has numbered answers.

Ctrl-C during a turn cancels the turn, at the prompt it ends with status 130, and pressed twice it ends at once. Ctrl-D
ends with status 0. NO_COLOR and TERM=dumb are respected.`
}

// Run asks once, or until the input ends.
func (c *askCommand) Run(ctx context.Context, std streams) (err error) {
	signal.Reset(os.Interrupt) // from here on Ctrl-C ends the current turn or prompt, not the program
	message, err := c.message(std.in)
	if err != nil {
		return err
	}
	talk := conversation{
		server: strings.TrimRight(c.Server, "/"), organizer: c.Organizer, with: c.With,
		timezone: c.Timezone, id: c.ConversationID, key: c.Key,
		show: newDisplay(std.out, c.JSON),
	}
	if talk.server == "" {
		url, stop, failed := c.serveAside(ctx, std.err)
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, stop()) }()
		if c.RedisURL == "" {
			defer func() { err = errors.Join(err, talk.await(ctx)) }()
		}
		talk.server = url
	}
	if message != "" {
		return talk.say(ctx, said{Message: message})
	}
	return talk.keepUp(ctx, std)
}

// maxTyped bounds a line, and a message from standard input, in bytes.
const maxTyped = 1 << 20

// message is the words of the command line or, for a dash, standard input; empty for a conversation.
func (c *askCommand) message(in io.Reader) (string, error) {
	message := strings.TrimSpace(strings.Join(c.Message, " "))
	if message == "-" {
		all, err := io.ReadAll(io.LimitReader(in, maxTyped))
		if err != nil {
			return "", fmt.Errorf("read standard input: %w", err)
		}
		message = strings.TrimSpace(string(all))
	}
	if len(c.Message) > 0 && message == "" {
		return "", misuse{errors.New("say what you would like to schedule, or leave the message out for a conversation")}
	}
	return message, nil
}

// errInterrupted is returned after Ctrl-C.
var errInterrupted = errors.New("interrupted")

// interruptible returns a context that ends with ctx or at the first of the signals. A second signal has its default
// effect: it ends the program at once.
func interruptible(ctx context.Context, signals ...os.Signal) (context.Context, context.CancelFunc) {
	notified, stop := signal.NotifyContext(ctx, signals...)
	interrupted, cancel := context.WithCancel(ctx)
	context.AfterFunc(notified, func() {
		stop() // before anything follows from the first signal
		cancel()
	})
	return interrupted, stop
}
