package redisstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/rs/zerolog"

	"convene/pkg/meet"
)

const (
	// conversationLife is how long a conversation is kept after its last turn.
	conversationLife = 30 * time.Minute
	// afterLapse is how long a plan that waited for too long is kept, to say so.
	afterLapse = 24 * time.Hour
	// historyLength is how many exchanges are kept.
	historyLength = 20
)

// Conversations keeps the messages and searches of conversations, for 30 minutes after the last turn.
type Conversations struct{ store *Store }

// Conversations returns the memory between turns.
func (s *Store) Conversations() Conversations { return Conversations{s} }

// loadScript returns the parts of a conversation: its suggestions, history, question, what waits, the plan that waits,
// and latest search. ARGV is the prefix of the search's key; the circle follows, which the last of KEYS has.
var loadScript = redis.NewScript(`
local parts = redis.call('MGET', unpack(KEYS))
local circle = parts[#KEYS]
parts[#KEYS] = circle and redis.call('GET', ARGV[1] .. circle)
return parts`)

// Load returns the conversation with its latest search. An unknown or expired one has only its id. A part that cannot
// be decoded is logged and left out: the conversation starts over rather than fails.
func (c Conversations) Load(ctx context.Context, id meet.ConversationID) (meet.Conversation, error) {
	k := c.store.own(ctx)
	keys := []string{k.events(id), k.history(id), k.question(id), k.open(id), k.paused(id), k.latest(id)}
	load := call{loadScript, keys, []any{k.search(id, "")}}
	parts, err := ask(ctx, c.store.do, "load conversation", func(ctx context.Context) ([]any, error) {
		return c.store.run(ctx, load).Slice()
	})
	if err != nil {
		return meet.Conversation{}, err
	}
	known := meet.Conversation{
		ID:          id,
		Suggestions: recall[[]meet.Suggestion](ctx, parts[0]),
		History:     recall[[]meet.Exchange](ctx, parts[1]),
		Question:    recall[*meet.Question](ctx, parts[2]),
		Waiting:     recall[*meet.Waiting](ctx, parts[3]),
		Search:      recall[*meet.Search](ctx, parts[5]),
	}
	if paused := recall[*meet.WaitingPlan](ctx, parts[4]); paused != nil {
		if known.Waiting == nil { // the rest of the conversation is forgotten
			known.Waiting = &meet.Waiting{Language: paused.Language}
		}
		known.Waiting.Plan = paused
	}
	if known.Search != nil {
		restoreSearchZones(known.Search)
	}
	if known.Waiting != nil {
		for _, left := range known.Waiting.Left {
			if left.Event != nil {
				restoreSearchZones(left.Event)
			}
		}
	}
	return known, nil
}

// recall decodes one part of a conversation; a missing part, or one that cannot be decoded, is the zero value.
func recall[T any](ctx context.Context, stored any) (v T) {
	raw, ok := stored.(string)
	if !ok {
		return v
	}
	v, err := decode[T](raw)
	if err != nil {
		zerolog.Ctx(ctx).Warn().Err(err).Msg("part of a conversation cannot be read and is forgotten")
	}
	return v
}

// Save keeps the whole conversation for another 30 minutes, all parts or none; a plan in it is kept for longer than it
// waits. It removes the parts that the conversation does not have, and keeps the last 20 exchanges of its history. Of
// two saves at once the later one stands.
func (c Conversations) Save(ctx context.Context, conversation meet.Conversation) error {
	id, k := conversation.ID, c.store.own(ctx)
	history := conversation.History[max(0, len(conversation.History)-historyLength):]
	values := map[string]any{k.latest(id): nil}
	set := func(key string, part any, present bool) (err error) {
		if values[key] = nil; present {
			values[key], err = encode(part)
		}
		return err
	}
	open, paused := conversation.Waiting, (*meet.WaitingPlan)(nil)
	if open != nil && open.Plan != nil {
		rest := *open
		open, paused, rest.Plan = &rest, open.Plan, nil
	}
	err := errors.Join(
		set(k.events(id), conversation.Suggestions, len(conversation.Suggestions) > 0),
		set(k.history(id), history, len(history) > 0),
		set(k.question(id), conversation.Question, conversation.Question != nil),
		set(k.open(id), open, open != nil),
		set(k.paused(id), paused, paused != nil),
	)
	if search := conversation.Search; search != nil && err == nil {
		circle := circleOf(*search)
		values[k.latest(id)] = circle
		values[k.search(id, circle)], err = encodeSearch(*search)
	}
	if err != nil {
		return fmt.Errorf("save conversation: %w", err)
	}
	lifeOf := func(key string) time.Duration {
		if paused != nil && key == k.paused(id) {
			return paused.Keep + afterLapse
		}
		return conversationLife
	}
	// A script could share a round trip with other commands, but Lua hashes and copies each of its arguments.
	return c.store.do(ctx, "save conversation", func(ctx context.Context) error {
		_, err := c.store.client.TxPipelined(ctx, func(tx redis.Pipeliner) error {
			for key, value := range values {
				if value == nil {
					tx.Del(ctx, key)
				} else {
					tx.Set(ctx, key, value, lifeOf(key))
				}
			}
			return nil
		})
		return err
	})
}

// encodeSearch encodes a search, and uses its lists that are already encoded.
func encodeSearch(s meet.Search) ([]byte, error) {
	if s.Lists.Places == nil {
		raw, err := encode(s)
		return []byte(raw), err
	}
	places, slots := meet.Member{Name: "places", JSON: s.Lists.Places}, meet.Member{Name: "slots", JSON: s.Lists.Slots}
	s.Places, s.Slots = nil, nil
	return meet.AppendWith([]byte(format), s, places, slots)
}
