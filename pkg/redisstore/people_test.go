package redisstore

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/fault"
	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

func TestPeople(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s := t.open(Config{})
		people, ctx := s.People(), t.Context()
		if got := must(people.All(ctx))(t); len(got) != 0 {
			t.Errorf("All = %v before anybody was stored", got)
		}
		hours := interval.Weekdays(interval.Window{Start: interval.At(8, 30), End: interval.EndOfDay})
		al := meet.Person{ID: "al", Name: "Al", Timezone: "Europe/Berlin", CalendarType: meet.Work, WorkingHours: &hours,
			Location: &meet.Location{Point: geo.Point{Latitude: 1, Longitude: 2}, Label: "home"}}
		me := meet.Person{ID: "me", Name: "Me"}
		check(t, people.Put(ctx, me))
		check(t, people.Put(ctx, meet.Person{ID: "al", Name: "Somebody else"}))
		check(t, people.Put(ctx, al))
		if diff := cmp.Diff(al, must(people.Person(ctx, "al"))(t)); diff != "" {
			t.Errorf("Person (-want +got):\n%s", diff)
		}
		// Someone whose stored form is broken does not keep the others apart.
		check(t, s.client.HSet(ctx, s.keys.of("").people(), "bad", "1:{").Err())
		if diff := cmp.Diff([]meet.Person{al, me}, must(people.All(ctx))(t)); diff != "" {
			t.Errorf("All (-want +got):\n%s", diff)
		}
		if _, err := people.Person(ctx, "bad"); fault.CodeOf(err) != fault.Internal {
			t.Errorf("a broken person = %v, want an internal error", err)
		}
		check(t, people.Delete(ctx, "al"))
		for name, err := range map[string]error{
			"Person": func() error { _, err := people.Person(ctx, "al"); return err }(),
			"Delete": people.Delete(ctx, "al"),
		} {
			if fault.CodeOf(err) != fault.NotFound {
				t.Errorf("%s of a deleted person = %v, want a fault.NotFound", name, err)
			}
		}
		if err := people.Put(ctx, meet.Person{Name: "Nobody"}); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("Put without an id = %v, want a fault.InvalidRequest", err)
		}
	})
}
