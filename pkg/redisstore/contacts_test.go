package redisstore

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/note"
	"convene/pkg/record"
)

var (
	_ record.Store = Contacts{}
	_ note.Vectors = Vectors{}
)

func TestContacts(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		opened, ctx := t.open(Config{}), t.Context()
		people, store := opened.People(), opened.Contacts()
		al := meet.Contact{Person: meet.Person{ID: "al", Name: "Al Chen"}, Phone: "555"}
		for _, c := range []meet.Contact{
			al, {Person: meet.Person{ID: "me", Name: "Me"}}, {Person: meet.Person{ID: "x", Name: "X", Owner: "al"}},
		} {
			if err := people.Seed(ctx, c); err != nil {
				t.Fatal(err)
			}
		}
		entries := must(store.Entries(ctx, "me"))(t)
		if got := slices.Collect(maps.Keys(entries)); !slices.Equal(got, []string{"al"}) {
			t.Fatalf("Entries of %v; want Al alone: neither the person, nor whom only Al knows", got)
		}
		was := entries["al"]
		al.Phone = "777"
		next := record.Entry{Value: must(json.Marshal(al))(t), Version: 1, By: []string{"a"}}
		gone := record.Entry{Value: json.RawMessage("null"), Version: 2, By: []string{"a", "b"}}
		for _, c := range []struct {
			name          string
			before, after record.Entry
			done          bool
		}{
			{"over nothing", record.Entry{}, next, false},
			{"a change", was, next, true},
			{"a repeat", was, next, true},
			{"one over what has gone", was, gone, false},
			{"a deletion", next, gone, true},
		} {
			if got := must(store.Replace(ctx, "me", "al", c.before, c.after))(t); got != c.done {
				t.Errorf("%s: %v, want %v", c.name, got, c.done)
			}
		}
		if _, err := people.Person(ctx, "al"); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("a deleted contact is found: %v", err)
		}
		if all := must(people.All(ctx))(t); len(all) != 2 {
			t.Errorf("All = %v", all)
		}
		// The file that has him does not bring him back; storing him does, and undo does.
		if err := people.Seed(ctx, al); err != nil || len(must(people.All(ctx))(t)) != 2 {
			t.Errorf("seeded again: %v", err)
		}
		back := record.Entry{Value: next.Value, Version: 3, By: []string{"a", "b", "b-undo"}}
		if !must(store.Replace(ctx, "me", "al", gone, back))(t) {
			t.Error("the undo is not done")
		}
		if diff := cmp.Diff(back, must(store.Entries(ctx, "me"))(t)["al"]); diff != "" {
			t.Errorf("after the undo (-want +got):\n%s", diff)
		}
	})
}

// A client that stores a person knows nothing of what contacts keep, and takes none of it away.
func TestStoringAPersonKeepsTheContact(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		opened, ctx := t.open(Config{}), t.Context()
		people := opened.People()
		al := meet.Contact{Person: meet.Person{ID: "al", Name: "Al", Owner: "me"}, Phone: "555", Birthday: "--05-03"}
		if err := people.Seed(ctx, al); err != nil {
			t.Fatal(err)
		}
		if err := people.Put(ctx, meet.Person{ID: "al", Name: "Al Chen", Email: "al@example.com"}); err != nil {
			t.Fatal(err)
		}
		var got meet.Contact
		if err := json.Unmarshal(must(opened.Contacts().Entries(ctx, "me"))(t)["al"].Value, &got); err != nil {
			t.Fatal(err)
		}
		al.Name, al.Email = "Al Chen", "al@example.com"
		if diff := cmp.Diff(al, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestVectors(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		store, ctx := t.open(Config{}).Vectors(), t.Context()
		if err := store.Replace(ctx, "dana", map[string][]byte{"a": {1, 0, 255}, "b": {2}}, nil); err != nil {
			t.Fatal(err)
		}
		if err := store.Replace(ctx, "dana", map[string][]byte{"c": {3}}, []string{"b"}); err != nil {
			t.Fatal(err)
		}
		want := map[string][]byte{"a": {1, 0, 255}, "c": {3}}
		if diff := cmp.Diff(want, must(store.Vectors(ctx, "dana"))(t)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}
