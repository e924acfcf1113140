package account

import (
	"context"

	"convene/pkg/meet"
)

// Record is an account as it is stored.
type Record struct {
	Account Account `json:"account"`
	// Sealed is the account's sealed secret, for Secrets only.
	Sealed []byte `json:"sealed"`
}

// Records keep accounts. A missing one is a fault.NotFound.
type Records interface {
	// Put stores the record, or replaces the one with its ID.
	Put(ctx context.Context, r Record) error
	Record(ctx context.Context, id ID) (Record, error)
	// RecordsOf lists the person's records, in no particular order; none is no error.
	RecordsOf(ctx context.Context, person meet.PersonID) ([]Record, error)
	// Update changes a record atomically: change sees the latest version, and is called again if another was stored
	// meanwhile. Its error ends the update, is returned, and nothing is stored.
	Update(ctx context.Context, id ID, change func(*Record) error) (Record, error)
	Delete(ctx context.Context, id ID) error
}

// Locks let one replica at a time renew an account's token.
type Locks interface {
	// Lock waits a while for others. The lock of a dead holder expires, after at least a minute.
	Lock(ctx context.Context, id ID) (release func(context.Context) error, err error)
}

// Pending keeps connections that were begun.
type Pending interface {
	// Keep stores a value under a name for ten minutes.
	Keep(ctx context.Context, name string, value []byte) error
	// Take returns the value and deletes it: of several callers one gets it, and the others a fault.NotFound.
	Take(ctx context.Context, name string) ([]byte, error)
}

// Opener gives an adapter the accounts of its provider and their credentials. A Store is one.
type Opener interface {
	// Accounts lists the person's accounts with the provider, in the order in which they were connected; none is no error.
	Accounts(ctx context.Context, person meet.PersonID, provider Provider) ([]Account, error)
	// Credential is the account's credential: a valid access token, or a user name and password. A fault says what the
	// person must do.
	Credential(ctx context.Context, id ID) (Credential, error)
	// Refused says that the provider refused the credential used: the next one is fresh. An error says that there will be
	// none; it is a fault that asks the person to reconnect.
	Refused(ctx context.Context, id ID, used Credential) error
}

// Lister knows the calendars of an account at Google or Microsoft. A mailbox has none.
type Lister interface {
	// List is the account's own address and its calendars, with defaults for Blocks and Target.
	List(ctx context.Context, cred Credential) (address string, calendars []Calendar, err error)
}

// Discoverer finds the calendars of an account at a CalDAV server.
type Discoverer interface {
	Discover(ctx context.Context, server string, cred Credential) (home, address string, calendars []Calendar, err error)
}

// Checker checks that there is a feed at an address, and returns the feed's name.
type Checker interface {
	Check(ctx context.Context, url string) (name string, err error)
}

// MailChecker opens a mailbox for the first time, and returns the addresses of its servers as they are kept.
type MailChecker interface {
	Check(ctx context.Context, login MailLogin) (server, outgoing string, err error)
}
