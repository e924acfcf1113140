package calendartest

import (
	"context"
	"slices"
	"strings"
	"sync"

	"convene/pkg/account"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Connections are connected accounts and their tokens. They may be changed while they are in use.
type Connections struct {
	mu       sync.Mutex
	accounts []account.Account
	tokens   map[account.ID][]string
	refused  int
	err      error
}

// Connect adds an account. Its first token is the one in use; each time it is refused, the next one is. An account
// without another token asks for a reconnection.
func (c *Connections) Connect(one account.Account, tokens ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tokens == nil {
		c.tokens = map[account.ID][]string{}
	}
	c.accounts = append(c.accounts, one)
	c.tokens[one.ID] = tokens
}

// Change changes an account.
func (c *Connections) Change(id account.ID, change func(*account.Account)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.accounts[c.at(id)])
}

// Tokens are those that are left to an account, the one in use first.
func (c *Connections) Tokens(id account.ID) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.tokens[id])
}

// Break makes every look-up fail with err.
func (c *Connections) Break(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = err
}

// TimesRefused is how often a token was told to be refused.
func (c *Connections) TimesRefused() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.refused
}

// Accounts are the person's.
func (c *Connections) Accounts(
	ctx context.Context, person meet.PersonID, provider account.Provider,
) ([]account.Account, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return nil, c.err
	}
	return slices.DeleteFunc(slices.Clone(c.accounts), func(one account.Account) bool {
		return one.Person != person || one.Provider != provider
	}), ctx.Err()
}

// Credential is the token in use.
func (c *Connections) Credential(ctx context.Context, id account.ID) (account.Credential, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.tokens[id]) == 0 {
		return account.Credential{}, c.reconnect(id)
	}
	return account.Credential{AccessToken: c.tokens[id][0]}, ctx.Err()
}

// Refused goes on to the next token, once for many who were refused the same.
func (c *Connections) Refused(_ context.Context, id account.ID, used account.Credential) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refused++
	if tokens := c.tokens[id]; len(tokens) > 0 && tokens[0] == used.AccessToken {
		c.tokens[id] = tokens[1:]
	}
	if len(c.tokens[id]) == 0 {
		return c.reconnect(id)
	}
	return nil
}

func (c *Connections) reconnect(id account.ID) error {
	provider := string(c.accounts[c.at(id)].Provider)
	return fault.New(fault.CalendarFailed, "reconnect the %s calendar", strings.ToUpper(provider[:1])+provider[1:])
}

func (c *Connections) at(id account.ID) int {
	return slices.IndexFunc(c.accounts, func(one account.Account) bool { return one.ID == id })
}
