package redisstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/account"
	"convene/pkg/fault"
)

func TestAccounts(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s := t.open(Config{})
		accounts, ctx := s.Accounts(), t.Context()
		work := account.Record{Sealed: []byte{1, 0, 255}, Account: account.Account{
			ID: "work", Person: "me", Provider: account.Google, Access: account.Write, Address: "me@example.com",
			Connected: time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC),
			Calendars: []account.Calendar{{ID: "c", Name: "Main", Blocks: true, Target: true, Timezone: "Europe/Berlin"}},
			Problem:   "reconnect the Google calendar",
		}}
		home := account.Record{Sealed: []byte("x"), Account: account.Account{ID: "home", Person: "me", Provider: account.ICS}}
		als := account.Record{Sealed: []byte("y"), Account: account.Account{ID: "als", Person: "al", Provider: account.ICS}}
		if got := must(accounts.RecordsOf(ctx, "me"))(t); len(got) != 0 {
			t.Errorf("RecordsOf = %v before anything was stored", got)
		}
		for _, r := range []account.Record{work, home, als, work} {
			check(t, accounts.Put(ctx, r))
		}
		got := must(accounts.RecordsOf(ctx, "me"))(t)
		slices.SortFunc(got, func(a, b account.Record) int {
			return strings.Compare(string(b.Account.ID), string(a.Account.ID))
		})
		if diff := cmp.Diff([]account.Record{work, home}, got); diff != "" {
			t.Errorf("RecordsOf (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(als, must(accounts.Record(ctx, "als"))(t)); diff != "" {
			t.Errorf("Record (-want +got):\n%s", diff)
		}
		check(t, accounts.Delete(ctx, "work"))
		if got := must(accounts.RecordsOf(ctx, "me"))(t); len(got) != 1 {
			t.Errorf("RecordsOf = %v after one was deleted", got)
		}
		for name, err := range map[string]error{
			"Record": second(accounts.Record(ctx, "work")),
			"Update": second(accounts.Update(ctx, "work", func(*account.Record) error { return nil })),
			"Delete": accounts.Delete(ctx, "work"),
		} {
			if fault.CodeOf(err) != fault.NotFound {
				t.Errorf("%s of what is gone = %v, want a fault.NotFound", name, err)
			}
		}
		// What cannot be read must not be left out: its time would pass for free.
		check(t, s.client.HSet(ctx, s.keys.of("").account("home"), fieldRecord, "1:{").Err())
		if got, err := accounts.RecordsOf(ctx, "me"); err == nil {
			t.Errorf("RecordsOf = %v with one that is broken, want an error", got)
		}
	})
}

func second[T any](_ T, err error) error { return err }

func TestAccountUpdatesAreAllKept(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		replicas := []Accounts{t.open(Config{}).Accounts(), t.open(Config{}).Accounts()}
		check(t, replicas[0].Put(t.Context(), account.Record{Account: account.Account{ID: "a", Person: "me"}}))
		const updates = 20
		var wg sync.WaitGroup
		for i := range updates {
			wg.Go(func() {
				_, err := replicas[i%2].Update(t.Context(), "a", func(r *account.Record) error {
					r.Account.Calendars = append(r.Account.Calendars, account.Calendar{ID: fmt.Sprint(i)})
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if got := len(must(replicas[0].Record(t.Context(), "a"))(t).Account.Calendars); got != updates {
			t.Errorf("%d updates were kept, want %d", got, updates)
		}
		no := errors.New("no")
		_, err := replicas[0].Update(t.Context(), "a", func(r *account.Record) error { r.Sealed = []byte("x"); return no })
		if !errors.Is(err, no) || must(replicas[0].Record(t.Context(), "a"))(t).Sealed != nil {
			t.Errorf("Update = %v, want its function's error and nothing written", err)
		}
	})
}

func TestRenewalsWaitForEachOther(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		one, other := t.open(Config{}), t.open(Config{HoldWait: 20 * time.Millisecond})
		release := must(one.Accounts().Lock(t.Context(), "a"))(t)
		wantLife(t, one, one.keys.of("").renewal("a"), renewalLife)
		_, err := other.Accounts().Lock(t.Context(), "a")
		if fault.CodeOf(err) != fault.Unavailable || !fault.As(err).Retryable {
			t.Errorf("Lock = %v, want a retryable fault", err)
		}
		check(t, must(other.Accounts().Lock(t.Context(), "b"))(t)(t.Context()))
		check(t, release(t.Context()))
		check(t, release(t.Context()))
		again := must(other.Accounts().Lock(t.Context(), "a"))(t)
		check(t, release(t.Context())) // leaves the other's lock
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := one.Accounts().Lock(gone, "a"); err == nil {
			t.Error("another process's lock was taken")
		}
		check(t, again(t.Context()))
	})
}

func TestConnectionsAreTakenOnce(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s := t.open(Config{})
		check(t, s.Accounts().Keep(t.Context(), "s1", []byte{0, 1, 255}))
		wantLife(t, s, s.keys.connection("s1"), pendingLife)
		var (
			mu    sync.Mutex
			taken int
			wg    sync.WaitGroup
		)
		for range 8 {
			wg.Go(func() {
				value, err := s.Accounts().Take(t.Context(), "s1")
				mu.Lock()
				defer mu.Unlock()
				if err == nil && string(value) == "\x00\x01\xff" {
					taken++
				} else if fault.CodeOf(err) != fault.NotFound {
					t.Errorf("Take = %q, %v", value, err)
				}
			})
		}
		wg.Wait()
		if taken != 1 {
			t.Errorf("taken %d times", taken)
		}
	})
}
