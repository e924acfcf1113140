package redisstore

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/account"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

const (
	// pendingLife is how long a connection that was begun can be finished.
	pendingLife = 10 * time.Minute
	// renewalLife is how long one replica may take to renew an account's token.
	renewalLife = time.Minute
)

// Accounts keep connected calendar accounts, with what opens them, which is sealed before it gets here. They do not
// expire.
type Accounts struct{ store *Store }

// Accounts is the accounts that people have connected.
func (s *Store) Accounts() Accounts { return Accounts{s} }

// An account is a hash. rev changes with each write, to something that was never there before.
const fieldRecord = "record"

// putAccountScript stores an account and notes whose it is.
var putAccountScript = redis.NewScript(`
redis.call('HSET', KEYS[1], 'rev', ARGV[1], 'record', ARGV[2])
redis.call('SADD', KEYS[2], ARGV[3])
return 1`)

// swapAccountScript replaces an account where nobody has since it was read. An update that was sent twice, because its
// answer got lost, finds its own rev.
var swapAccountScript = redis.NewScript(`
local rev = redis.call('HGET', KEYS[1], 'rev')
if rev == ARGV[2] then return 1 end
if rev ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'rev', ARGV[2], 'record', ARGV[3])
return 1`)

// Put stores the record, in place of one with the same ID, which is of the same person: an ID is made from its owner, of
// letters and digits.
func (a Accounts) Put(ctx context.Context, r account.Record) error {
	if id := string(r.Account.ID); part(id) != id {
		return fmt.Errorf("put account: %q is not the id of an account", id)
	}
	raw, err := encode(r)
	if err != nil {
		return fmt.Errorf("put account: %w", err)
	}
	own := a.store.own(ctx)
	keys := []string{own.account(r.Account.ID), own.accounts(r.Account.Person)}
	return a.store.do(ctx, "put account", func(ctx context.Context) error {
		return putAccountScript.Run(ctx, a.store.client, keys, rand.Text(), raw, string(r.Account.ID)).Err()
	})
}

// Record is the account with that id; nothing is a fault.NotFound.
func (a Accounts) Record(ctx context.Context, id account.ID) (account.Record, error) {
	r, _, err := a.read(ctx, id)
	return r, err
}

// recordsScript answers the accounts of a person, each after its id. ARGV is how an account's key begins; it goes on with
// the id, in which there is nothing to escape.
var recordsScript = redis.NewScript(`
local found = {}
for _, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do
	local record = redis.call('HGET', ARGV[1] .. id, 'record')
	if record then
		table.insert(found, id)
		table.insert(found, record)
	end
end
return found`)

// RecordsOf is what the person has connected. An account that cannot be read is an error: left out, the time that it
// takes would pass for free.
func (a Accounts) RecordsOf(ctx context.Context, person meet.PersonID) (records []account.Record, err error) {
	own := a.store.own(ctx)
	find := call{recordsScript, []string{own.accounts(person)}, []any{own.account("")}}
	var found []string
	err = a.store.do(ctx, "accounts of a person", func(ctx context.Context) error {
		found, err = a.store.run(ctx, find).StringSlice()
		return err
	})
	if err != nil {
		return nil, err
	}
	for pair := range slices.Chunk(found, 2) {
		r, err := decode[account.Record](pair[1])
		if err != nil {
			return nil, fmt.Errorf("account %s: %w", pair[0], err)
		}
		records = append(records, r)
	}
	return records, nil
}

// Update changes the account as if nobody else were there: change sees the latest version, and may be called several
// times. Its error ends the update, is returned, and nothing is written.
func (a Accounts) Update(
	ctx context.Context, id account.ID, change func(*account.Record) error,
) (account.Record, error) {
	for range updateTries {
		r, rev, err := a.read(ctx, id)
		if err != nil {
			return account.Record{}, err
		}
		if err := change(&r); err != nil {
			return account.Record{}, err
		}
		swapped, err := a.swap(ctx, id, rev, r)
		if err != nil {
			return account.Record{}, err
		}
		if swapped {
			return r, nil
		}
	}
	return account.Record{}, fault.New(fault.Overloaded,
		"This calendar's settings are being changed by several at once; please try again.").Later(time.Second)
}

func (a Accounts) swap(ctx context.Context, id account.ID, rev string, r account.Record) (swapped bool, err error) {
	raw, err := encode(r)
	if err != nil {
		return false, fmt.Errorf("update account: %w", err)
	}
	next := rand.Text()
	err = a.store.do(ctx, "update account", func(ctx context.Context) error {
		swapped, err = swapAccountScript.Run(ctx, a.store.client, []string{a.store.own(ctx).account(id)}, rev, next, raw).Bool()
		return err
	})
	return swapped, err
}

func (a Accounts) read(ctx context.Context, id account.ID) (r account.Record, rev string, err error) {
	var stored map[string]string
	err = a.store.do(ctx, "account", func(ctx context.Context) error {
		stored, err = a.store.client.HGetAll(ctx, a.store.own(ctx).account(id)).Result()
		return err
	})
	if err == nil && len(stored) == 0 {
		err = unknownAccount()
	}
	if err != nil {
		return account.Record{}, "", err
	}
	if r, err = decode[account.Record](stored[fieldRecord]); err != nil {
		return account.Record{}, "", fmt.Errorf("account %s: %w", id, err)
	}
	return r, stored[fieldRev], nil
}

// Delete forgets the account with all that opens it; one that is not there is a fault.NotFound.
func (a Accounts) Delete(ctx context.Context, id account.ID) error {
	r, err := a.Record(ctx, id)
	if err != nil {
		return err
	}
	return a.store.do(ctx, "delete account", func(ctx context.Context) error {
		own := a.store.own(ctx)
		_, err := a.store.client.TxPipelined(ctx, func(tx redis.Pipeliner) error {
			tx.Del(ctx, own.account(id))
			tx.SRem(ctx, own.accounts(r.Account.Person), string(id))
			return nil
		})
		return err
	})
}

// Lock lets one renew the account's token, and waits for others as long as a Hold does. It ends by itself after a
// minute.
func (a Accounts) Lock(ctx context.Context, id account.ID) (release func(context.Context) error, err error) {
	keys, token := []string{a.store.own(ctx).renewal(id)}, rand.Text()
	letGo := func(ctx context.Context) error { return releaseScript.Run(ctx, a.store.client, keys, token).Err() }
	if err := a.store.Holds().take(ctx, keys, token, renewalLife); err != nil {
		// Redis may have heard us all the same; where not even this gets through, the lock ends by itself.
		_ = a.store.once(context.WithoutCancel(ctx), "release renewal", letGo)
		if fault.CodeOf(err) == fault.Conflict {
			return nil, fault.New(fault.Unavailable, "The calendar is being signed in again; please try again in a moment.").
				Later(time.Second).Because(errors.New("another replica renews the token"))
		}
		return nil, err
	}
	return func(ctx context.Context) error { return a.store.do(ctx, "release renewal", letGo) }, nil
}

// Keep remembers a value under a name for ten minutes.
func (a Accounts) Keep(ctx context.Context, name string, value []byte) error {
	return a.store.do(ctx, "keep connection", func(ctx context.Context) error {
		return a.store.client.Set(ctx, a.store.keys.connection(name), value, pendingLife).Err()
	})
}

// Take answers the value and forgets it: of several callers one gets it, and the others a fault.NotFound. It is asked
// for once: where the answer got lost, the value is lost too, rather than given twice.
func (a Accounts) Take(ctx context.Context, name string) (value []byte, err error) {
	err = a.store.once(ctx, "take connection", func(ctx context.Context) error {
		value, err = a.store.client.GetDel(ctx, a.store.keys.connection(name)).Bytes()
		return err
	})
	if errors.Is(err, redis.Nil) {
		return nil, fault.New(fault.NotFound, "There is no such connection, or it has expired.")
	}
	return value, err
}

func unknownAccount() error { return fault.New(fault.NotFound, "This calendar is not connected.") }
