package microsofttest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"convene/pkg/meet"
)

// stamp is Graph's dateTimeTimeZone.
type stamp struct{ DateTime, TimeZone string }

func (s stamp) moment() (time.Time, error) {
	name, err := zone(s.TimeZone)
	if err != nil {
		return time.Time{}, err
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return time.Time{}, err
	}
	return time.ParseInLocation("2006-01-02T15:04:05", s.DateTime, loc)
}

// draft is what a client writes of an event; what is nil it does not mention.
type draft struct {
	Subject       *string
	Start, End    *stamp
	TransactionID string  `json:"transactionId"`
	ShowAs        *string `json:"showAs"`
	Attendees     *[]struct {
		EmailAddress struct{ Address, Name string } `json:"emailAddress"`
		Status       struct{ Response string }
	}
	Body        *struct{ ContentType, Content string }
	Categories  *[]string
	Sensitivity *string
	IsAllDay    *bool `json:"isAllDay"`
	// all is what was written, by its names.
	all      map[string]any
	Location *struct {
		DisplayName string `json:"displayName"`
	}
	IsOnlineMeeting       bool   `json:"isOnlineMeeting"`
	OnlineMeetingProvider string `json:"onlineMeetingProvider"`
	Properties            []struct {
		ID, Value string
	} `json:"singleValueExtendedProperties"`
}

func read(r *http.Request, body []byte) (d draft, err error) {
	if r.Header.Get("Content-Type") != "application/json" || r.Header.Get("Content-Encoding") != "" {
		return d, failure{http.StatusUnsupportedMediaType, "UnsupportedMediaType"}
	}
	if json.Unmarshal(body, &d) != nil || json.Unmarshal(body, &d.all) != nil {
		return d, failure{http.StatusBadRequest, "UnableToDeserializePostBody"}
	}
	return d, nil
}

// mentioned puts a value that was written into a field.
func mentioned[T any](to, written *T) {
	if written != nil {
		*to = *written
	}
}

// onto puts what the draft mentions into the event.
func (d draft) onto(e *Event) error {
	for at, written := range map[*time.Time]*stamp{&e.Start: d.Start, &e.End: d.End} {
		if written == nil {
			continue
		}
		moment, err := written.moment()
		if err != nil {
			return failure{http.StatusBadRequest, "TimeZoneNotSupportedException"}
		}
		*at = moment
	}
	mentioned(&e.Subject, d.Subject)
	mentioned(&e.Categories, d.Categories)
	mentioned(&e.Sensitivity, d.Sensitivity)
	mentioned(&e.AllDay, d.IsAllDay)
	mentioned(&e.ShowAs, d.ShowAs)
	if d.Location != nil {
		e.Location = d.Location.DisplayName
	}
	if d.Attendees != nil {
		d.invite(e)
	}
	if d.Body != nil {
		e.Body = strings.TrimSuffix(strings.TrimPrefix(d.Body.Content, htmlStart), htmlEnd)
	}
	if err := d.others(e); err != nil {
		return err
	}
	if d.IsOnlineMeeting && e.JoinURL == "" && d.OnlineMeetingProvider == "teamsForBusiness" {
		e.JoinURL = "https://teams.microsoft.com/l/meetup-join/" + e.ID
	}
	if e.properties == nil {
		e.properties = map[string]string{}
	}
	for _, p := range d.Properties {
		e.properties[p.ID] = p.Value
	}
	return nil
}

// invite makes those the attendees who were written; who was one before keeps the answer.
func (d draft) invite(e *Event) {
	known := e.Guests
	e.Attendees, e.Guests = nil, nil
	for _, a := range *d.Attendees {
		i := slices.IndexFunc(known, func(g meet.Attendee) bool { return g.Email == a.EmailAddress.Address })
		one := meet.Attendee{Name: a.EmailAddress.Name, Email: a.EmailAddress.Address}
		for answer, name := range responses {
			if name == a.Status.Response {
				one.Answer = answer
			}
		}
		if i >= 0 {
			one = known[i]
		}
		e.Guests = append(e.Guests, one)
	}
}

// others puts the recurrence into the event, and what other programs know.
func (d draft) others(e *Event) error {
	if value, ok := d.all["recurrence"]; ok {
		e.Rule = ""
		e.recurrence, _ = value.(map[string]any)
		if _, err := e.option(); e.recurrence != nil && err != nil {
			return err
		}
	}
	for _, name := range []string{"importance", "isReminderOn", "reminderMinutesBeforeStart"} {
		if value, ok := d.all[name]; ok {
			e.other = maps.Clone(e.other)
			if e.other == nil {
				e.other = map[string]any{}
			}
			e.other[name] = value
		}
	}
	return nil
}

// create knows a transactionId again for ever: with the same content it gives the event that stands, otherwise it
// says no, also where the event was removed since.
func (s *Server) create(m *Mailbox, r *http.Request, body []byte) (int, any, error) {
	c, err := m.calendar(r)
	if err != nil {
		return 0, nil, err
	}
	d, err := read(r, body)
	if err != nil {
		return 0, nil, err
	}
	if before := m.used[d.TransactionID]; d.TransactionID != "" && before != nil {
		if before.written == string(body) && slices.Contains(c.events, before) {
			return http.StatusCreated, before.whole(), nil
		}
		return 0, nil, failure{http.StatusConflict, "ErrorDuplicateTransactionId"}
	}
	e := &Event{ID: s.id("event"), TransactionID: d.TransactionID, written: string(body)}
	e.ICalUID = "040000008200E00074C5B7101A82E00800000000FB7128DC464BD401000000000000000010000000" +
		fmt.Sprintf("%X", e.ID)
	if c.Owner != "" {
		return 0, nil, failure{http.StatusForbidden, "ErrorAccessDenied"}
	}
	if err := d.onto(e); err != nil {
		return 0, nil, err
	}
	s.put(c, e)
	m.used[d.TransactionID] = e
	s.mail("invitation", e, e.addresses())
	s.deliver(m, e)
	return http.StatusCreated, e.whole(), nil
}

func (s *Server) mail(kind string, e *Event, to []string) {
	for _, address := range to {
		s.sent = append(s.sent, Mail{kind, address, e.Subject})
	}
}

// deliver puts a copy into the main calendar of each guest with a mailbox here, and takes it out of others'. A copy
// has the iCalUId of the event, but neither its transactionId nor its extended properties.
func (s *Server) deliver(organizer *Mailbox, e *Event) {
	for _, m := range s.mailboxes {
		if m == organizer {
			continue
		}
		main := m.calendars[0]
		for _, old := range slices.Clone(main.events) {
			if old.Invited && old.ICalUID == e.ICalUID {
				s.drop(main, old.ID)
			}
		}
		if slices.ContainsFunc(e.addresses(), func(a string) bool { return strings.EqualFold(a, m.Address) }) {
			s.put(main, &Event{
				ICalUID: e.ICalUID, Subject: e.Subject, Start: e.Start, End: e.End, Invited: true, ShowAs: "tentative",
				Attendees: e.addresses(), Location: e.Location, JoinURL: e.JoinURL,
			})
		}
	}
}

func (s *Server) change(m *Mailbox, r *http.Request, body []byte) (int, any, error) {
	c, i, err := m.writable(r)
	if err != nil {
		return 0, nil, err
	}
	d, err := read(r, body)
	if err != nil {
		return 0, nil, err
	}
	if match := r.Header.Get("If-Match"); match != "" && match != i.etag() && !s.careless {
		return 0, nil, failure{http.StatusPreconditionFailed, "ErrorIrresolvableConflict"}
	}
	if d.TransactionID != "" && d.TransactionID != i.TransactionID {
		return 0, nil, failure{http.StatusBadRequest, "ErrorInvalidPropertySet"}
	}
	e := i.own()
	was := *e
	before := was.addresses()
	if err := d.onto(e); err != nil {
		return 0, nil, err
	}
	if i.series != nil {
		i.series.overrides[i.from.Unix()] = e
		s.put(c, i.series)
		i.Event, i.start, i.end, i.kind = e, e.Start, e.End, "exception"
	} else {
		e.forget(was)
		s.put(c, e)
	}
	for _, a := range e.addresses() {
		if slices.Contains(before, a) {
			s.mail("update", e, []string{a})
		} else {
			s.mail("invitation", e, []string{a})
		}
	}
	for _, a := range before {
		if !slices.Contains(e.addresses(), a) {
			s.mail("cancellation", e, []string{a})
		}
	}
	if i.series != nil {
		return http.StatusOK, i.full(), nil
	}
	s.deliver(m, e)
	return http.StatusOK, e.whole(), nil
}

// own is the event itself, or an occurrence as an event of its own.
func (i instance) own() *Event {
	if i.kind == "occurrence" {
		return i.occurrence(i.start)
	}
	return i.Event
}

// addresses are those of the people who are invited.
func (e *Event) addresses() []string {
	all := slices.Clone(e.Attendees)
	for _, g := range e.Guests {
		all = append(all, g.Email)
	}
	return all
}

// respond answers an invitation.
func (s *Server) respond(m *Mailbox, r *http.Request, body []byte) (int, any, error) {
	c, i, err := m.writable(r)
	if err != nil {
		return 0, nil, err
	}
	if _, err := read(r, body); err != nil {
		return 0, nil, err
	}
	if !i.Invited {
		return 0, nil, failure{http.StatusBadRequest, "ErrorInvalidRequest"}
	}
	answer := map[string]meet.Answer{
		"accept": meet.Accepted, "decline": meet.Declined, "tentativelyAccept": meet.Undecided,
	}[r.PathValue("verb")]
	if answer == "" {
		return 0, nil, failure{http.StatusNotFound, "ResourceNotFound"}
	}
	i.Response = responses[answer]
	i.Guests = slices.Clone(i.Guests)
	for n := range i.Guests {
		if strings.EqualFold(i.Guests[n].Email, m.Address) {
			i.Guests[n].Answer = answer
		}
	}
	s.put(c, i.Event)
	s.mail(string(answer), i.Event, []string{i.By.Email})
	return http.StatusAccepted, nil, nil
}

// cancel is the organizer's; without guests there is nothing to cancel.
func (s *Server) cancel(m *Mailbox, r *http.Request, body []byte) (int, any, error) {
	c, i, err := m.writable(r)
	if err != nil {
		return 0, nil, err
	}
	if _, err := read(r, body); err != nil {
		return 0, nil, err
	}
	if i.Invited || len(i.addresses()) == 0 {
		return 0, nil, failure{http.StatusBadRequest, "ErrorInvalidRequest"}
	}
	s.withdraw(m, c, i)
	return http.StatusAccepted, nil, nil
}

func (s *Server) remove(m *Mailbox, r *http.Request, _ []byte) (int, any, error) {
	c, i, err := m.writable(r)
	if err != nil {
		return 0, nil, err
	}
	s.withdraw(m, c, i)
	return http.StatusNoContent, nil, nil
}

func (s *Server) withdraw(m *Mailbox, c *Calendar, i instance) {
	e := i.Event
	if !e.Invited {
		s.mail("cancellation", e, e.addresses())
	}
	if i.series != nil {
		delete(i.series.overrides, i.from.Unix())
		i.series.Without = append(slices.Clone(i.series.Without), i.from)
		s.put(c, i.series)
		return
	}
	if !e.Invited {
		e.Attendees, e.Guests = nil, nil
		s.deliver(m, e)
	}
	s.drop(c, e.ID)
}
