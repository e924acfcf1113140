package redisstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"convene/pkg/account"
	"convene/pkg/meet"
	"convene/pkg/webhook"
)

// keys spells the keys that all tenants share. The hash tag stands in braces: keys that are written together share it,
// so that one node of a cluster has them.
//
// A key is here for one of three reasons: there is only one of it; its value does not depend on the caller; or its
// random name is made here, and only a caller who has found something of its tenant learns it. A turn's log, news and
// mark are read by callers that found its state, and its steps by the process that runs it; the state is the tenant's.
// The keys of webhooks are a tenant's too, and take it as an argument: one script changes a tenant's deliveries and the
// list of all tenants' lanes.
type keys struct{ prefix string }

// tenantKeys spells the keys of one tenant. The tenant stands before the hash tag, so that tenants may use the same ids
// of people and conversations and share nothing.
type tenantKeys struct{ prefix string }

func (k keys) of(t meet.Tenant) tenantKeys {
	if t == "" {
		return tenantKeys(k)
	}
	return tenantKeys{k.prefix + "tenant:" + part(t) + ":"}
}

// own returns the keys of ctx's tenant.
func (s *Store) own(ctx context.Context) tenantKeys { return s.keys.of(meet.TenantOf(ctx)) }

func (k keys) log(t meet.TurnID) string { return k.prefix + "turn:" + tag(t) + ":log" }

// news is the channel that announces new entries of the turn's log.
func (k keys) news(t meet.TurnID) string { return k.prefix + "turn:" + tag(t) + ":news" }

// state is the turn's state. It is the tenant's: other tenants that know the turn's id do not find it.
func (k tenantKeys) state(t meet.TurnID) string { return k.prefix + "turn:" + tag(t) + ":state" }

// claim hashes the Idempotency-Key, which clients choose, of any length and content.
func (k tenantKeys) claim(key string) string {
	sum := sha256.Sum256([]byte(key))
	return k.prefix + "claim:" + hex.EncodeToString(sum[:])
}

// search is a conversation's search with the people of a circle; latest has the circle of the last search.
func (k tenantKeys) search(c meet.ConversationID, circle string) string {
	return k.prefix + "places:" + tag(c) + ":" + circle
}
func (k tenantKeys) latest(c meet.ConversationID) string   { return k.prefix + "latest:" + tag(c) }
func (k tenantKeys) events(c meet.ConversationID) string   { return k.prefix + "events:" + tag(c) }
func (k tenantKeys) history(c meet.ConversationID) string  { return k.prefix + "history:" + tag(c) }
func (k tenantKeys) question(c meet.ConversationID) string { return k.prefix + "question:" + tag(c) }
func (k tenantKeys) open(c meet.ConversationID) string     { return k.prefix + "open:" + tag(c) }
func (k tenantKeys) paused(c meet.ConversationID) string   { return k.prefix + "paused:" + tag(c) }

// chat is the latest turn of a chat.
func (k tenantKeys) chat(c meet.ConversationID) string { return k.prefix + "chat:" + tag(c) }

func (k tenantKeys) proposal(p meet.ProposalID) string { return k.prefix + "proposal:" + tag(p) }

// queue is the stream of the turns that run or are taken next, of all tenants, because every process serves all of
// them; its entries name their tenant. A conversation's lane and a turn's mark have the queue's tag, because one script
// changes all three, and no process can die in between. A lane is the tenant's: conversations of two tenants with the
// same id do not wait for each other.
func (k keys) queue() string                           { return k.prefix + "{queue}" }
func (k keys) mark(t meet.TurnID) string               { return k.prefix + "{queue}:turn:" + part(t) }
func (k keys) cancelled() string                       { return k.prefix + "{queue}:cancelled" }
func (k tenantKeys) lane(c meet.ConversationID) string { return k.prefix + "{queue}:lane:" + part(c) }

// steps has the results of the turn's finished steps.
func (k keys) steps(t meet.TurnID) string { return k.prefix + "turn:" + tag(t) + ":steps" }

// waiting lists a tenant's turns that wait to join the stream. ring lists these lists, since has the acceptance time of
// each waiting turn, and held the number of turns in the stream for each tenant, by the key of its list.
func (k tenantKeys) waiting() string { return k.prefix + "{queue}:waiting" }
func (k keys) ring() string          { return k.prefix + "{queue}:ring" }
func (k keys) since() string         { return k.prefix + "{queue}:since" }
func (k keys) held() string          { return k.prefix + "{queue}:held" }

// seen has the time at which each process was last seen, by its name and number of places.
func (k keys) seen() string { return k.prefix + "{queue}:seen" }

// ping is written to check for writes. It is on the node of the queue, which every turn needs.
func (k keys) ping() string { return k.prefix + "{queue}:ping" }

func (k tenantKeys) people() string { return k.prefix + "people" }

// run is a run of a plan, and runs lists those of a person by when they began.
func (k tenantKeys) run(id string) string        { return k.prefix + "run:" + tag(id) }
func (k tenantKeys) runs(p meet.PersonID) string { return k.prefix + "runs:" + tag(p) }

// records has the entries of what a person owns of a kind.
func (k tenantKeys) records(kind meet.ChangeWhat, p meet.PersonID) string {
	return k.prefix + "records:" + string(kind) + ":" + part(p)
}

// vectors has those of a person's notes.
func (k tenantKeys) vectors(p meet.PersonID) string { return k.prefix + "vectors:" + part(p) }

// calendar and hold have fixed tags instead of the person's, because several people's are written at once.
func (k tenantKeys) calendar(p meet.PersonID) string { return k.prefix + "{calendar}:" + part(p) }

// objects are the calendar objects that the person changed over files.
func (k tenantKeys) objects(p meet.PersonID) string { return k.prefix + "objects:" + tag(p) }

// fence is the term of the claim under which an event was last written. Person ids have their colons escaped, so no
// calendar has this key.
func (k tenantKeys) fence(uid string) string { return k.prefix + "{calendar}:fence:" + part(uid) }

func (k tenantKeys) hold(p meet.PersonID) string { return k.prefix + "{hold}:" + part(p) }

// saga is the record of an event, sagaClaim the token of the process that works on it, and sagaRest keeps others from
// picking it up. One script changes several of them and openSagas, so they share a tag.
func (k tenantKeys) saga(uid string) string      { return k.prefix + "{saga}:of:" + part(uid) }
func (k tenantKeys) sagaClaim(uid string) string { return k.prefix + "{saga}:claim:" + part(uid) }
func (k tenantKeys) sagaRest(uid string) string  { return k.prefix + "{saga}:rest:" + part(uid) }

// openSagas lists the sagas of all tenants that are unfinished or owe a notice, each with its tenant: every process
// finishes all tenants' sagas.
func (k keys) openSagas() string { return k.prefix + "{saga}:open" }

// sagaTerms counts the claims on all sagas.
func (k keys) sagaTerms() string { return k.prefix + "{saga}:terms" }

// changes are the record of a change set, the token of the process that works on it, and what keeps others from picking
// it up, as for a saga.
func (k tenantKeys) changes(id string) claimKeys {
	at := func(what string) string { return k.prefix + "{changes}:" + what + ":" + part(id) }
	return claimKeys{at("of"), at("claim"), at("rest")}
}

// notices are the stream of a person's notices, and noticeCount how many were ever in it. One script changes them, due
// and alarms, so they share a tag.
func (k tenantKeys) notices(p meet.PersonID) string { return k.prefix + "{notice}:of:" + part(p) }
func (k tenantKeys) noticeCount(p meet.PersonID) string {
	return k.prefix + "{notice}:count:" + part(p)
}

// due has the times of all tenants' alarms, alarms what falls due, and told marks an alarm that was told at a time.
// noticeNews announces streams with something new.
func (k keys) due() string    { return k.prefix + "{notice}:due" }
func (k keys) alarms() string { return k.prefix + "{notice}:alarms" }
func (k keys) told(alarm string, due int64) string {
	return k.prefix + "{notice}:told:" + alarm + ":" + strconv.FormatInt(due, 10)
}
func (k keys) noticeNews() string { return k.prefix + "{notice}:news" }

// openChanges lists the change sets of all tenants that are being applied or undone; changesTerms counts the claims.
func (k keys) openChanges() string  { return k.prefix + "{changes}:open" }
func (k keys) changesTerms() string { return k.prefix + "{changes}:terms" }

// snapshots are a provider's answers about a person's time; snapshotClaim is set while a process reads them again.
func (k tenantKeys) snapshots(provider string, p meet.PersonID) string {
	return k.prefix + "snapshots:" + tag(p) + ":" + part(provider)
}
func (k tenantKeys) snapshotClaim(provider string, p meet.PersonID) string {
	return k.snapshots(provider, p) + ":claim"
}

func (k tenantKeys) calendars(people []meet.PersonID) []string { return each(people, k.calendar) }
func (k tenantKeys) holds(people []meet.PersonID) []string     { return each(people, k.hold) }

// account, accounts and renewal share a tag: one script writes an account and the set of its owner's accounts.
func (k tenantKeys) account(id account.ID) string    { return k.prefix + "{account}:" + part(id) }
func (k tenantKeys) accounts(p meet.PersonID) string { return k.prefix + "{account}:of:" + part(p) }
func (k tenantKeys) renewal(id account.ID) string    { return k.prefix + "{account}:renewal:" + part(id) }

// connection is a connection under way. Its name is random: a provider sends people back without naming their tenant,
// which the value does.
func (k keys) connection(name string) string { return k.prefix + "{account}:connection:" + part(name) }

// webhookEndpoints are a tenant's endpoints. Deliveries, a tenant's index of them and the lanes that they wait in share
// a tag: one script writes them all. webhookLanes has the lanes of all tenants, by the time at which their first is
// due.
func (k keys) webhookEndpoints(t meet.Tenant) string {
	return k.prefix + "{webhook}:endpoints:" + part(t)
}
func (k keys) webhookIndex(t meet.Tenant) string { return k.prefix + "{webhook}:index:" + part(t) }
func (k keys) webhookLanes() string              { return k.prefix + "{webhook}:lanes" }
func (k keys) webhookDelivery(t meet.Tenant, d webhook.DeliveryID) string {
	return k.prefix + "{webhook}:delivery:" + part(t) + ":" + part(d)
}
func (k keys) webhookLane(l webhook.Lane) string { return k.prefix + "{webhook}:lane:" + laneName(l) }

// laneName names a lane in webhookLanes; laneOf parses it.
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

// placeAnswer is the answer to a search for places, by the search's name; it is the same for all callers.
func (k keys) placeAnswer(search string) string { return k.prefix + "placeanswer:" + part(search) }

// serverKeys, keyUses and signers are read together.
func (k keys) serverKeys() string { return k.prefix + "{keys}:server" }
func (k keys) keyUses() string    { return k.prefix + "{keys}:used" }
func (k keys) signers() string    { return k.prefix + "{keys}:signing" }

// bucket is what a holder has left under a limit. One request counts in several buckets, so they share a tag.
func (k keys) bucket(policy, holder string) string {
	return k.prefix + "{rate}:" + part(policy) + ":" + part(holder)
}

// activityAnswer is the answer to a search for activities, likewise.
func (k keys) activityAnswer(search string) string {
	return k.prefix + "activityanswer:" + part(search)
}

// each returns the keys of the people with an id, sorted, without duplicates.
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

// circleOf names the people of a search with its organizer, the same for any order: "al:me". People without an id go by
// their names, marked so that no name passes for an id.
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

// part escapes the characters that structure a key: colons, braces, white space.
func part[S ~string](id S) string { return strings.ReplaceAll(url.QueryEscape(string(id)), "~", "%7E") }
