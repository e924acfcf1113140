package note

import (
	"context"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"convene/functions/world"
	"convene/pkg/embedding"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/note"
)

//go:embed words.json
var wordsJSON []byte

var phrases = message.ReadPhrases(wordsJSON)

func say(w *world.World, name string, pairs ...string) string {
	return w.Voice().Say(phrases, name, pairs...)
}

// Notes are the data of the family's tools: as they stand or, of a tool that changes them, those that change, as they
// would be.
type Notes struct {
	Notes []Note `json:"notes"`
	// ByMeaning says that notes were compared by meaning too, and not by their words alone.
	ByMeaning bool `json:"byMeaning"`
}

// Note is a note. Created is in RFC 3339.
type Note struct {
	ID      string   `json:"id"`
	Text    string   `json:"text"`
	Created string   `json:"created"`
	Tags    []string `json:"tags"`
	// Pending marks one that is not written yet.
	Pending bool `json:"pending"`
}

func dataOf(w *world.World, n note.Note, pending bool) Note {
	return Note{n.ID, n.Text, n.Created.In(w.Zone()).Format(time.RFC3339), append([]string{}, n.Tags...), pending}
}

// own are the owner's notes, the newest first.
func own(ctx context.Context, w *world.World) ([]note.Note, error) {
	values, err := w.Own[meet.NoteThing].All(ctx)
	if err != nil {
		return nil, err
	}
	return note.All(values)
}

// about are the notes that fit a question, the best first. ByMeaning is false if words alone were compared.
func about(ctx context.Context, w *world.World, question string, notes []note.Note) (hits []note.Hit, byMeaning bool) {
	var near []embedding.Near
	if w.Meaning != nil {
		found, err := w.Meaning.Near(ctx, question, notes)
		near, byMeaning = found, err == nil // words find notes while the model of embeddings is away
	}
	return note.Search(question, notes, near), byMeaning
}

// one is the note that words mean, to change it: by id, or the only one that has them; one that has some of
// them is doubted. Several are asked about.
func one(w *world.World, notes []note.Note, argument, words string) (note.Note, error) {
	if i := slices.IndexFunc(notes, func(n note.Note) bool { return n.ID == words }); i >= 0 {
		return notes[i], nil
	}
	hits := note.Search(words, notes, nil)
	whole := func(h note.Hit) bool { return h.Share == 1 }
	if slices.ContainsFunc(hits, whole) {
		hits = slices.DeleteFunc(hits, func(h note.Hit) bool { return !whole(h) })
	}
	switch len(hits) {
	case 0:
		return note.Note{}, fault.New(fault.NotFound, "%s", say(w, "none", "what", w.Voice().Title(words)))
	case 1:
		if !whole(hits[0]) {
			w.Doubt()
		}
		return hits[0].Note, nil
	}
	const most = 8
	asked := &world.AmbiguousError{Question: say(w, "which"), Argument: argument}
	for _, h := range hits[:min(most, len(hits))] {
		asked.Options = append(asked.Options, meet.Option{
			ID: h.ID, Label: h.Caption(), Detail: w.Voice().Day(h.Created),
		})
	}
	return note.Note{}, asked
}

// keep adds the change of a note to an answer. A nil note deletes the one of the id.
func keep(ctx context.Context, w *world.World, answer *world.Answer[Notes], old, n *note.Note) error {
	var value []byte
	shown := old
	if n != nil {
		var err error
		if value, err = json.Marshal(n); err != nil {
			return err
		}
		if err := note.Kind.Validate(n.ID, value); err != nil {
			return err
		}
		shown = n
	}
	c, err := w.Keep(ctx, meet.NoteThing, shown.ID, value, shown.Caption())
	answer.Changes = append(answer.Changes, c)
	answer.Data.Notes = append(answer.Data.Notes, dataOf(w, *shown, true))
	answer.Display, answer.Title = meet.CardDisplay, say(w, "title")
	return err
}

// quoted is a note with its date, for a message.
func quoted(w *world.World, n note.Note) string {
	text := say(w, "quote", "when", w.Voice().Day(n.Created), "text", w.Voice().Quote(n.Text))
	if len(n.Tags) == 0 {
		return text
	}
	var tags []string
	for _, tag := range n.Tags {
		tags = append(tags, w.Voice().Title(tag))
	}
	return say(w, "tagged", "quote", text, "tags", strings.Join(tags, ", "))
}
