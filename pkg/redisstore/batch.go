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
	// mostWaiting bounds the requests that wait to be sent. While Redis hangs nobody waits longer than the command
	// timeout, so that so many are reached by a process in trouble only.
	mostWaiting = 4096
	// mostAtOnce bounds a batch, and so for how long it keeps Redis from everybody else: about 2 ms.
	mostAtOnce = 256
	// longTrip is for how long a request waits for the batch that is under way before it goes beside it, and mostBeside
	// bounds how many batches do: where Redis hangs, they only take connections.
	longTrip   = 5 * time.Millisecond
	mostBeside = 7
)

var (
	errCrowded = errors.New("too many requests are waiting to be sent")
	errClosed  = errors.New("the store is closed")
	errBroken  = errors.New("a batch could not be sent")
)

// batches send what goroutines of this process ask by Store.shared, those that are waiting together, in one round trip. One
// batch is under way at a time, and whoever waits while none is sends the next one, for everybody: so a request never
// waits for others to come. Where that takes longer than between machines that stand together, further batches are sent
// beside it. Each node of a cluster has a lane of its own, so that one that hangs holds up nothing that is asked of others.
type batches struct {
	store *Store
	// lane is that of a Redis which is no cluster, and of what no node is known for.
	lane
	// nodes has the lanes of a cluster, each by its node's client.
	nodes sync.Map
}

// lane is where requests wait for their batch.
type lane struct {
	waiting chan *request
	// sending has room for the one who sends, and beside for those who send while that takes long.
	sending, beside chan struct{}
}

// request is commands on their way; each has its own answer.
type request struct {
	commands []redis.Cmder
	// settled says that the request was taken to be sent, or given up.
	settled  atomic.Bool
	answered chan struct{}
}

func newBatches(s *Store) *batches {
	return &batches{store: s, lane: newLane()}
}

func newLane() lane {
	return lane{
		waiting: make(chan *request, mostWaiting), sending: make(chan struct{}, 1), beside: make(chan struct{}, mostBeside),
	}
}

// laneOf is the lane of the node that has the command's keys, as far as is known: a command that goes elsewhere is still
// answered, in the wrong company.
func (b *batches) laneOf(ctx context.Context, command redis.Cmder) *lane {
	cluster, ok := b.store.client.(*redis.ClusterClient)
	if !ok {
		return &b.lane
	}
	node, err := cluster.MasterForKey(ctx, keyOf(command))
	if err != nil {
		return &b.lane
	}
	known, ok := b.nodes.Load(node)
	if !ok {
		fresh := newLane()
		known, _ = b.nodes.LoadOrStore(node, &fresh)
	}
	return known.(*lane)
}

// keyOf is the first key of a command.
func keyOf(command redis.Cmder) string {
	args, at := command.Args(), 1
	if name := command.Name(); name == "eval" || name == "evalsha" {
		at = 3 // behind the script and how many keys there are
	}
	if len(args) <= at {
		return ""
	}
	key, _ := args[at].(string)
	return key
}

// client is a client of which the commands, the pipelines too, are sent in batches. It is for what is quick, because all
// others wait for it: nothing that blocks, no answer without a bound, no transactions, and nothing that must not be sent
// once ctx has ended. Its arguments are strings, bytes and numbers: one that cannot be written fails the whole batch.
func (b *batches) client() *redis.Client {
	front := redis.NewClient(&redis.Options{
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	})
	front.AddHook(inBatches{b})
	return front
}

// inBatches keeps a client's commands from connections of its own.
type inBatches struct{ batches *batches }

func (h inBatches) DialHook(next redis.DialHook) redis.DialHook { return next }

func (h inBatches) ProcessHook(redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, command redis.Cmder) error {
		if err := h.batches.do(ctx, command); err != nil {
			return err
		}
		return command.Err()
	}
}

func (h inBatches) ProcessPipelineHook(redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, commands []redis.Cmder) error {
		if err := h.batches.do(ctx, commands...); err != nil {
			return err
		}
		for _, c := range commands {
			if c.Err() != nil {
				return c.Err()
			}
		}
		return nil
	}
}

// do returns when the commands have their answers, which may be errors. With an error of its own, which is their answer
// too, they were not sent. Commands that are under way are waited for, a command timeout at most, whatever becomes of ctx.
func (b *batches) do(ctx context.Context, commands ...redis.Cmder) error {
	r := &request{commands: commands, answered: make(chan struct{})}
	l := b.laneOf(ctx, commands[0])
	select {
	case l.waiting <- r:
	default:
		return r.refuse(errCrowded)
	}
	select {
	case l.sending <- struct{}{}:
		b.sendFrom(ctx, l, l.sending)
	default:
	}
	select {
	case <-r.answered:
		return nil // as it mostly is
	default:
	}
	long := time.NewTimer(longTrip)
	defer long.Stop()
	var beside chan struct{}
	for {
		var room chan struct{}
		select {
		case <-r.answered:
			return nil
		case <-long.C:
			beside = l.beside
			continue
		case l.sending <- struct{}{}:
			room = l.sending
		case beside <- struct{}{}:
			room = l.beside
		case <-ctx.Done():
			return r.leave(ctx.Err())
		case <-b.store.closed:
			return r.leave(errClosed)
		}
		if r.settled.Load() {
			// It is under way already: who sends the next batch waits for that one's answers.
			<-room
			<-r.answered
			return nil
		}
		b.sendFrom(ctx, l, room)
	}
}

// leave gives the request up with the reason, unless it is under way.
func (r *request) leave(reason error) error {
	if r.settled.CompareAndSwap(false, true) {
		return r.refuse(reason)
	}
	<-r.answered
	return nil
}

// refuse says that the commands were not sent.
func (r *request) refuse(reason error) error {
	for _, c := range r.commands {
		c.SetErr(reason)
	}
	return reason
}

// gather is all requests that are waiting, without those that were given up.
func (l *lane) gather() []*request {
	var batch []*request
	for len(batch) < mostAtOnce {
		select {
		case r := <-l.waiting:
			if r.settled.CompareAndSwap(false, true) {
				batch = append(batch, r)
			}
		default:
			return batch
		}
	}
	return batch
}

// sendFrom sends the lane's next batch, and lets go of the room that it takes.
func (b *batches) sendFrom(ctx context.Context, l *lane, room <-chan struct{}) {
	defer func() { <-room }()
	if batch := l.gather(); len(batch) > 0 {
		b.send(ctx, batch)
	}
}

// send sends a batch in one round trip, or one for each node of a cluster. Each command has an answer of its own,
// whatever the first failure is.
func (b *batches) send(ctx context.Context, batch []*request) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), b.store.config.CommandTimeout)
	defer cancel()
	failed := errBroken // where nothing comes back from here
	defer func() {
		for _, r := range batch {
			r.answer(failed)
		}
	}()
	_, _ = b.store.client.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		for _, r := range batch {
			_ = pipe.BatchProcess(ctx, r.commands...) // puts them into the pipe and cannot fail
		}
		return nil
	})
	failed = nil
}

// answer says that the commands have their answers, or what kept all of them from having any.
func (r *request) answer(failed error) {
	if failed != nil {
		_ = r.refuse(failed)
	}
	close(r.answered)
}

// mostShared is how many fields a hash may have that is read in a batch.
const mostShared = 256

// hash reads all of a hash: in a batch, unless it was long when it was read last, because others would wait for it.
func (s *Store) hash(ctx context.Context, key string) (map[string]string, error) {
	client := redis.Cmdable(s.shared)
	if _, long := s.long.Load(key); long {
		client = s.client
	}
	all, err := client.HGetAll(ctx, key).Result()
	switch {
	case len(all) > mostShared:
		s.long.Store(key, nil)
	case err == nil:
		s.long.Delete(key)
	}
	return all, err
}

// call is a script with what it is given.
type call struct {
	script *redis.Script
	keys   []string
	args   []any
}

func (s *Store) run(ctx context.Context, c call) *redis.Cmd {
	return c.script.Run(ctx, s.shared, c.keys, c.args...)
}

// runAll runs scripts in one round trip, each after the one before; on a cluster those of different slots run side by
// side, and a script that Redis does not know yet runs after the others. Each has an answer of its own.
func (s *Store) runAll(ctx context.Context, calls ...call) []*redis.Cmd {
	answers := make([]*redis.Cmd, len(calls))
	// What is true of all is in each answer.
	_, _ = s.shared.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		for i, c := range calls {
			answers[i] = c.script.EvalSha(ctx, pipe, c.keys, c.args...)
		}
		return nil
	})
	for i, c := range calls {
		if redis.HasErrorPrefix(answers[i].Err(), "NOSCRIPT") {
			answers[i] = c.script.Eval(ctx, s.shared, c.keys, c.args...)
		}
	}
	return answers
}

// doAll is runAll while Redis is away too, and gives the first error.
func (s *Store) doAll(ctx context.Context, operation string, calls []call) (answers []*redis.Cmd, err error) {
	err = s.do(ctx, operation, func(ctx context.Context) error {
		answers = s.runAll(ctx, calls...)
		for _, a := range answers {
			if a.Err() != nil {
				return a.Err()
			}
		}
		return nil
	})
	return answers, err
}
