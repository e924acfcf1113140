package googletest

import (
	"fmt"

	"convene/pkg/account"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/meet"
)

// Keyring is connected accounts whose tokens the server accepts. It is safe for concurrent use.
type Keyring struct {
	*calendartest.Connections
	server    *Server
	connected int
}

// Keys is an empty keyring for accounts with s.
func (s *Server) Keys() *Keyring {
	return &Keyring{Connections: &calendartest.Connections{}, server: s}
}

// Connect connects the person to the account of that address, with the calendars that were chosen.
func (k *Keyring) Connect(person meet.PersonID, address string, calendars ...account.Calendar) account.ID {
	k.connected++
	id := account.ID(fmt.Sprintf("account-%d", k.connected))
	tokens := []string{fmt.Sprintf("secret-%s-1", id), fmt.Sprintf("secret-%s-2", id)}
	for _, token := range tokens {
		k.server.Accept(token, address)
	}
	k.Connections.Connect(account.Account{
		ID: id, Person: person, Provider: account.Google, Address: address, Calendars: calendars,
	}, tokens...)
	return id
}

// Choose changes which of an account's calendars count.
func (k *Keyring) Choose(id account.ID, calendars ...account.Calendar) {
	k.Change(id, func(a *account.Account) { a.Calendars = calendars })
}

// Allow changes what may be done with an account.
func (k *Keyring) Allow(id account.ID, access account.Access) {
	k.Change(id, func(a *account.Account) { a.Access = access })
}

// Expire makes the account's present token worthless; it can be renewed.
func (k *Keyring) Expire(id account.ID) { k.server.Expire(k.Tokens(id)[0]) }

// Revoke makes all of the account's tokens worthless.
func (k *Keyring) Revoke(id account.ID) {
	for _, token := range k.Tokens(id) {
		k.server.Expire(token)
	}
}
