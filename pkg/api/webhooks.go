package api

import (
	"context"
	"net/http"
	"slices"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/webhook"
)

// The ports to webhooks. Their errors are faults.
type (
	// WebhookEndpoints keeps the endpoints that are notified of events.
	WebhookEndpoints interface {
		List(ctx context.Context) ([]webhook.Endpoint, error)
		Endpoint(ctx context.Context, id webhook.EndpointID) (webhook.Endpoint, error)
		Create(ctx context.Context, c webhook.Change) (webhook.Endpoint, webhook.Key, error)
		Change(ctx context.Context, id webhook.EndpointID, c webhook.Change) (webhook.Endpoint, error)
		Remove(ctx context.Context, id webhook.EndpointID) error
	}
	// WebhookKeys renews signing secrets.
	WebhookKeys interface {
		Rotate(ctx context.Context, id webhook.EndpointID, overlap time.Duration) (webhook.Endpoint, webhook.Key, error)
	}
	// WebhookDeliveries keeps deliveries, ended and pending.
	WebhookDeliveries interface {
		Page(ctx context.Context, f webhook.Filter, after string, most int) (page []webhook.Delivery, next string, err error)
		Delivery(ctx context.Context, id webhook.DeliveryID) (webhook.Delivery, error)
		Retry(ctx context.Context, id webhook.DeliveryID) (webhook.Delivery, error)
	}
)

// Webhooks are the ports of the webhook routes. Without Endpoints the routes do not exist.
type Webhooks struct {
	Endpoints  WebhookEndpoints
	Keys       WebhookKeys
	Deliveries WebhookDeliveries
}

// webhookEndpoint is an endpoint as its owner sees it.
type webhookEndpoint struct {
	ID          webhook.EndpointID `json:"id" example:"ep_6JJXSDYZ2AXQKMHXUTLE3BVJQE"`
	URL         string             `json:"url" example:"https://example.com/convene"`
	Description string             `json:"description,omitempty" example:"Our CRM"`
	Types       []webhook.Type     `json:"types" doc:"The types of messages that it gets."`
	State       string             `json:"state" enum:"enabled,failing,disabled" doc:"A failing endpoint still gets messages; deliveries to it have been given up since the last one that arrived."`
	Reason      string             `json:"reason,omitempty" enum:"requested,gone" doc:"Why it is disabled: on request, or because it answered 410."`
	Failing     *time.Time         `json:"failingSince,omitempty"`
	Rotation    *time.Time         `json:"oldSecretUntil,omitempty" doc:"Until when the old secret signs beside the current one."`
	Created     time.Time          `json:"createdAt"`
}

func viewOfEndpoint(e webhook.Endpoint) webhookEndpoint {
	v := webhookEndpoint{
		ID: e.ID, URL: e.URL, Description: e.Description,
		Types: e.Types, State: "enabled", Reason: string(e.Disabled), Created: e.Created,
	}
	if len(v.Types) == 0 {
		v.Types = webhook.Types()
	}
	if len(e.Secrets) > 1 {
		v.Rotation = &e.Secrets[1].Until
	}
	switch {
	case e.Disabled != "":
		v.State = "disabled"
	case !e.Failing.IsZero():
		v.State, v.Failing = "failing", &e.Failing
	}
	return v
}

// webhookSecret is an endpoint with its new secret.
type webhookSecret struct {
	webhookEndpoint
	Secret string `json:"secret" doc:"Verifies its messages, with any library of the Standard Webhooks specification. It is shown only once." example:"whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"`
}

// webhookDelivery is a delivery as its owner sees it.
type webhookDelivery struct {
	ID       webhook.DeliveryID `json:"id" example:"dlv_0f2a9f6a1b7c4d3e8a5b6c7d8e9f0a1b"`
	Message  webhook.MessageID  `json:"webhookId" doc:"The webhook-id header: the same in all attempts." example:"msg_5f1d2c3b4a59687706f5e4d3c2b1a098"`
	Endpoint webhook.EndpointID `json:"endpoint" example:"ep_6JJXSDYZ2AXQKMHXUTLE3BVJQE"`
	Type     webhook.Type       `json:"type" enum:"event.confirmed,event.moved,event.cancelled,event.undelivered,reminder.due"`
	Proposal string             `json:"proposal" doc:"The proposal of the event; empty for a reminder."`
	State    webhook.State      `json:"state" enum:"pending,delivered,failed"`
	Created  time.Time          `json:"createdAt"`
	Next     *time.Time         `json:"nextAttemptAt,omitempty" doc:"When a pending delivery is attempted next."`
	Attempts []webhookAttempt   `json:"attempts" doc:"The latest twenty, the oldest first."`
}

type webhookAttempt struct {
	At         time.Time       `json:"at"`
	DurationMS int64           `json:"durationMs" example:"182"`
	Status     int             `json:"status,omitempty" doc:"The response's status; left out if there was none." example:"503"`
	Problem    webhook.Problem `json:"problem,omitempty" enum:"status,redirect,timeout,dns,address,connection,tls,answer,secret,disabled,removed" doc:"Why it did not arrive; left out if it arrived."`
}

func viewOfDelivery(d webhook.Delivery) webhookDelivery {
	v := webhookDelivery{
		ID: d.ID, Message: d.Message, Endpoint: d.Endpoint, Type: d.Type, Proposal: string(d.Proposal), State: d.State,
		Created: d.Created, Attempts: []webhookAttempt{},
	}
	if !d.Next.IsZero() {
		v.Next = &d.Next
	}
	for _, a := range d.Attempts {
		v.Attempts = append(v.Attempts, webhookAttempt{a.At, a.Took.Milliseconds(), a.Status, a.Problem})
	}
	return v
}

// webhookEndpointRequest is the body that creates an endpoint.
type webhookEndpointRequest struct {
	_           struct{}       `additionalProperties:"false"`
	URL         string         `json:"url" maxLength:"2048" doc:"Where messages are sent: a public https address." example:"https://example.com/convene"`
	Types       []webhook.Type `json:"types,omitempty" doc:"The types of messages that it gets: event.confirmed, event.moved, event.cancelled, event.undelivered, reminder.due. Left out, all, future ones included." example:"[\"event.confirmed\", \"event.cancelled\"]"`
	Description string         `json:"description,omitempty" maxLength:"200" example:"Our CRM"`
}

// webhookEndpointChange is the body that changes an endpoint; members left out stay.
type webhookEndpointChange struct {
	_           struct{}        `additionalProperties:"false"`
	URL         *string         `json:"url,omitempty" maxLength:"2048"`
	Types       *[]webhook.Type `json:"types,omitempty" doc:"An empty list means all."`
	Description *string         `json:"description,omitempty" maxLength:"200"`
	Enabled     *bool           `json:"enabled,omitempty" doc:"Events that happen while it is disabled are not sent later."`
}

// webhookSecretRequest is the optional body that renews a secret.
type webhookSecretRequest struct {
	_     struct{} `additionalProperties:"false"`
	Hours *int     `json:"overlapHours,omitempty" minimum:"0" maximum:"168" doc:"For how long the old secret signs beside the new one; 24 if left out. 0 ends it at once." example:"24"`
}

type endpointInput struct {
	ID string `path:"id" doc:"The endpoint's id."`
}

type deliveryInput struct {
	ID string `path:"id" doc:"The delivery's id."`
}

type deliveriesInput struct {
	Endpoint string `query:"endpoint" doc:"Only those to this endpoint."`
	State    string `query:"state" doc:"Only pending, delivered or failed ones."`
	After    string `query:"after" doc:"Continues after a page: its next."`
	Limit    int    `query:"limit" default:"50" minimum:"1" maximum:"100" doc:"How many at most; a page with fewer may not be the last."`
}

type (
	endpointOutput  struct{ Body webhookEndpoint }
	keyOutput       struct{ Body webhookSecret }
	deliveryOutput  struct{ Body webhookDelivery }
	endpointsOutput struct {
		Body struct {
			Endpoints []webhookEndpoint `json:"endpoints"`
		}
	}
	deliveriesOutput struct {
		Body struct {
			Deliveries []webhookDelivery `json:"deliveries" doc:"The newest first."`
			Next       string            `json:"next,omitempty" doc:"The after parameter of the next page; left out on the last page."`
		}
	}
)

func (s *Server) webhookRoutes() {
	if s.cfg.Webhooks.Endpoints == nil {
		return
	}
	const endpoints, deliveries = "/v1/webhooks/endpoints", "/v1/webhooks/deliveries"
	create := s.operation("createWebhookEndpoint", http.MethodPost, endpoints,
		"Create an endpoint; the response has its secret, only this once")
	create.DefaultStatus = http.StatusCreated
	handleBody(s, create, s.createEndpoint)
	handle(s, s.operation("listWebhookEndpoints", http.MethodGet, endpoints, "List the endpoints"), s.listEndpoints)
	handle(s, s.operation("getWebhookEndpoint", http.MethodGet, endpoints+"/{id}", "Read an endpoint"),
		s.endpoint)
	handleBody(s, s.operation("changeWebhookEndpoint", http.MethodPatch, endpoints+"/{id}",
		"Change an endpoint, enable or disable it"), s.changeEndpoint)
	handle(s, s.operation("removeWebhookEndpoint", http.MethodDelete, endpoints+"/{id}", "Remove an endpoint"),
		s.removeEndpoint)
	handleBody(s, s.operation("rotateWebhookSecret", http.MethodPost, endpoints+"/{id}/secret",
		"Renew an endpoint's secret; the old one signs too for a while").
		orNoBody(), s.rotateSecret)
	handle(s, s.operation("listWebhookDeliveries", http.MethodGet, deliveries,
		"List deliveries, ended and pending"), s.listDeliveries)
	handle(s, s.operation("getWebhookDelivery", http.MethodGet, deliveries+"/{id}", "Read a delivery"),
		s.delivery)
	retry := s.operation("retryWebhookDelivery", http.MethodPost, deliveries+"/{id}/retry",
		"Send it again now, whatever its state")
	retry.DefaultStatus = http.StatusAccepted
	handle(s, retry, s.retryDelivery)
	s.describeWebhooks()
}

func (s *Server) createEndpoint(ctx context.Context, _ *struct{}, request webhookEndpointRequest) (*keyOutput, error) {
	e, key, err := s.cfg.Webhooks.Endpoints.Create(ctx, webhook.Change{
		URL: &request.URL, Types: &request.Types, Description: &request.Description,
	})
	return &keyOutput{webhookSecret{viewOfEndpoint(e), key.Reveal()}}, err
}

func (s *Server) listEndpoints(ctx context.Context, _ *struct{}) (*endpointsOutput, error) {
	all, err := s.cfg.Webhooks.Endpoints.List(ctx)
	out := &endpointsOutput{}
	out.Body.Endpoints, _ = first(len(all), all, viewOfEndpoint)
	return out, err
}

func (s *Server) endpoint(ctx context.Context, in *endpointInput) (*endpointOutput, error) {
	id, err := endpointID(in.ID)
	if err != nil {
		return nil, err
	}
	e, err := s.cfg.Webhooks.Endpoints.Endpoint(ctx, id)
	return &endpointOutput{viewOfEndpoint(e)}, err
}

func (s *Server) changeEndpoint(
	ctx context.Context, in *endpointInput, request webhookEndpointChange,
) (*endpointOutput, error) {
	id, err := endpointID(in.ID)
	if err != nil {
		return nil, err
	}
	e, err := s.cfg.Webhooks.Endpoints.Change(ctx, id, webhook.Change{
		URL: request.URL, Types: request.Types, Description: request.Description, Enabled: request.Enabled,
	})
	return &endpointOutput{viewOfEndpoint(e)}, err
}

func (s *Server) removeEndpoint(ctx context.Context, in *endpointInput) (*struct{}, error) {
	id, err := endpointID(in.ID)
	if err != nil {
		return nil, err
	}
	return nil, s.cfg.Webhooks.Endpoints.Remove(ctx, id)
}

func (s *Server) rotateSecret(
	ctx context.Context, in *endpointInput, request webhookSecretRequest,
) (*keyOutput, error) {
	id, err := endpointID(in.ID)
	if err != nil {
		return nil, err
	}
	overlap := webhook.DefaultOverlap
	if request.Hours != nil {
		// Bounded, because the product could overflow; Rotate refuses what is out of range.
		overlap = time.Duration(max(-1, min(*request.Hours, int(webhook.LongestOverlap.Hours())+1))) * time.Hour
	}
	e, key, err := s.cfg.Webhooks.Keys.Rotate(ctx, id, overlap)
	return &keyOutput{webhookSecret{viewOfEndpoint(e), key.Reveal()}}, err
}

func (s *Server) listDeliveries(ctx context.Context, in *deliveriesInput) (*deliveriesOutput, error) {
	filter := webhook.Filter{Endpoint: webhook.EndpointID(in.Endpoint), State: webhook.State(in.State)}
	if filter.State != "" && !slices.Contains([]webhook.State{webhook.Pending, webhook.Delivered, webhook.Failed},
		filter.State) {
		return nil, fault.Invalid("state", "must be pending, delivered or failed")
	}
	if in.After != "" && !meet.IsID(in.After) {
		return nil, fault.Invalid("after", "must be the next of an earlier page")
	}
	page, next, err := s.cfg.Webhooks.Deliveries.Page(ctx, filter, in.After, in.Limit)
	out := &deliveriesOutput{}
	out.Body.Next = next
	out.Body.Deliveries, _ = first(in.Limit, page, viewOfDelivery)
	return out, err
}

func (s *Server) delivery(ctx context.Context, in *deliveryInput) (*deliveryOutput, error) {
	id, err := deliveryID(in.ID)
	if err != nil {
		return nil, err
	}
	d, err := s.cfg.Webhooks.Deliveries.Delivery(ctx, id)
	return &deliveryOutput{viewOfDelivery(d)}, err
}

func (s *Server) retryDelivery(ctx context.Context, in *deliveryInput) (*deliveryOutput, error) {
	id, err := deliveryID(in.ID)
	if err != nil {
		return nil, err
	}
	d, err := s.cfg.Webhooks.Deliveries.Retry(ctx, id)
	return &deliveryOutput{viewOfDelivery(d)}, err
}

func endpointID(segment string) (webhook.EndpointID, error) {
	return idOf[webhook.EndpointID](segment, fault.New(fault.NotFound, "There is no webhook endpoint with this id."))
}

func deliveryID(segment string) (webhook.DeliveryID, error) {
	return idOf[webhook.DeliveryID](segment, fault.New(fault.NotFound, "There is no webhook delivery with this id."))
}
