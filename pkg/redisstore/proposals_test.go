package redisstore

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

func proposal(tb testing.TB) (meet.Event, meet.Turn) {
	tb.Helper()
	event := *conversation(tb).Search.Event
	turn := meet.Turn{
		ID: "t1", Conversation: "c1", Message: "coffee with Al?", Organizer: meet.Person{ID: "me", Name: "Me"},
		Participants: []meet.Person{{Name: "Al", Email: "al@example.org"}},
		ReceivedAt:   time.Date(2026, 10, 26, 9, 0, 0, 0, time.UTC),
	}
	return event, turn
}

func TestProposal(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s := t.open(Config{})
		p, ctx := s.Proposals(), t.Context()
		event, turn := proposal(t)
		if _, _, err := p.LoadProposal(ctx, event.ID); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("an unknown proposal = %v, want a fault.NotFound", err)
		}
		check(t, p.SaveProposal(ctx, event, nil, turn))
		gotEvent, gotTurn, err := p.LoadProposal(ctx, event.ID)
		check(t, err)
		if diff := cmp.Diff(event, gotEvent); diff != "" {
			t.Errorf("event (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(turn, gotTurn); diff != "" {
			t.Errorf("turn (-want +got):\n%s", diff)
		}
		if got := gotEvent.Participants[1].LocalStart.Location().String(); got != "Europe/Berlin" {
			t.Errorf("zone of the other's start = %q, want Europe/Berlin", got)
		}
		confirm := func(e *meet.Event) error { e.Status = meet.Confirmed; return nil }
		updated := must(p.UpdateProposal(ctx, event.ID, confirm))(t)
		event.Status = meet.Confirmed
		if diff := cmp.Diff(event, updated); diff != "" {
			t.Errorf("what UpdateProposal answers (-want +got):\n%s", diff)
		}
		gotEvent, gotTurn, err = p.LoadProposal(ctx, event.ID)
		check(t, err)
		if diff := cmp.Diff(event, gotEvent); diff != "" {
			t.Errorf("updated event (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(turn, gotTurn); diff != "" {
			t.Errorf("turn after an update (-want +got):\n%s", diff)
		}
	})
}

func TestProposalLife(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	event, turn := proposal(t)
	onEachServer(t, func(t server) {
		open := t.open
		for _, tt := range []struct {
			name   string
			status meet.Status
			now    time.Time
			want   time.Duration
		}{
			{"an offer", meet.Proposed, event.End.Add(-30 * day), day},
			{"confirmed, 30 days ahead", meet.Confirmed, event.End.Add(-30 * day), 120 * day},
			{"confirmed, long over", meet.Confirmed, event.End.Add(300 * day), 90 * day},
			{"cancelled", meet.Cancelled, event.End, 90 * day},
		} {
			t.Run(tt.name, func(t *testing.T) {
				s := open(Config{Now: func() time.Time { return tt.now }})
				check(t, s.Proposals().SaveProposal(t.Context(), event, nil, turn))
				change := func(e *meet.Event) error { e.Status = tt.status; return nil }
				must(s.Proposals().UpdateProposal(t.Context(), event.ID, change))(t)
				wantLife(t, s, s.keys.of("").proposal(event.ID), tt.want)
			})
		}
	})
}

// A change can be confirmed for a day, and until then it must be known which event it moves, even if another version
// stored its proposals without the list of those that they replace.
func TestReplacedProposalsAreKeptAsLong(t *testing.T) {
	t.Parallel()
	event, turn := proposal(t)
	onEachServer(t, func(t server) {
		s := t.open(Config{})
		own := s.keys.of("")
		for _, noted := range []bool{true, false} {
			var chain []meet.ProposalID
			for n := range 6 {
				next := event
				next.ID, next.Status = meet.ProposalID(fmt.Sprintf("p%d-%v", n, noted)), meet.Proposed
				if n > 0 {
					next.Replaces = chain[n-1]
				}
				for _, before := range chain {
					check(t, s.client.PExpire(t.Context(), own.proposal(before), time.Hour).Err())
					if !noted {
						check(t, s.client.HDel(t.Context(), own.proposal(before), "older").Err())
					}
				}
				check(t, s.Proposals().SaveProposal(t.Context(), next, nil, turn))
				chain = append(chain, next.ID)
				for _, id := range chain {
					wantLife(t, s, own.proposal(id), 24*time.Hour)
				}
			}
		}
	})
}

// Many confirm at once, in two processes: each sees the earlier updates, and exactly one finds the event unconfirmed.
func TestUpdatesAreSerialized(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		event, turn := proposal(t)
		stores := []Proposals{t.open(Config{}).Proposals(), t.open(Config{}).Proposals()}
		check(t, stores[0].SaveProposal(t.Context(), event, nil, turn))
		const confirmers = 16
		var all sync.WaitGroup
		var mu sync.Mutex
		first := 0
		for i := range confirmers {
			all.Go(func() {
				won := false
				_, err := stores[i%2].UpdateProposal(t.Context(), event.ID, func(e *meet.Event) error {
					won = e.Status == meet.Proposed
					e.Status = meet.Confirmed
					e.Sequence++
					return nil
				})
				if err != nil {
					t.Errorf("UpdateProposal: %v", err)
				}
				mu.Lock()
				defer mu.Unlock()
				if won {
					first++
				}
			})
		}
		all.Wait()
		got, _, err := stores[0].LoadProposal(t.Context(), event.ID)
		check(t, err)
		if first != 1 || got.Sequence != confirmers {
			t.Errorf("%d found it unconfirmed and %d updates counted, want 1 and %d", first, got.Sequence, confirmers)
		}
	})
}

func TestUpdateSurvivesALostReply(t *testing.T) {
	t.Parallel()
	onEachSingleServer(t, func(t server) {
		direct := t.open(Config{})
		network, address := startProxy(t, direct.config.URL)
		p := openStore(t, Config{URL: address, Prefix: direct.config.Prefix}).Proposals()
		event, turn := proposal(t)
		check(t, p.SaveProposal(t.Context(), event, nil, turn))
		// The first update brings the script to the server, so that the second sends one command only.
		for range 2 {
			must(p.UpdateProposal(t.Context(), event.ID, func(e *meet.Event) error {
				if e.Sequence++; e.Sequence == 2 {
					network.loseNext()
				}
				return nil
			}))(t)
		}
		got, _, err := p.LoadProposal(t.Context(), event.ID)
		check(t, err)
		if got.Sequence != 2 || network.repliesLost() != 1 {
			t.Errorf("sequence = %d after two updates, %d of them with a lost reply; want 2 and 1",
				got.Sequence, network.repliesLost())
		}
	})
}

func TestUpdateWritesNothingWhere(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		p, ctx := t.open(Config{}).Proposals(), t.Context()
		event, turn := proposal(t)
		_, err := p.UpdateProposal(ctx, event.ID, func(*meet.Event) error { t.Error("changed no event"); return nil })
		if fault.CodeOf(err) != fault.NotFound {
			t.Errorf("an unknown proposal = %v, want a fault.NotFound", err)
		}
		check(t, p.SaveProposal(ctx, event, nil, turn))
		no := errors.New("no")
		spoil := func(e *meet.Event) error { e.Title = "spoiled"; return no }
		if _, err := p.UpdateProposal(ctx, event.ID, spoil); !errors.Is(err, no) {
			t.Errorf("UpdateProposal = %v, want the error of the change", err)
		}
		got, _, err := p.LoadProposal(ctx, event.ID)
		check(t, err)
		if diff := cmp.Diff(event, got); diff != "" {
			t.Errorf("event after a change that failed (-want +got):\n%s", diff)
		}
	})
}
