package redisstore

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/rs/zerolog"

	"convene/pkg/meet"
)

const (
	// conversationLife is how long a conversation is remembered after its last turn.
	conversationLife = 30 * time.Minute
	// historyLength is how many exchanges are remembered.
	historyLength = 20
)

// Conversations remember what was said and searched, for 30 minutes after the last turn.
type Conversations struct{ store *Store }

// Conversations is the memory between turns.
func (s *Store) Conversations() Conversations { return Conversations{s} }

// loadScript answers the parts of a conversation: its suggestions, history, question and latest search. ARGV is how the
// key of the search begins, which goes on with the circle that is in the last of KEYS.
var loadScript = redis.NewScript(`
local parts = redis.call('MGET', unpack(KEYS))
local circle = parts[#KEYS]
parts[#KEYS] = circle and redis.call('GET', ARGV[1] .. circle)
return parts`)

// Load is the conversation with its latest search. One that nobody knows, or that is forgotten, is empty but for its
// id. A part that cannot be read any more counts as forgotten and is logged: a conversation starts over, it never
// fails.
func (c Conversations) Load(ctx context.Context, id meet.ConversationID) (meet.Conversation, error) {
	known := meet.Conversation{ID: id}
	k := c.store.own(ctx)
	load := call{loadScript, []string{k.events(id), k.history(id), k.question(id), k.latest(id)}, []any{k.places(id, "")}}
	err := c.store.do(ctx, "load conversation", func(ctx context.Context) error {
		parts, err := c.store.run(ctx, load).Slice()
		if err != nil {
			return err
		}
		known.Suggestions = recall[[]meet.Suggestion](ctx, parts[0])
		known.History = recall[[]meet.Exchange](ctx, parts[1])
		known.Question = recall[*meet.Question](ctx, parts[2])
		known.Search = recall[*meet.Search](ctx, parts[3])
		return nil
	})
	if err != nil {
		return meet.Conversation{}, err
	}
	if known.Search != nil {
		restoreSearchZones(known.Search)
	}
	return known, nil
}

// recall reads one part of a conversation; what is missing or cannot be read is the zero value.
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

// Save remembers the whole conversation for another 30 minutes, all parts or none: what c does not have is forgotten,
// and of its history the last 20 exchanges are kept. Of two saves at once the later one holds.
func (c Conversations) Save(ctx context.Context, conversation meet.Conversation) error {
	id, k := conversation.ID, c.store.own(ctx)
	history := conversation.History
	if n := len(history); n > historyLength {
		history = history[n-historyLength:]
	}
	parts := []remembered{
		{k.events(id), conversation.Suggestions, len(conversation.Suggestions) > 0},
		{k.history(id), history, len(history) > 0},
		{k.question(id), conversation.Question, conversation.Question != nil},
	}
	values := map[string][]byte{k.latest(id): nil}
	if conversation.Search != nil {
		circle := circleOf(*conversation.Search)
		values[k.latest(id)] = []byte(circle)
		parts = append(parts, remembered{k.places(id, circle), conversation.Search, true})
	}
	for _, p := range parts {
		raw, err := p.encode()
		if err != nil {
			return fmt.Errorf("save conversation: %w", err)
		}
		values[p.key] = raw
	}
	// A script would do for one round trip with others, but Lua hashes and copies each value that it is given.
	return c.store.do(ctx, "save conversation", func(ctx context.Context) error {
		_, err := c.store.client.TxPipelined(ctx, func(tx redis.Pipeliner) error {
			for key, value := range values {
				if len(value) == 0 {
					tx.Del(ctx, key)
				} else {
					tx.Set(ctx, key, value, conversationLife)
				}
			}
			return nil
		})
		return err
	})
}

// remembered is one part of a conversation and whether there is any of it.
type remembered struct {
	key     string
	value   any
	present bool
}

// encode is the part as it is stored; empty where there is nothing of it. The lists of a search are taken as they are
// encoded already.
func (r remembered) encode() ([]byte, error) {
	if !r.present {
		return nil, nil
	}
	search, ok := r.value.(*meet.Search)
	if !ok || search.Lists.Places == nil {
		raw, err := encode(r.value)
		return []byte(raw), err
	}
	only := *search
	only.Places, only.Slots = nil, nil
	return meet.AppendWith([]byte(format), only,
		meet.Member{Name: "places", JSON: search.Lists.Places}, meet.Member{Name: "slots", JSON: search.Lists.Slots})
}
