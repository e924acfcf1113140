package gmail

import (
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
	gapi "google.golang.org/api/gmail/v1"

	"convene/pkg/mail"
	"convene/pkg/mail/remote"
)

// mostRead bounds the mails of one folder that are looked at for a page.
const mostRead = 3000

// List is a page of the account's mails that a query means. Words are found as Gmail finds them.
func (b *box) List(ctx context.Context, q mail.Query) (page mail.Page, err error) {
	err = b.with(ctx, func(ctx context.Context, s *session) error {
		if err := s.refresh(ctx); err != nil {
			return err
		}
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
		mails, _, err = s.fitting(ctx, q, q.IDs, true)
		return mails, err
	case q.MessageIDs != nil:
		ids, err := s.called(ctx, q)
		if err == nil {
			mails, _, err = s.fitting(ctx, q, ids, true)
		}
		return mails, err
	case q.Thread != "":
		ids, err := s.thread(ctx, q.Thread)
		if err == nil && len(ids) > 0 {
			mails, _, err = s.fitting(ctx, q, ids, false)
		}
		if err != nil || len(ids) > 0 {
			return mails, err
		}
	}
	listings := s.listings(q)
	parts := make([][]mail.Mail, len(listings))
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(3)
	for i, l := range listings {
		group.Go(func() (err error) {
			parts[i], err = s.gather(within, q, l)
			return err
		})
	}
	err = group.Wait()
	return slices.Concat(parts...), err
}

// listing is what Gmail is asked for: mails with all of the labels that fit a search.
type listing struct {
	labels []string
	search string
	// buried says that mails in the trash and the junk are meant too.
	buried bool
}

// page is a page of the ids of mails, the newest first.
func (s *session) page(ctx context.Context, l listing, size int64, token string) (*gapi.ListMessagesResponse, error) {
	call := s.api.Messages.List(me).MaxResults(size).IncludeSpamTrash(l.buried).Context(ctx)
	if len(l.labels) > 0 {
		call.LabelIds(l.labels...)
	}
	if l.search != "" {
		call.Q(l.search)
	}
	if token != "" {
		call.PageToken(token)
	}
	return call.Do()
}

// ids are the first ids of a listing.
func (s *session) ids(ctx context.Context, l listing, most int64) (ids []string, threads []string, err error) {
	page, err := s.page(ctx, l, most, "")
	if err != nil {
		return nil, nil, err
	}
	for _, m := range page.Messages {
		ids, threads = append(ids, m.Id), append(threads, m.ThreadId)
	}
	return ids, threads, nil
}

// gather are the newest mails of a listing that a query means.
func (s *session) gather(ctx context.Context, q mail.Query, l listing) (mails []mail.Mail, err error) {
	token := ""
	return remote.Gather(q, mostRead, func(size int) (b remote.Batch, err error) {
		page, err := s.page(ctx, l, int64(size), token)
		if err != nil {
			return b, err
		}
		var ids []string
		for _, m := range page.Messages {
			ids = append(ids, m.Id)
		}
		b.Mails, b.Oldest, err = s.fitting(ctx, q, ids, false)
		token = page.NextPageToken
		b.Read, b.More = len(ids), token != ""
		return b, err
	})
}

// fitting are those of the mails that a query means and that follow its mark, and when the oldest of all came.
func (s *session) fitting(
	ctx context.Context, q mail.Query, ids []string, fresh bool,
) (mails []mail.Mail, oldest time.Time, err error) {
	how := asked{labels: fresh, text: len(q.Words) > 0}
	err = s.eachHead(ctx, ids, how, func(h head, text string) error {
		m, of := h.Mail, q
		m.State = s.stateOf(m.ID, h.labels)
		if oldest.IsZero() || m.Date.Before(oldest) {
			oldest = m.Date
		}
		if h.cut {
			of.Words = nil // Gmail has found them
		}
		if h.own() && slices.Contains(q.MessageIDs, h.sentAs) {
			of.MessageIDs = nil
		}
		at := m
		at.Folder = soughtAs(q, m.State)
		if q.After.Precedes(m) && of.Fits(at, func() string { return text }) {
			mails = append(mails, m)
		}
		return nil
	})
	return mails, oldest, err
}

// own reports whether the account's owner wrote the mail, and nobody else.
func (h head) own() bool { return slices.Contains(h.labels, sent) || slices.Contains(h.labels, draft) }

// soughtAs is the folder of a mail for a query: a label is a folder for one that looks into it.
func soughtAs(q mail.Query, s mail.State) mail.Folder {
	for _, f := range q.Folders {
		if s.Folder != mail.Trash && s.Folder != mail.Junk && slices.Contains(s.Labels, string(f)) {
			return f
		}
	}
	return s.Folder
}
