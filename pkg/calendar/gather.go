package calendar

import (
	"slices"

	"golang.org/x/sync/errgroup"

	"convene/pkg/interval"
)

// maxAtOnce bounds the calendars of one person that are asked concurrently.
const maxAtOnce = 8

// Gather calls ask with each of a person's calendars concurrently, and returns the answers in their order.
func Gather[C, A any](calendars []C, ask func(C) A) []A {
	answers := make([]A, len(calendars))
	var group errgroup.Group
	group.SetLimit(maxAtOnce)
	for i, one := range calendars {
		group.Go(func() error { answers[i] = ask(one); return nil })
	}
	_ = group.Wait() // there is no error
	return answers
}

// GatherAll is Gather for lists, which it joins, as it does their errors.
func GatherAll[C, A any](calendars []C, ask func(C) ([]A, error)) ([]A, error) {
	errs := make([]error, len(calendars))
	at := make([]int, len(calendars))
	for i := range at {
		at[i] = i
	}
	lists := Gather(at, func(i int) (list []A) {
		list, errs[i] = ask(calendars[i])
		return list
	})
	return slices.Concat(lists...), Join(errs...)
}

// Reading is one calendar's part of a snapshot, with its error.
type Reading struct {
	// Calendar names the calendar in Snapshot.Marks.
	Calendar string
	Blocks   []Block
	Unknown  interval.Set
	// Mark is where the next Sync continues; empty if it cannot.
	Mark string
	Err  error
}

// Merge is the snapshot of a person's readings. If one of them failed, the whole span is unknown.
func Merge(span interval.Span, readings []Reading) (Snapshot, error) {
	whole := Snapshot{Span: span, Marks: map[string]string{}}
	errs := make([]error, len(readings))
	for i, r := range readings {
		whole.Blocks = append(whole.Blocks, r.Blocks...)
		whole.Unknown = whole.Unknown.Union(r.Unknown)
		if r.Mark != "" {
			whole.Marks[r.Calendar] = r.Mark
		}
		errs[i] = r.Err
	}
	err := Join(errs...)
	if err != nil {
		whole.Unknown = interval.NewSet(span)
	}
	return whole, err
}
