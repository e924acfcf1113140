package gmail

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/time/rate"
	gapi "google.golang.org/api/gmail/v1"

	"convene/pkg/account"
	"convene/pkg/account/google"
	"convene/pkg/mail"
	"convene/pkg/mail/remote"
	"convene/pkg/record"
)

const (
	// mostHeads bounds the mails of an account that are remembered.
	mostHeads = 3000
	// aSecond is how many mails an account is asked for in a second, and atFirst how many sooner than that.
	aSecond, atFirst = 40, 200
	// atOnce bounds the calls that one listing makes side by side.
	atOnce = 10
	// mostPages bounds the pages of one answer.
	mostPages = 20
)

// box is the mailbox of one account. What its mails say is remembered, because Gmail never changes that.
type box struct {
	*site
	account account.Account
	// pace keeps listings within what Google grants a user: 250 units a second, of which a mail takes five.
	pace *rate.Limiter

	mu    sync.Mutex
	heads map[string]head // by message
	// names are those of the owner's labels by id, as they were at a time.
	names map[string]string
	named time.Time
	// since is the point in the mailbox's history up to which the labels of heads are right; 0 before the first reading.
	since uint64
}

// head is a mail as it is listed, without its state.
type head struct {
	mail.Mail
	// cut says that the mail is larger than what was read of it.
	cut bool
	// sentAs is the Message-ID under which Convene made the mail, in place of which Gmail may have put its own.
	sentAs string
	// conversation is Gmail's id of the mail's thread.
	conversation string
	labels       []string
	// stale says that the labels have changed since.
	stale bool
}

// session is one call for an account.
type session struct {
	*box
	// api makes calls with short answers, and large those with whole mails.
	api, large *gapi.UsersService
	names      map[string]string // of the owner's labels, by id; of this call alone
	moved      map[string]string // which label is a mail's folder, by message
	entries    map[string]record.Entry
	// from is the point in the history at which the call began.
	from uint64
}

// with calls do with what is needed for one call.
func (b *box) with(ctx context.Context, do func(context.Context, *session) error) error {
	within, cancel := context.WithTimeout(ctx, b.Limit)
	defer cancel()
	s, err := b.begin(within)
	if err == nil {
		err = do(within, s)
	}
	return remote.Explain(ctx, err, reason)
}

func (b *box) begin(ctx context.Context) (s *session, err error) {
	s = &session{box: b, moved: map[string]string{}}
	if s.api, err = b.open(ctx, &google.Bearer{Accounts: b.Accounts, ID: b.account.ID, Next: b.glance}); err != nil {
		return nil, err
	}
	if s.large, err = b.open(ctx, &google.Bearer{Accounts: b.Accounts, ID: b.account.ID, Next: b.whole}); err != nil {
		return nil, err
	}
	if s.names, err = s.labels(ctx); err != nil {
		return nil, err
	}
	values, entries, err := b.Moved.Read(ctx, b.account.Person)
	for id, value := range values {
		var label string
		if err := json.Unmarshal(value, &label); err != nil {
			return nil, fmt.Errorf("folder of mail %s: %w", id, err)
		}
		s.moved[id] = label
	}
	s.entries = entries
	return s, err
}

// namedFor is how long the names of labels are used.
const namedFor = 5 * time.Second

// labels are the names of the owner's labels by id.
func (s *session) labels(ctx context.Context) (map[string]string, error) {
	s.mu.Lock()
	names, at := s.box.names, s.named
	s.mu.Unlock()
	if time.Since(at) < namedFor {
		return maps.Clone(names), nil
	}
	answer, err := s.api.Labels.List(me).Context(ctx).Do()
	if err != nil {
		return nil, err
	}
	names = map[string]string{}
	for _, l := range answer.Labels {
		if l.Type == "user" {
			names[l.Id] = l.Name
		}
	}
	s.mu.Lock()
	s.box.names, s.named = names, time.Now()
	s.mu.Unlock()
	return maps.Clone(names), nil
}

// refresh asks what has changed since the mailbox was read last. If Gmail does not know that any more, the labels of
// all mails are read anew.
func (s *session) refresh(ctx context.Context) error {
	s.mu.Lock()
	since := s.since
	s.mu.Unlock()
	touched, next, err := s.changed(ctx, since)
	whole := since == 0 || statusOf(err) == http.StatusNotFound || errors.Is(err, errTooMuch)
	if whole {
		is, failed := s.api.GetProfile(me).Context(ctx).Do()
		if err = failed; err == nil {
			next = is.HistoryId
		}
	}
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, h := range s.heads {
		h.stale = h.stale || whole || touched[id]
		s.heads[id] = h
	}
	s.since, s.from = max(s.since, next), next
	return nil
}

// changed are the mails that have changed since a point in the history, and the point up to which that was told.
func (s *session) changed(ctx context.Context, since uint64) (touched map[string]bool, next uint64, err error) {
	touched, next = map[string]bool{}, since
	if since == 0 {
		return touched, next, nil
	}
	pages := 0
	err = s.api.History.List(me).StartHistoryId(since).MaxResults(500).
		Pages(ctx, func(page *gapi.ListHistoryResponse) error {
			for _, record := range page.History {
				for _, m := range record.Messages {
					touched[m.Id] = true
				}
			}
			next = max(next, page.HistoryId)
			if pages++; pages > mostPages {
				return errTooMuch
			}
			return nil
		})
	return touched, next, err
}

// known is what is remembered of a mail.
func (b *box) known(id string) (head, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	h, ok := b.heads[id]
	return h, ok
}

// keep remembers a mail, unless another call has seen a later state of the mailbox meanwhile.
func (s *session) keep(id string, h head) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.heads) >= mostHeads {
		clear(s.heads)
	}
	h.stale = s.from < s.since
	s.heads[id] = h
}

// forget forgets the labels of a mail.
func (b *box) forget(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if h, ok := b.heads[id]; ok {
		h.stale = true
		b.heads[id] = h
	}
}

// messageID is what Gmail's ids look like.
var messageID = regexp.MustCompile(`^[0-9a-f]{1,20}$`)

// asked says what is asked of Gmail even if it is known: labels, or the text, which is not remembered.
type asked struct{ labels, text bool }

// eachHead reads mails, some at a time, and calls each one after the other for those that are there.
func (s *session) eachHead(ctx context.Context, ids []string, how asked, each func(head, string) error) error {
	var one sync.Mutex
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, id := range slices.Compact(slices.Clone(ids)) {
		group.Go(func() error {
			h, text, err := s.head(within, id, how)
			if errors.Is(err, remote.ErrGone) {
				return nil
			}
			if err != nil {
				return err
			}
			one.Lock()
			defer one.Unlock()
			return each(h, text)
		})
	}
	return group.Wait()
}
