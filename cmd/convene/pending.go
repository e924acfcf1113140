package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"time"

	"convene/pkg/meet"
)

// said is the user's part of a turn: a message, or the option that answers a question.
type said struct {
	Message string  `json:"message,omitempty"`
	Answer  *answer `json:"answer,omitempty"`
}

type answer struct {
	ID     string `json:"id"`
	Option string `json:"option"`
}

// answer is a line as a message, or as the option of that number while a question waits.
func (t *conversation) answer(line string) said {
	if n, err := strconv.Atoi(line); err == nil && t.question != nil && n >= 1 && n <= len(t.question.Options) {
		return said{Answer: &answer{t.question.ID, t.question.Options[n-1].ID}}
	}
	return said{Message: line}
}

// keep keeps what of an update a later line may refer to.
func (t *conversation) keep(u received) {
	var set meet.ChangeSet
	switch {
	case u.Type == "event":
		t.changes = nil
	case u.Type == "choices":
		t.question = &meet.Choices{ID: u.ID, Options: u.Options}
	case u.Type == "changes" && json.Unmarshal(u.Changes, &set) == nil:
		t.changes = &set
	case u.Type == "applied":
		var results []meet.ChangeResult
		if t.changes != nil {
			t.changes.Status = meet.ChangesApplied
			if json.Unmarshal(u.Changes, &results) == nil {
				t.hold(t.changes.ID, results)
			}
		}
	}
}

// hold remembers whether mail of a set waits in the outbox.
func (t *conversation) hold(id meet.ChangesID, results []meet.ChangeResult) {
	waits := slices.ContainsFunc(results, func(r meet.ChangeResult) bool { return r.Outcome == meet.ChangeHeld })
	switch {
	case waits:
		t.held = id
	case t.held == id:
		t.held = ""
	}
}

// await waits until mail that is held was sent. It is for a server that ends with the command, and the mail with it.
func (t *conversation) await(ctx context.Context) error {
	if t.held == "" {
		return nil
	}
	ctx, stop := interruptible(ctx, os.Interrupt)
	defer stop()
	t.show.progress("… the mail is sent in a moment; Ctrl-C stops it")
	for tick := time.NewTicker(heldEvery); ; {
		var now struct{ Applied meet.Applied }
		resp, err := t.request(ctx, http.MethodGet, "/v1/changes/"+url.PathEscape(string(t.held)), "application/json", nil)
		if err == nil {
			err = errors.Join(json.NewDecoder(resp.Body).Decode(&now), resp.Body.Close())
		}
		if err != nil && ctx.Err() == nil {
			return err
		}
		if t.hold(t.held, now.Applied.Changes); err == nil && t.held == "" {
			t.show.applied(now.Applied)
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.show.line("✗ the mail was not sent")
			return errInterrupted
		}
	}
}

// heldEvery is how often it is looked whether held mail was sent.
const heldEvery = 250 * time.Millisecond

// waits reports whether a change set waits for a confirmation.
func (t *conversation) waits() bool {
	return t.changes != nil && t.changes.Status == meet.ChangesPending
}

// settleChanges confirms the changes with these numbers of the last set, or all of them, cancels the set or undoes it.
// If the server has a fresh set instead, that one is shown.
func (t *conversation) settleChanges(ctx context.Context, what string, numbers []string) error {
	if t.changes == nil {
		return errors.New("nothing has been changed yet")
	}
	body := map[string]any{}
	if what == "confirm" {
		body["digest"] = t.changes.Digest
		if len(numbers) > 0 {
			body["only"] = numbers
		}
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	path := "/v1/changes/" + url.PathEscape(string(t.changes.ID)) + "/" + what
	resp, err := t.request(ctx, http.MethodPost, path, "application/json", body)
	if changed, ok := errors.AsType[*refusal](err); ok && changed.Changes != nil {
		t.changes = changed.Changes
		t.show.changes(*t.changes)
	}
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var done struct {
		Applied *meet.Applied   `json:"applied"`
		Changes *meet.ChangeSet `json:"changes"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&done); err != nil {
		return fmt.Errorf("read what came of the changes: %w", err)
	}
	t.changes.Status = meet.ChangesApplied // it waits no more
	if done.Changes != nil {
		t.changes = done.Changes
	}
	if done.Applied != nil {
		t.hold(t.changes.ID, done.Applied.Changes)
	}
	switch {
	case done.Applied != nil:
		t.show.applied(*done.Applied)
	case done.Changes != nil:
		t.show.changes(*done.Changes)
	}
	return nil
}
