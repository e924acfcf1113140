package redisstore

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Chats keeps the latest turn of each chat, as long as a turn's log.
type Chats struct{ store *Store }

// Chats returns the latest turns of chats, for clients that know only the id of their chat.
func (s *Store) Chats() Chats { return Chats{s} }

// Remember makes turn the chat's latest.
func (c Chats) Remember(ctx context.Context, chat meet.ConversationID, turn meet.TurnID) error {
	return c.store.do(ctx, "remember chat", func(ctx context.Context) error {
		return c.store.client.Set(ctx, c.store.own(ctx).chat(chat), string(turn), logLife).Err()
	})
}

// Latest returns the chat's latest turn. An unknown or expired chat is a fault.NotFound.
func (c Chats) Latest(ctx context.Context, chat meet.ConversationID) (meet.TurnID, error) {
	id, err := ask(ctx, c.store.do, "latest turn of a chat", func(ctx context.Context) (string, error) {
		return c.store.client.Get(ctx, c.store.own(ctx).chat(chat)).Result()
	})
	if errors.Is(err, redis.Nil) {
		return "", fault.New(fault.NotFound, "There is no such chat, or it is too long ago.")
	}
	return meet.TurnID(id), err
}
