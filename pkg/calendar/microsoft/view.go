package microsoft

import (
	"context"
	"time"

	"convene/pkg/account/graph"
	"convene/pkg/calendar"
	"convene/pkg/geo"
	"convene/pkg/interval"
)

const (
	// selection are the requested fields: free or busy, whose event it is, and the coordinates of its
	// location.
	selection = "id,iCalUId,transactionId,type,showAs,isCancelled,isAllDay,responseStatus,start,end,location," +
		"originalStartTimeZone"
	viewPage = "500"
	// dayEdge widens the requested span: Graph keeps a whole day as midnight to midnight UTC, which is up to 14 hours from
	// the owner's.
	dayEdge = 24 * time.Hour
)

// deltaPage is the requested size of a page of changes.
const deltaPage = "odata.maxpagesize=100"

// view reads a source's events, series expanded by Graph.
func (c *Calendar) view(ctx context.Context, s source, span interval.Span) (reading, error) {
	first := graph.Get(s.path()+"/calendarView", window(span).With("$select", selection).With("$top", viewPage))
	var r reading
	_, err := graph.Walk(ctx, c.graph, graph.By(s.account.ID), first, func(e *event) error {
		return r.add(c, s, e)
	})
	return r, err
}

func window(span interval.Span) graph.Query {
	wide := span.Widen(dayEdge, dayEdge)
	return graph.Query{}.With("startDateTime", wide.Start.UTC().Format(time.RFC3339)).
		With("endDateTime", wide.End.UTC().Format(time.RFC3339))
}

// add appends e's block, if it takes the owner's time.
func (r *reading) add(c *Calendar, s source, e *event) error {
	block, takes, err := c.block(s, e)
	if err == nil && takes {
		r.Blocks = append(r.Blocks, block)
	}
	return err
}

// block is e's block; takes is false if it takes none of its owner's time.
func (c *Calendar) block(s source, e *event) (b calendar.Block, takes bool, err error) {
	_, own := uidOf(e.TransactionID)
	if !e.takesTime() || s.ownOnly && !own {
		return calendar.Block{}, false, nil
	}
	span, err := e.span(s.zone)
	if err != nil {
		return calendar.Block{}, false, err
	}
	b = calendar.Block{Calendar: s.key(), ID: e.ID, UID: c.learn(e), Span: span}
	if at, known := geo.About(e.Location.Coordinates.Latitude, e.Location.Coordinates.Longitude); known {
		b.At = &at
	}
	return b, true, nil
}

// learn is e's UID, and notes that of an event of ours.
func (c *Calendar) learn(e *event) (uid string) {
	uid, own := uidOf(e.TransactionID)
	if !own {
		return c.identity.UID(c.known.uid(e.ICalUID))
	}
	c.known.learn(e.ICalUID, uid)
	return uid
}
