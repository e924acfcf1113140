package imap

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"golang.org/x/sync/errgroup"

	"convene/pkg/mail"
	"convene/pkg/mail/remote"
)

// glance is how much of a mail is read to list it.
const glance = 256 << 10

// List is a page of the account's mails that a query means.
func (b *box) List(ctx context.Context, q mail.Query) (page mail.Page, err error) {
	if q.IDs != nil {
		return b.byID(ctx, q)
	}
	var all []folder
	if err := b.with(ctx, func(s *session) (err error) {
		all, _, err = s.folders()
		return err
	}); err != nil {
		return page, err
	}
	all = slices.DeleteFunc(all, func(f folder) bool { return !q.In(f.is) })
	parts, totals := make([][]mail.Mail, len(all)), make([]int, len(all))
	var group errgroup.Group
	group.SetLimit(mostConnections)
	for i, f := range all {
		group.Go(func() error {
			return b.with(ctx, func(s *session) (err error) {
				parts[i], totals[i], err = b.within(s, f, q)
				return err
			})
		})
	}
	if err := group.Wait(); err != nil {
		return page, err
	}
	page = remote.PageOf(q, slices.Concat(parts...))
	if page.Total = 0; slices.Contains(totals, -1) {
		page.Total = -1
	}
	for _, total := range totals {
		if page.Total >= 0 {
			page.Total += total
		}
	}
	if q.After == nil && !page.More {
		page.Total = len(page.Mails)
	}
	return page, nil
}

// within are the newest mails of a folder that a query means, at least one more than a page has, and how many there
// are; -1 if that is not known. Of a large folder only the newest part is read, and more of it while that is too
// little.
func (b *box) within(s *session, f folder, q mail.Query) (mails []mail.Mail, total int, err error) {
	if err := s.open(f.name); isDeleted(err) {
		return nil, 0, nil
	} else if err != nil {
		return nil, 0, err
	}
	plain := q
	plain.Words = nil // a server reads all texts for them
	rest, err := s.search(criteriaOf(plain))
	if err != nil {
		return nil, 0, err
	}
	if total = -1; q.After == nil && q.WithoutMail() || len(rest) == 0 {
		total = len(rest)
	}
	want := q.Size() + 1
	var span imap.SearchCriteria
	for size := want; len(rest) > 0; size *= 8 {
		since, err := s.start(rest, size)
		if err != nil {
			return nil, 0, err
		}
		if span.Before = span.Since; !since.IsZero() {
			since = since.Add(-day)
		}
		span.Since = since
		var part []imap.UID
		if part, rest, err = s.split(rest, span, q); err != nil {
			return nil, 0, err
		}
		found, err := b.newest(s, f, q, part)
		if err != nil {
			return nil, 0, err
		}
		mails = append(mails, found...)
		slices.SortFunc(mails, mail.Compare)
		if len(mails) >= want && !mails[want-1].Date.Before(since.Add(day)) {
			break
		}
	}
	return mails, total, nil
}

// start is a time since which so many of the mails came, which may be the first of all. Those that came last into the
// folder tell: most of them are the newest.
func (s *session) start(uids []imap.UID, size int) (since time.Time, err error) {
	if len(uids) <= 2*size {
		return since, nil
	}
	last, err := s.dates(uids[len(uids)-2*size:], mail.Query{})
	if len(last) >= size {
		since = last[size-1].at
	}
	return since, err
}

// split splits mails into those that came in a span of time and may have the query's words, and those that came at
// another time.
func (s *session) split(uids []imap.UID, span imap.SearchCriteria, q mail.Query) (part, rest []imap.UID, err error) {
	among := func(uids []imap.UID, c imap.SearchCriteria) (in, out []imap.UID, err error) {
		found, err := s.search(c)
		for _, uid := range uids {
			if _, is := slices.BinarySearch(found, uid); is {
				in = append(in, uid)
			} else {
				out = append(out, uid)
			}
		}
		return in, out, err
	}
	if part = uids; !span.Since.IsZero() {
		part, rest, err = among(uids, span)
	}
	if len(q.Words) > 0 && err == nil {
		span.And(new(criteriaOf(q)))
		part, _, err = among(part, span)
	}
	return part, rest, err
}

// dated is a mail of the folder that is open, and when it came.
type dated struct {
	uid imap.UID
	at  time.Time
}

// newest are the newest of some mails that a query means, enough for a page, with all that came at once.
func (b *box) newest(s *session, f folder, q mail.Query, uids []imap.UID) (mails []mail.Mail, err error) {
	rest, err := s.dates(uids, q)
	if err != nil {
		return nil, err
	}
	for want := q.Size() + 1; len(rest) > 0 && len(mails) < want; {
		n := min(want, len(rest))
		for n < len(rest) && rest[n].at.Equal(rest[n-1].at) {
			n++
		}
		var chunk []imap.UID
		for _, d := range rest[:n] {
			chunk = append(chunk, d.uid)
		}
		found, err := b.fitting(s, f, q, chunk)
		if err != nil {
			return nil, err
		}
		mails, rest = append(mails, found...), rest[n:]
	}
	return mails, nil
}

// dates are when mails came that a query may mean, the newest first.
func (s *session) dates(uids []imap.UID, q mail.Query) (list []dated, err error) {
	options := imap.FetchOptions{}
	attached := q.Attachment != nil && *q.Attachment
	if attached {
		options.BodyStructure = &imap.FetchItemBodyStructure{Extended: true}
	}
	err = s.fetch(uids, options, func(m *imapclient.FetchMessageBuffer) error {
		at := m.InternalDate
		if (q.After == nil || !at.After(q.After.Date)) && (!attached || mayAttach(m.BodyStructure)) {
			list = append(list, dated{m.UID, at})
		}
		return nil
	})
	slices.SortFunc(list, func(a, b dated) int { return b.at.Compare(a.at) })
	return list, err
}

// mayAttach reports whether a mail has parts besides its text.
func mayAttach(structure imap.BodyStructure) (may bool) {
	if structure == nil {
		return true
	}
	structure.Walk(func(_ []int, part imap.BodyStructure) bool {
		if one, ok := part.(*imap.BodyStructureSinglePart); ok {
			may = may || !strings.HasPrefix(one.MediaType(), "text/") || one.Filename() != "" || one.Disposition() != nil
		}
		return true
	})
	return may
}

// fitting are those of the mails that a query means, and that follow its mark.
func (b *box) fitting(s *session, f folder, q mail.Query, uids []imap.UID) (mails []mail.Mail, err error) {
	options := imap.FetchOptions{Flags: true, BodySection: []*imap.FetchItemBodySection{identity(), content(glance)}}
	err = s.fetch(uids, options, func(m *imapclient.FetchMessageBuffer) error {
		whole, err := b.listed(s, f, m)
		of := q
		if whole.Cut {
			of.Words = nil // the server has found them
		}
		there := !slices.Contains(m.Flags, imap.FlagDeleted) && q.After.Precedes(whole.Mail)
		if err == nil && there && of.Fits(whole.Mail, whole.Whole) {
			mails = append(mails, whole.Mail)
		}
		return err
	})
	return mails, err
}

// byID are those of the mails with these ids that a query means.
func (b *box) byID(ctx context.Context, q mail.Query) (page mail.Page, err error) {
	var mails []mail.Mail
	err = b.with(ctx, func(s *session) error {
		mails = nil
		places, err := b.find(s, q.IDs)
		if err != nil {
			return err
		}
		in := map[folder][]imap.UID{}
		for _, p := range places {
			in[p.folder] = append(in[p.folder], p.uid)
		}
		for f, uids := range in {
			if err := s.open(f.name); err != nil {
				return err
			}
			found, err := b.fitting(s, f, q, uids)
			if err != nil {
				return err
			}
			mails = append(mails, found...)
		}
		return nil
	})
	page = remote.PageOf(q, mails)
	if q.After == nil && !page.More {
		page.Total = len(page.Mails)
	}
	return page, err
}
