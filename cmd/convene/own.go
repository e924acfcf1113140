package main

import (
	"context"
	"fmt"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/change"
	"convene/pkg/demo"
	"convene/pkg/embedding"
	"convene/pkg/list"
	"convene/pkg/llm/openai"
	"convene/pkg/meet"
	"convene/pkg/note"
	"convene/pkg/people"
	"convene/pkg/preference"
	"convene/pkg/record"
	"convene/pkg/record/writer"
	"convene/pkg/redisstore"
	"convene/pkg/workflow"
)

// files are what a person owns of a kind, as files have it.
type files struct {
	owner  meet.PersonID
	values record.Values
}

func (f files) of(person meet.PersonID) record.Values {
	if person != f.owner {
		return nil
	}
	return f.values
}

// books keep what people own, by kind.
func (s settings) books(store *redisstore.Store) (map[meet.ChangeWhat]record.Book, error) {
	lists, notes, err := s.givenLists()
	if err != nil {
		return nil, err
	}
	books := map[meet.ChangeWhat]record.Book{}
	for _, b := range []record.Book{
		{Kind: preference.Kind, Given: s.world.preferencesOf},
		{Kind: list.Kind, Given: lists.of},
		{Kind: note.Kind, Given: notes.of},
		{Kind: workflow.Kind},
		{Kind: people.Kind, Store: store.Contacts()},
	} {
		if b.Store == nil {
			b.Store = store.Records(b.What)
		}
		books[b.What] = b
	}
	return books, nil
}

// givenLists are the lists and notes of the world, or else of the demo.
func (s settings) givenLists() (lists, notes files, err error) {
	switch {
	case s.world != nil:
		return s.world.lists, s.world.notes, nil
	case s.People != "":
		return files{}, files{}, nil
	}
	if lists, err = listsIn(demo.Lists(), demo.Me); err != nil {
		return lists, notes, fmt.Errorf("demo: %w", err)
	}
	written, err := demo.Notes(s.clock()())
	if err == nil {
		notes, err = notesIn(written, demo.Me, time.Time{})
	}
	return lists, notes, err
}

// listsIn and notesIn are a person's in a JSON array; nothing in nothing. Notes without a time are of now.
func listsIn(data []byte, owner meet.PersonID) (f files, err error) {
	f = files{owner, record.Values{}}
	if len(data) == 0 {
		return f, nil
	}
	lists, err := list.Read(data)
	if err != nil {
		return f, fmt.Errorf("lists: %w", err)
	}
	for _, l := range lists {
		if f.values[l.ID], err = l.Encode(); err != nil {
			return f, err
		}
	}
	return f, nil
}

func notesIn(data []byte, owner meet.PersonID, now time.Time) (f files, err error) {
	f = files{owner, record.Values{}}
	if len(data) == 0 {
		return f, nil
	}
	notes, err := note.Read(data, now)
	if err != nil {
		return f, fmt.Errorf("notes: %w", err)
	}
	for _, n := range notes {
		if f.values[n.ID], err = meet.MarshalLine(n); err != nil {
			return f, err
		}
	}
	return f, nil
}

// embeddings are the configured model of them, or else the built-in one.
func (s settings) embeddings() (embedding.Model, error) {
	if !s.OpenAI.configured() || s.OpenAI.Embedding == "built-in" {
		return embedding.Hashed{}, nil
	}
	model, err := openai.NewEmbedder(openai.EmbedderConfig{
		BaseURL: s.OpenAI.BaseURL, APIKey: s.OpenAI.Key, Model: s.OpenAI.Embedding,
	})
	if err != nil {
		return nil, misuse{err}
	}
	return model, nil
}

// meaning finds one owner's notes by meaning.
type meaning struct {
	note.Index
	owner meet.PersonID
}

func (m meaning) Near(ctx context.Context, question string, notes []note.Note) ([]embedding.Near, error) {
	near, err := m.Index.Near(ctx, m.owner, question, notes)
	if err != nil {
		zerolog.Ctx(ctx).Warn().Err(err).Msg("notes are found by words alone")
	}
	return near, err
}

// indexing is the writer of notes, which makes their vectors. A note is kept without one if that fails; the next search
// makes it.
type indexing struct {
	writer.Writer
	index note.Index
}

// timeToIndex is how long a written note waits for its vector.
const timeToIndex = 2 * time.Second

// Write writes the note.
func (i indexing) Write(ctx context.Context, owner meet.Person, c meet.Change) (change.Written, error) {
	written, err := i.Writer.Write(ctx, owner, c)
	if err != nil {
		return written, err
	}
	ctx, cancel := context.WithTimeout(ctx, timeToIndex)
	defer cancel()
	if err := i.refresh(ctx, owner.ID); err != nil {
		zerolog.Ctx(ctx).Warn().Err(err).Msg("a note has no vector yet")
	}
	return written, nil
}

func (i indexing) refresh(ctx context.Context, owner meet.PersonID) error {
	values, err := i.Book.Of(ctx, owner)
	if err != nil {
		return err
	}
	notes, err := note.All(values)
	if err != nil {
		return err
	}
	return i.index.Refresh(ctx, owner, notes)
}

// circle are the contacts within the limits of a turn.
type circle struct {
	record.Store
	turn meet.Turn
}

// Entries are those of people whom a name may mean in the turn.
func (c circle) Entries(ctx context.Context, person meet.PersonID) (map[string]record.Entry, error) {
	entries, err := c.Store.Entries(ctx, person)
	for id := range entries {
		if len(c.turn.Within([]meet.Person{{ID: meet.PersonID(id)}})) == 0 {
			delete(entries, id)
		}
	}
	return entries, err
}
