package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/notice"
)

// OutboxConfig configures an Outbox. Endpoints and Deliveries are required.
type OutboxConfig struct {
	Endpoints  Endpoints
	Deliveries Deliveries
	// Wake is called when a delivery is due. Without it, the Sender finds it a moment later.
	Wake func()
	// Now defaults to time.Now.
	Now func() time.Time
}

// Outbox makes deliveries and reports on them, for the tenant of ctx.
type Outbox struct{ cfg OutboxConfig }

// NewOutbox fills in the defaults of cfg.
func NewOutbox(cfg OutboxConfig) *Outbox {
	if cfg.Wake == nil {
		cfg.Wake = func() {}
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Outbox{cfg}
}

// Message is the body of a webhook.
type Message struct {
	Type Type `json:"type" enum:"event.confirmed,event.moved,event.cancelled,event.undelivered"`
	// Timestamp is when it happened, not when it is sent.
	Timestamp time.Time `json:"timestamp" doc:"When it happened, which may be long before it is sent. "`
	// Data is the event at that time.
	Data meet.Event `json:"data" doc:"The event at that time, as in GET /v1/proposals/{id}."`
}

// ReminderMessage is the body of a webhook about a task that is due.
type ReminderMessage struct {
	Type Type `json:"type" enum:"reminder.due"`
	// Timestamp is when the reminder was due.
	Timestamp time.Time `json:"timestamp" doc:"When the reminder was due."`
	// Data is the notice as in the person's stream.
	Data notice.Notice `json:"data" doc:"The notice, as in GET /v1/people/{id}/notices."`
}

// Tell makes a delivery of the notice for every endpoint that wants it, and returns when they are stored. The same
// notice again makes no second delivery.
func (o *Outbox) Tell(ctx context.Context, n booking.Notice) error {
	kind := typeOf(n.Became)
	return o.add(ctx, Delivery{Message: messageID(n, kind), Type: kind, Proposal: n.Event.ID},
		Message{kind, n.At.UTC(), n.Event})
}

// Remind is Tell for a reminder.
func (o *Outbox) Remind(ctx context.Context, person meet.PersonID, n notice.Notice) error {
	d := Delivery{Message: MessageID(named("msg_", string(person), n.ID)), Type: ReminderDue}
	return o.add(ctx, d, ReminderMessage{ReminderDue, n.Due.UTC(), n})
}

// add makes a delivery for every endpoint that wants its type. Its ids depend on the message and the endpoint alone.
func (o *Outbox) add(ctx context.Context, d Delivery, message any) error {
	all, err := o.cfg.Endpoints.Endpoints(ctx)
	if err != nil {
		return fmt.Errorf("tell: %w", err)
	}
	now := o.cfg.Now().UTC().Truncate(time.Millisecond)
	d.State, d.Created, d.Next = Pending, now, now
	var parcels []Parcel
	for _, e := range all {
		if e.Wants(d.Type) {
			d.ID, d.Endpoint = DeliveryID(named("dlv_", string(d.Message), string(e.ID))), e.ID
			parcels = append(parcels, Parcel{Delivery: d})
		}
	}
	if len(parcels) == 0 {
		return nil
	}
	body, err := json.Marshal(message)
	if err != nil {
		return fmt.Errorf("tell: %w", err)
	}
	for i := range parcels {
		parcels[i].Body = body
	}
	if err := o.cfg.Deliveries.AddDeliveries(ctx, parcels, now); err != nil {
		return fmt.Errorf("tell: %w", err)
	}
	o.cfg.Wake()
	return nil
}

func typeOf(f booking.Fate) Type {
	switch f {
	case booking.Moved:
		return EventMoved
	case booking.Cancelled:
		return EventCancelled
	case booking.Undelivered:
		return EventUndelivered
	default:
		return EventConfirmed
	}
}

// messageID is the webhook-id of a notice. Invitations to one event may fail one after the other, each with its own
// notice.
func messageID(n booking.Notice, kind Type) MessageID {
	parts := []string{n.Event.UID, strconv.Itoa(n.Event.Sequence), string(n.Event.ID), string(kind)}
	if kind == EventUndelivered {
		parts = append(parts, strconv.Itoa(n.Failed()))
	}
	return MessageID(named("msg_", parts...))
}

// Page returns deliveries that the filter takes, newest first; see Deliveries.
func (o *Outbox) Page(ctx context.Context, f Filter, after string, most int) (page []Delivery, next string, err error) {
	return o.cfg.Deliveries.Page(ctx, f, after, most)
}

// Delivery returns the delivery with that id.
func (o *Outbox) Delivery(ctx context.Context, id DeliveryID) (Delivery, error) {
	return o.cfg.Deliveries.Delivery(ctx, id)
}

// Retry restarts the schedule of a delivery, pending or ended, with an attempt now. It returns fault.Conflict if the
// endpoint was removed or is disabled, or the delivery is being attempted.
func (o *Outbox) Retry(ctx context.Context, id DeliveryID) (Delivery, error) {
	d, err := o.cfg.Deliveries.Delivery(ctx, id)
	if err != nil {
		return Delivery{}, err
	}
	e, err := o.cfg.Endpoints.Endpoint(ctx, d.Endpoint)
	switch {
	case fault.CodeOf(err) == fault.NotFound:
		return Delivery{}, fault.New(fault.Conflict, "The endpoint of this delivery has been removed.")
	case err != nil:
		return Delivery{}, err
	case e.Disabled != "":
		return Delivery{}, fault.New(fault.Conflict, "The endpoint of this delivery is disabled. Enable it first.")
	}
	now := o.cfg.Now().UTC().Truncate(time.Millisecond)
	d, err = o.cfg.Deliveries.Reopen(ctx, id, now, func(d *Delivery) { d.again(now) })
	if err == nil {
		o.cfg.Wake()
	}
	return d, err
}
