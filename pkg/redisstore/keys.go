package redisstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"

	"convene/pkg/account"
	"convene/pkg/meet"
	"convene/pkg/webhook"
)

// keys spells every key. What stands in braces is the hash tag: keys that are written together share it, so that they
// live on one node of a cluster.
//
// What belongs to a tenant is spelled by tenantKeys. What is here is everybody's, for one of these reasons: there is one
// of it, or it is an answer that does not depend on who asked; or it goes by a random name that is made here and that
// only those learn who have found something of their tenant's. So it is with a turn: its log, its news and its mark are
// looked for by those who found its state, its steps by who runs it, and its state is its tenant's. Those of webhooks are
// spelled here although they are a tenant's, which is their last part and has to be said: one script changes a tenant's
// deliveries and the list of all tenants' lanes.
type keys struct{ prefix string }

// tenantKeys spells the keys of what belongs to one tenant. The tenant stands before the hash tag, so that two tenants
// may use the same ids, of people and of conversations, and have nothing in common. The zero tenant's keys are those that
// were there before there were tenants.
type tenantKeys struct{ prefix string }

// of is the keys of the tenant's own.
func (k keys) of(t meet.Tenant) tenantKeys {
	if t == "" {
		return tenantKeys(k)
	}
	return tenantKeys{k.prefix + "tenant:" + part(t) + ":"}
}

// own is the keys of whoever ctx is on behalf of.
func (s *Store) own(ctx context.Context) tenantKeys { return s.keys.of(meet.TenantOf(ctx)) }

func (k keys) log(t meet.TurnID) string { return k.prefix + "turn:" + tag(t) + ":log" }

// news is the channel on which is told that an entry was appended to the turn's log.
func (k keys) news(t meet.TurnID) string { return k.prefix + "turn:" + tag(t) + ":news" }

// state is where a turn stands. It is the tenant's, so that a turn is not found by others who know its id.
func (k tenantKeys) state(t meet.TurnID) string { return k.prefix + "turn:" + tag(t) + ":state" }

// claim hashes the key of an idempotent request: clients choose it, of any length and content.
func (k tenantKeys) claim(key string) string {
	sum := sha256.Sum256([]byte(key))
	return k.prefix + "claim:" + hex.EncodeToString(sum[:])
}

// places is where a conversation's search with certain people is kept; latest holds the circle of the last one.
func (k tenantKeys) places(c meet.ConversationID, circle string) string {
	return k.prefix + "places:" + tag(c) + ":" + circle
}
func (k tenantKeys) latest(c meet.ConversationID) string   { return k.prefix + "latest:" + tag(c) }
func (k tenantKeys) events(c meet.ConversationID) string   { return k.prefix + "events:" + tag(c) }
func (k tenantKeys) history(c meet.ConversationID) string  { return k.prefix + "history:" + tag(c) }
func (k tenantKeys) question(c meet.ConversationID) string { return k.prefix + "question:" + tag(c) }

// chat holds the latest turn of a chat.
func (k tenantKeys) chat(c meet.ConversationID) string { return k.prefix + "chat:" + tag(c) }

func (k tenantKeys) proposal(p meet.ProposalID) string { return k.prefix + "proposal:" + tag(p) }

// queue is the stream of the turns that run, or that are taken next. A conversation's lane and a turn's mark have its
// tag instead of the conversation's or the turn's, because one script changes all three: no process can die between them.
// The queue is one for all tenants, because all processes serve all of them; its entries say whose they are. A lane is
// the tenant's: conversations of two tenants with the same id do not wait for each other.
func (k keys) queue() string                           { return k.prefix + "{queue}" }
func (k keys) mark(t meet.TurnID) string               { return k.prefix + "{queue}:turn:" + part(t) }
func (k keys) cancelled() string                       { return k.prefix + "{queue}:cancelled" }
func (k tenantKeys) lane(c meet.ConversationID) string { return k.prefix + "{queue}:lane:" + part(c) }

// steps is what finished steps of the turn gave.
func (k keys) steps(t meet.TurnID) string { return k.prefix + "turn:" + tag(t) + ":steps" }

// waiting is the list of a tenant's turns that wait to join the stream; ring is the lists that there are, since the time of
// each turn's acceptance, and held how many turns of each tenant, which goes by its list, the stream has.
func (k tenantKeys) waiting() string { return k.prefix + "{queue}:waiting" }
func (k keys) ring() string          { return k.prefix + "{queue}:ring" }
func (k keys) since() string         { return k.prefix + "{queue}:since" }
func (k keys) held() string          { return k.prefix + "{queue}:held" }

// seen is when each process was last heard of, which goes by its name and how many places it has.
func (k keys) seen() string { return k.prefix + "{queue}:seen" }

// formerLine and formerJobs are the line of processes of an older version, and what its turns are.
func (k keys) formerLine() string { return k.prefix + "{queue}:line" }
func (k keys) formerJobs() string { return k.prefix + "{queue}:jobs" }

// ping is written to see whether anything can be. It stands beside the queue, which every turn needs.
func (k keys) ping() string { return k.prefix + "{queue}:ping" }

func (k tenantKeys) people() string { return k.prefix + "people" }

// calendar and hold have a tag of their own instead of the person's, because several people's are written at once.
func (k tenantKeys) calendar(p meet.PersonID) string { return k.prefix + "{calendar}:" + part(p) }

// fence is the term of the claim under which an event was last written into calendars. No person's key has a colon there.
func (k tenantKeys) fence(uid string) string { return k.prefix + "{calendar}:fence:" + part(uid) }

func (k tenantKeys) hold(p meet.PersonID) string { return k.prefix + "{hold}:" + part(p) }

// saga is what is being done to an event; sagaClaim is who does it, and sagaRest keeps it from being picked up. One
// script changes several of them and openSagas, so they share a tag.
func (k tenantKeys) saga(uid string) string      { return k.prefix + "{saga}:of:" + part(uid) }
func (k tenantKeys) sagaClaim(uid string) string { return k.prefix + "{saga}:claim:" + part(uid) }
func (k tenantKeys) sagaRest(uid string) string  { return k.prefix + "{saga}:rest:" + part(uid) }

// openSagas are those of all tenants that are unfinished or owe a notice, each with its tenant: whoever looks for them
// finishes everybody's.
func (k keys) openSagas() string { return k.prefix + "{saga}:open" }

// sagaTerms counts the claims on all sagas.
func (k keys) sagaTerms() string { return k.prefix + "{saga}:terms" }

// snapshots are what a provider said of a person's time; snapshotClaim is whose turn it is to read it again.
func (k tenantKeys) snapshots(provider string, p meet.PersonID) string {
	return k.prefix + "snapshots:" + tag(p) + ":" + part(provider)
}
func (k tenantKeys) snapshotClaim(provider string, p meet.PersonID) string {
	return k.snapshots(provider, p) + ":claim"
}

func (k tenantKeys) calendars(people []meet.PersonID) []string { return each(people, k.calendar) }
func (k tenantKeys) holds(people []meet.PersonID) []string     { return each(people, k.hold) }

// account and what goes with it have a tag of their own: one script writes an account and whose it is.
func (k tenantKeys) account(id account.ID) string    { return k.prefix + "{account}:" + part(id) }
func (k tenantKeys) accounts(p meet.PersonID) string { return k.prefix + "{account}:of:" + part(p) }
func (k tenantKeys) renewal(id account.ID) string    { return k.prefix + "{account}:renewal:" + part(id) }

// connection is one that was begun. Its name is random, and a provider sends people back without saying of which tenant
// they are: what is kept there says so.
func (k keys) connection(name string) string { return k.prefix + "{account}:connection:" + part(name) }

// webhookEndpoints are a tenant's. A delivery, the index of a tenant's and the lanes in which they wait share a tag: one
// script writes them all. webhookLanes are the lanes of all tenants, each by the time at which something in it is due.
func (k keys) webhookEndpoints(t meet.Tenant) string {
	return k.prefix + "{webhook}:endpoints:" + part(t)
}
func (k keys) webhookIndex(t meet.Tenant) string { return k.prefix + "{webhook}:index:" + part(t) }
func (k keys) webhookLanes() string              { return k.prefix + "{webhook}:lanes" }
func (k keys) webhookDelivery(t meet.Tenant, d webhook.DeliveryID) string {
	return k.prefix + "{webhook}:delivery:" + part(t) + ":" + part(d)
}
func (k keys) webhookLane(l webhook.Lane) string { return k.prefix + "{webhook}:lane:" + laneName(l) }

// laneName is a lane among webhookLanes; laneOf reads it.
func laneName(l webhook.Lane) string { return part(l.Tenant) + ":" + part(l.Endpoint) }

func laneOf(name string) (l webhook.Lane, ok bool) {
	tenant, endpoint, ok := strings.Cut(name, ":")
	if !ok {
		return l, false
	}
	t, err := url.QueryUnescape(tenant)
	if err != nil {
		return l, false
	}
	e, err := url.QueryUnescape(endpoint)
	return webhook.Lane{Tenant: meet.Tenant(t), Endpoint: webhook.EndpointID(e)}, err == nil
}

// placeAnswer is an answer of a search for places, by the name that the search has. It is the same whoever asks.
func (k keys) placeAnswer(search string) string { return k.prefix + "placeanswer:" + part(search) }

// serverKeys, their uses and the signing keys are read together.
func (k keys) serverKeys() string { return k.prefix + "{keys}:server" }
func (k keys) keyUses() string    { return k.prefix + "{keys}:used" }
func (k keys) signers() string    { return k.prefix + "{keys}:signing" }

// bucket is what is left to somebody under a limit. One request is counted in several, so they share a tag.
func (k keys) bucket(policy, holder string) string {
	return k.prefix + "{rate}:" + part(policy) + ":" + part(holder)
}

// activityAnswer is an answer of a search for what is going on, likewise.
func (k keys) activityAnswer(search string) string {
	return k.prefix + "activityanswer:" + part(search)
}

// each is the keys of the people that are known, in order and each once.
func each(people []meet.PersonID, key func(meet.PersonID) string) []string {
	var names []string
	for _, p := range people {
		if p != "" {
			names = append(names, key(p))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// circleOf names everybody in a search, the organizer included, in the same way whoever asks: "al:me". People without
// an id go by their names, marked so that no name passes for an id.
func circleOf(s meet.Search) string {
	names := []string{part(s.Organizer)}
	for _, p := range s.People {
		if p.ID != "" {
			names = append(names, part(p.ID))
		} else {
			names = append(names, "~"+part(strings.ToLower(p.Name)))
		}
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ":")
}

func tag[S ~string](id S) string { return "{" + part(id) + "}" }

// part escapes what would be read as structure: colons, braces, white space.
func part[S ~string](id S) string { return strings.ReplaceAll(url.QueryEscape(string(id)), "~", "%7E") }
