package writer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/change"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/preference"
	"convene/pkg/record"
	"convene/pkg/record/writer"
)

// shelf is a store of one person.
type shelf map[string]record.Entry

func (s shelf) Entries(context.Context, meet.PersonID) (map[string]record.Entry, error) {
	return maps.Clone(s), nil
}

func (s shelf) Replace(
	_ context.Context, _ meet.PersonID, key string, before, after record.Entry,
) (bool, error) {
	if !cmp.Equal(s[key], before) && !cmp.Equal(s[key], after) {
		return false, nil
	}
	s[key] = after
	return true, nil
}

var dana = meet.Person{ID: "dana", Name: "Dana"}

// book is one in which files say 30 minutes.
func book() record.Book {
	return record.Book{Kind: preference.Kind, Store: shelf{}, Given: func(meet.PersonID) record.Values {
		return record.Values{preference.DefaultDuration: []byte("30")}
	}}
}

func deed(t *testing.T, key, from, to string) meet.Change {
	t.Helper()
	c, err := preference.Kind.Change(record.Deed{
		Key: key, ID: preference.DefaultDuration, From: json.RawMessage(from), To: json.RawMessage(to),
	}, "Usual length")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func minutes(t *testing.T, b record.Book) string {
	t.Helper()
	values, err := b.Of(t.Context(), dana.ID)
	if err != nil {
		t.Fatal(err)
	}
	return string(values[preference.DefaultDuration])
}

func TestAChangeIsShownAsListed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, to, before, after string
		kind                    meet.ChangeKind
	}{
		{"30", "45", `{"key":"default_duration","value":30}`, `{"key":"default_duration","value":45}`, meet.UpdateThing},
		{"", "45", "null", `{"key":"default_duration","value":45}`, meet.CreateThing},
		{"30", "", `{"key":"default_duration","value":30}`, "null", meet.DeleteThing},
	} {
		got := deed(t, "k", c.from, c.to)
		if got.Kind != c.kind || string(got.Before) != c.before || string(got.After) != c.after {
			t.Errorf("%q to %q: %s %s → %s", c.from, c.to, got.Kind, got.Before, got.After)
		}
	}
}

// A value that was set wins over the file's; one that was taken back is gone, whatever the file says.
func TestWhatIsSetStandsOverTheFile(t *testing.T) {
	t.Parallel()
	b := book()
	w := writer.Writer{Book: b}
	for _, c := range []struct{ key, from, to, want string }{
		{"a", "30", "45", "45"}, {"b", "45", "null", ""}, {"c", "null", "20", "20"},
	} {
		if _, err := w.Write(t.Context(), dana, deed(t, c.key, c.from, c.to)); err != nil {
			t.Fatal(err)
		}
		if got := minutes(t, b); got != c.want {
			t.Errorf("after %s: %q, want %q", c.key, got, c.want)
		}
	}
}

// A repeat after a crash writes nothing, whatever happened in between.
func TestARepeatDoesNothing(t *testing.T) {
	t.Parallel()
	b := book()
	w := writer.Writer{Book: b}
	first := deed(t, "first", "30", "45")
	for _, c := range []meet.Change{first, first, deed(t, "second", "45", "30"), first} {
		if _, err := w.Write(t.Context(), dana, c); err != nil {
			t.Fatal(err)
		}
		if fresh, err := w.Standing(t.Context(), dana, c); fresh != nil || err != nil {
			t.Errorf("Standing after the write: %v, %v", fresh, err)
		}
	}
	if got := minutes(t, b); got != "30" {
		t.Errorf("%s minutes, want 30", got)
	}
}

func TestAPreferenceThatChangedMeanwhileIsNotOverwritten(t *testing.T) {
	t.Parallel()
	b := book()
	w := writer.Writer{Book: b}
	stale := deed(t, "stale", "30", "60")
	if _, err := w.Write(t.Context(), dana, deed(t, "other", "30", "45")); err != nil {
		t.Fatal(err)
	}
	fresh, err := w.Standing(t.Context(), dana, stale)
	if err != nil || fresh == nil || string(fresh.Before) != `{"key":"default_duration","value":45}` {
		t.Fatalf("Standing = %+v, %v; want one that starts from 45", fresh, err)
	}
	if _, err := w.Write(t.Context(), dana, stale); fault.CodeOf(err) != change.Changed {
		t.Errorf("Write of the stale one: %v, want changed", err)
	}
	if _, err := w.Write(t.Context(), dana, *fresh); err != nil || minutes(t, b) != "60" {
		t.Errorf("Write of the fresh one: %v, then %s", err, minutes(t, b))
	}
}

func TestUndoBringsTheFormerValueBackOnce(t *testing.T) {
	t.Parallel()
	b := book()
	w := writer.Writer{Book: b}
	done := deed(t, "done", "30", "45")
	written, err := w.Write(t.Context(), dana, done)
	if err != nil {
		t.Fatal(err)
	}
	back, err := w.Inverse(t.Context(), dana, done, written)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(t.Context(), dana, back); err != nil || minutes(t, b) != "30" {
		t.Errorf("after the inverse: %v, %s", err, minutes(t, b))
	}
	if _, err := w.Inverse(t.Context(), dana, done, written); fault.CodeOf(err) != change.Changed {
		t.Errorf("a second Inverse: %v, want changed", err)
	}
}

func TestTwoChangesOfOnePreferenceFollowEachOther(t *testing.T) {
	t.Parallel()
	b := book()
	w := writer.Writer{Book: b}
	first := deed(t, "first", "30", "45")
	second, err := w.Onto(dana, deed(t, "second", "30", "60"), first, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []meet.Change{first, second} {
		if _, err := w.Write(t.Context(), dana, c); err != nil {
			t.Fatal(err)
		}
	}
	if got := minutes(t, b); got != "60" {
		t.Errorf("%s minutes, want 60", got)
	}
}

func TestNothingInvalidIsWritten(t *testing.T) {
	t.Parallel()
	b := book()
	_, err := writer.Writer{Book: b}.Write(t.Context(), dana, deed(t, "k", "30", `"long"`))
	if fault.CodeOf(err) != fault.InvalidRequest || minutes(t, b) != "30" {
		t.Errorf("%v, then %s", err, minutes(t, b))
	}
}

func ExampleWriter() {
	person := meet.Person{ID: "dana"}
	book := record.Book{Kind: preference.Kind, Store: shelf{}}
	change, _ := preference.Kind.Change(record.Deed{
		Key: "turn-1", ID: preference.DefaultDuration, To: json.RawMessage("25"),
	}, "Usual length")
	_, err := writer.Writer{Book: book}.Write(context.Background(), person, change)
	values, _ := book.Of(context.Background(), person.ID)
	fmt.Println(string(values[preference.DefaultDuration]), err)
	// Output: 25 <nil>
}

// Undo takes back what was changed, and keeps what others changed of the same record since.
func TestUndoKeepsWhatOthersChanged(t *testing.T) {
	t.Parallel()
	b := record.Book{Kind: record.Kind{What: meet.ListThing}, Store: shelf{}}
	w := writer.Writer{Book: b}
	make := func(key, from, to string) meet.Change {
		c, err := b.Change(record.Deed{Key: key, ID: "l", From: json.RawMessage(from), To: json.RawMessage(to)}, "List")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(t.Context(), dana, c); err != nil {
			t.Fatal(err)
		}
		return c
	}
	make("1", ``, `{"items":{"milk":1}}`)
	bread := make("2", `{"items":{"milk":1}}`, `{"items":{"milk":1,"bread":1}}`)
	make("3", `{"items":{"milk":1,"bread":1}}`, `{"items":{"milk":2,"bread":1}}`)
	back, err := w.Inverse(t.Context(), dana, bread, change.Written{})
	if err != nil || string(back.After) != `{"items":{"milk":2}}` {
		t.Fatalf("Inverse = %s, %v", back.After, err)
	}
	make("4", `{"items":{"milk":2,"bread":1}}`, `{"items":{"milk":2,"bread":9}}`)
	if _, err := w.Inverse(t.Context(), dana, bread, change.Written{}); fault.CodeOf(err) != change.Changed {
		t.Errorf("undo of what has changed since: %v, want changed", err)
	}
}
