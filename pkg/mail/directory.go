package mail

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Directory has all mailboxes of people, whoever keeps them.
type Directory struct{ Providers []Provider }

// Folders are those of all mailboxes. With an error some may be missing.
func (d Directory) Folders(ctx context.Context, person meet.Person) (all []Folder, err error) {
	answers, err := ask(d.Providers, func(p Provider) ([]Folder, error) { return p.Folders(ctx, person) })
	for _, folders := range answers {
		for _, f := range folders {
			if !slices.Contains(all, f) {
				all = append(all, f)
			}
		}
	}
	return all, err
}

// List is a page of the mails that a query means, in the order of Compare. With an error mails may be missing from it;
// ErrNotConnected says that the person has no mailbox.
func (d Directory) List(ctx context.Context, person meet.Person, q Query) (page Page, err error) {
	answers, err := ask(d.Providers, func(p Provider) (Page, error) { return p.List(ctx, person, q) })
	for _, one := range answers {
		page.Mails = append(page.Mails, one.Mails...)
		page.More = page.More || one.More
		if page.Total += one.Total; one.Total < 0 || page.Total < 0 {
			page.Total = -1
		}
	}
	slices.SortFunc(page.Mails, Compare)
	if n := q.Size(); len(page.Mails) > n {
		page.Mails, page.More = page.Mails[:n], true
	}
	return page, err
}

// ask asks all providers side by side, and gives the answers of those at which the person has a mailbox.
func ask[T any](providers []Provider, one func(Provider) (T, error)) (answers []T, err error) {
	all := make([]struct {
		answer T
		err    error
	}, len(providers))
	var asking sync.WaitGroup
	for i, p := range providers {
		asking.Go(func() { all[i].answer, all[i].err = one(p) })
	}
	asking.Wait()
	connected := false
	for _, a := range all {
		switch {
		case errors.Is(a.err, ErrNotConnected):
		case a.err != nil:
			connected, err = true, errors.Join(err, a.err)
		default:
			connected, answers = true, append(answers, a.answer)
		}
	}
	if !connected {
		return nil, ErrNotConnected
	}
	return answers, err
}

// Read is a whole mail. One that is not there is fault.NotFound.
func (d Directory) Read(ctx context.Context, person meet.Person, id string) (m Message, err error) {
	err = NotFound()
	for _, p := range d.Providers {
		m, failed := read(ctx, p, person, id)
		switch {
		case failed == nil:
			return m, nil
		case fault.CodeOf(failed) != fault.NotFound && !errors.Is(failed, ErrNotConnected):
			err = failed
		}
	}
	return m, err
}

func read(ctx context.Context, p Provider, person meet.Person, id string) (m Message, err error) {
	listed, content, err := p.Open(ctx, person, id)
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, content.Close()) }()
	m, err = Decode(io.Reader(content))
	m.Mail = m.Listed().Standing(listed)
	return m, err
}

// Apply makes the change at the provider that keeps the mail.
func (d Directory) Apply(ctx context.Context, person meet.Person, a Amendment) (State, error) {
	i := slices.IndexFunc(d.Providers, func(p Provider) bool { return p.Name() == a.Provider })
	if i < 0 {
		return State{}, fault.New(fault.Unavailable, "The mailbox of %s is not connected here.", a.Provider)
	}
	return d.Providers[i].Apply(ctx, person, a)
}
