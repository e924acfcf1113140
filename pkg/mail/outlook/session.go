package outlook

import (
	"context"
	"sync"
	"time"

	"convene/pkg/account"
	"convene/pkg/account/graph"
	"convene/pkg/mail"
	"convene/pkg/mail/remote"
)

// box is the mailbox of one account.
type box struct {
	graph   *graph.Client
	limit   time.Duration
	account account.Account

	mu sync.Mutex
	// purposes are the ids of folders with a purpose, which never change.
	purposes map[string]mail.Folder
	// tree are the folders as they were at a time.
	tree tree
	read time.Time
	// hidden are the ids of folders that are not told of, as that of chats is, and when that was seen.
	hidden sync.Map
	// handed are the ids of mails that were just sent, by their Message-IDs. Graph files them a little later.
	handed map[string]string
}

// session is one call for an account.
type session struct {
	*box
	folders tree
}

// with calls do with what is needed for one call.
func (b *box) with(ctx context.Context, do func(context.Context, *session) error) error {
	within, cancel := context.WithTimeout(ctx, b.limit)
	defer cancel()
	s := &session{box: b}
	err := s.readFolders(within, false)
	if err == nil {
		err = do(within, s)
	}
	return remote.Explain(ctx, err, reason)
}

// call has Graph do something.
func (b *box) call(ctx context.Context, r graph.Request) error {
	return b.graph.Call(ctx, graph.By(b.account.ID), r, nil)
}

// ask asks Graph for one thing.
func ask[T any](ctx context.Context, b *box, r graph.Request) (*T, error) {
	return graph.Ask[T](ctx, b.graph, graph.By(b.account.ID), r)
}

// mostHanded bounds the sent mails that are remembered.
const mostHanded = 1000

// sent remembers a mail that was handed over.
func (b *box) sent(messageID, id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.handed) >= mostHanded {
		clear(b.handed)
	}
	b.handed[messageID] = id
}

// wasSent is the id of a mail that was handed over; empty if it is not known.
func (b *box) wasSent(messageID string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.handed[messageID]
}
