package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

var wholeTurn = []meet.Update{
	meet.AcknowledgmentUpdate{Text: "On it."}, meet.ProgressUpdate{Text: "Getting schedules..."},
	meet.MessageUpdate{Text: "Done."}, meet.DoneUpdate{Outcome: meet.OutcomeProposed},
}

const plainTurn = `{"message":"coffee with Al","organizer":"me"}`

func TestStreamingPostIsTheStream(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.turns.script = wholeTurn
	a := do(t, "POST", f.serve(t)+"/v1/turns", plainTurn, "Accept", "text/event-stream")
	if a.status != http.StatusOK {
		t.Fatalf("status = %d: %s", a.status, a.body)
	}
	for name, want := range map[string]string{
		"Content-Type": "text/event-stream", "Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no",
		"Content-Encoding": "", "Location": "/v1/turns/t1",
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	wantDiff(t, "updates", []string{
		"1 turn", "2 acknowledgment", "3 progress", "4 message", "5 done",
	}, kinds(t, events(t, a.body)))
}

func TestPlainPostNamesTheStream(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	a := do(t, "POST", f.serve(t)+"/v1/turns", plainTurn)
	if a.status != http.StatusAccepted || a.header.Get("Location") != "/v1/turns/t1" ||
		a.header.Get("Content-Type") != "application/json" {
		t.Errorf("status %d, location %q, type %q", a.status, a.header.Get("Location"), a.header.Get("Content-Type"))
	}
	want := `{"turnId":"t1","conversationId":"c1","eventsUrl":"/v1/turns/t1/events"}` + "\n"
	wantDiff(t, "body", want, a.body)
}

func TestWantsStream(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{
		"":                                    false,
		"*/*":                                 false,
		"application/json":                    false,
		"text/event-stream":                   true,
		"Text/Event-Stream ":                  true,
		"text/event-stream;q=0":               false,
		"text/event-stream, */*":              true,
		"application/json, text/event-stream": true,
		"application/json, text/event-stream;q=0.5":       false,
		"application/json;q=0.1, text/event-stream;q=0.5": true,
		"text/html, ;;": false,
	}
	for accept, want := range tests {
		if p, got := accepts(accept); got != want || p != "" {
			t.Errorf("accepts(%q) = %q, %t, want %t", accept, p, got, want)
		}
	}
}

func TestIdempotencyKeyGivesTheFirstTurn(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.turns.script = wholeTurn
	url := f.serve(t) + "/v1/turns"
	first := do(t, "POST", url, plainTurn, "Idempotency-Key", "k1")
	second := do(t, "POST", url, plainTurn, "Idempotency-Key", "k1")
	streamed := do(t, "POST", url, plainTurn, "Idempotency-Key", "k1", "Accept", "text/event-stream")
	wantDiff(t, "second answer", first.body, second.body)
	if got := len(f.turns.started); got != 1 {
		t.Errorf("turns started = %d, want 1", got)
	}
	if got := events(t, streamed.body); !strings.Contains(string(got[0].Data), `"t1"`) {
		t.Errorf("streamed %s, want the first turn", got[0].Data)
	}
}

func TestAnIdempotencyKeyIsForOneRequest(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	url := f.serve(t) + "/v1/turns"
	first := do(t, "POST", url, plainTurn, "Idempotency-Key", "k1")
	for name, tt := range map[string]struct {
		body, key string
		want      int
	}{
		"the same": {plainTurn, "k1", http.StatusAccepted},
		"the same in another form": {" {\"organizer\" : \"me\",\n\"message\": \"coffee with Al\"} ", "k1",
			http.StatusAccepted},
		"another message": {`{"message":"Tea with Al?","organizer":"me"}`, "k1", http.StatusUnprocessableEntity},
		"one more member": {`{"message":"coffee with Al","organizer":"me","autoConfirm":true}`,
			"k1", http.StatusUnprocessableEntity},
		"a key that cannot be one":   {plainTurn, strings.Repeat("k", 201), http.StatusBadRequest},
		"another message, other key": {`{"message":"Tea with Al?","organizer":"me"}`, "k2", http.StatusAccepted},
	} {
		a := do(t, "POST", url, tt.body, "Idempotency-Key", tt.key)
		if a.status != tt.want {
			t.Errorf("%s: status = %d, want %d: %s", name, a.status, tt.want, a.body)
			continue
		}
		switch {
		case tt.want == http.StatusAccepted && tt.key == "k1":
			wantDiff(t, name, first.body, a.body)
		case tt.want != http.StatusAccepted:
			if p := a.problem(t); p.Code != "invalid_request" || p.Field != "Idempotency-Key" || p.Status != tt.want {
				t.Errorf("%s: problem = %+v, want invalid_request Idempotency-Key", name, p)
			}
		}
	}
}

func TestAvailabilityOfSomebodyOnlyTheMessageNames(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	body := `{"message":"Coffee with Al?","organizer":"me","availability":[{"person":"al","busy":[]}]}`
	if a := do(t, "POST", f.serve(t)+"/v1/turns", body); a.status != http.StatusAccepted {
		t.Fatalf("status = %d: %s", a.status, a.body)
	}
	wantDiff(t, "availability", []meet.GivenAvailability{
		{Person: "al", Busy: []interval.Span{}},
	}, f.turns.started[0].Availability)
}

func TestTurnIsReadFromTheRequest(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	body := `{
		"message": "  lunch  ", "conversationId": "c7", "timezone": "America/Los_Angeles", "autoConfirm": true,
		"organizer": {"name": " Mia ", "email": "Mia@Example.org", "timezone": "Europe/Berlin", "calendarType": "work",
			"location": {"latitude": 52.5, "longitude": 13.4, "label": "home"}, "office": {"latitude": 52.6, "longitude": 13.3},
			"workingHours": {"mon": [{"start": "09:00", "end": "17:00"}]}, "bookingLink": "https://cal.example.com/mia"},
		"participants": ["al", {"name": "Zoe"}, {"id": "x-1", "name": "Zoe"}],
		"availability": [
			{"person": "mia@example.org", "busy": [{"start": "2026-03-10T09:00:00+01:00", "end": "2026-03-10T10:00:00+01:00"}]},
			{"person": "x-1", "busy": []}]
	}`
	if a := do(t, "POST", f.serve(t)+"/v1/turns", body); a.status != http.StatusAccepted {
		t.Fatalf("status = %d: %s", a.status, a.body)
	}
	got := f.turns.started[0]
	mia, zoe := got.Organizer.ID, got.Participants[1].ID
	if !strings.HasPrefix(string(mia), inlinePrefix) || !strings.HasPrefix(string(zoe), inlinePrefix) || mia == zoe {
		t.Errorf("inline ids are %q and %q, want two with the prefix %s", mia, zoe, inlinePrefix)
	}
	if len(got.Availability) != 2 || !got.Availability[0].Busy[0].Start.Equal(time.Date(2026, 3, 10, 8, 0, 0, 0,
		time.UTC)) {
		t.Fatalf("availability = %+v", got.Availability)
	}
	week := interval.Week{time.Monday: {{Start: interval.At(9, 0), End: interval.At(17, 0)}}}
	want := meet.Turn{
		Conversation: "c7", Message: "lunch", Timezone: "America/Los_Angeles", AutoConfirm: true, ReceivedAt: noon,
		Organizer: meet.Person{
			ID: mia, Name: "Mia", Email: "Mia@Example.org", Timezone: "Europe/Berlin", CalendarType: meet.Work,
			Location:     &meet.Location{Point: geo.Point{Latitude: 52.5, Longitude: 13.4}, Label: "home"},
			Office:       &meet.Location{Point: geo.Point{Latitude: 52.6, Longitude: 13.3}},
			WorkingHours: &week, BookingLink: "https://cal.example.com/mia",
		},
		Participants: []meet.Person{{ID: "al", Name: "Al Chen"}, {ID: zoe, Name: "Zoe"}, {ID: "x-1", Name: "Zoe"}},
		Availability: []meet.GivenAvailability{
			{Person: mia, Busy: got.Availability[0].Busy}, {Person: "x-1", Busy: []interval.Span{}},
		},
	}
	wantDiff(t, "turn", want, got)
}

func TestInlineIDsAreStable(t *testing.T) {
	t.Parallel()
	id := func(name, email string) meet.PersonID {
		p, err := personRequest{Name: name, Email: email}.inline("organizer")
		if err != nil {
			t.Fatal(err)
		}
		return p.ID
	}
	if id("Al", "al@example.com") != id("Al Chen", "AL@example.com") {
		t.Error("the same email gives two ids")
	}
	if id("Al", "") != id("al", "") || id("Al", "") == id("Ali", "") {
		t.Error("ids of people without an email do not follow their names")
	}
}

// Of whom only the name is known, two organizers' guests of that name are two people; one organizer's is always the
// same.
func TestGuestsByNameAreTheirOrganizers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	url := f.serve(t) + "/v1/turns"
	guest := func(organizer, guest string) meet.PersonID {
		t.Helper()
		body := fmt.Sprintf(`{"message": "call", "organizer": %s, "participants": [%s]}`, organizer, guest)
		if a := do(t, "POST", url, body); a.status != http.StatusAccepted {
			t.Fatalf("status = %d: %s", a.status, a.body)
		}
		return f.turns.started[len(f.turns.started)-1].Participants[0].ID
	}
	const mom, vera, kim = `{"name": "Mom"}`, `{"name": "Vera", "email": "vera@example.com"}`,
		`{"name": "Kim", "email": "kim@example.com"}`
	if guest(vera, mom) != guest(vera, `{"name": "mom"}`) || guest(vera, mom) == guest(kim, mom) {
		t.Error("a guest whose name is known is not the organizer's own")
	}
	const al = `{"name": "Al", "email": "al.other@example.com"}`
	if guest(vera, al) != guest(kim, al) {
		t.Error("the same email gives two ids")
	}
}

// A person has one name: the one that is shown.
func TestNamesAreCaptions(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{"Dana  Levi": "Dana Levi", " דנה\u200f\n": "דנה", "Zoë": "Zoë"} {
		if p, err := (personRequest{Name: given}).inline("organizer"); err != nil || p.Name != want {
			t.Errorf("%q became %q, %v; want %q", given, p.Name, err, want)
		}
	}
}

func TestTurnsAreRefusedWithTheFieldThatIsWrong(t *testing.T) {
	t.Parallel()
	turn := func(rest string) string { return `{"message":"hi","organizer":"me",` + rest + `}` }
	person := func(rest string) string { return turn(`"participants":[{"name":"Zoe",` + rest + `}]`) }
	busy := func(entry string) string { return turn(`"availability":[` + entry + `]`) }
	many := strings.TrimSuffix(strings.Repeat(`"al",`, 21), ",")
	tests := []struct{ name, body, field string }{
		{"no body", "", "body"},
		{"not JSON", `{"message":`, "body"},
		{"two documents", plainTurn + plainTurn, "body"},
		{"not an object", `["hi"]`, "body"},
		{"null", `null`, "message"},
		{"no message", `{"organizer":"me"}`, "message"},
		{"a blank message", `{"message":" \n\t ","organizer":"me"}`, "message"},
		{"an invisible message", `{"message":"\u200b\u0000","organizer":"me"}`, "message"},
		{"a message that is a number", `{"message":5,"organizer":"me"}`, "message"},
		{"no organizer", `{"message":"hi"}`, "organizer"},
		{"null for the organizer", `{"message":"hi","organizer":null}`, "organizer"},
		{"an organizer nobody knows", `{"message":"hi","organizer":"eve"}`, "organizer"},
		{"an organizer that is a number", `{"message":"hi","organizer":7}`, "organizer"},
		{"an organizer without a name", `{"message":"hi","organizer":{"email":"a@example.com"}}`, "organizer.name"},
		{"an unknown member", turn(`"agenda":"x"`), "agenda"},
		{"a member in another spelling", `{"Message":"hi","organizer":"me"}`, "Message"},
		{"an unknown member of a person", person(`"phone":"1"`), "participants[0].phone"},
		{"a conversation that is no id", turn(`"conversationId":"a b"`), "conversationId"},
		{"no zone", turn(`"timezone":"PST8"`), "timezone"},
		{"the machine's zone", turn(`"timezone":"Local"`), "timezone"},
		{"a zone that is a path", turn(`"timezone":"../../etc/passwd"`), "timezone"},
		{"a participant nobody knows", turn(`"participants":["al","eve"]`), "participants[1]"},
		{"a participant that is null", turn(`"participants":[null]`), "participants[0]"},
		{"the organizer twice", turn(`"participants":["me"]`), "participants[0]"},
		{"a participant twice", turn(`"participants":["al","al"]`), "participants[1]"},
		{"the same email twice", turn(`"participants":[{"name":"M","email":"MIA@example.com"}]`), "participants[0]"},
		{"too many participants", turn(`"participants":[` + many + `]`), "participants"},
		{"participants that are no list", turn(`"participants":"al"`), "participants"},
		{"an id with a slash", person(`"id":"a/b"`), "participants[0].id"},
		{"an email without a host", person(`"email":"zoe"`), "participants[0].email"},
		{"an email with a name", person(`"email":"Zoe <zoe@example.com>"`), "participants[0].email"},
		{"a person's zone", person(`"timezone":"Mars/Base"`), "participants[0].timezone"},
		{"a latitude out of range", person(`"location":{"latitude":91,"longitude":0}`), "participants[0].location.latitude"},
		{"half a location", person(`"location":{"latitude":1}`), "participants[0].location.longitude"},
		{"an unknown member of a location", person(`"location":{"lat":1}`), "participants[0].location.lat"},
		{"hours of no weekday", person(`"workingHours":{"monday":[]}`), "participants[0].workingHours.monday"},
		{"hours that are words", person(`"workingHours":"9 to 5"`), "participants[0].workingHours"},
		{"hours of a day that are no list", person(`"workingHours":{"mon":{"start":"09:00","end":"17:00"}}`),
			"participants[0].workingHours.mon"},
		{"hours that are one word", person(`"workingHours":{"tue":["all day"]}`), "participants[0].workingHours.tue[0]"},
		{"hours without an end", person(`"workingHours":{"wed":[{"start":"09:00"}]}`),
			"participants[0].workingHours.wed[0].end"},
		{"hours that are no time", person(`"workingHours":{"mon":[{"start":"9","end":"17:00"}]}`),
			"participants[0].workingHours.mon[0].start"},
		{"hours that do not last", person(`"workingHours":{"mon":[{"start":"09:00","end":"09:00"}]}`),
			"participants[0].workingHours.mon[0]"},
		{"hours that end before they begin", person(`"workingHours":{"fri":[{"start":"17:00","end":"09:00"}]}`),
			"participants[0].workingHours.fri[0]"},
		{"hours that overlap", person(`"workingHours":{"sun":[{"start":"09:00","end":"13:00"},{"start":"12:59",` +
			`"end":"17:00"}]}`), "participants[0].workingHours.sun[1]"},
		{"a kind of calendar", person(`"calendarType":"family"`), "participants[0].calendarType"},
		{"a booking link without https", person(`"bookingLink":"http://example.com"`), "participants[0].bookingLink"},
		{"a booking link that runs a script", person(`"bookingLink":"javascript:alert(1)"`), "participants[0].bookingLink"},
		{"availability of a stranger", busy(`{"person":"eve","busy":[]}`), "availability[0].person"},
		{"availability of nobody", busy(`{"busy":[]}`), "availability[0].person"},
		{"busy backwards of a stranger", busy(
			`{"person":"eve","busy":[{"start":"2026-03-10T10:00:00Z","end":"2026-03-10T09:00:00Z"}]}`,
		), "availability[0].busy[0].end"},
		{"availability without its busy times", busy(`{"person":"me"}`), "availability[0].busy"},
		{"busy times that are null", busy(`{"person":"me","busy":null}`), "availability[0].busy"},
		{"availability twice", busy(`{"person":"me","busy":[]},{"person":"me","busy":[]}`), "availability[1].person"},
		{"busy backwards", busy(`{"person":"me","busy":[{"start":"2026-03-10T10:00:00Z","end":"2026-03-10T09:00:00Z"}]}`),
			"availability[0].busy[0].end"},
		{"busy without an offset", busy(
			`{"person":"me","busy":[{"start":"2026-03-10T10:00:00","end":"2026-03-10T11:00:00Z"}]}`,
		), "availability[0].busy[0].start"},
		{"an unknown member of a busy time", busy(`{"person":"me","busy":[{"from":"x"}]}`), "availability[0].busy[0].from"},
	}
	f := newFixture(t)
	url := f.serve(t) + "/v1/turns"
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, accept := range []string{"application/json", "text/event-stream"} {
				a := do(t, "POST", url, tt.body, "Accept", accept)
				p := a.problem(t)
				if a.status != http.StatusBadRequest || p.Code != "invalid_request" || p.Field != tt.field {
					t.Errorf("status %d, code %s, field %q (%s), want 400 invalid_request %q", a.status, p.Code, p.Field, p.Detail,
						tt.field)
				}
				if !strings.HasPrefix(p.Detail, tt.field) || strings.Contains(p.Detail, "Go value") {
					t.Errorf("detail = %q, want it to name %s, and nothing of the program", p.Detail, tt.field)
				}
			}
		})
	}
	t.Cleanup(func() {
		if len(f.turns.started) > 0 {
			t.Errorf("%d refused turns were started", len(f.turns.started))
		}
	})
}

// Someone who gives a person as neither is told of both.
func TestAPersonIsAnIDOrAnObject(t *testing.T) {
	t.Parallel()
	url := newFixture(t).serve(t) + "/v1/turns"
	for _, body := range []string{`{"message":"hi","organizer":7}`,
		`{"message":"hi","organizer":"me","participants":[["al"]]}`} {
		p := do(t, "POST", url, body).problem(t)
		if !strings.Contains(p.Detail, "the id of a stored person, or a person as an object") {
			t.Errorf("%s: %s", body, p.Detail)
		}
	}
}

// A stored person is the same one when given inline, or they could be booked twice for one time.
func TestAStoredPersonGivenInline(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	base := f.serve(t)
	stored := `{"name": "Zoe Okafor", "email": "zoe@example.com", "timezone": "Africa/Lagos", "calendarType": "work"}`
	if a := do(t, "PUT", base+"/v1/people/zoe", stored); a.status >= 300 {
		t.Fatalf("put = %d: %s", a.status, a.body)
	}
	body := `{"message": "lunch", "organizer": "me", "participants": [{"name": "Zoe", "email": "ZOE@example.com", ` +
		`"timezone": "Europe/Paris"}]}`
	if a := do(t, "POST", base+"/v1/turns", body); a.status != http.StatusAccepted {
		t.Fatalf("status = %d: %s", a.status, a.body)
	}
	want := []meet.Person{
		{ID: "zoe", Name: "Zoe", Email: "ZOE@example.com", Timezone: "Europe/Paris", CalendarType: meet.Work},
	}
	wantDiff(t, "participants", want, f.turns.started[0].Participants)
	both := `{"message": "lunch", "organizer": "me", "participants": ["zoe", {"name": "Z", "email": "zoe@example.com"}]}`
	if a := do(t, "POST", base+"/v1/turns", both); a.status != http.StatusBadRequest ||
		!strings.Contains(a.body, "takes part already") {
		t.Errorf("twice the same = %d: %s", a.status, a.body)
	}
}
