// Package webhook tells other people's servers what became of events: that one was confirmed, moved or cancelled. It
// follows the Standard Webhooks specification, version 1, so that receivers need no code of ours.
//
// A Registry keeps the endpoints that are to be told, an Outbox takes notices over from the booking desk and makes a
// delivery of each for every endpoint that wants it, and a Sender, one in each process, sends what is due.
//
// What it promises: a notice that was taken over is sent to each endpoint at least once, and tried for three days; the
// same notice has the same webhook-id, however often it is told or sent; no request goes to an address that is not
// public, unless that is allowed; a slow or broken endpoint does not hold up another. It does not promise an order.
package webhook

import (
	"slices"
	"time"

	"convene/pkg/meet"
)

type (
	// EndpointID names an endpoint within its tenant.
	EndpointID string
	// DeliveryID names the delivery of one message to one endpoint.
	DeliveryID string
	// MessageID is the webhook-id: of one notice, the same for all endpoints and attempts. There is no full stop in it,
	// which separates it from the rest of what is signed.
	MessageID string
)

// Type is what a message tells of.
type Type string

// The types of messages.
const (
	EventConfirmed   Type = "event.confirmed"
	EventMoved       Type = "event.moved"
	EventCancelled   Type = "event.cancelled"
	EventUndelivered Type = "event.undelivered"
)

// Types are all there are.
func Types() []Type { return []Type{EventConfirmed, EventMoved, EventCancelled, EventUndelivered} }

// Endpoint is a URL that is told of events.
type Endpoint struct {
	ID          EndpointID `json:"id"`
	URL         string     `json:"url"`
	Description string     `json:"description,omitempty"`
	// Types are what it is told of; none means all, those too that there will be.
	Types []Type `json:"types,omitempty"`
	// Secrets sign what is sent, the newest first.
	Secrets []Secret `json:"secrets"`
	// Disabled is why nothing is sent; empty where it is.
	Disabled Reason `json:"disabled,omitempty"`
	// Failing is since when deliveries have been given up; zero where the last one that ended arrived.
	Failing time.Time `json:"failing,omitzero"`
	Created time.Time `json:"created"`
}

// Reason is why an endpoint is disabled.
type Reason string

const (
	// Requested says that its owner wants it so.
	Requested Reason = "requested"
	// Gone says that it answered 410, which asks never to be called again.
	Gone Reason = "gone"
)

// Wants reports whether messages of the type are for the endpoint.
func (e Endpoint) Wants(t Type) bool {
	return e.Disabled == "" && (len(e.Types) == 0 || slices.Contains(e.Types, t))
}

// Secret is a key that signs, sealed.
type Secret struct {
	Sealed []byte `json:"sealed"`
	// Until is when it signs no more; zero for the current one.
	Until time.Time `json:"until,omitzero"`
}

// Delivery is one message on its way to one endpoint, or what came of it.
type Delivery struct {
	ID       DeliveryID      `json:"id"`
	Message  MessageID       `json:"message"`
	Endpoint EndpointID      `json:"endpoint"`
	Type     Type            `json:"type"`
	Proposal meet.ProposalID `json:"proposal"`
	State    State           `json:"state"`
	Created  time.Time       `json:"created"`
	// Next is when a pending one is attempted.
	Next time.Time `json:"next,omitzero"`
	// Tries counts the attempts since it was last begun with.
	Tries int `json:"tries"`
	// Attempts are the latest, the oldest first.
	Attempts []Attempt `json:"attempts,omitempty"`
}

// State is where a delivery stands.
type State string

const (
	// Pending says that it will be attempted, or is being.
	Pending State = "pending"
	// Delivered says that the endpoint answered with a status of 2xx.
	Delivered State = "delivered"
	// Failed says that it was given up.
	Failed State = "failed"
)

// Attempt is one request, or why there was none.
type Attempt struct {
	At   time.Time     `json:"at"`
	Took time.Duration `json:"took"`
	// Status is the answer's; 0 where there was none.
	Status int `json:"status,omitempty"`
	// Problem is empty where it arrived.
	Problem Problem `json:"problem,omitempty"`
}

// Problem is what kept an attempt from arriving. It quotes nothing of the answer.
type Problem string

// The problems of attempts.
const (
	ProblemStatus     Problem = "status"     // an answer that is neither 2xx nor a redirect
	ProblemRedirect   Problem = "redirect"   // 3xx, which is not followed
	ProblemTimeout    Problem = "timeout"    // no answer within 15 s
	ProblemDNS        Problem = "dns"        // the name is not known
	ProblemAddress    Problem = "address"    // the name leads to an address that is not public
	ProblemConnection Problem = "connection" // refused, or cut
	ProblemTLS        Problem = "tls"        // no trusted encryption
	ProblemAnswer     Problem = "answer"     // something that is not HTTP
	ProblemSecret     Problem = "secret"     // the endpoint's secret cannot be opened any more
	ProblemDisabled   Problem = "disabled"   // the endpoint was disabled before its turn
	ProblemRemoved    Problem = "removed"    // the endpoint was removed before its turn
)

// Parcel is a delivery with what is sent.
type Parcel struct {
	Delivery Delivery
	// Body is sent and signed as it is, byte by byte.
	Body []byte
}

// Lane is the deliveries to one endpoint.
type Lane struct {
	Tenant   meet.Tenant
	Endpoint EndpointID
}

// Job is a parcel that one process has claimed for a while.
type Job struct {
	Lane   Lane
	Parcel Parcel
	// Term tells earlier claims on the delivery from later ones.
	Term int64
}

// Filter chooses deliveries; what is empty chooses all.
type Filter struct {
	Endpoint EndpointID
	State    State
}

// Takes reports whether the filter chooses the delivery.
func (f Filter) Takes(d Delivery) bool {
	return (f.Endpoint == "" || f.Endpoint == d.Endpoint) && (f.State == "" || f.State == d.State)
}

// Kept is for how long deliveries can be looked up, and so for how long one is attempted at most.
const Kept = 7 * 24 * time.Hour
