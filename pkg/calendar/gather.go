package calendar

import (
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
func GatherAll[C, A any](calendars []C, ask func(C) ([]A, error)) (all []A, err error) {
	type answer struct {
		list []A
		err  error
	}
	var errs []error
	for _, one := range Gather(calendars, func(c C) answer {
		list, err := ask(c)
		return answer{list, err}
	}) {
		all, errs = append(all, one.list...), append(errs, one.err)
	}
	return all, Join(errs...)
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
