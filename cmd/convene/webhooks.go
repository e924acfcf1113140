package main

import (
	"time"

	"convene/pkg/outbound"
	"convene/pkg/redisstore"
	"convene/pkg/telemetry"
	"convene/pkg/webhook"
)

const (
	// webhookDeadline is how long an endpoint may take to answer; the specification suggests 15 to 30 s.
	webhookDeadline = 15 * time.Second
	// maxWebhookAnswer bounds the part of an answer that is read, in bytes. None of it is kept.
	maxWebhookAnswer = 64 << 10
)

// hooks notify other servers of events.
type hooks struct {
	registry *webhook.Registry
	outbox   *webhook.Outbox
	sender   *webhook.Sender
}

// hooks wires the webhooks. They use the real clock even with --now: receivers refuse a time that is minutes off.
func (s settings) hooks(store *redisstore.Store, connected *connections, seen *telemetry.Telemetry) *hooks {
	kept := store.Webhooks()
	sender := webhook.NewSender(webhook.SenderConfig{
		Endpoints: kept, Lanes: kept, Sealer: connected.secrets, Deadline: webhookDeadline, Attempted: seen.WebhookAttempted,
		HTTP: outbound.Client(outbound.Config{
			Name: "webhook", Attempts: 1, Deadline: webhookDeadline,
			MaxBody: maxWebhookAnswer, PublicOnly: !s.Connect.PrivateServers,
		}),
	})
	return &hooks{
		registry: webhook.NewRegistry(webhook.RegistryConfig{
			Endpoints: kept, Sealer: connected.secrets, Private: s.Connect.PrivateServers,
		}),
		outbox: webhook.NewOutbox(webhook.OutboxConfig{Endpoints: kept, Deliveries: kept, Wake: sender.Wake}),
		sender: sender,
	}
}
