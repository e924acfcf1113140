package redisstore

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

const (
	// proposedLife is how long a proposal can be confirmed.
	proposedLife = 24 * time.Hour
	// settledLife is how long a confirmed or cancelled event is kept after it was written and after it took place.
	settledLife = 90 * 24 * time.Hour
)

// Proposals keeps proposed and confirmed events, with the turn that asked for each: a confirmation needs the turn's
// people, who may have come with the request and be stored nowhere else.
type Proposals struct{ store *Store }

// Proposals returns the proposed and confirmed events.
func (s *Store) Proposals() Proposals { return Proposals{s} }

// The fields of a proposal's hash, beside fieldRev.
const (
	fieldEvent = "event"
	fieldTurn  = "turn"
)

// saveScript stores a proposal unless it exists.
var saveScript = redis.NewScript(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'rev', ARGV[1], 'event', ARGV[2], 'turn', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1`)

// extendScript extends a proposal's life to at least ARGV, and returns its event and, if noted, the ids of the
// proposals that it replaces, newest first.
var extendScript = redis.NewScript(`
local life = redis.call('PTTL', KEYS[1])
if life >= 0 and life < tonumber(ARGV[1]) then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
local stored = redis.call('HMGET', KEYS[1], 'event', 'older')
return {stored[1] or '', stored[2] or ''}`)

// olderScript notes in a proposal the ids of those that it replaces.
var olderScript = redis.NewScript(`
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], 'older', ARGV[1]) end
return 0`)

// maxReplaced bounds how far a chain of changes is followed back; booking.Desk goes no further.
const maxReplaced = 50

// SaveProposal stores the event and its turn under the event's id: for 24 hours if it is proposed, otherwise until 90
// days after it was written and took place. An existing proposal stays as it is, because it may have been confirmed
// meanwhile. The proposals that the event replaces are kept as long: the whole chain shows which event is moved. This
// takes one round trip, and a second one for a change of a change. raw, if not nil, is the event in JSON.
func (p Proposals) SaveProposal(ctx context.Context, event meet.Event, raw []byte, turn meet.Turn) error {
	rawEvent := format + string(raw)
	if raw == nil {
		encoded, err := encode(event)
		if err != nil {
			return fmt.Errorf("save proposal: %w", err)
		}
		rawEvent = encoded
	}
	rawTurn, err := encode(turn)
	if err != nil {
		return fmt.Errorf("save proposal: %w", err)
	}
	own, life := p.store.own(ctx), p.life(event).Milliseconds()
	key := []string{own.proposal(event.ID)}
	calls := []call{{saveScript, key, []any{rand.Text(), rawEvent, rawTurn, life}}}
	var chain []string
	for next := replaced(event, ""); ; {
		for _, id := range next {
			calls = append(calls, call{extendScript, []string{own.proposal(meet.ProposalID(id))}, []any{life}})
		}
		replies, err := ask(ctx, p.store.do, "save proposal", func(ctx context.Context) ([]*redis.Cmd, error) {
			return p.store.runAll(ctx, calls...)
		})
		if err != nil || len(next) == 0 || len(chain) >= maxReplaced {
			return err
		}
		chain = append(chain, next...)
		if next, err = olderThan(replies[len(replies)-1]); err != nil || len(next) == 0 {
			return err
		}
		calls = []call{{olderScript, key, []any{strings.Join(slices.Concat(chain, next), " ")}}}
	}
}

// replaced returns the ids of the proposals to keep as long as the event: older if noted, otherwise the one it
// replaces.
func replaced(event meet.Event, older string) []string {
	switch {
	case event.Replaces == "" || event.Status == meet.Confirmed:
		return nil
	case older != "":
		return strings.Fields(older)
	default:
		return []string{string(event.Replaces)}
	}
}

// olderThan is replaced for the reply of extendScript.
func olderThan(extended *redis.Cmd) ([]string, error) {
	stored, err := extended.StringSlice()
	if err != nil || stored[0] == "" {
		return nil, err
	}
	event, err := decode[meet.Event](stored[0])
	if err != nil {
		return nil, fmt.Errorf("extend proposal: %w", err)
	}
	return replaced(event, stored[1]), nil
}

// LoadProposal returns the event and the turn that asked for it. An unknown or expired id is a fault.NotFound.
func (p Proposals) LoadProposal(ctx context.Context, id meet.ProposalID) (meet.Event, meet.Turn, error) {
	stored, err := p.read(ctx, id)
	if err != nil {
		return meet.Event{}, meet.Turn{}, err
	}
	turn, err := decode[meet.Turn](stored[fieldTurn])
	if err != nil {
		return meet.Event{}, meet.Turn{}, fmt.Errorf("turn of proposal %s: %w", id, err)
	}
	event, err := decodeEvent(id, stored)
	return event, turn, err
}

// UpdateProposal changes the event and returns what is stored. change gets the latest version; if another update comes
// first, change is called again with the newer one, so it may run several times and must only change the event. Its
// error ends the update and is returned; nothing is written then.
func (p Proposals) UpdateProposal(
	ctx context.Context, id meet.ProposalID, change func(*meet.Event) error,
) (meet.Event, error) {
	return versioned[meet.Event, string]{
		read: func() (meet.Event, string, error) {
			stored, err := p.read(ctx, id)
			if err != nil {
				return meet.Event{}, "", err
			}
			event, err := decodeEvent(id, stored)
			return event, stored[fieldRev], err
		},
		swap:    func(rev string, event meet.Event) (bool, error) { return p.swap(ctx, id, rev, event) },
		crowded: "This event is being changed by several people at once; please try again.",
	}.update(change)
}

func (p Proposals) swap(ctx context.Context, id meet.ProposalID, rev string, event meet.Event) (bool, error) {
	raw, err := encode(event)
	if err != nil {
		return false, fmt.Errorf("update proposal: %w", err)
	}
	keys := []string{p.store.own(ctx).proposal(id)}
	args := []any{rev, rand.Text(), fieldEvent, raw, p.life(event).Milliseconds()}
	return p.store.reply(ctx, p.store.do, "update proposal", call{swapScript, keys, args}).Bool()
}

func (p Proposals) read(ctx context.Context, id meet.ProposalID) (map[string]string, error) {
	stored, err := ask(ctx, p.store.do, "load proposal", func(ctx context.Context) (map[string]string, error) {
		return p.store.shared.HGetAll(ctx, p.store.own(ctx).proposal(id)).Result()
	})
	if err == nil && len(stored) == 0 {
		return nil, fault.New(fault.NotFound, "There is no such event, or its offer has expired.")
	}
	return stored, err
}

// life is how long the event is kept from now.
func (p Proposals) life(e meet.Event) time.Duration {
	if e.Status == meet.Proposed {
		return proposedLife
	}
	return settledLife + max(0, e.End.Sub(p.store.config.Now()))
}

func decodeEvent(id meet.ProposalID, stored map[string]string) (meet.Event, error) {
	event, err := decode[meet.Event](stored[fieldEvent])
	if err != nil {
		return meet.Event{}, fmt.Errorf("proposal %s: %w", id, err)
	}
	restoreZones(&event)
	return event, nil
}
