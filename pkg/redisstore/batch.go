package redisstore

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

const (
	// maxWaiting bounds the requests that wait to be sent. None waits longer than CommandTimeout, so only a process in
	// trouble has that many.
	maxWaiting = 4096
	// maxBatch bounds the requests of a batch, and so how long it occupies Redis: about 2 ms.
	maxBatch = 256
	// slowTrip is how long a request waits for the batch under way before it goes into an extra one.
	slowTrip = 5 * time.Millisecond
	// maxExtra bounds the extra batches: while Redis hangs, they only occupy connections.
	maxExtra = 7
)

var (
	errCrowded = errors.New("too many requests are waiting to be sent")
	errClosed  = errors.New("the store is closed")
	errNotSent = errors.New("a batch could not be sent")
)

// batcher sends the requests that goroutines make through Store.shared, all that are waiting in one round trip. One
// batch is under way at a time; a goroutine that finds none under way sends the next one for all, so no request waits
// for more requests to come. When a round trip takes longer than slowTrip, extra batches go in parallel. Each node of a
// cluster has its own sender, so that a node that hangs delays no other.
type batcher struct {
	store *Store
	// single is the sender without a cluster, and for commands whose node is unknown.
	single *sender
	// nodes has the sender of each node of a cluster, by the node's client.
	nodes sync.Map
}

// sender has the requests that wait for their batch.
type sender struct {
	waiting chan *request
	// sending and extra are semaphores: for the batch under way, and for those in parallel.
	sending, extra chan struct{}
}

// request is the commands of one caller; each command gets its own reply.
type request struct {
	commands []redis.Cmder
	// settled says that the request is in a batch or was cancelled.
	settled  atomic.Bool
	answered chan struct{}
}

func newBatcher(s *Store) *batcher {
	return &batcher{store: s, single: newSender()}
}

func newSender() *sender {
	return &sender{
		waiting: make(chan *request, maxWaiting), sending: make(chan struct{}, 1), extra: make(chan struct{}, maxExtra),
	}
}

// senderFor is the sender of the node that has the command's key, as far as the client knows. In another node's batch
// the command still gets its reply.
func (b *batcher) senderFor(ctx context.Context, command redis.Cmder) *sender {
	cluster, ok := b.store.client.(*redis.ClusterClient)
	if !ok {
		return b.single
	}
	node, err := cluster.MasterForKey(ctx, firstKey(command))
	if err != nil {
		return b.single
	}
	known, ok := b.nodes.Load(node)
	if !ok {
		known, _ = b.nodes.LoadOrStore(node, newSender())
	}
	return known.(*sender)
}

func firstKey(command redis.Cmder) string {
	args, at := command.Args(), 1
	if name := command.Name(); name == "eval" || name == "evalsha" {
		at = 3 // after the script and the number of keys
	}
	if len(args) <= at {
		return ""
	}
	key, _ := args[at].(string)
	return key
}

// client returns a client whose commands and pipelines go in batches. It is for quick commands, because all others wait
// for them: none that block, no replies without a bound, no transactions, and no commands that must not be sent after
// ctx has ended. Arguments are strings, bytes and numbers: one that cannot be encoded fails the whole batch.
func (b *batcher) client() *redis.Client {
	client := redis.NewClient(&redis.Options{
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	})
	client.AddHook(batchHook{b})
	return client
}

// batchHook sends a client's commands in batches, never over the client's own connections.
type batchHook struct{ batcher *batcher }

func (h batchHook) DialHook(next redis.DialHook) redis.DialHook { return next }

func (h batchHook) ProcessHook(redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, command redis.Cmder) error {
		return h.process(ctx, []redis.Cmder{command})
	}
}

func (h batchHook) ProcessPipelineHook(redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return h.process
}

// process answers with the first error.
func (h batchHook) process(ctx context.Context, commands []redis.Cmder) error {
	if err := h.batcher.do(ctx, commands); err != nil {
		return err
	}
	for _, c := range commands {
		if c.Err() != nil {
			return c.Err()
		}
	}
	return nil
}

// do returns once the commands have their replies, which may be errors. If it returns an error, it has set it as their
// reply, and they were not sent. For commands in a batch it waits, CommandTimeout at most, even after ctx has ended.
func (b *batcher) do(ctx context.Context, commands []redis.Cmder) error {
	r := &request{commands: commands, answered: make(chan struct{})}
	s := b.senderFor(ctx, commands[0])
	select {
	case s.waiting <- r:
	default:
		return r.fail(errCrowded)
	}
	select {
	case s.sending <- struct{}{}:
		b.sendNext(ctx, s, s.sending)
	default:
	}
	select {
	case <-r.answered:
		return nil // the usual case
	default:
	}
	slow := time.NewTimer(slowTrip)
	defer slow.Stop()
	var extra chan struct{}
	for {
		var held chan struct{}
		select {
		case <-r.answered:
			return nil
		case <-slow.C:
			extra = s.extra
			continue
		case s.sending <- struct{}{}:
			held = s.sending
		case extra <- struct{}{}:
			held = s.extra
		case <-ctx.Done():
			return r.cancel(ctx.Err())
		case <-b.store.closed:
			return r.cancel(errClosed)
		}
		if r.settled.Load() {
			// It is in a batch already: sending the next one would make it wait for that one's replies too.
			<-held
			<-r.answered
			return nil
		}
		b.sendNext(ctx, s, held)
	}
}

// cancel fails the request with the reason, or waits for its replies if it is in a batch.
func (r *request) cancel(reason error) error {
	if r.settled.CompareAndSwap(false, true) {
		return r.fail(reason)
	}
	<-r.answered
	return nil
}

// fail sets the reply of commands that were not sent.
func (r *request) fail(reason error) error {
	for _, c := range r.commands {
		c.SetErr(reason)
	}
	return reason
}

// gather takes the waiting requests, without the cancelled ones, up to maxBatch.
func (s *sender) gather() []*request {
	var batch []*request
	for len(batch) < maxBatch {
		select {
		case r := <-s.waiting:
			if r.settled.CompareAndSwap(false, true) {
				batch = append(batch, r)
			}
		default:
			return batch
		}
	}
	return batch
}

// sendNext sends the sender's next batch, and releases the semaphore that the caller holds.
func (b *batcher) sendNext(ctx context.Context, s *sender, held <-chan struct{}) {
	defer func() { <-held }()
	if batch := s.gather(); len(batch) > 0 {
		b.send(ctx, batch)
	}
}

// send sends a batch in one round trip, or one for each node of a cluster. Each command gets its own reply.
func (b *batcher) send(ctx context.Context, batch []*request) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), b.store.config.CommandTimeout)
	defer cancel()
	sent := false
	defer func() {
		for _, r := range batch {
			if !sent { // a panic
				_ = r.fail(errNotSent)
			}
			close(r.answered)
		}
	}()
	_, _ = b.store.client.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		for _, r := range batch {
			_ = pipe.BatchProcess(ctx, r.commands...) // queues them and cannot fail
		}
		return nil
	})
	sent = true
}

// maxSharedFields is the number of fields up to which a hash is read in a batch.
const maxSharedFields = 256

// hash reads a whole hash: in a batch, unless it was large when it was last read, because others would wait for it.
func (s *Store) hash(ctx context.Context, key string) (map[string]string, error) {
	client := redis.Cmdable(s.shared)
	if _, large := s.large.Load(key); large {
		client = s.client
	}
	all, err := client.HGetAll(ctx, key).Result()
	switch {
	case len(all) > maxSharedFields:
		s.large.Store(key, nil)
	case err == nil:
		s.large.Delete(key)
	}
	return all, err
}

type call struct {
	script *redis.Script
	keys   []string
	args   []any
}

// run runs a script in a batch.
func (s *Store) run(ctx context.Context, c call) *redis.Cmd {
	return c.script.Run(ctx, s.shared, c.keys, c.args...)
}

// runAll runs scripts in one round trip, one after the other; on a cluster those of different slots run in parallel,
// and a script that Redis does not know yet runs after the others. err is that of the first reply with one.
func (s *Store) runAll(ctx context.Context, calls ...call) (replies []*redis.Cmd, err error) {
	replies = make([]*redis.Cmd, len(calls))
	_, _ = s.shared.Pipelined(ctx, func(pipe redis.Pipeliner) error { // each reply has its own error
		for i, c := range calls {
			replies[i] = c.script.EvalSha(ctx, pipe, c.keys, c.args...)
		}
		return nil
	})
	for i, c := range calls {
		if redis.HasErrorPrefix(replies[i].Err(), "NOSCRIPT") {
			replies[i] = c.script.Eval(ctx, s.shared, c.keys, c.args...)
		}
		if err == nil {
			err = replies[i].Err()
		}
	}
	return replies, err
}
