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
	"os"
	"strings"
	"time"

	"convene/pkg/meet"
	"convene/pkg/sse"
)

// conversation is a client of the API: it sends the user's lines as turns and shows the updates.
type conversation struct {
	server    string
	organizer meet.PersonID
	with      []string
	timezone  string
	id        string
	key       string
	proposal  meet.ProposalID
	offers    offers
	// changes is the last set of changes, question the choices that wait for an answer.
	changes  *meet.ChangeSet
	question *meet.Choices
	// held is the set whose mail waits in the outbox; empty if no mail waits.
	held meet.ChangesID
	show *display
}

const (
	// answerTime bounds a request, also one that streams a whole turn.
	answerTime = 2 * time.Minute
	// cancelTime is how long an interrupted turn may take to end.
	cancelTime = 3 * time.Second
)

// keepUp runs each line as a turn. /confirm books the proposal, /cancel withdraws it, /quit ends.
func (t *conversation) keepUp(ctx context.Context, std streams) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	terminal, prompt := isTerminal(std.in), func(string) {}
	if terminal {
		prompt = func(text string) { fmt.Fprint(std.out, text) }
	}
	prompt("Tell me what you would like to schedule, see or change. /confirm books the proposal (/confirm 2 an " +
		"alternative) or makes the changes, /cancel withdraws them, /quit ends.\n")
	for typed := typedLines(ctx, std.in); ; {
		line, err := typed.next(ctx, func() { prompt("\n› ") })
		if err != nil {
			prompt("\n")
		}
		switch {
		case errors.Is(err, io.EOF) || line == "/quit":
			return nil
		case err != nil:
			return err
		}
		err = t.line(ctx, line)
		if errors.Is(err, errInterrupted) && !terminal {
			return err // a script does not go on
		}
		if err != nil {
			report(std.err, err, exitFailed)
		}
	}
}

// typed are the lines of an input. They are read in a goroutine, because a read from a terminal cannot be ended.
type typed struct {
	lines chan string
	// err is the error of the input, once lines is closed.
	err error
}

// typedLines reads until the input or ctx ends; a read from a terminal may last as long as the program.
func typedLines(ctx context.Context, in io.Reader) *typed {
	t := &typed{lines: make(chan string)}
	go func() {
		defer close(t.lines)
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, maxTyped)
		for scanner.Scan() {
			select {
			case t.lines <- strings.TrimSpace(scanner.Text()):
			case <-ctx.Done():
				return
			}
		}
		t.err = scanner.Err()
	}()
	return t
}

// next prompts for a line and waits for it: io.EOF is the end of the input, and errInterrupted Ctrl-C.
func (t *typed) next(ctx context.Context, ask func()) (string, error) {
	waiting, stop := interruptible(ctx, os.Interrupt)
	defer stop()
	ask()
	select {
	case line, more := <-t.lines:
		if !more {
			return "", cmp.Or(t.err, io.EOF)
		}
		return line, nil
	case <-waiting.Done():
		return "", cmp.Or(context.Cause(ctx), errInterrupted)
	}
}

func (t *conversation) line(ctx context.Context, line string) error {
	words := strings.Fields(line)
	switch {
	case len(words) == 0:
		return nil
	case words[0] == "/undo", t.waits() && (words[0] == "/cancel" || words[0] == "/confirm"):
		return t.settleChanges(ctx, words[0][1:], words[1:])
	case words[0] == "/cancel":
		return t.settle(ctx, "cancel", struct{}{})
	case words[0] == "/confirm":
		choice, err := t.offers.choice(words[1:])
		if err != nil {
			return err
		}
		return t.settle(ctx, "confirm", choice)
	case strings.HasPrefix(line, "/"):
		return errors.New("there is /confirm, /confirm 2, /cancel, /undo and /quit")
	default:
		return t.say(ctx, t.answer(line))
	}
}

// errTurnFailed says that the turn ended with an error, which has been shown.
var errTurnFailed = errors.New("the request failed")

// say runs one turn and shows its updates as they arrive. Ctrl-C has the server cancel it and shows the outcome.
func (t *conversation) say(ctx context.Context, what said) error {
	interrupted, stop := interruptible(ctx, os.Interrupt)
	defer stop()
	ctx, giveUp := context.WithTimeout(ctx, answerTime)
	defer giveUp()
	defer context.AfterFunc(interrupted, func() { time.AfterFunc(cancelTime, giveUp) })()
	err := t.run(ctx, interrupted, what)
	switch {
	case interrupted.Err() == nil:
		return err
	case err == nil || errors.Is(err, errTurnFailed):
		return errInterrupted
	default:
		return fmt.Errorf("%w: the server did not say that the turn was cancelled; it may go on there", errInterrupted)
	}
}

// run runs one turn, and cancels it if interrupted ends first.
func (t *conversation) run(ctx, interrupted context.Context, what said) error {
	t.question = nil
	body := map[string]any{}
	if what.Answer != nil {
		body["answer"] = what.Answer
	} else {
		body["message"] = what.Message
	}
	for member, value := range map[string]string{"organizer": string(t.organizer), "timezone": t.timezone,
		"conversationId": t.id} {
		if value != "" {
			body[member] = value
		}
	}
	if len(t.with) > 0 {
		body["participants"] = t.with
	}
	resp, err := t.request(ctx, http.MethodPost, "/v1/turns", sse.ContentType, body)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	defer context.AfterFunc(interrupted, func() { t.stop(ctx, resp.Header.Get("Location")) })()
	updates := sse.NewDecoder(resp.Body)
	for {
		event, err := updates.Next()
		if errors.Is(err, io.EOF) {
			return errors.New("the stream ended before the answer did; ask again")
		}
		if err != nil {
			return fmt.Errorf("read the answer: %w", err)
		}
		done, err := t.take(ctx, event.Data)
		if err != nil || done {
			return err
		}
	}
}

// stop has the server cancel a turn; its stream tells the outcome.
func (t *conversation) stop(ctx context.Context, turn string) {
	if resp, err := t.request(ctx, http.MethodDelete, turn, "application/json", nil); err == nil {
		resp.Body.Close()
	}
}

// take shows one update and keeps what the next request needs.
func (t *conversation) take(ctx context.Context, data []byte) (done bool, err error) {
	var u received
	if err := json.Unmarshal(data, &u); err != nil {
		return false, fmt.Errorf("read an update: %w", err)
	}
	if u.ConversationID != "" {
		t.id = u.ConversationID
	}
	if u.Event != nil {
		t.proposal, t.offers = u.Event.ID, nil
		u.offers = t.offers.add(u.Event.Alternatives)
	}
	if u.Type == "alternatives" {
		u.offers = t.more(ctx)
	}
	t.keep(u)
	t.show.update(u, data)
	if u.Type == "done" && u.Outcome == meet.OutcomeFailed {
		return true, errTurnFailed
	}
	return u.Type == "done", nil
}

// more lists the alternatives that the proposal has gained since it was read last. Others have no number: a message
// chooses them.
func (t *conversation) more(ctx context.Context) []string {
	if t.proposal == "" {
		return nil
	}
	event, err := t.onProposal(ctx, http.MethodGet, "", nil)
	if err != nil {
		return nil
	}
	return t.offers.add(event.Alternatives)
}

// settle confirms or cancels the last proposal.
func (t *conversation) settle(ctx context.Context, what string, choice any) error {
	if t.proposal == "" {
		return errors.New("nothing has been proposed yet")
	}
	interrupted, stop := interruptible(ctx, os.Interrupt)
	defer stop()
	ctx, cancel := context.WithTimeout(interrupted, answerTime)
	defer cancel()
	event, err := t.onProposal(ctx, http.MethodPost, "/"+what, choice)
	if interrupted.Err() != nil {
		return fmt.Errorf("%w: the server may have gone through with it; /%s again does nothing twice", errInterrupted, what)
	}
	if gone, ok := errors.AsType[*refusal](err); ok && len(gone.Slots) > 0 {
		t.show.offers(t.offers.renew(gone.Slots))
	}
	if err != nil {
		return err
	}
	t.show.settled(event.Message, event.Event)
	return nil
}

// settledEvent is a proposal's event, with the message of a confirmation or cancellation.
type settledEvent struct {
	meet.Event
	Message string
}

// onProposal reads the last proposal, confirms it or cancels it.
func (t *conversation) onProposal(ctx context.Context, method, what string, body any) (event settledEvent, err error) {
	resp, err := t.request(ctx, method, "/v1/proposals/"+url.PathEscape(string(t.proposal))+what, "application/json", body)
	if err != nil {
		return event, err
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&event); err != nil {
		return event, fmt.Errorf("read the event: %w", err)
	}
	return event, nil
}

// request sends body as JSON unless it is nil. A status of 400 or above is an error in the server's own words.
func (t *conversation) request(ctx context.Context, method, path, accept string, body any) (*http.Response, error) {
	var payload io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("encode the request: %w", err)
		}
		payload = bytes.NewReader(encoded)
	}
	req, err := http.NewRequestWithContext(ctx, method, t.server+path, payload)
	if err != nil {
		return nil, misuse{fmt.Errorf("--server: %w", err)}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", accept)
	if t.key != "" {
		req.Header.Set("Authorization", "Bearer "+t.key)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("ask %s: %w", t.server, err)
	}
	if resp.StatusCode < http.StatusBadRequest {
		return resp, nil
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusUnauthorized && t.key == "" {
		return nil, fmt.Errorf("%s needs a key or a token: give one with --key", t.server)
	}
	var problem refusal
	if err := json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&problem); err != nil ||
		problem.Title+problem.Detail == "" {
		return nil, fmt.Errorf("the server answered %s", resp.Status)
	}
	return nil, &problem
}

// refusal is a problem document (RFC 9457) with the members that ask shows.
type refusal struct {
	Title, Detail string
	// Slots are times that are offered instead, Changes a fresh set.
	Slots   []meet.Slot
	Changes *meet.ChangeSet
}

func (r *refusal) Error() string { return cmp.Or(r.Detail, r.Title) }
