package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"convene/pkg/booking"
	"convene/pkg/meet"
	"convene/pkg/sse"
)

// askCommand runs turns in the terminal, against a server or one of its own.
type askCommand struct {
	settings `embed:""`

	Message        []string      `arg:"" optional:"" help:"What you want; without it, a conversation starts."`
	Server         string        `help:"A running server to ask; otherwise one is started for this command." placeholder:"URL"`
	Key            string        `help:"Key or token to show to the server, where it needs one." placeholder:"KEY"`
	JSON           bool          `name:"json" help:"Print the updates as JSON, a line each."`
	Organizer      meet.PersonID `default:"me" help:"Who asks."`
	With           []string      `help:"People who take part, by id." placeholder:"ID"`
	Timezone       string        `help:"Zone in which times are meant; default the organizer's." placeholder:"ZONE"`
	ConversationID string        `name:"conversation" help:"Go on with this conversation." placeholder:"ID"`
}

// Run asks once, or until the input ends.
func (c *askCommand) Run(ctx context.Context, std streams) (err error) {
	message := strings.TrimSpace(strings.Join(c.Message, " "))
	if len(c.Message) > 0 && message == "" {
		return misuse{errors.New("say what you would like to schedule, or leave the message out for a conversation")}
	}
	talk := conversation{
		server: strings.TrimRight(c.Server, "/"), organizer: c.Organizer, with: c.With,
		timezone: c.Timezone, id: c.ConversationID, key: c.Key,
		show: newDisplay(std.out, c.JSON),
	}
	if talk.server == "" {
		if c.LogLevel == "info" {
			c.LogLevel = "error" // the conversation is what is to be seen here
		}
		app, err := wire(ctx, c.settings, std.err)
		if err != nil {
			return err
		}
		defer app.close()
		server, err := app.start(ctx, "127.0.0.1:0")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, server.stop(ctx)) }()
		talk.server = server.url()
	}
	if message != "" {
		return talk.say(ctx, message)
	}
	return talk.keepUp(ctx, std)
}

// conversation is a client of the API: what the person types goes out as turns, what comes back is shown.
type conversation struct {
	server    string
	organizer meet.PersonID
	with      []string
	timezone  string
	id        string
	key       string
	proposal  meet.ProposalID
	// slots are the other times that were shown last.
	slots []meet.Slot
	show  *display
}

// keepUp reads a message a line. /confirm books what was proposed, /cancel takes it back, /quit ends.
func (t *conversation) keepUp(ctx context.Context, std streams) error {
	prompt := func() {}
	if isTerminal(std.in) {
		fmt.Fprintln(std.out, "Tell me what you would like to schedule. /confirm books the proposal (/confirm time 2 or place 1 an alternative), /cancel withdraws it, /quit ends.")
		prompt = func() { fmt.Fprint(std.out, "\n› ") }
	}
	lines := bufio.NewScanner(std.in)
	lines.Buffer(nil, 1<<20)
	for prompt(); ctx.Err() == nil && lines.Scan(); prompt() {
		line := strings.TrimSpace(lines.Text())
		if line == "/quit" {
			return nil
		}
		t.try(ctx, line, std.err)
	}
	return lines.Err()
}

// try takes one line. What fails is said, and the conversation goes on.
func (t *conversation) try(ctx context.Context, line string, complaints io.Writer) {
	if err := t.line(ctx, line); err != nil {
		fmt.Fprintln(complaints, "convene: "+err.Error())
	}
}

func (t *conversation) line(ctx context.Context, line string) error {
	words := strings.Fields(line)
	switch {
	case len(words) == 0:
		return nil
	case words[0] == "/cancel":
		return t.settle(ctx, "cancel", struct{}{})
	case words[0] == "/confirm":
		choice, err := t.choiceOf(words[1:])
		if err != nil {
			return err
		}
		return t.settle(ctx, "confirm", choice)
	case strings.HasPrefix(line, "/"):
		return errors.New("there is /confirm, /confirm time 2, /confirm place 1, /cancel and /quit")
	default:
		return t.say(ctx, line)
	}
}

// choiceOf reads "time 2 place 1": the alternatives that were shown, counted from 1.
func (t *conversation) choiceOf(words []string) (choice booking.Choice, err error) {
	for ; len(words) > 0; words = words[2:] {
		if len(words) < 2 || words[0] != "time" && words[0] != "place" {
			return choice, errors.New("write /confirm, /confirm time 2 or /confirm place 1")
		}
		n, err := strconv.Atoi(words[1])
		if err != nil || n < 1 {
			return choice, fmt.Errorf("%q is not the number of another %s", words[1], words[0])
		}
		index := n - 1
		if words[0] == "place" {
			choice.Place = &index
			continue
		}
		choice.Slot = &index
		if index < len(t.slots) {
			choice.Start = t.slots[index].Start
		}
	}
	return choice, nil
}

// errTurnFailed is a turn that ended with an error, which has been shown.
var errTurnFailed = errors.New("the request failed")

// say runs one turn and shows it as it comes.
func (t *conversation) say(ctx context.Context, message string) error {
	body := map[string]any{"message": message, "organizer": t.organizer}
	if len(t.with) > 0 {
		body["participants"] = t.with
	}
	if t.timezone != "" {
		body["timezone"] = t.timezone
	}
	if t.id != "" {
		body["conversationId"] = t.id
	}
	resp, err := t.post(ctx, "/v1/turns", "text/event-stream", body)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	updates := sse.NewDecoder(resp.Body)
	for {
		event, err := updates.Next()
		if errors.Is(err, io.EOF) {
			return errors.New("the stream ended before the answer did; ask again")
		}
		if err != nil {
			return fmt.Errorf("read the answer: %w", err)
		}
		done, err := t.take(event.Data)
		if err != nil || done {
			return err
		}
	}
}

// take shows one update and keeps what the next message needs of it.
func (t *conversation) take(data []byte) (done bool, err error) {
	var u received
	if err := json.Unmarshal(data, &u); err != nil {
		return false, fmt.Errorf("read an update: %w", err)
	}
	if u.ConversationID != "" {
		t.id = u.ConversationID
	}
	if u.Event != nil {
		t.proposal, t.slots = u.Event.ID, u.Event.Alternatives.Slots
	}
	t.show.update(u, data)
	if u.Type == "done" && u.Outcome == meet.OutcomeFailed {
		return true, errTurnFailed
	}
	return u.Type == "done", nil
}

// settle confirms or cancels the last proposal.
func (t *conversation) settle(ctx context.Context, what string, choice any) error {
	if t.proposal == "" {
		return errors.New("nothing has been proposed yet")
	}
	resp, err := t.post(ctx, "/v1/proposals/"+url.PathEscape(string(t.proposal))+"/"+what, "application/json", choice)
	if gone, ok := errors.AsType[*refusal](err); ok && len(gone.Slots) > 0 {
		t.slots = gone.Slots
		t.show.instead(gone.Slots)
	}
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var settled struct {
		meet.Event
		Message string
	}
	if err := json.NewDecoder(resp.Body).Decode(&settled); err != nil {
		return fmt.Errorf("read the event: %w", err)
	}
	t.show.settled(settled.Message, settled.Event)
	return nil
}

// post sends JSON; an answer that is no success is an error in the server's own words.
func (t *conversation) post(ctx context.Context, path, accept string, body any) (*http.Response, error) {
	payload, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("encode the request: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, t.server+path, bytes.NewReader(payload))
	if err != nil {
		cancel()
		return nil, misuse{fmt.Errorf("--server: %w", err)}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", accept)
	if t.key != "" {
		req.Header.Set("Authorization", "Bearer "+t.key)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		cancel()
		return nil, fmt.Errorf("ask %s: %w", t.server, err)
	}
	resp.Body = cancelOnClose{resp.Body, cancel}
	if resp.StatusCode < http.StatusBadRequest {
		return resp, nil
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusUnauthorized && t.key == "" {
		return nil, fmt.Errorf("%s wants a key or a token: show it one with --key", t.server)
	}
	var problem refusal
	if err := json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&problem); err != nil || problem.Title+problem.Detail == "" {
		return nil, fmt.Errorf("the server answered %s", resp.Status)
	}
	return nil, &problem
}

// refusal is an answer that is no success.
type refusal struct {
	Title, Detail string
	// Slots can be had instead.
	Slots []meet.Slot
}

func (r *refusal) Error() string { return cmp.Or(r.Detail, r.Title) }

type cancelOnClose struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (c cancelOnClose) Close() error {
	defer c.cancel()
	return c.ReadCloser.Close()
}
