package redisstore

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// aSaga is a saga under way, in a zone with daylight-saving time.
func aSaga(tb testing.TB, uid string) booking.Saga {
	tb.Helper()
	zone, err := time.LoadLocation("America/Los_Angeles")
	check(tb, err)
	start := time.Date(2026, 11, 25, 13, 0, 0, 0, zone)
	event := meet.Event{
		ID: "p1", UID: uid, Status: meet.Confirmed, Start: start, End: start.Add(time.Hour), Timezone: zone.String(),
		Participants: []meet.Participant{{ID: "me", Name: "Mia"}}, JoinURL: "https://meet.example/abc",
	}
	moved := event
	moved.ID, moved.Start, moved.End = "p0", start.Add(-24*time.Hour), start.Add(-23*time.Hour)
	guests := []meet.Participant{{Name: "Al", Email: "al@x"}}
	google := booking.Delivery{Provider: "google", Owner: meet.Person{ID: "me"}, Guests: guests}
	return booking.Saga{
		UID: uid, Course: booking.Forth, Proposal: "p1", Event: event, Moved: &moved, Ancestors: []meet.ProposalID{"p0"},
		Steps: []booking.Step{{Do: booking.BookTime}, {Do: booking.Deliver, To: google}}, At: 1,
		Standing: []booking.Delivery{google}, Hold: booking.Hold{Token: "hold", People: []meet.PersonID{"me"}},
	}
}

func claimed(uid, token string) booking.Claim {
	return booking.Claim{ID: uid, Token: token, For: time.Minute}
}

// claimAs claims the record.
func claimAs(t server, s Sagas, c booking.Claim) booking.Saga {
	t.Helper()
	saga, _, err := s.Claim(t.Context(), c)
	check(t, err)
	return saga
}

func TestASagaIsLoadedAsSaved(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s, c := t.open(Config{}).Sagas(), claimed("u 1:{x}@convene", "mine")
		if first := claimAs(t, s, c); first.Unfinished() || !first.Over() {
			t.Errorf("the record of an unknown event is %+v, want an empty one", first)
		}
		want := aSaga(t, c.ID)
		check(t, s.Save(t.Context(), c, want))
		check(t, s.Release(t.Context(), c, 0))
		got := claimAs(t, s, claimed(c.ID, "other"))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("saga (-saved +read):\n%s", diff)
		}
		if got.Event.Start.Location().String() != "America/Los_Angeles" {
			t.Errorf("the start is in %s, want the event's zone", got.Event.Start.Location())
		}
	})
}

// Only the holder of the claim can write; a former holder gets a Conflict.
func TestASagaIsFencedByItsClaim(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s := t.open(Config{}).Sagas()
		late, heir := booking.Claim{ID: "u", Token: "late", For: 100 * time.Millisecond}, claimed("u", "heir")
		claimAs(t, s, late)
		check(t, s.Renew(t.Context(), late))
		check(t, s.Save(t.Context(), late, aSaga(t, "u")))
		if _, _, err := s.Claim(t.Context(), heir); err != nil && fault.CodeOf(err) != fault.Conflict {
			t.Fatalf("Claim of what another has = %v, want a fault.Conflict", err)
		}
		for { // until the claim has lapsed
			_, _, err := s.Claim(t.Context(), heir)
			if err == nil {
				break
			}
			if fault.CodeOf(err) != fault.Conflict {
				t.Fatal(err)
			}
		}
		for name, err := range map[string]error{
			"Renew": s.Renew(t.Context(), late), "Save": s.Save(t.Context(), late, aSaga(t, "u")),
			"Release": s.Release(t.Context(), late, 0),
		} {
			if fault.CodeOf(err) != fault.Conflict {
				t.Errorf("%s after losing the claim = %v, want a fault.Conflict", name, err)
			}
		}
		check(t, s.Save(t.Context(), heir, aSaga(t, "u")))
	})
}

func TestDueSagas(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		store := t.open(Config{})
		s := store.Sagas()
		save := func(uid string, change func(*booking.Saga)) booking.Claim {
			c, saga := claimed(uid, "token of "+uid), aSaga(t, uid)
			claimAs(t, s, c)
			check(t, s.Save(t.Context(), c, aSaga(t, uid))) // each was open once
			change(&saga)
			check(t, s.Save(t.Context(), c, saga))
			return c
		}
		check(t, s.Release(t.Context(), save("open", func(*booking.Saga) {}), 0))
		check(t, s.Release(t.Context(), save("resting", func(*booking.Saga) {}), time.Minute))
		save("claimed", func(*booking.Saga) {})
		check(t, s.Release(t.Context(), save("stuck", func(x *booking.Saga) { x.Stuck = true }), 0))
		check(t, s.Release(t.Context(), save("finished", func(x *booking.Saga) { x.Course = "" }), 0))
		check(t, s.Release(t.Context(), save("over", func(x *booking.Saga) { x.Course, x.Standing = "", nil }), 0))
		if diff := cmp.Diff([]booking.Due{{ID: "open"}}, must(s.Due(t.Context()))(t)); diff != "" {
			t.Errorf("due (-want +got):\n%s", diff)
		}
		for _, uid := range []string{"resting", "stuck"} {
			if got := claimAs(t, s, claimed(uid, "asked for")); !got.Unfinished() {
				t.Errorf("the record of %s is lost", uid)
			}
		}
		check(t, s.Release(t.Context(), claimed("resting", "asked for"), 0))
		check(t, s.Release(t.Context(), save("watched", func(x *booking.Saga) { x.Course, x.Looks = "", 1 }), time.Minute))
		claimAs(t, s, claimed("watched", "begun again")) // whose process may die: then others go on without a pause
		if n := store.client.Exists(t.Context(), store.keys.of("").sagaRest("watched")).Val(); n > 0 {
			t.Error("the pause before the next look goes on for what was begun after it")
		}
		for uid, want := range map[string]int64{"open": -1, "stuck": -1, "over": -2} {
			if got := store.client.PTTL(t.Context(), store.keys.of("").saga(uid)).Val(); int64(got) != want {
				t.Errorf("%s lives for %d, want %d", uid, got, want)
			}
		}
		end := aSaga(t, "").Event.End
		wantLife(t, store, store.keys.of("").saga("finished"), settledLife+max(0, time.Until(end)))
	})
}

func TestASagaSurvivesALostReply(t *testing.T) {
	t.Parallel()
	onEachSingleServer(t, func(t server) {
		direct := t.open(Config{})
		network, address := startProxy(t, direct.config.URL)
		s, c := openStore(t, Config{URL: address, Prefix: direct.config.Prefix}).Sagas(), claimed("u", "mine")
		claimAs(t, s, claimed("warm", "up"))
		network.loseNext()
		claimAs(t, s, c)
		network.loseNext()
		check(t, s.Save(t.Context(), c, aSaga(t, "u")))
		if got := must(direct.Sagas().Due(t.Context()))(t); len(got) > 0 {
			t.Errorf("due = %v, want none: it is claimed", got)
		}
		if got := network.repliesLost(); got != 2 {
			t.Errorf("%d answers got lost, want 2", got)
		}
	})
}
