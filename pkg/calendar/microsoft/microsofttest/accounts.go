package microsofttest

import (
	"context"
	"sync"

	"convene/pkg/account"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Accounts are connected accounts and their tokens. They may be changed while they are in use.
type Accounts struct {
	mu       sync.Mutex
	accounts []account.Account
	tokens   map[account.ID][]string
	refused  int
	err      error
}

// Connect adds an account. Its first token is the one in use; each time it is refused, the next one is. An account
// without another token asks for a reconnection.
func (a *Accounts) Connect(one account.Account, tokens ...string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.tokens == nil {
		a.tokens = map[account.ID][]string{}
	}
	one.Provider = account.Microsoft
	a.accounts = append(a.accounts, one)
	a.tokens[one.ID] = tokens
}

// Break makes every look-up fail with err.
func (a *Accounts) Break(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.err = err
}

// TimesRefused is how often a token was told to be refused.
func (a *Accounts) TimesRefused() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.refused
}

// Accounts are the person's.
func (a *Accounts) Accounts(
	ctx context.Context, person meet.PersonID, provider account.Provider,
) ([]account.Account, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err != nil {
		return nil, a.err
	}
	var all []account.Account
	for _, one := range a.accounts {
		if one.Person == person && one.Provider == provider {
			all = append(all, one)
		}
	}
	return all, ctx.Err()
}

// Credential is the token in use.
func (a *Accounts) Credential(ctx context.Context, id account.ID) (account.Credential, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.tokens[id]) == 0 {
		return account.Credential{}, reconnect()
	}
	return account.Credential{AccessToken: a.tokens[id][0]}, ctx.Err()
}

// Refused goes on to the next token, once for many who were refused the same.
func (a *Accounts) Refused(_ context.Context, id account.ID, used account.Credential) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.refused++
	if tokens := a.tokens[id]; len(tokens) > 0 && tokens[0] == used.AccessToken {
		a.tokens[id] = tokens[1:]
	}
	if len(a.tokens[id]) == 0 {
		return reconnect()
	}
	return nil
}

func reconnect() error { return fault.New(fault.CalendarFailed, "reconnect the Microsoft calendar") }
