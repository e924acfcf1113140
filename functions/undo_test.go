package functions

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
)

// Each edit of a conversation is taken back to the version before it, and all of them to the first.
func TestUndoRestoresAnEarlierVersion(t *testing.T) {
	t.Parallel()
	first := cached()
	first.Event.Start = time.Date(2031, time.May, 6, 17, 0, 0, 0, time.UTC)
	first.Event.Place = &meet.Place{Name: "The Corner"}
	versions := []*meet.Search{first}
	for _, in := range []EditArguments{{NewDuration: ptr(60)}, {AddParticipants: []string{"Bo"}}} {
		before := versions[len(versions)-1]
		draft := edit(t, before, in)
		event := *before.Event
		event.ID, event.End = event.ID+"+", event.Start.Add(time.Duration(len(versions))*time.Hour)
		versions = append(versions, &meet.Search{
			Template: draft.Template, People: draft.People, Event: &event, Past: before.Grown(*draft.Edit, &event),
		})
	}
	latest := versions[2]
	for _, c := range []struct {
		editType string
		want     *meet.Search
		left     int
	}{{"undo", versions[1], 1}, {"original", first, 0}} {
		draft := edit(t, latest, EditArguments{EditType: c.editType})
		if diff := cmp.Diff(c.want.Template, draft.Template); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.editType, diff)
		}
		if diff := cmp.Diff(c.want.People, draft.People); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.editType, diff)
		}
		if start := draft.KeptStart(); !start.Equal(c.want.Event.Start) || draft.FixedPlace != c.want.Event.Place {
			t.Errorf("%s: at %v in %v", c.editType, start, draft.FixedPlace)
		}
		if left := latest.Grown(*draft.Edit, c.want.Event); len(left) != c.left {
			t.Errorf("%s leaves %d versions, want %d", c.editType, len(left), c.left)
		}
	}
	if draft := edit(t, first, EditArguments{EditType: "undo"}); draft.Edit.ChangedTime ||
		cmp.Diff(first.Template, draft.Template) != "" {
		t.Errorf("undo without an earlier version changes %+v", draft)
	}
	if grown := first.Grown(meet.Edit{}, first.Event); len(grown) != 0 {
		t.Errorf("an edit that changes nothing leaves %d versions", len(grown))
	}
}
