package googletest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"convene/pkg/account/google/gatetest"
)

func (s *Server) insert(w http.ResponseWriter, r *http.Request) {
	email := s.Who(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.reach(w, r, email, "writer", "owner")
	e := body(w, r)
	if c == nil || e == nil {
		return
	}
	id, _ := e["id"].(string)
	_, known := c.events[id]
	switch {
	case !validID(id):
		gatetest.Refuse(w, http.StatusBadRequest, "invalid")
		return
	case e["iCalUID"] != nil:
		gatetest.Refuse(w, http.StatusBadRequest, "invalid")
		return
	case known:
		gatetest.Refuse(w, http.StatusConflict, "duplicate")
		return
	}
	e["iCalUID"], e["organizer"] = id+"@google.com", object{"email": c.id, "self": true}
	s.link(e, r)
	s.keep(c, id, e)
	s.tell(r, c, nil, e)
	write(w, r, c.shown(e, email, false))
}

// validID is Google's rule: the letters of base32hex, 5 to 1024 of them.
func validID(id string) bool {
	return len(id) >= 5 && len(id) <= 1024 && strings.Trim(id, "0123456789abcdefghijklmnopqrstuv") == ""
}

func body(w http.ResponseWriter, r *http.Request) object {
	var e object
	if json.NewDecoder(r.Body).Decode(&e) != nil || e == nil {
		gatetest.Refuse(w, http.StatusBadRequest, "parseError")
		return nil
	}
	return e
}

// keep stores the event under a new revision, which its etag names.
func (s *Server) keep(c *shelf, id string, e object) {
	s.revision++
	e["kind"], e["id"], e["etag"] = "calendar#event", id, fmt.Sprintf(`"%d"`, s.revision)
	if e["status"] == nil {
		e["status"] = "confirmed"
	}
	if rules, _ := e["recurrence"].([]any); len(rules) == 0 {
		delete(e, "recurrence")
	}
	if _, known := c.events[id]; !known {
		c.order = append(c.order, id)
	}
	c.events[id] = &stored{event: copied(e), revision: s.revision}
}

func (s *Server) get(w http.ResponseWriter, r *http.Request) {
	email := s.Who(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.reach(w, r, email, "reader", "writer", "owner")
	if c == nil {
		return
	}
	e := c.event(r.PathValue("event"))
	if e == nil {
		gatetest.Refuse(w, http.StatusNotFound, "notFound")
		return
	}
	if s.PendingLinks--; s.PendingLinks == 0 {
		made(e)
	}
	write(w, r, c.shown(e, email, false))
}

// event is the event with that id, or an instance of a series that has nothing of its own; nil if there is none. An
// instance of a deleted series is cancelled.
func (c *shelf) event(id string) object {
	if kept, known := c.events[id]; known {
		return kept.event
	}
	cut := strings.LastIndexByte(id, '_')
	if cut < 0 || c.events[id[:cut]] == nil {
		return nil
	}
	series := c.events[id[:cut]].event
	rules := texts(copied(series)["recurrence"])
	for _, one := range c.instances(series, rules, period{end: c.period(series).end.AddDate(3, 0, 0)}, false) {
		if one["id"] == id {
			return one
		}
	}
	return nil
}

// change is both PATCH and PUT.
func (s *Server) change(w http.ResponseWriter, r *http.Request) {
	email := s.Who(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.reach(w, r, email, "writer", "owner")
	changes := body(w, r)
	if c == nil || changes == nil {
		return
	}
	id := r.PathValue("event")
	old := c.event(id)
	if old == nil {
		gatetest.Refuse(w, http.StatusNotFound, "notFound")
		return
	}
	if match := r.Header.Get("If-Match"); match != "" && match != old["etag"] {
		gatetest.Refuse(w, http.StatusPreconditionFailed, "conditionNotMet")
		return
	}
	if !organizes(old) && slices.ContainsFunc(shared(), func(name string) bool { return changes[name] != nil }) {
		gatetest.Refuse(w, http.StatusForbidden, "forbiddenForNonOrganizer")
		return
	}
	e := object{}
	for _, name := range []string{"iCalUID", "organizer", "recurringEventId", "originalStartTime"} {
		if value, ok := old[name]; ok {
			e[name] = value
		}
	}
	if r.Method == http.MethodPatch {
		e = copied(old)
	}
	if changes["attendeesOmitted"] == true {
		answer(e, changes)
	}
	merge(e, changes)
	if number(e["sequence"]) < number(old["sequence"]) {
		gatetest.Refuse(w, http.StatusBadRequest, "invalid")
		return
	}
	s.link(e, r)
	s.keep(c, id, e)
	s.tell(r, c, old, e)
	write(w, r, c.shown(c.events[id].event, email, false))
}

// shared are fields that only an organizer may change.
func shared() []string {
	return []string{"summary", "location", "description", "start", "end", "recurrence"}
}

func organizes(e object) bool {
	by, known := e["organizer"].(object)
	return !known || by["self"] == true || e["guestsCanModify"] == true
}

// answer puts the answers of the attendees who are named into the event's list, as documented for attendeesOmitted.
func answer(e, changes object) {
	all, _ := e["attendees"].([]any)
	named, _ := changes["attendees"].([]any)
	for _, one := range named {
		for i, there := range all {
			if there.(object)["email"] == one.(object)["email"] {
				all[i].(object)["responseStatus"] = one.(object)["responseStatus"]
			}
		}
	}
	delete(changes, "attendees")
	delete(changes, "attendeesOmitted")
}

// merge puts changes into e as PATCH means it: objects field by field, null takes away, all else replaces.
func merge(e, changes object) {
	for name, value := range changes {
		below, isObject := value.(object)
		there, wasObject := e[name].(object)
		switch {
		case value == nil:
			delete(e, name)
		case isObject && wasObject:
			merge(there, below)
		default:
			e[name] = value
		}
	}
}

func number(v any) float64 {
	n, _ := v.(float64)
	return n
}

func (s *Server) delete(w http.ResponseWriter, r *http.Request) {
	email := s.Who(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.reach(w, r, email, "writer", "owner")
	if c == nil {
		return
	}
	id := r.PathValue("event")
	old := c.event(id)
	match := r.Header.Get("If-Match")
	switch {
	case old == nil:
		gatetest.Refuse(w, http.StatusNotFound, "notFound")
	case old["status"] == "cancelled":
		gatetest.Refuse(w, http.StatusGone, "deleted")
	case match != "" && match != old["etag"]:
		gatetest.Refuse(w, http.StatusPreconditionFailed, "conditionNotMet")
	default:
		s.cancel(c, id)
		for _, other := range c.order {
			if x := c.events[other].event; x["recurringEventId"] == id && x["status"] != "cancelled" {
				s.cancel(c, other)
			}
		}
		s.tell(r, c, old, nil)
		w.WriteHeader(http.StatusNoContent)
	}
}

// cancel keeps the event, with all that it had, for the organizer to restore.
func (s *Server) cancel(c *shelf, id string) {
	gone := copied(c.event(id))
	gone["status"] = "cancelled"
	s.keep(c, id, gone)
}

// link makes a meeting link where one is asked for.
func (s *Server) link(e object, r *http.Request) {
	data, _ := e["conferenceData"].(object)
	request, asked := data["createRequest"].(object)
	if r.URL.Query().Get("conferenceDataVersion") != "1" || !asked || data["entryPoints"] != nil {
		return
	}
	if s.PendingLinks > 0 {
		request["status"] = object{"statusCode": "pending"}
		return
	}
	made(e)
}

func made(e object) {
	data, _ := e["conferenceData"].(object)
	request, asked := data["createRequest"].(object)
	if !asked {
		return
	}
	request["status"] = object{"statusCode": "success"}
	data["entryPoints"] = []any{
		object{"entryPointType": "phone", "uri": "tel:+1-555-0100"},
		object{"entryPointType": "video", "uri": "https://meet.google.com/abc-defg-hij"},
	}
	e["hangoutLink"] = "https://meet.google.com/abc-defg-hij"
}

// tell writes down which guests hear of what, where that was asked for.
func (s *Server) tell(r *http.Request, c *shelf, old, now object) {
	if r.URL.Query().Get("sendUpdates") != "all" {
		return
	}
	before, after := guests(old, c), guests(now, c)
	if old["status"] == "cancelled" {
		before = nil
	}
	for _, address := range slices.Sorted(maps.Keys(after)) {
		what := "invited"
		if before[address] {
			what = "told of a change"
		}
		s.told = append(s.told, address+": "+what)
	}
	for _, address := range slices.Sorted(maps.Keys(before)) {
		if !after[address] {
			s.told = append(s.told, address+": cancelled")
		}
	}
}

func guests(e object, c *shelf) map[string]bool {
	all := map[string]bool{}
	list, _ := e["attendees"].([]any)
	for _, one := range list {
		a, _ := one.(object)
		if address, ok := a["email"].(string); ok && address != c.id {
			all[address] = true
		}
	}
	return all
}
