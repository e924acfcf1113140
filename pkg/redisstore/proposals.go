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
	// proposedLife is how long an offer can be taken up.
	proposedLife = 24 * time.Hour
	// settledLife is how long a confirmed or cancelled event is kept after it was written and after it took place.
	settledLife = 90 * 24 * time.Hour
	// updateTries bounds UpdateProposal. Each lost race means that somebody else's update went through.
	updateTries = 32
)

// Proposals keep offered events, with the turn that asked for each: confirming needs its people, who may have come
// with the request and be stored nowhere else.
type Proposals struct{ store *Store }

// Proposals is what was offered and confirmed.
func (s *Store) Proposals() Proposals { return Proposals{s} }

// A proposal is a hash. rev changes with each write, to something that was never there before: an update that was
// sent twice, because its answer got lost, finds its own rev.
const (
	fieldRev   = "rev"
	fieldEvent = "event"
	fieldTurn  = "turn"
)

// swapScript replaces the event where nobody has since it was read.
var swapScript = redis.NewScript(`
local rev = redis.call('HGET', KEYS[1], 'rev')
if rev == ARGV[2] then return 1 end
if rev ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'rev', ARGV[2], 'event', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1`)

// saveScript keeps a proposal unless there is one.
var saveScript = redis.NewScript(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'rev', ARGV[1], 'event', ARGV[2], 'turn', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1`)

// extendScript has a proposal last at least as long, and answers its event and the ids of what that replaces, newest
// first, as far as they are known.
var extendScript = redis.NewScript(`
local life = redis.call('PTTL', KEYS[1])
if life >= 0 and life < tonumber(ARGV[1]) then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
local stored = redis.call('HMGET', KEYS[1], 'event', 'older')
return {stored[1] or '', stored[2] or ''}`)

// olderScript notes with a proposal which ones it replaces.
var olderScript = redis.NewScript(`
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], 'older', ARGV[1]) end
return 0`)

// mostReplaced bounds how far a chain of changes is followed back; booking.Desk goes no farther.
const mostReplaced = 50

// SaveProposal keeps the event and its turn under the event's id: 24 hours where it is proposed, otherwise until 90 days
// after it was written and took place. A proposal that is there already stays as it is, since it may have been confirmed
// meanwhile. What the event replaces is kept as long: without all of it nobody could tell which event is moved. That is
// one round trip, and for a change of a change a second one. Raw, where it is not nil, is the event in JSON.
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
		answers, err := p.store.doAll(ctx, "save proposal", calls)
		if err != nil || len(next) == 0 || len(chain) >= mostReplaced {
			return err
		}
		chain = append(chain, next...)
		if next, err = olderThan(answers[len(answers)-1]); err != nil || len(next) == 0 {
			return err
		}
		calls = []call{{olderScript, key, []any{strings.Join(slices.Concat(chain, next), " ")}}}
	}
}

// replaced is what has to last as long as the event: older where that is noted, and otherwise what it replaces itself.
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

// olderThan is the same of a proposal that was extended.
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

// LoadProposal is the event as it stands and the turn that asked for it. An unknown or expired id is a
// fault.NotFound.
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

// UpdateProposal changes the event as if nobody else were there, and answers what is now stored: change sees the
// latest version, and what it made of it is written only if that is still the latest; otherwise change is called
// again with the newer one. It may therefore run several times and must do nothing but change the event. Its error
// ends the update, is returned, and nothing is written.
func (p Proposals) UpdateProposal(
	ctx context.Context, id meet.ProposalID, change func(*meet.Event) error,
) (meet.Event, error) {
	for range updateTries {
		stored, err := p.read(ctx, id)
		if err != nil {
			return meet.Event{}, err
		}
		event, err := decodeEvent(id, stored)
		if err != nil {
			return meet.Event{}, err
		}
		if err := change(&event); err != nil {
			return meet.Event{}, err
		}
		swapped, err := p.swap(ctx, id, stored[fieldRev], event)
		if err != nil {
			return meet.Event{}, err
		}
		if swapped {
			return event, nil
		}
	}
	return meet.Event{}, fault.New(fault.Overloaded,
		"This event is being changed by several people at once; please try again.").Later(time.Second)
}

func (p Proposals) swap(ctx context.Context, id meet.ProposalID, rev string, event meet.Event) (swapped bool, err error) {
	raw, err := encode(event)
	if err != nil {
		return false, fmt.Errorf("update proposal: %w", err)
	}
	args := []any{rev, rand.Text(), raw, p.life(event).Milliseconds()}
	err = p.store.do(ctx, "update proposal", func(ctx context.Context) error {
		swapped, err = swapScript.Run(ctx, p.store.client, []string{p.store.own(ctx).proposal(id)}, args...).Bool()
		return err
	})
	return swapped, err
}

func (p Proposals) read(ctx context.Context, id meet.ProposalID) (stored map[string]string, err error) {
	err = p.store.do(ctx, "load proposal", func(ctx context.Context) error {
		stored, err = p.store.shared.HGetAll(ctx, p.store.own(ctx).proposal(id)).Result()
		return err
	})
	if err == nil && len(stored) == 0 {
		return nil, fault.New(fault.NotFound, "There is no such event, or its offer has expired.")
	}
	return stored, err
}

// life is how long the event is kept from now on.
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
