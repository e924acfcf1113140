package googletest

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"convene/pkg/account"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Keyring is connected accounts and their tokens, as an account store keeps them. It is safe for concurrent use.
type Keyring struct {
	server *Server

	mu       sync.Mutex
	accounts []account.Account
	tokens   map[account.ID]string
	revoked  map[account.ID]bool
	renewals int
}

// Keys is an empty keyring for accounts with s.
func (s *Server) Keys() *Keyring {
	return &Keyring{server: s, tokens: map[account.ID]string{}, revoked: map[account.ID]bool{}}
}

// Connect connects the person to the account of that address, with the calendars that were chosen.
func (k *Keyring) Connect(person meet.PersonID, address string, calendars ...account.Calendar) account.ID {
	k.mu.Lock()
	defer k.mu.Unlock()
	id := account.ID(fmt.Sprintf("account-%d", len(k.accounts)+1))
	k.accounts = append(k.accounts, account.Account{
		ID: id, Person: person, Provider: account.Google, Address: address, Calendars: calendars,
	})
	k.issue(id, address)
	return id
}

// Choose changes which of an account's calendars count.
func (k *Keyring) Choose(id account.ID, calendars ...account.Calendar) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range k.accounts {
		if k.accounts[i].ID == id {
			k.accounts[i].Calendars = calendars
		}
	}
}

// Allow changes what may be done with an account.
func (k *Keyring) Allow(id account.ID, access account.Access) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range k.accounts {
		if k.accounts[i].ID == id {
			k.accounts[i].Access = access
		}
	}
}

// issue makes a token that the server accepts.
func (k *Keyring) issue(id account.ID, address string) {
	k.renewals++
	k.tokens[id] = fmt.Sprintf("secret-%s-%d", id, k.renewals)
	k.server.Accept(k.tokens[id], address)
}

// Expire makes the account's present token worthless; it can be renewed.
func (k *Keyring) Expire(id account.ID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.server.Expire(k.tokens[id])
}

// Revoke makes the account's present token worthless, and there will be no other.
func (k *Keyring) Revoke(id account.ID) {
	k.Expire(id)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.revoked[id] = true
}

// Renewals is how many tokens were issued so far.
func (k *Keyring) Renewals() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.renewals
}

// Accounts lists the person's accounts with the provider.
func (k *Keyring) Accounts(
	ctx context.Context, person meet.PersonID, provider account.Provider,
) ([]account.Account, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(k.accounts), func(a account.Account) bool {
		return a.Person != person || a.Provider != provider
	}), ctx.Err()
}

// Credential is the account's present token.
func (k *Keyring) Credential(ctx context.Context, id account.ID) (account.Credential, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return account.Credential{AccessToken: k.tokens[id]}, ctx.Err()
}

// Refused renews the token that was used, unless the account was revoked or it was renewed already.
func (k *Keyring) Refused(_ context.Context, id account.ID, used account.Credential) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.revoked[id] {
		return fault.New(fault.CalendarFailed, "reconnect the Google calendar")
	}
	if k.tokens[id] != used.AccessToken {
		return nil
	}
	for _, a := range k.accounts {
		if a.ID == id {
			k.issue(id, a.Address)
		}
	}
	return nil
}
