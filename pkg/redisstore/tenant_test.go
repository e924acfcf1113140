package redisstore

import (
	"context"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"convene/pkg/account"
	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// kept stores and loads a text under an id; a missing one is empty.
type kept struct {
	put func(ctx context.Context, s *Store, what string) error
	got func(ctx context.Context, s *Store) (string, error)
}

// everyKind is every kind of value that a tenant may store.
func everyKind(tb testing.TB) map[string]kept {
	tb.Helper()
	me := []meet.PersonID{"me"}
	event, turn := proposal(tb)
	return map[string]kept{
		"a person": {
			func(ctx context.Context, s *Store, what string) error {
				return s.People().Put(ctx, meet.Person{ID: "me", Name: what})
			},
			func(ctx context.Context, s *Store) (string, error) {
				p, err := s.People().Person(ctx, "me")
				return p.Name, err
			},
		},
		"all people": {
			func(ctx context.Context, s *Store, what string) error {
				return s.People().Put(ctx, meet.Person{ID: "me", Name: what})
			},
			func(ctx context.Context, s *Store) (string, error) {
				all, err := s.People().All(ctx)
				var names []string
				for _, p := range all {
					names = append(names, p.Name)
				}
				return strings.Join(names, ", "), err
			},
		},
		"a changed event": {
			func(ctx context.Context, s *Store, what string) error {
				_, revision, err := s.Events().Objects(ctx, "me")
				if err == nil {
					_, err = s.Events().SwapObjects(ctx, "me", revision, map[string]string{"a": what})
				}
				return err
			},
			func(ctx context.Context, s *Store) (string, error) {
				objects, _, err := s.Events().Objects(ctx, "me")
				return objects["a"], err
			},
		},
		"a conversation": {
			func(ctx context.Context, s *Store, what string) error {
				known := conversation(tb)
				known.History = []meet.Exchange{{User: what}}
				known.Search.Template.Title, known.Question.Text, known.Suggestions[0].Title = what, what, what
				return s.Conversations().Save(ctx, known)
			},
			func(ctx context.Context, s *Store) (string, error) {
				known, err := s.Conversations().Load(ctx, "c1")
				if known.Search == nil || known.Question == nil || len(known.History)+len(known.Suggestions) != 2 {
					return "", err
				}
				same := known.History[0].User
				if known.Search.Template.Title != same || known.Question.Text != same || known.Suggestions[0].Title != same {
					same = "parts of different conversations"
				}
				return same, err
			},
		},
		"a turn's state": {
			func(ctx context.Context, s *Store, what string) error {
				return s.Turns().PutState(ctx, "t1", []byte(what))
			},
			func(ctx context.Context, s *Store) (string, error) {
				raw, err := s.Turns().State(ctx, "t1")
				return string(raw), err
			},
		},
		"a proposal": {
			func(ctx context.Context, s *Store, what string) error {
				own := event
				own.Title = what
				return s.Proposals().SaveProposal(ctx, own, nil, turn)
			},
			func(ctx context.Context, s *Store) (string, error) {
				e, _, err := s.Proposals().LoadProposal(ctx, event.ID)
				return e.Title, err
			},
		},
		"an event in the book": {
			func(ctx context.Context, s *Store, what string) error {
				own := at("u", 0)
				own.Title = what
				return s.Events().Book(ctx, me, own)
			},
			func(ctx context.Context, s *Store) (string, error) {
				found, err := s.Events().Between(ctx, "me", interval.Span{Start: morning, End: morning.Add(time.Hour)})
				if len(found) != 1 {
					return "", err
				}
				return found[0].Title, err
			},
		},
		"a saga": {
			func(ctx context.Context, s *Store, what string) error {
				saga, c := aSaga(tb, "u"), claimed("u", "mine")
				saga.Problem = what
				if _, _, err := s.Sagas().Claim(ctx, c); err != nil {
					return err
				}
				if err := s.Sagas().Save(ctx, c, saga); err != nil {
					return err
				}
				return s.Sagas().Release(ctx, c, 0)
			},
			func(ctx context.Context, s *Store) (string, error) {
				c := claimed("u", "reader")
				saga, _, err := s.Sagas().Claim(ctx, c)
				if err == nil {
					err = s.Sagas().Release(ctx, c, 0)
				}
				return saga.Problem, err
			},
		},
		"an account": {
			func(ctx context.Context, s *Store, what string) error {
				return s.Accounts().Put(ctx, account.Record{Account: account.Account{ID: "a", Person: "me", Address: what}})
			},
			func(ctx context.Context, s *Store) (string, error) {
				r, err := s.Accounts().Record(ctx, "a")
				return r.Account.Address, err
			},
		},
		"a person's accounts": {
			func(ctx context.Context, s *Store, what string) error {
				id := account.ID(hex.EncodeToString([]byte(what)))
				return s.Accounts().Put(ctx, account.Record{Account: account.Account{ID: id, Person: "me", Address: what}})
			},
			func(ctx context.Context, s *Store) (string, error) {
				all, err := s.Accounts().RecordsOf(ctx, "me")
				var found []string
				for _, r := range all {
					found = append(found, r.Account.Address)
				}
				return strings.Join(found, ", "), err
			},
		},
		"a snapshot": {
			func(ctx context.Context, s *Store, what string) error {
				return s.Snapshots("google").Save(ctx, "al", window(0), []byte(what), 0)
			},
			func(ctx context.Context, s *Store) (string, error) {
				raw, _, err := s.Snapshots("google").Load(ctx, "al", window(0))
				return string(raw), err
			},
		},
	}
}

// Several tenants store different values under the same id.
func TestATenantFindsItsOwn(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		for name, what := range everyKind(t) {
			t.Run(name, func(tb *testing.T) {
				tb.Parallel()
				s := openStore(tb, Config{URL: t.url, Prefix: t.prefix + name, Now: clocked().Now})
				tenants := []meet.Tenant{"a", "", "a:{b} c", "tenant:a", "%61"}
				for i, tenant := range tenants {
					ctx := meet.InTenant(tb.Context(), tenant)
					if got, err := what.got(ctx, s); got != "" || (err != nil && fault.CodeOf(err) != fault.NotFound) {
						tb.Errorf("%q finds %q, %v before it has stored anything", tenant, got, err)
					}
					check(tb, what.put(ctx, s, "of "+string(tenant)))
					for _, earlier := range tenants[:i+1] {
						if got := must(what.got(meet.InTenant(tb.Context(), earlier), s))(tb); got != "of "+string(earlier) {
							tb.Errorf("%q finds %q after %q stored its own", earlier, got, tenant)
						}
					}
				}
			})
		}
	})
}

// Two tenants take at once what one alone can have.
func TestTenantsDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s := t.open(Config{})
		ours, theirs := meet.InTenant(t.Context(), "ours"), meet.InTenant(t.Context(), "theirs")
		for name, take := range map[string]func(ctx context.Context, token string) error{
			"hold": func(ctx context.Context, token string) error {
				return s.Holds().Hold(ctx, booking.Hold{Token: token, People: []meet.PersonID{"me"}, For: time.Minute})
			},
			"claim on a saga": func(ctx context.Context, token string) error {
				_, _, err := s.Sagas().Claim(ctx, claimed("u", token))
				return err
			},
			"lock of an account": func(ctx context.Context, _ string) error {
				_, err := s.Accounts().Lock(ctx, "a")
				return err
			},
			"key of a request": func(ctx context.Context, token string) error {
				winner, err := s.Turns().Claim(ctx, "key", token, meet.TurnID(token))
				if err == nil && winner != meet.TurnID(token) {
					t.Errorf("%s got %s", token, winner)
				}
				return err
			},
			"renewal of a snapshot": func(ctx context.Context, token string) error {
				first, err := s.Snapshots("google").Claim(ctx, "me", time.Minute)
				if !first {
					t.Errorf("%s is not the first to renew", token)
				}
				return err
			},
		} {
			for token, ctx := range map[string]context.Context{"ours": ours, "theirs": theirs} {
				if err := take(ctx, token); err != nil {
					t.Errorf("%s of %s: %v", name, token, err)
				}
			}
		}
		for _, token := range []string{"ours", "theirs"} {
			ctx := meet.InTenant(t.Context(), meet.Tenant(token))
			check(t, s.Holds().Renew(ctx, booking.Hold{Token: token, People: []meet.PersonID{"me"}, For: time.Minute}))
			check(t, s.Sagas().Renew(ctx, claimed("u", token)))
		}
	})
}

// Two tenants have unfinished sagas of the same UID.
func TestDueSagasNameTheirTenant(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s := t.open(Config{}).Sagas()
		tenants := []meet.Tenant{"", "a", "b c:{d}"}
		for _, tenant := range tenants {
			ctx := meet.InTenant(t.Context(), tenant)
			_, _, err := s.Claim(ctx, claimed("u", "mine"))
			check(t, err)
			check(t, s.Save(ctx, claimed("u", "mine"), aSaga(t, "u")))
			check(t, s.Release(ctx, claimed("u", "mine"), 0))
		}
		due := map[booking.Due]bool{}
		for _, one := range must(s.Due(t.Context()))(t) {
			due[one] = true
		}
		for _, tenant := range tenants {
			if !due[booking.Due{Tenant: tenant, ID: "u"}] || len(due) != len(tenants) {
				t.Errorf("due = %v, want one of %q", due, tenant)
			}
		}
	})
}
