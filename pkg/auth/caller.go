// Package auth identifies callers and says what they may do, and how often. A site's own servers call with a key, which
// may do everything within its tenant. A browser calls with a token that such a server got for it: it is short-lived
// and bound to one origin, to people and to conversations. While a service has no keys, everyone who reaches it counts
// as its owner, which is why it is reachable from its own machine only.
//
// A Door, with keys that a Ring stores, decides who the Caller is; the Caller's methods are the rules.
package auth

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Codes of refused callers.
const (
	// Unauthorized means that the caller is unknown.
	Unauthorized fault.Code = "unauthorized"
	// TokenExpired means that a new token would be accepted.
	TokenExpired fault.Code = "token_expired"
	// Forbidden means that the caller is known and may not do this.
	Forbidden fault.Code = "forbidden"
)

// Kind is the kind of a caller's credential.
type Kind string

// The zero Kind is that of no caller, who may do nothing.
const (
	// Open is every caller while there are no keys.
	Open Kind = "open"
	// ByKey is a server of the tenant's.
	ByKey Kind = "key"
	// ByToken is a browser with a token that such a server made.
	ByToken Kind = "token"
)

// Caller makes a request. The zero value may do nothing.
type Caller struct {
	Tenant meet.Tenant
	Kind   Kind
	// Key is the caller's key, or the one with which the token was made.
	Key KeyID
	// Token is the token's id, and Grant what it allows; a key's Grant has an Allowance alone.
	Token string
	Grant Grant
}

// Allowance limits what a caller may do with the tools of the assistant. The zero value allows everything.
type Allowance struct {
	// Families are those whose tools may be used; nil means all.
	Families []string `json:"families,omitempty"`
	// NoConfirm refuses confirmations: what the caller wants changed is shown, and confirmed with another credential.
	NoConfirm bool `json:"noConfirm,omitempty"`
}

// narrowed is what both allow.
func (a Allowance) narrowed(to Allowance) Allowance {
	a.NoConfirm = a.NoConfirm || to.NoConfirm
	switch {
	case a.Families == nil:
		a.Families = to.Families
	case to.Families != nil:
		// Never nil, which would be all.
		a.Families = slices.DeleteFunc(append([]string{}, a.Families...), func(f string) bool {
			return !slices.Contains(to.Families, f)
		})
	}
	return a
}

// Grant is what a token allows, in the tenant of the key with which it was made.
type Grant struct {
	// Origin is the web site on whose pages the token works, as https://app.example.
	Origin string `json:"origin,omitempty"`
	// Organizers are the stored people as whom turns may be started, and whose calendars may be seen and connected.
	Organizers []meet.PersonID `json:"organizers,omitempty"`
	// Participants are other stored people who may be invited.
	Participants []meet.PersonID `json:"participants,omitempty"`
	// Contacts allows all stored people to be invited.
	Contacts bool `json:"contacts,omitempty"`
	// Guests allows people in the request who are not stored.
	Guests bool `json:"guests,omitempty"`
	// Conversations may be continued. Those whose ids begin with Namespace and a dot may be continued and begun.
	Conversations []meet.ConversationID `json:"conversations,omitempty"`
	Namespace     string                `json:"namespace,omitempty"`
	Allowance
}

// Everybody returns the caller while there are no keys, in the tenant of ctx.
func Everybody(ctx context.Context) Caller { return Caller{Tenant: meet.TenantOf(ctx), Kind: Open} }

// Bound reports whether the caller may do only what a token allows.
func (c Caller) Bound() bool { return c.Kind != Open && c.Kind != ByKey }

// MayFollow reports whether the conversation is one of the caller's.
func (c Caller) MayFollow(id meet.ConversationID) bool {
	if !c.Bound() {
		return true
	}
	own := c.Grant.Namespace != "" && strings.HasPrefix(string(id), c.Grant.Namespace+".")
	return own || slices.Contains(c.Grant.Conversations, id)
}

// MayOrganize reports whether the caller may act as the stored person.
func (c Caller) MayOrganize(id meet.PersonID) bool {
	return !c.Bound() || slices.Contains(c.Grant.Organizers, id)
}

// MayInvite reports whether the stored person may take part in what the caller arranges.
func (c Caller) MayInvite(id meet.PersonID) bool {
	return c.MayOrganize(id) || c.Grant.Contacts || slices.Contains(c.Grant.Participants, id)
}

// MayBringGuests reports whether the caller may name people who are not stored.
func (c Caller) MayBringGuests() bool { return !c.Bound() || c.Grant.Guests }

// MayUse reports whether the caller may use the tools of a family.
func (c Caller) MayUse(family string) bool {
	return c.Kind != "" && (c.Grant.Families == nil || slices.Contains(c.Grant.Families, family))
}

// MayConfirm reports whether the caller may confirm proposals and changes.
func (c Caller) MayConfirm() bool { return c.Kind != "" && !c.Grant.NoConfirm }

// MayMint reports whether the caller may get tokens made.
func (c Caller) MayMint() bool { return c.Kind == ByKey }

// Circle returns the people whom a name in a message may mean; nil is all stored people.
func (c Caller) Circle() []meet.PersonID {
	if !c.Bound() || c.Grant.Contacts {
		return nil
	}
	circle := append([]meet.PersonID{}, c.Grant.Organizers...) // never nil, which would be all
	return append(circle, c.Grant.Participants...)
}

// NewConversation returns an id for a conversation that the caller begins. It is empty if any id will do; ok is false
// if the caller may begin none.
func (c Caller) NewConversation() (id meet.ConversationID, ok bool) {
	switch {
	case !c.Bound():
		return "", true
	case c.Grant.Namespace == "":
		return "", false
	default:
		return meet.ConversationID(c.Grant.Namespace + "." + strings.ToLower(rand.Text())), true
	}
}

type callerKey struct{}

// Calling returns ctx with the caller and their tenant.
func Calling(ctx context.Context, c Caller) context.Context {
	return context.WithValue(meet.InTenant(ctx, c.Tenant), callerKey{}, c)
}

// CallerOf returns the caller in ctx; the zero Caller if there is none.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// Lifetimes of tokens and tickets.
const (
	// UsualLife is the default lifetime of a token.
	UsualLife = 15 * time.Minute
	// LongestLife bounds the lifetime of a token.
	LongestLife = 24 * time.Hour
	// ticketLife is how long a browser may take to open the address.
	ticketLife = time.Minute
)
