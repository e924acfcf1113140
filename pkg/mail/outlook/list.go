package outlook

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/sync/errgroup"

	"convene/pkg/account/graph"
	"convene/pkg/mail"
	"convene/pkg/mail/remote"
)

// mostRead bounds the mails of one folder that are looked at for a page. A search of Graph's finds 1,000 at most.
const mostRead, mostFound = 3000, 1000

// List is a page of the account's mails that a query means. Words are found as Exchange finds them.
func (b *box) List(ctx context.Context, q mail.Query) (page mail.Page, err error) {
	err = b.with(ctx, func(ctx context.Context, s *session) error {
		found, err := s.find(ctx, q)
		page = remote.PageOf(q, found)
		return err
	})
	if q.After == nil && !page.More && err == nil {
		page.Total = len(page.Mails)
	}
	return page, err
}

// find are the mails that a query means, the newest ones first if they are more than fit into a page.
func (s *session) find(ctx context.Context, q mail.Query) (mails []mail.Mail, err error) {
	switch {
	case q.IDs != nil:
		return s.byID(ctx, q)
	case q.MessageIDs != nil:
		return s.called(ctx, q)
	case q.Thread != "":
		return s.thread(ctx, q)
	}
	var found []mail.Mail
	for _, at := range s.listings(q) {
		some, err := s.gather(ctx, q, at)
		if err != nil {
			return nil, err
		}
		found = append(found, some...)
	}
	return found, nil
}

// most is how many folders are looked into one by one; of more, the whole mailbox is.
const most = 3

// listings are the paths of the collections in which a query's mails are.
func (s *session) listings(q mail.Query) (paths []string) {
	for id, f := range s.folders.is {
		if slices.Contains(q.Folders, f) {
			paths = append(paths, messagesIn(id))
		}
	}
	if len(q.Folders) == 0 || len(paths) > most {
		return []string{"/me/messages"}
	}
	return paths
}

func messagesIn(folder string) string {
	return "/me/mailFolders/" + url.PathEscape(folder) + "/messages"
}

// gather are the newest mails of a collection that a query means.
func (s *session) gather(ctx context.Context, q mail.Query, at string) ([]mail.Mail, error) {
	how, simple, bound := filterOf(q, true), filterOf(q, false), mostRead
	if search := searchOf(q); search != "" {
		how, bound = graph.Query{}.With("$search", search), mostFound
		simple = how
		q.Words = nil // Exchange has found them
	}
	var next graph.Request
	return remote.Gather(q, bound, func(size int) (b remote.Batch, err error) {
		begins, top := next.Target == "", strconv.Itoa(size)
		if begins {
			next = graph.Get(at, slices.Concat(how, selected, expanded).With("$top", top))
		}
		page, err := graph.AskPage[message](ctx, s.graph, graph.By(s.account.ID), next)
		if begins && graph.IsStatus(err, http.StatusBadRequest) { // it is too much for Exchange
			page, err = graph.AskPage[message](ctx, s.graph, graph.By(s.account.ID),
				graph.Get(at, slices.Concat(simple, selected).With("$top", top)))
		}
		if err != nil {
			return b, err
		}
		if b.More = page.NextLink != ""; b.More {
			if next, err = s.graph.Follow(page.NextLink); err != nil {
				return b, err
			}
		}
		b.Read = len(page.Value)
		for _, m := range page.Value {
			if b.Oldest.IsZero() || m.Received.Before(b.Oldest) {
				b.Oldest = m.Received
			}
		}
		b.Mails, err = s.fitting(ctx, q, page.Value)
		return b, err
	})
}

// fitting are those of the messages that a query means and that follow its mark.
func (s *session) fitting(ctx context.Context, q mail.Query, messages []*message) (mails []mail.Mail, err error) {
	for _, m := range messages {
		state, known, err := s.stateOf(ctx, m)
		if err != nil {
			return nil, err
		}
		if !known || !q.Holds(state) {
			continue
		}
		is, unread := m.mail()
		is.State = state
		fits := q.After.Precedes(is) && q.Fits(is, func() (text string) {
			text, err = s.text(ctx, m.ID)
			return text
		})
		if err := errors.Join(unread, gone(err)); err != nil {
			return nil, err
		}
		if fits {
			mails = append(mails, is)
		}
	}
	return mails, nil
}

// byID are those of a query's ids that are there.
func (s *session) byID(ctx context.Context, q mail.Query) ([]mail.Mail, error) {
	var one sync.Mutex
	var found []*message
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, id := range slices.Compact(slices.Sorted(slices.Values(q.IDs))) {
		group.Go(func() error {
			m, err := s.message(within, id)
			if errors.Is(err, remote.ErrGone) {
				return nil
			}
			if err != nil {
				return err
			}
			one.Lock()
			defer one.Unlock()
			found = append(found, m)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return s.fitting(ctx, q, found)
}
