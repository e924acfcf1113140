package account

import (
	"context"

	"convene/pkg/meet"
)

// Record is an account as it is stored.
type Record struct {
	Account Account `json:"account"`
	// Sealed is what opens the account, for Secrets only.
	Sealed []byte `json:"sealed"`
}

// Records keep accounts. What is not there is a fault.NotFound.
type Records interface {
	// Put stores the record, in place of one with the same ID.
	Put(ctx context.Context, r Record) error
	Record(ctx context.Context, id ID) (Record, error)
	// RecordsOf is what is stored for the person, in no particular order; nothing is no error.
	RecordsOf(ctx context.Context, person meet.PersonID) ([]Record, error)
	// Update changes a record as if nobody else were there: change sees the latest version, and is called again where
	// another was stored meanwhile. Its error ends the update, is returned, and nothing is stored.
	Update(ctx context.Context, id ID, change func(*Record) error) (Record, error)
	Delete(ctx context.Context, id ID) error
}

// Locks let one replica at a time renew an account's token.
type Locks interface {
	// Lock waits a while for others. A lock whose holder has died ends by itself, after at least a minute.
	Lock(ctx context.Context, id ID) (release func(context.Context) error, err error)
}

// Pending keeps what is remembered of connections that were begun.
type Pending interface {
	// Keep remembers a value under a name for ten minutes.
	Keep(ctx context.Context, name string, value []byte) error
	// Take answers the value and forgets it: of several callers one gets it, and the others a fault.NotFound.
	Take(ctx context.Context, name string) ([]byte, error)
}

// Opener gives an adapter the accounts of its provider and what opens them. A Store is one.
type Opener interface {
	// Accounts lists the person's accounts with the provider, the one that was connected first ahead of the others;
	// none is no error.
	Accounts(ctx context.Context, person meet.PersonID, provider Provider) ([]Account, error)
	// Credential is what opens the account: an access token that is valid now, or a user name and password. An error
	// that is a fault says what the person has to do.
	Credential(ctx context.Context, id ID) (Credential, error)
	// Refused says that the provider did not take the credential used: the next one is fresh. An error says that there
	// will be none; it is a fault that asks the person to reconnect.
	Refused(ctx context.Context, id ID, used Credential) error
}

// Lister knows the calendars of an account at Google or Microsoft.
type Lister interface {
	// List is the account's own address and its calendars, of which Blocks and Target are what suits most people.
	List(ctx context.Context, cred Credential) (address string, calendars []Calendar, err error)
}

// Discoverer finds the calendars of an account at a CalDAV server.
type Discoverer interface {
	Discover(ctx context.Context, server string, cred Credential) (home, address string, calendars []Calendar, err error)
}

// Checker looks whether there is a feed at an address, and what it calls itself.
type Checker interface {
	Check(ctx context.Context, url string) (name string, err error)
}
