package note_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"convene/pkg/embedding"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/note"
)

func notes(texts ...string) []note.Note {
	list := make([]note.Note, len(texts))
	for i, text := range texts {
		list[i] = note.Note{
			ID: fmt.Sprintf("n%d", i), Text: text, Created: time.Date(2026, time.March, 1+i%28, 9, 0, 0, 0, time.UTC),
		}
	}
	return list
}

// shelf keeps the vectors of one person.
type shelf map[string][]byte

func (s shelf) Vectors(context.Context, meet.PersonID) (map[string][]byte, error) {
	return maps.Clone(s), nil
}

func (s shelf) Replace(_ context.Context, _ meet.PersonID, keep map[string][]byte, gone []string) error {
	maps.Copy(s, keep)
	for _, id := range gone {
		delete(s, id)
	}
	return nil
}

// model counts what it is asked for. Other is part of its name, and down says that it does not answer.
type model struct {
	embedding.Hashed
	other string
	down  bool
	asked int
}

func (m *model) Name() string { return m.Hashed.Name() + m.other }

func (m *model) Embed(ctx context.Context, texts []string) ([]embedding.Vector, error) {
	m.asked += len(texts)
	if m.down {
		return nil, errors.New("away")
	}
	return m.Hashed.Embed(ctx, texts)
}

func TestSearch(t *testing.T) {
	t.Parallel()
	list := notes(
		"Ultrasound: all fine, next one in week 20",
		"Boiler: the valve is from 2019, ask the plumber for a new one",
		"Café to try in Lisbon: the one at the tram stop, closed on Mondays",
		"Gift idea for Dana: a fountain pen",
		"The plumber is called Marta, 555-0117",
		"סיסמת הרשת בבית היא על המדבקה של הנתב",
		"El fontanero viene los lunes por la mañana",
	)
	x := note.Index{Vectors: shelf{}, Model: embedding.Hashed{}}
	for _, c := range []struct{ asked, first string }{
		{"ultrasound", "Ultrasound"}, {"what did the doctor say at the ultrasounds", "Ultrasound"},
		{"plumber", "The plumber"}, {"what did I note about saunas?", ""},
		{"valves", "Boiler"}, {"cafe lisboa", "Café"}, {"הרשת", "סיסמת"}, {"לרשת", "סיסמת"}, {"manana lunes", "El fontanero"},
		{"ultrasuond", "Ultrasound"}, {"presents for Dana", "Gift"}, {"holiday in Norway", ""}, {"", ""},
	} {
		near, err := x.Near(t.Context(), "dana", c.asked, list)
		if err != nil {
			t.Fatal(err)
		}
		hits := note.Search(c.asked, list, near)
		switch {
		case c.first == "" && len(hits) > 0:
			t.Errorf("%q finds %q", c.asked, hits[0].Text)
		case c.first != "" && (len(hits) == 0 || !strings.HasPrefix(hits[0].Text, c.first)):
			t.Errorf("%q: %+v", c.asked, hits)
		}
	}
}

// Rank fusion puts what both orders have before what only one has.
func TestBothOrdersAreJoined(t *testing.T) {
	t.Parallel()
	list := notes("red apples", "green pears", "an apple tree", "red wine")
	near := []embedding.Near{{Index: 1, Similarity: 0.9}, {Index: 2, Similarity: 0.8}}
	hits := note.Search("apple", list, near)
	var got []string
	for _, h := range hits {
		got = append(got, fmt.Sprintf("%s %g", h.ID, h.Share))
	}
	want := []string{"n2 1", "n1 0", "n0 1"}
	slices.Sort(got[1:])
	slices.Sort(want[1:])
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A vector is made once for a text and a model, and goes with its note.
func TestVectorsAreMadeOnce(t *testing.T) {
	t.Parallel()
	m, kept, list := &model{}, shelf{}, notes("one", "two", "three")
	x := note.Index{Vectors: kept, Model: m}
	refresh := func(want int) {
		t.Helper()
		m.asked = 0
		err := x.Refresh(t.Context(), "dana", list)
		if err != nil || m.asked != want || len(kept) != len(list) {
			t.Errorf("%v: %d kept, %d made, want %d", err, len(kept), m.asked, want)
		}
	}
	refresh(3)
	refresh(0)
	list[1].Text = "another"
	refresh(1)
	m.other = "-next"
	refresh(3)
	list = list[:1]
	refresh(0)
}

// A search in some of the notes keeps the vectors of the others.
func TestASearchDeletesNoVectors(t *testing.T) {
	t.Parallel()
	kept, list := shelf{}, notes("boiler valve", "fountain pen")
	x := note.Index{Vectors: kept, Model: embedding.Hashed{}}
	for _, some := range [][]note.Note{list[:1], list[1:]} {
		if near, err := x.Near(t.Context(), "dana", "pens", some); err != nil || len(near) > 1 {
			t.Errorf("%v, %v", near, err)
		}
	}
	if len(kept) != 2 {
		t.Errorf("%d vectors are kept", len(kept))
	}
}

// A model that is away leaves the vectors that there are, and words find all notes.
func TestWithoutTheModel(t *testing.T) {
	t.Parallel()
	m, kept, list := &model{}, shelf{}, notes("boiler valve", "fountain pen")
	x := note.Index{Vectors: kept, Model: m}
	if err := x.Refresh(t.Context(), "dana", list[:1]); err != nil {
		t.Fatal(err)
	}
	m.down = true
	if err := x.Refresh(t.Context(), "dana", list); err == nil || len(kept) != 1 {
		t.Errorf("%v, %d kept", err, len(kept))
	}
	near, err := x.Near(t.Context(), "dana", "pens", list)
	if err == nil || len(note.Search("pens", list, near)) != 1 {
		t.Errorf("%v", err)
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	for _, value := range []string{
		`7`, `{"text":" ","created":"2026-01-01T00:00:00Z"}`, `{"text":"a"}`,
		`{"text":"a","created":"2026-01-01T00:00:00Z","tags":["a\nb"]}`,
		`{"text":"` + strings.Repeat("a", note.LongestText+1) + `","created":"2026-01-01T00:00:00Z"}`,
	} {
		if err := note.Kind.Validate("id", []byte(value)); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%.60s: %v", value, err)
		}
	}
	read, err := note.Read([]byte(`[{"text":"a"}]`), time.Unix(1, 0))
	if err != nil || read[0].ID != "note-1" || !read[0].Created.Equal(time.Unix(1, 0)) || read[0].Tags == nil {
		t.Errorf("%+v, %v", read, err)
	}
}

// Words in 10,000 notes; embedding.BenchmarkNearest has their vectors.
func BenchmarkSearch(b *testing.B) {
	texts := make([]string, 10_000)
	for i := range texts {
		texts[i] = fmt.Sprintf("Note %d: boiler of flat %d, new valve, the plumber of street %d knows", i, i%97, i%31)
	}
	list := notes(texts...)
	b.ReportAllocs()
	for b.Loop() {
		note.Search("valve in flat 12", list, nil)
	}
}
