package googletest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

func (s *Server) insert(w http.ResponseWriter, r *http.Request) {
	email := s.who(r)
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
		Refuse(w, http.StatusBadRequest, "invalid")
		return
	case e["iCalUID"] != nil:
		Refuse(w, http.StatusBadRequest, "invalid")
		return
	case known:
		Refuse(w, http.StatusConflict, "duplicate")
		return
	}
	e["iCalUID"] = id + "@google.com"
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
		Refuse(w, http.StatusBadRequest, "parseError")
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
	if _, known := c.events[id]; !known {
		c.order = append(c.order, id)
	}
	c.events[id] = &stored{event: copied(e), revision: s.revision}
}

func (s *Server) get(w http.ResponseWriter, r *http.Request) {
	email := s.who(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.reach(w, r, email, "reader", "writer", "owner")
	if c == nil {
		return
	}
	kept, known := c.events[r.PathValue("event")]
	if !known {
		Refuse(w, http.StatusNotFound, "notFound")
		return
	}
	if s.PendingLinks--; s.PendingLinks == 0 {
		made(kept.event)
	}
	write(w, r, c.shown(kept.event, email, false))
}

// change is both PATCH and PUT.
func (s *Server) change(w http.ResponseWriter, r *http.Request) {
	email := s.who(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.reach(w, r, email, "writer", "owner")
	changes := body(w, r)
	if c == nil || changes == nil {
		return
	}
	id := r.PathValue("event")
	kept, known := c.events[id]
	if !known {
		Refuse(w, http.StatusNotFound, "notFound")
		return
	}
	old := kept.event
	if match := r.Header.Get("If-Match"); match != "" && match != old["etag"] {
		Refuse(w, http.StatusPreconditionFailed, "conditionNotMet")
		return
	}
	e := object{"iCalUID": old["iCalUID"]}
	if r.Method == http.MethodPatch {
		e = copied(old)
	}
	merge(e, changes)
	if number(e["sequence"]) < number(old["sequence"]) {
		Refuse(w, http.StatusBadRequest, "invalid")
		return
	}
	s.link(e, r)
	s.keep(c, id, e)
	s.tell(r, c, old, e)
	write(w, r, c.shown(c.events[id].event, email, false))
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
	email := s.who(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.reach(w, r, email, "writer", "owner")
	if c == nil {
		return
	}
	id := r.PathValue("event")
	kept, known := c.events[id]
	switch {
	case !known:
		Refuse(w, http.StatusNotFound, "notFound")
	case kept.event["status"] == "cancelled":
		Refuse(w, http.StatusGone, "deleted")
	default:
		gone := copied(kept.event)
		gone["status"] = "cancelled"
		s.keep(c, id, gone)
		s.tell(r, c, kept.event, nil)
		w.WriteHeader(http.StatusNoContent)
	}
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
