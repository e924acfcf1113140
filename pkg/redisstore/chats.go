package redisstore

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Chats know the latest turn of each chat, for as long as the turn's log is kept.
type Chats struct{ store *Store }

// Chats is what clients that know their chat, and no turn, go on with.
func (s *Store) Chats() Chats { return Chats{s} }

// Remember makes turn the chat's latest.
func (c Chats) Remember(ctx context.Context, chat meet.ConversationID, turn meet.TurnID) error {
	return c.store.do(ctx, "remember chat", func(ctx context.Context) error {
		return c.store.client.Set(ctx, c.store.own(ctx).chat(chat), string(turn), logLife).Err()
	})
}

// Latest is the turn that was remembered last. Of a chat that nobody knows, or knows any more, it is a fault.NotFound.
func (c Chats) Latest(ctx context.Context, chat meet.ConversationID) (turn meet.TurnID, err error) {
	err = c.store.do(ctx, "latest turn of a chat", func(ctx context.Context) error {
		id, err := c.store.client.Get(ctx, c.store.own(ctx).chat(chat)).Result()
		turn = meet.TurnID(id)
		return err
	})
	if errors.Is(err, redis.Nil) {
		return "", fault.New(fault.NotFound, "There is no such chat, or it is too long ago.")
	}
	return turn, err
}
