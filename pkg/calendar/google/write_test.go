package google_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/account"
	"convene/pkg/calendar"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/calendar/google"
	"convene/pkg/calendar/google/googletest"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// first is a confirmed event of the owner's with Al and with a person who has no address.
func first(t *testing.T) meet.Event {
	t.Helper()
	owner := calendartest.Owner()
	return meet.Event{
		ID: "p1", UID: "p1@convene.example.com", Status: meet.Confirmed, Title: "Coffee with Al", EventType: "in-person",
		Start: at(t, "3 10:00"), End: at(t, "3 11:00"), Timezone: "Europe/Berlin",
		Participants: []meet.Participant{
			{ID: owner.ID, Name: owner.Name, Email: owner.Email}, {ID: "al", Name: "Al", Email: "al@example.com"}, {Name: "Sam"},
		},
		Place:        &meet.Place{Name: "Blue Bottle", Address: "1 Ferry Building", MapsURL: "https://maps.example.com/1"},
		TravelBuffer: meet.TravelBuffer{BeforeMinutes: 30, AfterMinutes: 15},
	}
}

// moved is the event a day later, as the proposal that takes the place of the first.
func moved(t *testing.T) meet.Event {
	t.Helper()
	e := first(t)
	e.ID, e.Sequence, e.Start, e.End = "p2", 1, at(t, "4 10:00"), at(t, "4 11:00")
	return e
}

func entry(t *testing.T, e meet.Event) calendar.Entry {
	t.Helper()
	return calendar.Entry{Owner: calendartest.Owner(), Event: e, Guests: e.Participants}
}

// write fails the test where the entry cannot be written.
func write(t *testing.T, c *google.Calendar, e calendar.Entry) calendar.Written {
	t.Helper()
	written, err := c.Write(t.Context(), e)
	if err != nil {
		t.Fatalf("Write: %v", err)
	}
	return written
}

// theEvent is the only event in the calendar.
func theEvent(t *testing.T, s *googletest.Server, id string) (event map[string]any) {
	t.Helper()
	ids := s.IDs(id)
	if len(ids) != 1 {
		t.Fatalf("there are %d events in the calendar %s, want one: %v", len(ids), id, ids)
	}
	if err := json.Unmarshal([]byte(s.Event(id, ids[0])), &event); err != nil {
		t.Fatal(err)
	}
	return event
}

func TestWhatIsWritten(t *testing.T) {
	t.Parallel()
	s, keys, _ := connected(t)
	write(t, open(s, keys), entry(t, first(t)))
	got := theEvent(t, s, ola)
	private := got["extendedProperties"].(map[string]any)["private"].(map[string]any)
	if len(private["conveneContent"].(string)) != 32 {
		t.Errorf("digest %q", private["conveneContent"])
	}
	for _, name := range []string{"id", "iCalUID", "etag", "kind", "organizer"} {
		delete(got, name)
	}
	delete(private, "conveneContent")
	want := map[string]any{
		"status": "confirmed", "summary": "Coffee with Al", "location": "Blue Bottle, 1 Ferry Building",
		"description": "Travel time to keep free: 30 minutes before, 15 minutes after.\nMap: https://maps.example.com/1",
		"start":       map[string]any{"dateTime": "2026-03-03T10:00:00+01:00", "timeZone": "Europe/Berlin"},
		"end":         map[string]any{"dateTime": "2026-03-03T11:00:00+01:00", "timeZone": "Europe/Berlin"},
		"attendees": []any{
			map[string]any{"email": ola, "displayName": "Ola Owner", "responseStatus": "accepted"},
			map[string]any{"email": "al@example.com", "displayName": "Al", "responseStatus": "needsAction"},
		},
		"extendedProperties": map[string]any{"private": map[string]any{
			"conveneUID": "p1@convene.example.com", "conveneProposal": "p1", "conveneSequence": "0",
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("event (-want +got):\n%s", diff)
	}
}

// Each case is a history of what was written and removed, and what the guests heard of it.
func TestGuestsAreToldOnce(t *testing.T) {
	t.Parallel()
	type step = func(t *testing.T, c *google.Calendar)
	puts := func(change ...func(*calendar.Entry)) step {
		return func(t *testing.T, c *google.Calendar) {
			t.Helper()
			e := entry(t, first(t))
			for _, f := range change {
				f(&e)
			}
			write(t, c, e)
		}
	}
	move := func(e *calendar.Entry) {
		e.Event.ID, e.Event.Sequence = "p2", 1
		e.Event.Start, e.Event.End = e.Event.Start.AddDate(0, 0, 1), e.Event.End.AddDate(0, 0, 1)
	}
	count := func(e *calendar.Entry) { e.Event.ID, e.Event.Sequence = "p2", 1 }
	place := func(e *calendar.Entry) { e.Event.Place = &meet.Place{Name: "Philz"} }
	more := func(e *calendar.Entry) {
		e.Guests = append(e.Guests, meet.Participant{Name: "Bo", Email: "bo@example.com"},
			meet.Participant{Email: "BO@example.com"})
	}
	less := func(e *calendar.Entry) { e.Guests = []meet.Participant{{Name: "Bo", Email: "bo@example.com"}} }
	alone := func(e *calendar.Entry) { e.Guests = nil }
	myself := func(e *calendar.Entry) {
		e.Guests = []meet.Participant{
			{ID: "owner", Email: "ola@elsewhere.example"}, {Email: "OLA@example.com"}, {Name: "Sam"},
		}
	}
	remove := func(t *testing.T, c *google.Calendar) {
		t.Helper()
		if err := c.Remove(t.Context(), entry(t, first(t))); err != nil {
			t.Fatalf("Remove: %v", err)
		}
	}
	const invited, changed, cancelled = "al@example.com: invited",
		"al@example.com: told of a change", "al@example.com: cancelled"
	for _, c := range []struct {
		name  string
		steps []step
		want  []string
	}{
		{"written", []step{puts()}, []string{invited}},
		{"written twice", []step{puts(), puts()}, []string{invited}},
		{"moved", []step{puts(), puts(move)}, []string{invited, changed}},
		{"moved twice to the same time", []step{puts(), puts(move), puts(move)}, []string{invited, changed}},
		{"another place", []step{puts(), puts(place), puts(place)}, []string{invited, changed}},
		{"nothing but the revision is new", []step{puts(), puts(count)}, []string{invited}},
		{"one more guest", []step{puts(), puts(more)}, []string{invited, changed, "bo@example.com: invited"}},
		{"another guest", []step{puts(), puts(less)}, []string{invited, "bo@example.com: invited", cancelled}},
		{"removed", []step{puts(), remove}, []string{invited, cancelled}},
		{"removed twice", []step{puts(), remove, remove}, []string{invited, cancelled}},
		{"written again after it was removed", []step{puts(), remove, puts(), puts()}, []string{invited, cancelled, invited}},
		{"a copy of the owner's own", []step{puts(alone), puts(alone), puts(alone, move)}, nil},
		{"nobody who can be invited but the owner", []step{puts(myself)}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, keys, _ := connected(t)
			provider := open(s, keys)
			for _, step := range c.steps {
				step(t, provider)
			}
			if diff := cmp.Diff(c.want, s.Told()); diff != "" {
				t.Errorf("told (-want +got):\n%s", diff)
			}
			if n := len(s.IDs(ola)); n > 1 {
				t.Errorf("there are %d events", n)
			}
		})
	}
}

// losing makes the first request with the method happen, and its answer be lost on the way.
type losing struct {
	method string
	lost   atomic.Bool
}

func (l *losing) RoundTrip(req *http.Request) (*http.Response, error) {
	answer, err := http.DefaultTransport.RoundTrip(req)
	if err == nil && req.Method == l.method && !l.lost.Swap(true) {
		_ = answer.Body.Close()
		return nil, errors.New("the connection was cut")
	}
	return answer, err
}

func TestAnAnswerThatIsLost(t *testing.T) {
	t.Parallel()
	const invited, changed, cancelled = "al@example.com: invited",
		"al@example.com: told of a change", "al@example.com: cancelled"
	for method, want := range map[string][]string{
		http.MethodPost: {invited, changed, cancelled}, http.MethodPatch: {invited, changed, cancelled},
		http.MethodDelete: {invited, changed, cancelled},
	} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			s, keys, _ := connected(t)
			lossy := &losing{method: method}
			c := google.New(google.Config{Accounts: keys, Endpoint: s.URL, Base: lossy})
			write(t, c, entry(t, first(t)))
			write(t, c, entry(t, moved(t)))
			if err := c.Remove(t.Context(), entry(t, moved(t))); err != nil {
				t.Fatal(err)
			}
			if !lossy.lost.Load() {
				t.Error("nothing was lost; the test shows nothing")
			}
			if diff := cmp.Diff(want, s.Told()); diff != "" {
				t.Errorf("told (-want +got):\n%s", diff)
			}
			if ids := s.IDs(ola); len(ids) > 0 {
				t.Errorf("events are left: %v", ids)
			}
		})
	}
}

// What people did with the event in Google Calendar stays, unless it is the time.
func TestAChangeLeavesWhatPeopleDid(t *testing.T) {
	t.Parallel()
	s, keys, _ := connected(t)
	c := open(s, keys)
	write(t, c, entry(t, first(t)))
	event := theEvent(t, s, ola)
	event["attendees"].([]any)[1].(map[string]any)["responseStatus"] = "accepted"
	event["colorId"] = "7"
	event["start"], event["end"] = map[string]any{"date": "2026-03-07"}, map[string]any{"date": "2026-03-08"}
	byHand, err := json.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	s.Put(t, ola, string(byHand))
	write(t, c, entry(t, first(t)))
	got := theEvent(t, s, ola)
	if al := got["attendees"].([]any)[1].(map[string]any); al["responseStatus"] != "accepted" ||
		al["email"] != "al@example.com" {
		t.Errorf("the answer is lost: %v", al)
	}
	want := map[string]any{"dateTime": "2026-03-03T10:00:00+01:00", "timeZone": "Europe/Berlin"}
	if diff := cmp.Diff(want, got["start"]); diff != "" || got["colorId"] != "7" {
		t.Errorf("colour %v, start (-want +got):\n%s", got["colorId"], diff)
	}
}

func TestMeetingLinks(t *testing.T) {
	t.Parallel()
	const link = "https://meet.google.com/abc-defg-hij"
	s, keys, _ := connected(t)
	c := open(s, keys)
	online := entry(t, first(t))
	online.Online = true
	for range 2 {
		if got := write(t, c, online).JoinURL; got != link {
			t.Errorf("link = %q, want %q", got, link)
		}
	}
	request := theEvent(t, s, ola)["conferenceData"].(map[string]any)["createRequest"].(map[string]any)["requestId"]
	inPerson := entry(t, moved(t))
	write(t, c, inPerson)
	if data := theEvent(t, s, ola)["conferenceData"]; data != nil {
		t.Errorf("the link stays: %v", data)
	}
	inPerson.Online, inPerson.Event.Sequence = true, 2
	write(t, c, inPerson)
	again := theEvent(t, s, ola)["conferenceData"].(map[string]any)["createRequest"].(map[string]any)["requestId"]
	if request == again {
		t.Errorf("the second link was asked for as %v again, which Google ignores", again)
	}
}

func TestAMeetingLinkOfTheOwnersStays(t *testing.T) {
	t.Parallel()
	s, keys, _ := connected(t)
	c := open(s, keys)
	write(t, c, entry(t, first(t)))
	event := theEvent(t, s, ola)
	event["conferenceData"] = map[string]any{"conferenceId": "zoom"}
	byHand, err := json.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	s.Put(t, ola, string(byHand))
	write(t, c, entry(t, moved(t)))
	if data := theEvent(t, s, ola)["conferenceData"]; data == nil {
		t.Error("the owner's own link was taken away")
	}
}

func TestAMeetingLinkThatTakesAWhile(t *testing.T) {
	t.Parallel()
	for polls, want := range map[int]string{2: "https://meet.google.com/abc-defg-hij", 9: ""} {
		s, keys, _ := connected(t)
		s.PendingLinks = polls
		online := entry(t, first(t))
		online.Online = true
		if got := write(t, open(s, keys), online).JoinURL; got != want {
			t.Errorf("link made at reading %d: got %q, want %q", polls, got, want)
		}
	}
}

func TestAnOlderVersionDoesNotReplaceANewerOne(t *testing.T) {
	t.Parallel()
	s, keys, _ := connected(t)
	c := open(s, keys)
	write(t, c, entry(t, moved(t)))
	_, err := c.Write(t.Context(), entry(t, first(t)))
	if fault.CodeOf(err) != fault.Conflict {
		t.Errorf("error = %v, want a conflict", err)
	}
	if got := theEvent(t, s, ola)["start"].(map[string]any)["dateTime"]; got != "2026-03-04T10:00:00+01:00" {
		t.Errorf("the event is at %v", got)
	}
}

// Someone chose another calendar after the event was written: it is changed and removed where it stands.
func TestTheCalendarThatIsWrittenToWasChanged(t *testing.T) {
	t.Parallel()
	s := googletest.New(t)
	s.User(ola, "Europe/Berlin")
	s.Calendar(ola, "family", "Europe/Berlin")
	s.Calendar("al@example.com", team, "Europe/Berlin")
	s.Share(team, ola, "freeBusyReader")
	keys := s.Keys()
	id := keys.Connect("owner", ola, account.Calendar{ID: ola, Blocks: true, Target: true})
	c := open(s, keys)
	write(t, c, entry(t, first(t)))
	keys.Choose(id, account.Calendar{ID: ola, Blocks: true}, account.Calendar{ID: team, Blocks: true},
		account.Calendar{ID: "family", Target: true})
	write(t, c, entry(t, moved(t)))
	if got := theEvent(t, s, ola)["start"].(map[string]any)["dateTime"]; got != "2026-03-04T10:00:00+01:00" {
		t.Errorf("the event is at %v", got)
	}
	if ids := s.IDs("family"); len(ids) != 0 {
		t.Errorf("another copy was written: %v", ids)
	}
	if err := c.Remove(t.Context(), entry(t, moved(t))); err != nil {
		t.Fatal(err)
	}
	if ids := s.IDs(ola); len(ids) != 0 {
		t.Errorf("the event is still there: %v", ids)
	}
	write(t, c, entry(t, first(t)))
	if event := theEvent(t, s, "family"); len(event["attendees"].([]any)) != 1 {
		t.Errorf("the owner's main calendar would get a copy too: %v", event["attendees"])
	}
}

func TestWritersAtOnceWriteOneEvent(t *testing.T) {
	t.Parallel()
	s, keys, _ := connected(t)
	c := open(s, keys)
	done := make(chan error)
	for range 10 {
		go func() {
			_, err := c.Write(context.WithoutCancel(t.Context()), entry(t, first(t)))
			done <- err
		}()
	}
	for range 10 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff([]string{"al@example.com: invited"}, s.Told()); diff != "" || len(s.IDs(ola)) != 1 {
		t.Errorf("events %v, told (-want +got):\n%s", s.IDs(ola), diff)
	}
}

// A guest who keeps calendars with Google too has the same event under the same id, whatever its iCalUID there.
func TestTheGuestsCopyIsTheSameEvent(t *testing.T) {
	t.Parallel()
	s, keys, _ := connected(t)
	c := open(s, keys)
	write(t, c, entry(t, first(t)))
	copies := map[string]func(id string) string{
		"with its id":             func(id string) string { return `{"id":"` + id + `"` },
		"with another id":         func(id string) string { return `{"id":"_abc123","iCalUID":"` + id + `@google.com"` },
		"with the UID of a guest": func(string) string { return `{"id":"_abc123","iCalUID":"p1@convene.example.com"` },
	}
	s.User("al@example.com", "Europe/Berlin")
	keys.Connect("al", "al@example.com")
	for name, identity := range copies {
		s.User("al@example.com", "Europe/Berlin")
		s.Put(t, "al@example.com", identity(s.IDs(ola)[0])+
			`,"start":{"dateTime":"2026-03-03T10:00:00+01:00"},"end":{"dateTime":"2026-03-03T11:00:00+01:00"}}`)
		got, err := c.Times(t.Context(), meet.Person{ID: "al"}, week(t), first(t).UID)
		if err != nil || len(got.Busy) > 0 {
			t.Errorf("%s: busy %v, error %v", name, inUTC(got.Busy), err)
		}
	}
}
