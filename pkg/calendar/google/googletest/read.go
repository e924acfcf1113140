package googletest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	"convene/pkg/account/google/gatetest"
)

// exclusive are the parameters that Google allows no sync token beside.
func exclusive() []string {
	return []string{
		"iCalUID", "orderBy", "privateExtendedProperty", "q", "sharedExtendedProperty", "timeMin", "timeMax", "updatedMin",
	}
}

func (s *Server) listEvents(w http.ResponseWriter, r *http.Request) {
	email := s.Who(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.reach(w, r, email, "freeBusyReader", "reader", "writer", "owner")
	if c == nil {
		return
	}
	q := r.URL.Query()
	since, window := -1, period{}
	if token := q.Get("syncToken"); token != "" {
		var epoch int
		var from, to int64
		if _, err := fmt.Sscanf(token, "sync.%d.%d.%d.%d", &epoch, &since, &from, &to); err != nil || epoch != s.epoch {
			gatetest.Refuse(w, http.StatusGone, "fullSyncRequired")
			return
		}
		if slices.ContainsFunc(exclusive(), q.Has) {
			gatetest.Refuse(w, http.StatusBadRequest, "badRequest")
			return
		}
		window = period{time.Unix(from, 0), time.Unix(to, 0)}
	} else {
		window.start, _ = time.Parse(time.RFC3339, q.Get("timeMin"))
		window.end, _ = time.Parse(time.RFC3339, q.Get("timeMax"))
	}
	items := c.list(since, window, q.Get("singleEvents") == "true")
	if uid := q.Get("iCalUID"); uid != "" {
		items = c.named(uid)
	}
	for i, e := range items {
		items[i] = c.shown(e, email, q.Get("maxAttendees") == "1")
	}
	from, to, next := s.page(r, len(items))
	answer := object{
		"kind": "calendar#events", "etag": `"1"`, "summary": c.name, "timeZone": c.zone, "accessRole": c.roles[email],
		"items": items[from:to],
	}
	if next != "" {
		answer["nextPageToken"] = next
	} else {
		answer["nextSyncToken"] = fmt.Sprintf("sync.%d.%d.%d.%d", s.epoch, s.revision, window.start.Unix(), window.end.Unix())
	}
	write(w, r, answer)
}

// period is a stretch of time.
type period struct{ start, end time.Time }

func (p period) overlaps(o period) bool { return p.start.Before(o.end) && o.start.Before(p.end) }

// list is the events that overlap the window, or, where since is not negative, all that changed after that revision.
func (c *shelf) list(since int, window period, single bool) []object {
	items := []object{}
	for _, id := range c.order {
		kept := c.events[id]
		changed := since >= 0
		if kept.revision <= since || kept.event["status"] == "cancelled" && !changed {
			continue
		}
		if rules, series := kept.event["recurrence"]; series && single {
			items = append(items, c.instances(kept.event, texts(rules), window, changed)...)
			continue
		}
		when := c.period(kept.event)
		if _, series := kept.event["recurrence"]; series && when.start.Before(window.end) ||
			changed || when.overlaps(window) {
			items = append(items, kept.event)
		}
	}
	return items
}

// named are an event and the exceptions of a series, the cancelled ones too, as Google lists them without singleEvents.
func (c *shelf) named(uid string) []object {
	items := []object{}
	for _, id := range c.order {
		e := c.events[id].event
		if e["iCalUID"] == uid && (e["status"] != "cancelled" || e["recurringEventId"] != nil) {
			items = append(items, e)
		}
	}
	return items
}

// period is when the event is.
func (c *shelf) period(e object) period { return period{c.moment(e["start"]), c.moment(e["end"])} }

func (c *shelf) moment(v any) time.Time {
	at, _ := v.(object)
	loc, err := time.LoadLocation(c.zone)
	if err != nil {
		loc = time.UTC
	}
	if date, ok := at["date"].(string); ok {
		t, _ := time.ParseInLocation(time.DateOnly, date, loc)
		return t
	}
	text, _ := at["dateTime"].(string)
	t, _ := time.Parse(time.RFC3339, text)
	if zone, ok := at["timeZone"].(string); ok {
		if named, err := time.LoadLocation(zone); err == nil {
			return t.In(named)
		}
	}
	return t.In(loc)
}

// instances are those of the series in the window, but for the ones that are events of their own. A series that was
// deleted is told instance by instance.
func (c *shelf) instances(series object, rules []string, window period, changed bool) []object {
	when := c.period(series)
	set, err := rrule.StrSliceToRRuleSetInLoc(rules, when.start.Location())
	if err != nil {
		return nil
	}
	set.DTStart(when.start)
	long := when.end.Sub(when.start) + time.Hour
	id, _ := series["id"].(string)
	var out []object
	for _, at := range set.Between(window.start.Add(-long), window.end, true) {
		one := copied(series)
		delete(one, "recurrence")
		one["recurringEventId"] = id
		from, until := c.stamp(series, at), c.stamp(series, later(at, when))
		one["id"], one["originalStartTime"], one["start"], one["end"] = c.instanceID(series, at), from, from, until
		if _, own := c.events[one["id"].(string)]; own {
			continue
		}
		if changed && series["status"] == "cancelled" {
			one = object{"kind": "calendar#event", "id": one["id"], "status": "cancelled"}
		}
		if changed || c.period(one).overlaps(window) {
			out = append(out, one)
		}
	}
	return out
}

// later is the end on the clock of an instance that starts at.
func later(at time.Time, first period) time.Time {
	days := 0
	for day := first.start; day.YearDay() != first.end.In(day.Location()).YearDay(); day = day.AddDate(0, 0, 1) {
		days++
	}
	end := first.end.In(at.Location())
	y, m, d := at.Date()
	return time.Date(y, m, d+days, end.Hour(), end.Minute(), end.Second(), 0, at.Location())
}

// stamp is a time of an instance of the series: a date if the series has dates.
func (c *shelf) stamp(series object, t time.Time) object {
	if start, _ := series["start"].(object); start["date"] != nil {
		return object{"date": t.Format(time.DateOnly)}
	}
	return object{"dateTime": t.Format(time.RFC3339), "timeZone": t.Location().String()}
}

func (c *shelf) instanceID(series object, at time.Time) string {
	id, _ := series["id"].(string)
	if start, _ := series["start"].(object); start["date"] != nil {
		return id + at.Format("_20060102")
	}
	return id + at.UTC().Format("_20060102T150405Z")
}

// shown is the event as one reader sees it.
func (c *shelf) shown(e object, email string, fewAttendees bool) object {
	e = copied(e)
	if c.roles[email] == "freeBusyReader" {
		return object{"kind": "calendar#event", "id": e["id"], "status": "confirmed", "visibility": "private",
			"start": e["start"], "end": e["end"]}
	}
	if by, ok := e["organizer"].(object); ok {
		by["self"] = by["email"] == c.id
	}
	attendees, _ := e["attendees"].([]any)
	var self []any
	for _, one := range attendees {
		if a, ok := one.(object); ok && a["email"] == c.id {
			a["self"] = true
			self = append(self, a)
		}
	}
	if fewAttendees && len(attendees) > 1 {
		e["attendees"], e["attendeesOmitted"] = self, true
	}
	return e
}

func (s *Server) freeBusy(w http.ResponseWriter, r *http.Request) {
	email := s.Who(r)
	var question struct {
		TimeMin, TimeMax time.Time
		Items            []struct{ ID string }
	}
	if json.NewDecoder(r.Body).Decode(&question) != nil {
		gatetest.Refuse(w, http.StatusBadRequest, "badRequest")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	calendars := object{}
	for _, item := range question.Items {
		c, ok := s.calendars[item.ID]
		if !ok || c.roles[email] == "" {
			calendars[item.ID] = object{"errors": []object{{"domain": "global", "reason": "notFound"}}}
			continue
		}
		busy := []object{}
		for _, e := range c.list(-1, period{question.TimeMin, question.TimeMax}, true) {
			if when := c.period(e); e["transparency"] != "transparent" {
				busy = append(busy, object{
					"start": when.start.UTC().Format(time.RFC3339), "end": when.end.UTC().Format(time.RFC3339),
				})
			}
		}
		calendars[item.ID] = object{"busy": busy}
	}
	write(w, r, object{"kind": "calendar#freeBusy", "calendars": calendars})
}

// copied is a deep copy, by way of JSON, so that all lists in it are []any.
func copied(e object) object {
	text, err := json.Marshal(e)
	if err != nil {
		return nil
	}
	var out object
	if json.Unmarshal(text, &out) != nil {
		return nil
	}
	return out
}

func texts(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, one := range list {
		if text, ok := one.(string); ok {
			out = append(out, strings.TrimSpace(text))
		}
	}
	return out
}
