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
	// pendingLife is how long a connection under way can be completed.
	pendingLife = 10 * time.Minute
	// renewalLife is how long one process may take to renew an account's token.
	renewalLife = time.Minute
)

// Accounts keeps connected calendar accounts, with their credentials, which the caller has sealed. They do not expire.
type Accounts struct{ store *Store }

// Accounts returns the accounts that people have connected.
func (s *Store) Accounts() Accounts { return Accounts{s} }

// fieldRecord is the account in its hash, beside fieldRev.
const fieldRecord = "record"

// putAccountScript stores an account and adds it to its owner's.
var putAccountScript = redis.NewScript(`
redis.call('HSET', KEYS[1], 'rev', ARGV[1], 'record', ARGV[2])
redis.call('SADD', KEYS[2], ARGV[3])
return 1`)

// Put stores the record, and replaces one with the same ID, which has the same owner: an ID is made from its owner, of
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

// Record returns the account with that id; an unknown id is a fault.NotFound.
func (a Accounts) Record(ctx context.Context, id account.ID) (account.Record, error) {
	r, _, err := a.read(ctx, id)
	return r, err
}

// recordsScript returns the accounts of a person, each after its id. ARGV is the prefix of an account's key; the id
// follows, in which nothing needs escaping.
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

// RecordsOf returns the person's accounts. An account that cannot be decoded is an error: without it, the person's busy
// time would pass for free.
func (a Accounts) RecordsOf(ctx context.Context, person meet.PersonID) (records []account.Record, err error) {
	own := a.store.own(ctx)
	find := call{recordsScript, []string{own.accounts(person)}, []any{own.account("")}}
	found, err := ask(ctx, a.store.do, "accounts of a person", func(ctx context.Context) ([]string, error) {
		return a.store.run(ctx, find).StringSlice()
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

// Update changes the account: change gets the latest version, may be called several times, and must only change the
// record. Its error ends the update and is returned; nothing is written then.
func (a Accounts) Update(
	ctx context.Context, id account.ID, change func(*account.Record) error,
) (account.Record, error) {
	return versioned[account.Record, string]{
		read:    func() (account.Record, string, error) { return a.read(ctx, id) },
		swap:    func(rev string, r account.Record) (bool, error) { return a.swap(ctx, id, rev, r) },
		crowded: "This calendar's settings are being changed by several people at once; please try again.",
	}.update(change)
}

func (a Accounts) swap(ctx context.Context, id account.ID, rev string, r account.Record) (bool, error) {
	raw, err := encode(r)
	if err != nil {
		return false, fmt.Errorf("update account: %w", err)
	}
	keys, args := []string{a.store.own(ctx).account(id)}, []any{rev, rand.Text(), fieldRecord, raw, 0}
	return a.store.reply(ctx, a.store.do, "update account", call{swapScript, keys, args}).Bool()
}

func (a Accounts) read(ctx context.Context, id account.ID) (r account.Record, rev string, err error) {
	stored, err := ask(ctx, a.store.do, "account", func(ctx context.Context) (map[string]string, error) {
		return a.store.client.HGetAll(ctx, a.store.own(ctx).account(id)).Result()
	})
	if err == nil && len(stored) == 0 {
		err = fault.New(fault.NotFound, "This calendar is not connected.")
	}
	if err != nil {
		return account.Record{}, "", err
	}
	if r, err = decode[account.Record](stored[fieldRecord]); err != nil {
		return account.Record{}, "", fmt.Errorf("account %s: %w", id, err)
	}
	return r, stored[fieldRev], nil
}

// Delete removes the account with its credentials; an unknown id is a fault.NotFound.
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

// Lock lets one process at a time renew the account's token, and waits for others as long as Hold does. It expires
// after a minute.
func (a Accounts) Lock(ctx context.Context, id account.ID) (release func(context.Context) error, err error) {
	keys, token := []string{a.store.own(ctx).renewal(id)}, rand.Text()
	holds := a.store.Holds()
	err = holds.lock(ctx, keys, token, renewalLife)
	if fault.CodeOf(err) == fault.Conflict {
		return nil, fault.New(fault.Unavailable, "The calendar is being signed in again; please try again in a moment.").
			Later(time.Second).Because(errors.New("another process renews the token"))
	}
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) error {
		return a.store.do(ctx, "release renewal", holds.releasing(keys, token))
	}, nil
}

// Keep stores a value under a name for ten minutes.
func (a Accounts) Keep(ctx context.Context, name string, value []byte) error {
	return a.store.do(ctx, "keep connection", func(ctx context.Context) error {
		return a.store.client.Set(ctx, a.store.keys.connection(name), value, pendingLife).Err()
	})
}

// Take returns the value and removes it: one of several callers gets it, the others a fault.NotFound. If Redis's reply
// is lost, so is the value, rather than that two callers get it.
func (a Accounts) Take(ctx context.Context, name string) ([]byte, error) {
	value, err := ask(ctx, a.store.once, "take connection", func(ctx context.Context) ([]byte, error) {
		return a.store.client.GetDel(ctx, a.store.keys.connection(name)).Bytes()
	})
	if errors.Is(err, redis.Nil) {
		return nil, fault.New(fault.NotFound, "There is no such connection, or it has expired.")
	}
	return value, err
}
