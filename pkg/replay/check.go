package replay

import (
	"bytes"
	"fmt"
)

// Kind is the kind of a check's failure.
type Kind string

// The kinds of failures.
const (
	// Gap is a missing update, Repeat a repeated one.
	Gap    Kind = "gap"
	Repeat Kind = "repeat"
	// NoTurn is a stream that does not begin with turn; NoDone one that ends without done.
	NoTurn Kind = "no turn"
	NoDone Kind = "no done"
	// AfterDone is an update after done.
	AfterDone Kind = "after done"
	// Changed is a stream with other bytes at the second reading.
	Changed Kind = "changed bytes"
	// Differs is a stream that differs from its recording.
	Differs Kind = "not as recorded"
	// Endless is an ended turn that does not answer a reconnect with 204.
	Endless Kind = "no 204 after done"
	// Malformed is a block that is not an update.
	Malformed Kind = "malformed"
	// Refused is a request without success.
	Refused Kind = "refused"
	// Failed is a turn whose outcome is failed.
	Failed Kind = "failed turn"
	// Unreachable is a server that did not answer, TooSlow one that exceeded TurnTimeout.
	Unreachable Kind = "unreachable"
	TooSlow     Kind = "too slow"
)

// Failure is what a check found, with details.
type Failure struct {
	Kind   Kind
	Detail string
}

func (f *Failure) Error() string { return string(f.Kind) + ": " + f.Detail }

func failure(kind Kind, format string, args ...any) *Failure {
	return &Failure{kind, fmt.Sprintf(format, args...)}
}

// transcript has a reader's updates of a turn.
type transcript struct{ updates []update }

func (t *transcript) last() int { return len(t.updates) }

func (t *transcript) done() bool {
	return len(t.updates) > 0 && t.updates[len(t.updates)-1].content.Type == "done"
}

// add checks and adds the next update. The ids count 1, 2, 3 … across all connections of the reader.
func (t *transcript) add(u update) error {
	switch want := t.last() + 1; {
	case t.done():
		return failure(AfterDone, "update %d, %s", u.id, u.content.Type)
	case u.id < want:
		return failure(Repeat, "update %d, %s, where %d is next", u.id, u.content.Type, want)
	case u.id > want:
		return failure(Gap, "update %d, %s, where %d is next", u.id, u.content.Type, want)
	case want == 1 && u.content.Type != "turn":
		return failure(NoTurn, "the first update is %s", u.content.Type)
	case want > 1 && u.content.Type == "turn":
		return failure(Repeat, "turn once more, as update %d", u.id)
	}
	t.updates = append(t.updates, u)
	return nil
}

// sameAs compares with another reader's transcript of the same turn, byte by byte.
func (t *transcript) sameAs(other *transcript) error {
	for i := range min(t.last(), other.last()) {
		if a, b := t.updates[i].bytes, other.updates[i].bytes; !bytes.Equal(a, b) {
			return failure(Changed, "update %d was %s and is %s", i+1, around(a, b), around(b, a))
		}
	}
	if t.last() != other.last() {
		return failure(Changed, "%d updates and then %d", t.last(), other.last())
	}
	return nil
}

// around returns an excerpt of the text from shortly before its first difference to other.
func around(text, other []byte) string {
	at := 0
	for at < min(len(text), len(other)) && text[at] == other[at] {
		at++
	}
	from := max(0, at-20)
	return fmt.Sprintf("%.60q", text[from:])
}

// isRecorded compares with the recording that was played, except the ids of turn and conversation.
func (t *transcript) isRecorded(r Recording) error {
	want, err := r.updates()
	if err != nil {
		return err
	}
	names := rename{}
	if len(want) > 0 && len(t.updates) > 0 {
		names.add(want[0].content.TurnID, t.updates[0].content.TurnID)
		names.add(want[0].content.ConversationID, t.updates[0].content.ConversationID)
	}
	replacer := names.replacer()
	for i := range min(len(want), t.last()) {
		if a, b := []byte(replacer.Replace(string(want[i].bytes))), t.updates[i].bytes; !bytes.Equal(a, b) {
			return failure(Differs, "%s: update %d is %s instead of %s", r.Name, i+1, around(b, a), around(a, b))
		}
	}
	if len(want) != t.last() {
		return failure(Differs, "%s: %d updates instead of %d", r.Name, t.last(), len(want))
	}
	return nil
}
