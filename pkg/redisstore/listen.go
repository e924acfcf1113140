package redisstore

import (
	"context"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/meet"
)

const (
	// maxNews bounds the announcements that wait in this process. Redis holds back further ones.
	maxNews = 1024
	// listenAfter is how long a turn is read before a subscription to it: most turns are soon written here, where they
	// were accepted, and the others are subscribed to together.
	listenAfter = 25 * time.Millisecond
)

// listener subscribes to the turns that are read here and written by other processes. An announcement has only an
// entry's id: entries and their order come from the log. A lost announcement only delays: after each subscription and
// resubscription the log is fetched, and so it is after quietAfter without an entry.
type listener struct {
	log *Log
	// sub is nil before the first subscription.
	sub  *redis.PubSub
	news <-chan any
	// turns has the subscribed turns, by channel.
	turns map[string]meet.TurnID
}

// listen runs until the log is closed.
func (l *Log) listen() {
	n := listener{log: l, turns: map[string]meet.TurnID{}}
	defer n.close()
	var pause <-chan time.Time
	for {
		select {
		case <-l.store.closed:
			return
		case <-l.hub.listen:
			if pause == nil {
				pause = time.After(listenAfter)
			}
		case <-pause:
			pause = nil
			n.update(l.hub.takeRechecks())
		case message, ok := <-n.news:
			if !ok {
				return
			}
			n.handle(message)
		}
	}
}

func (n *listener) close() {
	if n.sub != nil {
		_ = n.sub.Close() // nothing can be done about an error
	}
}

// update subscribes to those of the turns that are read here and written elsewhere, and unsubscribes from the others.
func (n *listener) update(turns map[meet.TurnID]struct{}) {
	var begin, end []string
	for turn := range turns {
		channel := n.log.store.keys.news(turn)
		f, read := n.log.hub.find(turn)
		wanted := read && f.remote()
		switch _, subscribed := n.turns[channel]; {
		case wanted && !subscribed:
			n.turns[channel] = turn
			begin = append(begin, channel)
		case !wanted && subscribed:
			delete(n.turns, channel)
			end = append(end, channel)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), n.log.store.config.CommandTimeout)
	defer cancel()
	if len(begin) > 0 {
		n.subscribe(ctx, begin)
	}
	if len(end) > 0 && n.sub.Unsubscribe(ctx, end...) != nil {
		n.log.store.config.OnError("unlisten")
	}
}

// subscribe subscribes to the channels. If Redis is away, the client does so once it is back.
func (n *listener) subscribe(ctx context.Context, channels []string) {
	if n.sub == nil {
		n.sub = n.log.store.client.Subscribe(ctx)
		n.news = n.sub.ChannelWithSubscriptions(redis.WithChannelSize(maxNews))
	}
	if n.sub.Subscribe(ctx, channels...) != nil {
		n.log.store.config.OnError("listen")
	}
}

// handle refetches the log that is announced, or that may have been before the subscription.
func (n *listener) handle(message any) {
	switch m := message.(type) {
	case *redis.Subscription:
		if f, ok := n.log.hub.find(n.turns[m.Channel]); ok && m.Kind == "subscribe" {
			n.log.hub.refetch(f)
		}
	case *redis.Message:
		f, ok := n.log.hub.find(n.turns[m.Channel])
		if id, err := strconv.Atoi(m.Payload); ok && err == nil && id > f.newest() {
			n.log.hub.refetch(f)
		}
	}
}
