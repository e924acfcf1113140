package change_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"convene/pkg/change"
	"convene/pkg/change/changetest"
	"convene/pkg/claim"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// world is what a desk reaches, in memory: records as they are stored, and a shelf of things.
type world struct {
	*changetest.Records

	mu     sync.Mutex
	things map[string]thing
	// made are the deeds that were done, by key, and effects how often each had one.
	made    map[string]change.Written
	effects map[string]int
	// fail, if set, is asked before a deed is done, and after afterwards.
	fail, after func(deed) error
	// atOnce is how many deeds are under way, and most the most of it.
	atOnce, most int
	takes        time.Duration
	lag          time.Duration
}

// thing stands on the shelf.
type thing struct {
	Title   string `json:"title"`
	Note    string `json:"note"`
	Version int    `json:"version"`
}

// deed is what the shelf's writer does: it gives a thing other words, if it has the version.
type deed struct {
	Key     string `json:"key"`
	ID      string `json:"id"`
	Version int    `json:"version"`
	// Was and Is are the thing before and after; nil if there is none.
	Was, Is *thing
}

func newWorld(things int) *world {
	w := &world{
		Records: changetest.NewRecords(), things: map[string]thing{}, made: map[string]change.Written{},
		effects: map[string]int{},
	}
	for i := range things {
		w.things[fmt.Sprint("t", i)] = thing{Title: fmt.Sprint("Thing ", i), Note: "kept", Version: 1}
	}
	return w
}

func (w *world) config() change.Config {
	return change.Config{
		Records: w, Writers: map[meet.ChangeWhat]change.Writer{meet.EventThing: shelf{w}, meet.BlockThing: shelf{w}},
		Now: w.now,
	}
}

func (w *world) now() time.Time { return time.Now().Add(w.lag) }

func (w *world) desk() *change.Desk { return change.New(w.config()) }

var me = meet.Person{ID: "me", Name: "Mia", Email: "mia@example.com", Timezone: "America/Los_Angeles"}

// retitle is the change that gives things another title.
func (w *world) retitle(id, title string) meet.Change {
	was := w.things[id]
	is := was
	is.Title = title
	return changeOf(deed{Key: "k-" + id + "-" + title, ID: id, Version: was.Version, Was: &was, Is: &is})
}

func (w *world) remove(id string) meet.Change {
	was := w.things[id]
	return changeOf(deed{Key: "k-" + id + "-gone", ID: id, Version: was.Version, Was: &was})
}

func add(id, title string) meet.Change {
	return changeOf(deed{Key: "k-" + id, ID: id, Is: &thing{Title: title}})
}

func changeOf(d deed) meet.Change {
	raw := func(v any) json.RawMessage {
		b, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		return b
	}
	show := func(t *thing) json.RawMessage {
		if t == nil {
			return json.RawMessage("null")
		}
		return raw(map[string]any{"id": d.ID, "title": t.Title})
	}
	c := meet.Change{
		Kind: meet.UpdateThing, What: meet.BlockThing, Where: meet.ChangeWhere{Provider: "shelf", Calendar: "<a> & b"},
		Target: meet.ChangeTarget{ID: d.ID}, Before: show(d.Was), After: show(d.Is), Undoable: true, Deed: raw(d),
	}
	switch {
	case d.Was == nil:
		c.Kind, c.Target = meet.CreateThing, meet.ChangeTarget{}
	case d.Is == nil:
		c.Kind, c.What = meet.DeleteThing, meet.EventThing
	}
	return c
}

func deedOf(c meet.Change) (d deed) {
	if err := json.Unmarshal(c.Deed, &d); err != nil {
		panic(err)
	}
	return d
}

// shelf writes things.
type shelf struct{ *world }

func (s shelf) Standing(_ context.Context, _ meet.Person, c meet.Change) (*meet.Change, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := deedOf(c)
	now, there := s.things[d.ID]
	switch {
	case d.Was == nil && !there, d.Was != nil && there && now.Version == d.Version:
		return nil, nil
	case d.Was == nil || !there:
		return nil, fault.New(change.Changed, "gone")
	}
	fresh := now
	if d.Is != nil {
		fresh.Title = d.Is.Title
		d.Is = &fresh
	}
	d.Key, d.Was, d.Version = d.Key+"-again", &now, now.Version
	of := changeOf(d)
	return &of, nil
}

func (s shelf) Write(ctx context.Context, _ meet.Person, c meet.Change) (change.Written, error) {
	s.mu.Lock()
	s.atOnce++
	s.most = max(s.most, s.atOnce)
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.atOnce--
		s.mu.Unlock()
	}()
	if s.takes > 0 {
		claim.Wait(ctx, s.takes)
		if ctx.Err() != nil {
			return change.Written{}, ctx.Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	d := deedOf(c)
	if s.fail != nil {
		if err := s.fail(d); err != nil {
			return change.Written{}, err
		}
	}
	if w, repeated := s.made[d.Key]; repeated {
		return w, nil
	}
	now, there := s.things[d.ID]
	if there != (d.Was != nil) || there && now.Version != d.Version {
		return change.Written{}, fault.New(change.Changed, "another version")
	}
	delete(s.things, d.ID)
	version := now.Version + 1
	if d.Is != nil {
		is := *d.Is
		is.Version = version
		s.things[d.ID] = is
	}
	s.effects[d.Key]++
	s.made[d.Key] = change.Written{Undo: fmt.Append(nil, version)}
	if s.after != nil {
		return change.Written{}, s.after(d)
	}
	return s.made[d.Key], nil
}

func (s shelf) Look(_ context.Context, _ meet.Person, c meet.Change) (meet.ChangeOutcome, change.Written, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := deedOf(c)
	switch now, there := s.things[d.ID]; {
	case there && d.Is != nil && now.Title == d.Is.Title, !there && d.Is == nil:
		return meet.ChangeDone, change.Written{Undo: fmt.Append(nil, now.Version)}, nil
	case there == (d.Was != nil) && (!there || now.Version == d.Version):
		return meet.ChangeFailed, change.Written{}, nil
	}
	return meet.ChangeUnknown, change.Written{}, nil
}

func (s shelf) Inverse(_ context.Context, _ meet.Person, c meet.Change, _ change.Written) (meet.Change, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := deedOf(c)
	now, there := s.things[d.ID]
	if there != (d.Is != nil) || there && now.Title != d.Is.Title {
		return c, fault.New(change.Changed, "it has another title")
	}
	back := deed{Key: d.Key + "-undo", ID: d.ID, Version: now.Version, Is: d.Was}
	if there {
		back.Was = &now
	}
	if there && d.Was != nil {
		is := now
		is.Title = d.Was.Title
		back.Is = &is
	}
	return changeOf(back), nil
}

func (s shelf) Onto(_ meet.Person, c, before meet.Change, w *change.Written) (meet.Change, error) {
	d, first := deedOf(c), deedOf(before)
	if first.Is == nil {
		return c, fault.New(change.Changed, "gone")
	}
	was := *first.Is
	if w != nil {
		if err := json.Unmarshal(w.Undo, &was.Version); err != nil {
			return c, err
		}
	}
	is := was
	is.Title = d.Is.Title
	d.Was, d.Is, d.Version = &was, &is, was.Version
	onto := changeOf(d)
	onto.ID, onto.DependsOn = c.ID, c.DependsOn
	return onto, nil
}

// touch is what another person does to a thing.
func (w *world) touch(id string, change func(*thing)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.things[id]
	change(&t)
	t.Version++
	w.things[id] = t
}

// titles are those of all things, by id.
func (w *world) titles() map[string]string {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := map[string]string{}
	for id, t := range w.things {
		all[id] = t.Title
	}
	return all
}

// propose proposes changes that are asked for, unless the draft says otherwise.
func propose(t *testing.T, d *change.Desk, changes []meet.Change, with ...func(*change.Draft)) meet.ChangeSet {
	t.Helper()
	draft := change.Draft{Owner: me, Key: "turn-1", PlanID: "pl_1", Changes: changes}
	for _, w := range with {
		w(&draft)
	}
	set, applied, err := d.Propose(t.Context(), draft)
	if err != nil {
		t.Fatalf("propose: %v", err)
	}
	if set.Status == meet.ChangesPending && applied != nil {
		t.Fatalf("a pending set was applied: %+v", applied)
	}
	return set
}

// outcomes are "id outcome" of each change.
func outcomes(a meet.Applied) []string {
	list := []string{}
	for _, c := range a.Changes {
		list = append(list, c.ID+" "+string(c.Outcome))
		if (c.Reason == "") != (c.Outcome == meet.ChangeDone) {
			list = append(list, "reason: "+c.Reason)
		}
	}
	return list
}

// effectsMost is how often the change was made that was made most often.
func (w *world) effectsMost() (most int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, n := range w.effects {
		most = max(most, n)
	}
	return most
}

// ten are ten changes: renamed, renamed twice, removed and new things.
func (w *world) ten() []meet.Change {
	changes := []meet.Change{
		w.retitle("t0", "A"), w.retitle("t1", "B"), w.retitle("t2", "C"), w.retitle("t3", "D"), w.remove("t4"),
		w.remove("t5"), add("n1", "N"), add("n2", "M"),
	}
	return append(changes, w.retitle("t0", "A again"), w.retitle("n1", "N again"))
}

// afterTen is what stands after them.
var afterTen = map[string]string{"t0": "A again", "t1": "B", "t2": "C", "t3": "D", "n1": "N again", "n2": "M"}
