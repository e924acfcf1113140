package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"time"

	"convene/pkg/list"
	"convene/pkg/meet"
	"convene/pkg/note"
	"convene/pkg/notice"
	"convene/pkg/preference"
	"convene/pkg/record"
	"convene/pkg/task"
	"convene/pkg/turn"
)

// sorts are the kinds of records: three of each person, and a value of one that says a text.
var sorts = []struct {
	kind  record.Kind
	ids   [3]string
	value func(owner, id, text string) any
}{
	{list.Kind, [3]string{"l1", "l2", "l3"}, func(_, _, text string) any {
		return map[string]any{"name": text, "items": map[string]any{"i": list.Item{Text: "Milk", Quantity: 1}}}
	}},
	{note.Kind, [3]string{"n1", "n2", "n3"}, func(_, _, text string) any {
		return note.Note{Text: text, Tags: []string{}, Created: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)}
	}},
	{record.Kind{What: meet.ContactThing}, [3]string{"c1", "c2", "c3"}, func(owner, id, text string) any {
		return meet.Contact{Person: meet.Person{ID: meet.PersonID(id), Name: text, Owner: meet.PersonID(owner)}}
	}},
	{preference.Kind, [3]string{preference.Home, preference.Office, preference.DefaultTaskList},
		func(_, _, text string) any { return text }},
	{record.Kind{What: meet.TaskThing}, [3]string{"t1", "t2", "t3"}, func(_, id, text string) any {
		return task.Task{ID: id, Title: text, Status: task.Backlog, Provider: "convene"}.Listed()
	}},
}

// records shows the changes of a person's records of all kinds: of three one is changed, one deleted and one made. The
// new task is due at once.
func (o *onlooker) records(name string) meet.ChangeSet {
	o.Helper()
	own := *o
	own.owner = meet.Person{ID: meet.PersonID(name), Name: name, Timezone: "UTC"}
	if err := o.app.store.People().Put(o.Context(), own.owner); err != nil {
		o.Fatal(err)
	}
	var before, changes []meet.Change
	for _, s := range sorts {
		for i, id := range s.ids {
			if s.kind.What != meet.PreferenceThing {
				id = name + "-" + id
			}
			made := func(key, text string) meet.Change {
				return own.amend(s.kind, id, key, nil, s.value(name, id, text))
			}
			was, is := s.value(name, id, "Old"), s.value(name, id, "New")
			if i < 2 {
				before = append(before, made(id+"-before", "Old"))
			}
			switch t, isTask := is.(task.Task); {
			case i == 0:
				changes = append(changes, own.amend(s.kind, id, id+"-changed", was, is))
			case i == 1:
				changes = append(changes, own.amend(s.kind, id, id+"-deleted", was, nil))
			case isTask:
				t.Due = friday
				changes = append(changes, own.amend(s.kind, id, id+"-made", nil, t))
			default:
				changes = append(changes, made(id+"-made", "New"))
			}
		}
	}
	own.propose(name+"-before", true, before...)
	return own.propose(name, false, changes...)
}

// amend is the change of a record from one value to another; nil is none.
func (o *onlooker) amend(kind record.Kind, id, key string, was, is any) (c meet.Change) {
	o.Helper()
	if kind.What != meet.TaskThing {
		return o.must(kind.Change(record.Deed{Key: key, ID: id, From: o.encode(was), To: o.encode(is)}, id))
	}
	a := task.Amendment{Key: key}
	for _, at := range []struct {
		value any
		to    **task.Task
	}{{was, &a.From}, {is, &a.To}} {
		if t, ok := at.value.(task.Task); ok {
			*at.to = &t
		}
	}
	return o.must(a.Change(o.owner))
}

func (o *onlooker) must(c meet.Change, err error) meet.Change {
	o.Helper()
	if err != nil {
		o.Fatal(err)
	}
	return c
}

func (o *onlooker) encode(value any) []byte {
	o.Helper()
	raw, err := json.Marshal(value)
	if err != nil {
		o.Fatal(err)
	}
	return raw
}

// wantRecords wants each change of a person's records to be made once, and the person to be told once.
func (o *onlooker) wantRecords(name string) {
	o.Helper()
	for _, s := range sorts {
		store := record.Store(o.app.store.Records(s.kind.What))
		if s.kind.What == meet.ContactThing {
			store = o.app.store.Contacts()
		}
		entries, err := store.Entries(o.Context(), meet.PersonID(name))
		if err != nil {
			o.Fatal(err)
		}
		for i, id := range s.ids {
			if s.kind.What != meet.PreferenceThing {
				id = name + "-" + id
			}
			e, made := entries[id], []int{2, 2, 1}[i]
			if gone := record.Same(e.Value, nil); e.Version != made || len(e.By) != made || gone != (i == 1) {
				o.Errorf("%s: %s %s was changed by %q, and is %s", name, s.kind.What, id, e.By, e.Value)
			}
		}
	}
	if told := o.reminded(meet.PersonID(name)); len(told) != 1 {
		o.Errorf("%s was told of %q, want one task", name, told)
	}
}

// reminded are a person's notices once nothing is due any longer.
func (o *onlooker) reminded(person meet.PersonID) (told []string) {
	o.Helper()
	notices := o.app.store.Notices()
	open := func(a notice.Alarm) bool { return a.Person == person }
	for tick := time.NewTicker(20 * time.Millisecond); ; <-tick.C {
		due, err := notices.Due(o.Context(), time.Now().AddDate(1, 0, 0), 10_000)
		if err != nil {
			o.Fatal(err)
		}
		if !slices.ContainsFunc(due, open) {
			tick.Stop()
			break
		}
	}
	ctx, cancel := context.WithTimeout(o.Context(), patience)
	defer cancel()
	err := notices.Follow(ctx, person, 0, func(entries ...turn.Entry) error {
		for _, e := range entries {
			told = append(told, string(e.Data))
		}
		return io.EOF
	})
	if !errors.Is(err, io.EOF) {
		o.Errorf("%s: %v", person, err)
	}
	return told
}
