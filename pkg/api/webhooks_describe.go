package api

import (
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"convene/pkg/meet"
	"convene/pkg/notice"
	"convene/pkg/webhook"
)

// webhookMessage is the body of a message about an event, reminderMessage of one about a task.
type (
	webhookMessage  webhook.Message
	reminderMessage webhook.ReminderMessage
)

// describeWebhooks adds the messages to endpoints to the document.
func (s *Server) describeWebhooks() {
	document := s.huma.OpenAPI()
	document.Webhooks = map[string]*huma.PathItem{}
	summaries := map[webhook.Type]string{
		webhook.EventConfirmed: "An event was written to the calendars",
		webhook.EventMoved:     "An event was changed: another time, place, title or other people",
		webhook.EventCancelled: "An event was taken out of the calendars",
		webhook.EventUndelivered: "An invitation to an event that stands could not be delivered: see invitation and copied " +
			"of its participants",
		webhook.ReminderDue: "A task with a time is due",
	}
	header := func(name, description, example string) *huma.Param {
		return &huma.Param{
			Name: name, In: "header", Required: true, Description: description,
			Example: example, Schema: &huma.Schema{Type: huma.TypeString},
		}
	}
	for kind, summary := range summaries {
		body := &huma.MediaType{Schema: reflectSchema[webhookMessage](s), Example: exampleMessage(kind)}
		if kind == webhook.ReminderDue {
			body = &huma.MediaType{Schema: reflectSchema[reminderMessage](s), Example: exampleReminder()}
		}
		document.Webhooks[string(kind)] = &huma.PathItem{Post: &huma.Operation{
			OperationID: operationOf(kind), Summary: summary, Security: noSecurity,
			Description: "Signed after the Standard Webhooks specification. Answer with any status of 2xx within 15 seconds. " +
				"Any other status is tried again nine times in three days, except 410, which disables the endpoint. " +
				"The same message may come more than once, and messages may overtake one another: see webhook-id and " +
				"data.sequence.",
			Parameters: []*huma.Param{
				header("webhook-id", "Identifies the message: the same in all attempts.", "msg_5f1d2c3b4a59687706f5e4d3c2b1a098"),
				header("webhook-timestamp", "When it was sent, in seconds since 1970. Refuse times that are minutes off.",
					"1795543200"),
				header("webhook-signature", "v1, and the HMAC-SHA256 of id.timestamp.body in base64; with a space between, one "+
					"for each secret.",
					"v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="),
			},
			RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/json": body}},
			Responses:   map[string]*huma.Response{"2XX": {Description: "It arrived."}},
		}}
	}
}

// operationOf is onEventConfirmed and the like.
func operationOf(kind webhook.Type) string {
	name := "on"
	for part := range strings.SplitSeq(string(kind), ".") {
		name += strings.ToUpper(part[:1]) + part[1:]
	}
	return name
}

func exampleReminder() reminderMessage {
	due := time.Date(2026, time.November, 25, 21, 0, 0, 0, time.UTC)
	return reminderMessage{Type: webhook.ReminderDue, Timestamp: due, Data: notice.Notice{
		Type: notice.Type,
		ID:   "n_7GXK3LQ2", Kind: notice.Reminder, Title: "Send Al the deck", Due: due, TaskID: "t_5QW2M9TR",
	}}
}

// exampleMessage is an example of each type of message about an event.
func exampleMessage(kind webhook.Type) webhookMessage {
	pacific := time.FixedZone("", -8*60*60)
	start := time.Date(2026, time.November, 25, 13, 0, 0, 0, pacific)
	e := meet.Event{
		ID: "p_7GXK3LQ2", Conversation: "c_5QW2M9TR",
		Status: meet.Confirmed, Title: "Coffee with Al", EventType: meet.InPerson,
		Start: start, End: start.Add(30 * time.Minute), Timezone: "America/Los_Angeles",
		Participants: []meet.Participant{
			{ID: "me", Name: "Mia", Email: "mia@example.com", Timezone: "America/Los_Angeles", LocalStart: start},
			{ID: "al", Name: "Al", Email: "al@example.com", Timezone: "America/Los_Angeles", LocalStart: start},
		},
		Conflicts: []meet.Conflict{}, Alternatives: meet.AlternativeOffer{Slots: []meet.Slot{}, Places: []meet.Place{}},
		Links: meet.Links{ICS: "/v1/proposals/p_7GXK3LQ2.ics"}, UID: "p_7GXK3LQ2@convene",
	}
	switch kind {
	case webhook.EventMoved:
		e.Sequence, e.Replaces = 1, "p_4RT8ZB6D"
	case webhook.EventCancelled:
		e.Sequence, e.Status = 1, meet.Cancelled
	case webhook.EventUndelivered:
		e.Participants[1].Invitation = meet.InvitationFailed
	default: // as it was confirmed
	}
	return webhookMessage{Type: kind, Timestamp: start.Add(-72 * time.Hour).UTC(), Data: e}
}
