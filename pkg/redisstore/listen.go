package redisstore

import (
	"context"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/meet"
)

const (
	// newsWaiting is how many pieces of news may wait to be read. Where they are more, Redis holds them back.
	newsWaiting = 1024
	// listenAfter is how long a turn is read before it is listened to: most turns are about to be written here, where they
	// were accepted, and those of which that is not so are listened to together.
	listenAfter = 25 * time.Millisecond
)

// ear hears that other processes have appended to turns that are read here. News say the turn and the entry's id only:
// the entry itself, and the order, come from the log. News that get lost cost time and nothing else, since each time that
// a subscription is made, or made again, the log is fetched, and so it is when nothing was heard for lookAfter.
type ear struct {
	log *Log
	// sub is nil until the first turn is listened to.
	sub  *redis.PubSub
	news <-chan any
	// turns are those that are listened to, by channel.
	turns map[string]meet.TurnID
}

// listen runs until the log is closed.
func (l *Log) listen() {
	e := ear{log: l, turns: map[string]meet.TurnID{}}
	defer e.close()
	var pause <-chan time.Time
	for {
		select {
		case <-l.stop:
			return
		case <-l.hub.listen:
			if pause == nil {
				pause = time.After(listenAfter)
			}
		case <-pause:
			pause = nil
			e.turn(l.hub.takeTurned())
		case n, ok := <-e.news:
			if !ok {
				return
			}
			e.hear(n)
		}
	}
}

func (e *ear) close() {
	if e.sub != nil {
		// There is nothing to do about a connection that does not close well.
		_ = e.sub.Close()
	}
}

// turn begins to listen to those of the turns that are read here and written elsewhere, and ceases to listen to others.
func (e *ear) turn(turns map[meet.TurnID]struct{}) {
	var begin, cease []string
	for turn := range turns {
		channel := e.log.store.keys.news(turn)
		f, read := e.log.hub.find(turn)
		wanted := read && f.elsewhere()
		switch _, listening := e.turns[channel]; {
		case wanted && !listening:
			e.turns[channel] = turn
			begin = append(begin, channel)
		case !wanted && listening:
			delete(e.turns, channel)
			cease = append(cease, channel)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), e.log.store.config.CommandTimeout)
	defer cancel()
	if len(begin) > 0 {
		e.begin(ctx, begin)
	}
	if len(cease) > 0 && e.sub.Unsubscribe(ctx, cease...) != nil {
		e.log.store.config.OnError("unlisten")
	}
}

// begin subscribes. Where Redis is away, the client does so when it is back.
func (e *ear) begin(ctx context.Context, channels []string) {
	if e.sub == nil {
		e.sub = e.log.store.client.Subscribe(ctx)
		e.news = e.sub.ChannelWithSubscriptions(redis.WithChannelSize(newsWaiting))
	}
	if e.sub.Subscribe(ctx, channels...) != nil {
		e.log.store.config.OnError("listen")
	}
}

// hear has a turn fetched of which there is news, or may have been before it was listened to.
func (e *ear) hear(news any) {
	switch n := news.(type) {
	case *redis.Subscription:
		if f, ok := e.feed(n.Channel); ok && n.Kind == "subscribe" {
			e.log.hub.refetch(f)
		}
	case *redis.Message:
		f, ok := e.feed(n.Channel)
		if id, err := strconv.Atoi(n.Payload); ok && err == nil && f.behind(id) {
			e.log.hub.refetch(f)
		}
	}
}

func (e *ear) feed(channel string) (*feed, bool) {
	turn, ok := e.turns[channel]
	if !ok {
		return nil, false
	}
	return e.log.hub.find(turn)
}
