package redisstore

import (
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
type keys struct{ prefix string }

func (k keys) log(t meet.TurnID) string { return k.prefix + "turn:" + tag(t) + ":log" }

// news is the channel on which is told that an entry was appended to the turn's log.
func (k keys) news(t meet.TurnID) string { return k.prefix + "turn:" + tag(t) + ":news" }

func (k keys) state(t meet.TurnID) string { return k.prefix + "turn:" + tag(t) + ":state" }

// claim hashes the key of an idempotent request: clients choose it, of any length and content.
func (k keys) claim(key string) string {
	sum := sha256.Sum256([]byte(key))
	return k.prefix + "claim:" + hex.EncodeToString(sum[:])
}

// places is where a conversation's search with certain people is kept; latest holds the circle of the last one.
func (k keys) places(c meet.ConversationID, circle string) string {
	return k.prefix + "places:" + tag(c) + ":" + circle
}
func (k keys) latest(c meet.ConversationID) string   { return k.prefix + "latest:" + tag(c) }
func (k keys) events(c meet.ConversationID) string   { return k.prefix + "events:" + tag(c) }
func (k keys) history(c meet.ConversationID) string  { return k.prefix + "history:" + tag(c) }
func (k keys) question(c meet.ConversationID) string { return k.prefix + "question:" + tag(c) }

func (k keys) proposal(p meet.ProposalID) string { return k.prefix + "proposal:" + tag(p) }

// queue is the stream of the turns to run. A conversation's lane and a turn's mark have its tag instead of the
// conversation's or the turn's, because one script changes all three: no process can die between them.
func (k keys) queue() string                     { return k.prefix + "{queue}" }
func (k keys) lane(c meet.ConversationID) string { return k.prefix + "{queue}:lane:" + part(c) }
func (k keys) mark(t meet.TurnID) string         { return k.prefix + "{queue}:turn:" + part(t) }
func (k keys) cancelled() string                 { return k.prefix + "{queue}:cancelled" }

func (k keys) stages(c meet.ConversationID, t meet.TurnID) string {
	return k.prefix + "stages:" + tag(c) + ":" + part(t)
}

// ping is written to see whether anything can be. It stands beside the queue, which every turn needs.
func (k keys) ping() string { return k.prefix + "{queue}:ping" }

func (k keys) people() string { return k.prefix + "people" }

// calendar and hold have a tag of their own instead of the person's, because several people's are written at once.
func (k keys) calendar(p meet.PersonID) string { return k.prefix + "{calendar}:" + part(p) }

// fence is the term of the claim under which an event was last written into calendars. No person's key has a colon there.
func (k keys) fence(uid string) string { return k.prefix + "{calendar}:fence:" + part(uid) }

func (k keys) hold(p meet.PersonID) string { return k.prefix + "{hold}:" + part(p) }

// saga is what is being done to an event; sagaClaim is who does it, sagaRest keeps it from being picked up, and
// openSagas are the UIDs of those that are unfinished or owe a notice. One script changes several of them, so they share a tag.
func (k keys) saga(uid string) string      { return k.prefix + "{saga}:of:" + part(uid) }
func (k keys) sagaClaim(uid string) string { return k.prefix + "{saga}:claim:" + part(uid) }
func (k keys) sagaRest(uid string) string  { return k.prefix + "{saga}:rest:" + part(uid) }
func (k keys) openSagas() string           { return k.prefix + "{saga}:open" }

// sagaTerms counts the claims on all sagas.
func (k keys) sagaTerms() string { return k.prefix + "{saga}:terms" }

// snapshots are what a provider said of a person's time; snapshotClaim is whose turn it is to read it again.
func (k keys) snapshots(provider string, p meet.PersonID) string {
	return k.prefix + "snapshots:" + tag(p) + ":" + part(provider)
}
func (k keys) snapshotClaim(provider string, p meet.PersonID) string {
	return k.snapshots(provider, p) + ":claim"
}

func (k keys) calendars(people []meet.PersonID) []string { return each(people, k.calendar) }
func (k keys) holds(people []meet.PersonID) []string     { return each(people, k.hold) }

// account and what goes with it have a tag of their own: one script writes an account and whose it is.
func (k keys) account(id account.ID) string    { return k.prefix + "{account}:" + part(id) }
func (k keys) accounts(p meet.PersonID) string { return k.prefix + "{account}:of:" + part(p) }
func (k keys) renewal(id account.ID) string    { return k.prefix + "{account}:renewal:" + part(id) }
func (k keys) connection(name string) string   { return k.prefix + "{account}:connection:" + part(name) }

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

// placeAnswer is an answer of a search for places, by the name that the search has.
func (k keys) placeAnswer(search string) string { return k.prefix + "placeanswer:" + part(search) }

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
