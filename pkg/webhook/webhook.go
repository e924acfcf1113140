// Package webhook notifies other servers of events: that one was confirmed, moved or cancelled, or that a reminder is
// due. It follows the Standard Webhooks specification, version 1, so that receivers need no code of ours.
//
// A Registry keeps the endpoints, an Outbox accepts notices from the booking desk and makes a delivery of each for
// every endpoint that wants it, and a Sender, one in each process, sends the deliveries that are due.
//
// Promises: an accepted notice is sent to each endpoint at least once, and tried for three days; the same notice has
// the same webhook-id, however often it is accepted or sent; no request goes to an address that is not public, unless
// that is allowed; a slow or broken endpoint does not hold up others. The order is not promised.
package webhook

import (
	"slices"
	"time"

	"convene/pkg/meet"
)

type (
	// EndpointID identifies an endpoint within its tenant.
	EndpointID string
	// DeliveryID identifies the delivery of one message to one endpoint.
	DeliveryID string
	// MessageID is the webhook-id of one notice, the same for all endpoints and attempts. It contains no full stop, which
	// separates it from the rest of the signed text.
	MessageID string
)

// Type is the type of a message.
type Type string

// The types of messages.
const (
	EventConfirmed   Type = "event.confirmed"
	EventMoved       Type = "event.moved"
	EventCancelled   Type = "event.cancelled"
	EventUndelivered Type = "event.undelivered"
	ReminderDue      Type = "reminder.due"
)

// Types lists every type.
func Types() []Type {
	return []Type{EventConfirmed, EventMoved, EventCancelled, EventUndelivered, ReminderDue}
}

// Endpoint is a URL that gets messages.
type Endpoint struct {
	ID          EndpointID `json:"id"`
	URL         string     `json:"url"`
	Description string     `json:"description,omitempty"`
	// Types are the types of messages that it gets; empty means all, future ones included.
	Types []Type `json:"types,omitempty"`
	// Secrets sign its messages, newest first.
	Secrets []Secret `json:"secrets"`
	// Disabled is why nothing is sent; empty while it is enabled.
	Disabled Reason `json:"disabled,omitempty"`
	// Failing is since when deliveries have been given up; zero if the last one that ended arrived.
	Failing time.Time `json:"failing,omitzero"`
	Created time.Time `json:"created"`
}

// Reason is why an endpoint is disabled.
type Reason string

const (
	// Requested means that its owner disabled it.
	Requested Reason = "requested"
	// Gone means that it answered 410, which asks never to be called again.
	Gone Reason = "gone"
)

// Wants reports whether messages of the type are for the endpoint.
func (e Endpoint) Wants(t Type) bool {
	return e.Disabled == "" && (len(e.Types) == 0 || slices.Contains(e.Types, t))
}

// Secret is a sealed signing key.
type Secret struct {
	Sealed []byte `json:"sealed"`
	// Until is when it stops signing; zero for the current one.
	Until time.Time `json:"until,omitzero"`
}

// Delivery is one message to one endpoint, pending or ended.
type Delivery struct {
	ID       DeliveryID      `json:"id"`
	Message  MessageID       `json:"message"`
	Endpoint EndpointID      `json:"endpoint"`
	Type     Type            `json:"type"`
	Proposal meet.ProposalID `json:"proposal"`
	State    State           `json:"state"`
	Created  time.Time       `json:"created"`
	// Next is when a pending delivery is attempted.
	Next time.Time `json:"next,omitzero"`
	// Tries counts the attempts since the schedule was last started.
	Tries int `json:"tries"`
	// Attempts are the latest ones, oldest first.
	Attempts []Attempt `json:"attempts,omitempty"`
}

// State is the state of a delivery.
type State string

const (
	// Pending means that it will be, or is being, attempted.
	Pending State = "pending"
	// Delivered means that the endpoint answered with a 2xx status.
	Delivered State = "delivered"
	// Failed means that it was given up.
	Failed State = "failed"
)

// Attempt is one request, or the reason why none was made.
type Attempt struct {
	At   time.Time     `json:"at"`
	Took time.Duration `json:"took"`
	// Status is the response's; 0 if there was none.
	Status int `json:"status,omitempty"`
	// Problem is empty if the message arrived.
	Problem Problem `json:"problem,omitempty"`
}

// Problem is why an attempt failed. It quotes nothing of the response.
type Problem string

// The problems of attempts.
const (
	ProblemStatus     Problem = "status"     // a response that is neither 2xx nor a redirect
	ProblemRedirect   Problem = "redirect"   // 3xx, which is not followed
	ProblemTimeout    Problem = "timeout"    // no response within 15 s
	ProblemDNS        Problem = "dns"        // the host name is unknown
	ProblemAddress    Problem = "address"    // the host's address is not public
	ProblemConnection Problem = "connection" // refused, or cut
	ProblemTLS        Problem = "tls"        // no trusted certificate
	ProblemAnswer     Problem = "answer"     // a response that is not HTTP
	ProblemSecret     Problem = "secret"     // the endpoint's secret cannot be opened
	ProblemDisabled   Problem = "disabled"   // the endpoint was disabled before the attempt
	ProblemRemoved    Problem = "removed"    // the endpoint was removed before the attempt
)

// Parcel is a delivery with its message.
type Parcel struct {
	Delivery Delivery
	// Body is signed and sent byte by byte.
	Body []byte
}

// Lane identifies the queue of deliveries to one endpoint.
type Lane struct {
	Tenant   meet.Tenant
	Endpoint EndpointID
}

// Job is a parcel that one process has claimed for a while.
type Job struct {
	Lane   Lane
	Parcel Parcel
	// Term distinguishes earlier claims on the delivery from later ones.
	Term int64
}

// Filter selects deliveries; an empty field selects all.
type Filter struct {
	Endpoint EndpointID
	State    State
}

// Takes reports whether the filter selects the delivery.
func (f Filter) Takes(d Delivery) bool {
	return (f.Endpoint == "" || f.Endpoint == d.Endpoint) && (f.State == "" || f.State == d.State)
}

// Kept is how long deliveries can be looked up, and so the longest time one is attempted.
const Kept = 7 * 24 * time.Hour
