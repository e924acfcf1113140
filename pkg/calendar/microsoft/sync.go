package microsoft

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"convene/pkg/account/graph"
	"convene/pkg/calendar"
	"convene/pkg/interval"
)

// sync continues the last reading of a source. It reads anew without a mark, if Graph has forgotten the mark, and after
// changes that cannot be applied event by event.
func (c *Calendar) sync(
	ctx context.Context, s source, span interval.Span, last calendar.Snapshot,
) (reading, error) {
	if mark := last.Marks[s.key()]; mark != "" {
		r, err := c.changes(ctx, s, mark, last.BlocksOf(s.key()))
		if err == nil || !errors.Is(err, errAnew) && !forgotten(err) {
			return r, err
		}
	}
	return c.anew(ctx, s, span)
}

// errAnew says that the changes are not enough.
var errAnew = errors.New("read anew")

// forgotten reports whether Graph no longer knows the mark: 410, and 400 or 404 with various codes.
func forgotten(err error) bool {
	return graph.IsStatus(err, http.StatusGone, http.StatusBadRequest, http.StatusNotFound)
}

// anew reads all of a source with a delta, which returns a mark.
func (c *Calendar) anew(ctx context.Context, s source, span interval.Span) (reading, error) {
	var (
		events []*event
		r      reading
		err    error
	)
	first := graph.Get(s.path()+"/calendarView/delta", window(span))
	first.Prefer = []string{deltaPage}
	r.Mark, err = graph.Walk(ctx, c.graph, graph.By(s.account.ID), first, func(e *event) error {
		events = append(events, e)
		return nil
	})
	if err != nil {
		return reading{}, err
	}
	masters := map[string]*event{}
	for _, e := range events {
		if e.Type == "seriesMaster" {
			masters[e.ID] = e
		}
	}
	for _, e := range events {
		if master := masters[e.SeriesMasterID]; e.ShowAs == "" && master != nil {
			e.inherit(master)
		}
		if err := r.add(c, s, e); err != nil {
			return reading{}, err
		}
	}
	return r, nil
}

// changes applies the changes since mark to the source's blocks. A change to a series is errAnew.
func (c *Calendar) changes(
	ctx context.Context, s source, mark string, blocks []calendar.Block,
) (reading, error) {
	r := reading{calendar.Reading{Blocks: blocks}}
	first, err := c.graph.Follow(mark)
	if err != nil {
		return reading{}, errAnew
	}
	first.Prefer = []string{deltaPage}
	r.Mark, err = graph.Walk(ctx, c.graph, graph.By(s.account.ID), first, func(e *event) error { return r.apply(c, s, e) })
	return r, err
}

// apply applies one change. An unknown event that was removed may have been a series.
func (r *reading) apply(c *Calendar, s source, e *event) error {
	at := slices.IndexFunc(r.Blocks, func(b calendar.Block) bool { return b.ID == e.ID })
	if e.Removed != nil && at < 0 || e.Removed == nil && (e.Type != "singleInstance" || e.ShowAs == "") {
		return errAnew
	}
	if at >= 0 {
		r.Blocks = slices.Delete(r.Blocks, at, at+1)
	}
	return r.add(c, s, e)
}
