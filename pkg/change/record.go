package change

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/message"
)

// Record is a set as it is kept. Another process can finish it.
type Record struct {
	Set meet.ChangeSet `json:"set"`
	// Deeds are those of the set's changes, which its own JSON leaves out.
	Deeds    []json.RawMessage `json:"deeds"`
	Owner    meet.Person       `json:"owner"`
	Tenant   meet.Tenant       `json:"tenant"`
	Language string            `json:"language,omitempty"`
	// Confirmed is the confirmation that was accepted, and Forth how far its changes are written; nil before.
	Confirmed *Confirmation `json:"confirmed,omitempty"`
	Forth     *Course       `json:"forth,omitempty"`
	// Back is how far they are taken back; nil if they are not.
	Back *Course `json:"back,omitempty"`
	// UndoUntil is the end of the time for undoing; zero if nothing can be undone.
	UndoUntil time.Time `json:"undoUntil,omitzero"`
	// ReplacedBy is the set that took this one's place.
	ReplacedBy meet.ChangesID `json:"replacedBy,omitempty"`
}

// Course is how far changes are written, or taken back.
type Course struct {
	Steps []Step `json:"steps"`
	// Attempts counts the processes that worked on it.
	Attempts int `json:"attempts"`
	// Applied is set once it has ended, and Ended when it first did.
	Applied *meet.Applied `json:"applied,omitempty"`
	Ended   time.Time     `json:"ended,omitzero"`
}

// Step is one change of a course.
type Step struct {
	// ID is the change's.
	ID string `json:"id"`
	// After are the ids of the steps that must be done before; they stand before this one.
	After []string `json:"after,omitempty"`
	// Inverse and Deed are the change that takes the change back, once it is known; only on the way back.
	Inverse *meet.Change    `json:"inverse,omitempty"`
	Deed    json.RawMessage `json:"deed,omitempty"`
	// Outcome is empty while it is open.
	Outcome meet.ChangeOutcome `json:"outcome,omitempty"`
	Reason  string             `json:"reason,omitempty"`
	Written Written            `json:"written,omitzero"`
	// Until is when a change that cannot be repeated is made; it is held before. Begun says that it was about to be made.
	Until time.Time `json:"until,omitzero"`
	Begun bool      `json:"begun,omitempty"`
}

// Open reports whether a process must continue the work on the set, now or when a hold is over.
func (r *Record) Open() bool { return r.open() != nil || r.held() }

// open is the course that has not ended; nil if there is none.
func (r *Record) open() *Course {
	for _, c := range []*Course{r.Forth, r.Back} {
		if c != nil && (c.Applied == nil || c.stale()) {
			return c
		}
	}
	return nil
}

// stale reports whether a held step has ended since the course was summed up.
func (c *Course) stale() bool {
	return slices.ContainsFunc(c.Applied.Changes, func(r meet.ChangeResult) bool {
		return r.Outcome != c.step(r.ID).Outcome
	})
}

// whole gives the changes of a stored set their deeds again.
func (r *Record) whole() error {
	if len(r.Deeds) != len(r.Set.Changes) {
		return fmt.Errorf("changes %s: %d deeds of %d changes", r.Set.ID, len(r.Deeds), len(r.Set.Changes))
	}
	for i, deed := range r.Deeds {
		r.Set.Changes[i].Deed = deed
	}
	return nil
}

// change is the change of that id.
func (r *Record) change(id string) meet.Change {
	i := slices.IndexFunc(r.Set.Changes, func(c meet.Change) bool { return c.ID == id })
	return r.Set.Changes[i]
}

// shown is the set as it stands at a time.
func (r *Record) shown(now time.Time) meet.ChangeSet {
	set := r.Set
	if r.expired(now) {
		set.Status = meet.ChangesExpired
	}
	return set
}

func (r *Record) expired(now time.Time) bool {
	return r.Set.Status == meet.ChangesPending && !now.Before(r.Set.ExpiresAt)
}

// applied is what came of the set; nil if it has not ended.
func (r *Record) applied() *meet.Applied {
	if r.Forth == nil {
		return nil
	}
	return r.Forth.Applied
}

//go:embed words.json
var wordsJSON []byte

var words = message.ReadPhrases(wordsJSON)

// voice speaks the owner's language.
func (r *Record) voice() message.Voice { return message.NewVoice(r.Language, time.Time{}) }

// say is a sentence in the owner's language.
func (r *Record) say(name string) string { return r.voice().Say(words, name) }

// fault is a refusal in the owner's language.
func (r *Record) fault(code fault.Code, name string) *fault.Error {
	return fault.New(code, "%s", r.say(name))
}

// digest is the hash of all that applying the set does, encoded one way. It stays the same when the record is stored
// and read.
func (r *Record) digest() (string, error) {
	raw, err := json.Marshal(struct {
		Tenant    meet.Tenant
		Owner     meet.Person
		ID        meet.ChangesID
		PlanID    string
		ExpiresAt time.Time
		Changes   []meet.Change
		Deeds     []json.RawMessage
	}{r.Tenant, r.Owner, r.Set.ID, r.Set.PlanID, r.Set.ExpiresAt.UTC(), r.Set.Changes, r.Deeds})
	if err != nil {
		return "", fmt.Errorf("digest: %w", err)
	}
	// Bytes that are no UTF-8 are escaped until they are stored, and then U+FFFD itself.
	sum := sha256.Sum256(bytes.ReplaceAll(raw, []byte(`\ufffd`), []byte("\ufffd")))
	return "sha256:" + hex.EncodeToString(sum[:]), nil
}

// intact reports whether the record is as it was when its digest was made.
func (r *Record) intact() bool {
	digest, err := r.digest()
	return err == nil && digest == r.Set.Digest
}

// number gives the changes of a draft their ids, from "1". A change of a thing depends on the one before it of the same
// thing; what a draft's own ids say stays.
func number(draft []meet.Change) ([]meet.Change, error) {
	changes := slices.Clone(draft)
	ids, latest := map[string]string{}, map[string]string{}
	for i := range changes {
		c, id := &changes[i], strconv.Itoa(i+1)
		after := []string{}
		for _, old := range c.DependsOn {
			if ids[old] == "" {
				return nil, fmt.Errorf("change %d depends on %q, which is none before it", i+1, old)
			}
			after = append(after, ids[old])
		}
		if before := latest[thingOf(*c)]; before != "" && !slices.Contains(after, before) {
			after = append(after, before)
		}
		if c.ID != "" {
			ids[c.ID] = id
		}
		c.ID, c.DependsOn = id, after
		if c.Affects == nil {
			c.Affects = []meet.Affected{}
		}
		if thing := thingOf(*c); thing != "" {
			latest[thing] = id
		}
	}
	return changes, nil
}

// listed is what all things have that are shown before and after a change.
type listed struct{ ID, Series string }

// thingOf names the thing that a change is of; that of a new one is in what it becomes.
func thingOf(c meet.Change) string {
	if c.Target.ID != "" {
		return c.Target.ID
	}
	return shownAs(c.After).ID
}

// laneOf names what changes share that are written one after the other: a thing, or its series.
func laneOf(c meet.Change) string {
	for _, raw := range []json.RawMessage{c.Before, c.After} {
		if series := shownAs(raw).Series; series != "" {
			return series
		}
	}
	if thing := thingOf(c); thing != "" {
		return thing
	}
	return "change " + c.ID
}

func shownAs(raw json.RawMessage) (l listed) {
	_ = json.Unmarshal(raw, &l) // what has no id shares no thing
	return l
}

// idOf is the id of the set of a draft.
func idOf(tenant meet.Tenant, owner meet.PersonID, key string) meet.ChangesID {
	sum := sha256.Sum256([]byte(strings.Join([]string{string(tenant), string(owner), key}, "\x00")))
	return meet.ChangesID("ch_" + hex.EncodeToString(sum[:12]))
}
