// Package auth says who is calling, what they may do, and how often. A site's own servers call with a key, which may do
// everything within its tenant. A browser calls with a token that such a server had made for it: it is short-lived and
// bound to one origin, to people and to conversations. While a service has no keys, everybody who reaches it is its
// owner, which is why it can be reached from its own machine only.
//
// Door decides it, with keys that a Ring keeps; Caller is what comes of it, and its methods are the rules.
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

// Codes of those who are not let in.
const (
	// Unauthorized is the code where nobody can tell who is calling.
	Unauthorized fault.Code = "unauthorized"
	// TokenExpired is the code where another token would open the door.
	TokenExpired fault.Code = "token_expired"
	// Forbidden is the code where it is clear who is calling, and they may not do this.
	Forbidden fault.Code = "forbidden"
)

// Kind is what a caller has shown.
type Kind string

// The zero Kind is nobody, who may do nothing.
const (
	// Open is everybody, where there are no keys.
	Open Kind = "open"
	// ByKey is a server of the tenant's.
	ByKey Kind = "key"
	// ByToken is a browser for which such a server had a token made.
	ByToken Kind = "token"
)

// Caller is on whose behalf a request is made. The zero value is nobody.
type Caller struct {
	Tenant meet.Tenant
	Kind   Kind
	// Key is the key that was shown, or with which the token was made.
	Key KeyID
	// Token names the token, and Grant is what it allows.
	Token string
	Grant Grant
}

// Grant is what a token allows, beside being used in the tenant of the key with which it was made.
type Grant struct {
	// Origin is the web site on whose pages the token works, as https://app.example.
	Origin string
	// Organizers are the people as whom turns may be started, and whose calendars may be seen and connected.
	Organizers []meet.PersonID
	// Participants are those who may be invited beside them.
	Participants []meet.PersonID
	// Contacts lets everybody who is stored be invited.
	Contacts bool
	// Guests lets people be given in the request who are not stored.
	Guests bool
	// Conversations may be gone on with. Those whose ids begin with Namespace and a dot may be, too, and begun.
	Conversations []meet.ConversationID
	Namespace     string
}

// Everybody is the caller where there are no keys. They are in whatever tenant ctx is in already.
func Everybody(ctx context.Context) Caller { return Caller{Tenant: meet.TenantOf(ctx), Kind: Open} }

// Bound reports whether the caller is held to what a token allows.
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

// MayBringGuests reports whether the caller may give people who are not stored.
func (c Caller) MayBringGuests() bool { return !c.Bound() || c.Grant.Guests }

// MayMint reports whether the caller may have tokens made.
func (c Caller) MayMint() bool { return c.Kind == ByKey }

// Circle are the people who may be meant by a name; nil is everybody.
func (c Caller) Circle() []meet.PersonID {
	if !c.Bound() || c.Grant.Contacts {
		return nil
	}
	circle := append([]meet.PersonID{}, c.Grant.Organizers...) // never nil: a circle of nobody is not everybody
	return append(circle, c.Grant.Participants...)
}

// NewConversation is the id under which the caller may begin a conversation. It is empty for those who may begin any,
// and where ok is false the caller may begin none.
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

// Calling is ctx on behalf of the caller, and of their tenant.
func Calling(ctx context.Context, c Caller) context.Context {
	return context.WithValue(meet.InTenant(ctx, c.Tenant), callerKey{}, c)
}

// CallerOf is who called for ctx: nobody, where that was never found out.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// The lives of tokens.
const (
	// UsualLife is that of a token for which nothing else was asked.
	UsualLife = 15 * time.Minute
	// LongestLife bounds that of any token.
	LongestLife = 24 * time.Hour
	// ticketLife is how long a browser may take to open an address that it was sent to.
	ticketLife = time.Minute
)
