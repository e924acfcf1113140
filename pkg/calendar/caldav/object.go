package caldav

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"convene/pkg/calendar/icalendar"
	"convene/pkg/interval"
)

const (
	// maxHrefs bounds the objects of one request, and maxListed those of a calendar that must be read as a whole.
	maxHrefs  = 100
	maxListed = 10_000
)

// object is one resource of a calendar: all components with one UID.
type object struct {
	// href is its address as the server writes it, and key its normal form.
	href, key string
	etag      string
	// data is empty if the server did not give it.
	data string
	// gone says that it was removed.
	gone bool
}

// errTruncated says that a server gave only a part of the answer, because the whole was too large.
var errTruncated = errors.New("the answer is a part only")

// within is every event that may overlap the span. If the server cannot select by time, it is asked for all events, and
// if it cannot select at all, for every object.
func (s *session) within(ctx context.Context, collection *url.URL, span interval.Span) ([]object, error) {
	objects, err := s.query(ctx, collection, vevent, inTime(span))
	if !unable(err) {
		return objects, err
	}
	return s.all(ctx, collection, vevent)
}

// all is every object with the component in the collection. Of a server that cannot select, it is every object.
func (s *session) all(ctx context.Context, collection *url.URL, component string) ([]object, error) {
	objects, err := s.query(ctx, collection, component, "")
	if !unable(err) {
		return objects, err
	}
	listed, err := s.list(ctx, collection)
	if err != nil {
		return nil, err
	}
	return s.fetch(ctx, collection, listed)
}

// unable reports whether another request may succeed where this one failed. Recurrences make some servers fail
// altogether.
func unable(err error) bool {
	if errors.Is(err, errTruncated) {
		return true
	}
	status, ok := errors.AsType[*statusError](err)
	if !ok {
		return false
	}
	switch status.status {
	case http.StatusBadRequest, http.StatusForbidden, http.StatusMethodNotAllowed, http.StatusConflict,
		http.StatusPreconditionFailed, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity,
		http.StatusInternalServerError, http.StatusNotImplemented, http.StatusInsufficientStorage:
		return true
	default:
		return false
	}
}

// query asks for the objects with a component that passes the filter, and fetches those that the server lists without
// data.
func (s *session) query(ctx context.Context, collection *url.URL, component, filter string) ([]object, error) {
	m, from, err := s.multi(ctx, request{
		method: "REPORT", url: collection, depth: "1", body: queryBody(component, filter),
	})
	if err != nil {
		return nil, err
	}
	objects, err := objectsOf(m, from)
	if err != nil {
		return nil, err
	}
	withheld := func(o object) bool { return o.data == "" && !o.gone }
	if !slices.ContainsFunc(objects, withheld) {
		return objects, nil
	}
	given := slices.DeleteFunc(slices.Clone(objects), withheld)
	missing := slices.DeleteFunc(objects, func(o object) bool { return !withheld(o) })
	fetched, err := s.fetch(ctx, collection, missing)
	return append(given, fetched...), err
}

// list is every object of the collection, without data.
func (s *session) list(ctx context.Context, collection *url.URL) ([]object, error) {
	m, from, err := s.multi(ctx, request{
		method: "PROPFIND", url: collection, depth: "1", body: propfindBody(propETag, propType),
	})
	if err != nil {
		return nil, err
	}
	objects, err := objectsOf(m, from)
	if err == nil && len(objects) > maxListed {
		err = errTooLarge
	}
	return objects, err
}

// fetch reads the objects anew. One that the server leaves out comes back without data.
func (s *session) fetch(ctx context.Context, collection *url.URL, objects []object) ([]object, error) {
	var fetched []object
	for some := range slices.Chunk(objects, maxHrefs) {
		hrefs := make([]string, len(some))
		for i, o := range some {
			hrefs[i] = o.href
		}
		m, from, err := s.multi(ctx, request{method: "REPORT", url: collection, depth: "1", body: multigetBody(hrefs)})
		if err != nil {
			return nil, err
		}
		answered, err := objectsOf(m, from)
		if err != nil {
			return nil, err
		}
		fetched = append(fetched, answered...)
		for _, o := range some {
			if !slices.ContainsFunc(answered, func(a object) bool { return a.key == o.key }) {
				fetched = append(fetched, object{href: o.href, key: o.key})
			}
		}
	}
	return fetched, nil
}

// objectsOf are the objects of an answer. A truncated answer is an error.
func objectsOf(m multistatus, from *url.URL) ([]object, error) {
	objects, more, err := changesOf(m, from)
	if err == nil && more {
		err = errTruncated
	}
	return objects, err
}

// changesOf are the objects of an answer, without collections; more says that the answer is truncated. An error status
// of the collection itself is an error.
func changesOf(m multistatus, from *url.URL) (objects []object, more bool, err error) {
	for _, r := range m.Responses {
		p, _ := r.found()
		if r.status() == http.StatusInsufficientStorage {
			more = true
			continue
		}
		if len(r.Hrefs) == 0 {
			return nil, false, fmt.Errorf("%w: it names an object without an address", errNotDAV)
		}
		for _, href := range r.Hrefs {
			o, err := objectAt(href, from)
			switch {
			case err != nil:
				return nil, false, err
			case strings.TrimSuffix(o.key, "/") == strings.TrimSuffix(pathKey(from), "/"):
				if r.status()/100 != 2 {
					return nil, false, &statusError{method: "REPORT", status: r.status()}
				}
			case strings.HasSuffix(o.key, "/"), p.Type.has("collection"):
			default:
				o.etag, o.data = strings.TrimSpace(p.ETag), p.Data
				o.gone = r.status() == http.StatusNotFound || r.status() == http.StatusGone
				objects = append(objects, o)
			}
		}
	}
	return objects, more, nil
}

func objectAt(href string, from *url.URL) (object, error) {
	href = strings.TrimSpace(href)
	u, err := from.Parse(href)
	if err != nil || href == "" {
		return object{}, fmt.Errorf("%w: it names an object without an address", errNotDAV)
	}
	return object{href: href, key: pathKey(u)}, nil
}

// pathKey is a path in normal form: servers write a@b and a%40b for the same.
func pathKey(u *url.URL) string { return (&url.URL{Path: u.Path}).EscapedPath() }

// find is the event with the UID in the collection; ok is false if there is none.
func (s *session) find(ctx context.Context, collection *url.URL, uid string) (found standingEvent, ok bool, err error) {
	objects, err := s.query(ctx, collection, vevent, withUID(uid))
	if unable(err) {
		objects, err = s.all(ctx, collection, vevent)
	}
	if err != nil {
		return standingEvent{}, false, err
	}
	for _, o := range objects {
		one, err := icalendar.ReadObject([]byte(o.data))
		if err != nil || one.UID != uid || ok && one.Sequence <= found.Sequence {
			continue
		}
		u, err := s.resolve(collection, o.href)
		if err != nil {
			return standingEvent{}, false, err
		}
		found, ok = standingEvent{one, u, o.etag}, true
	}
	return found, ok, nil
}

// standingEvent is an event in a calendar.
type standingEvent struct {
	icalendar.Object
	url  *url.URL
	etag string
}
