package api

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/labstack/echo/v4"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/sse"
)

const schemaPrefix = "#/components/schemas/"

// updateSchema is the name of the schema of all updates.
const updateSchema = "Update"

// describe configures huma without its pages, which load from other sites, and its $schema members in every response.
func describe() huma.Config {
	cfg := huma.DefaultConfig("Convene", "1")
	cfg.Info.Description = "Convene turns a sentence (\"Let's grab coffee with Al next week\") into a proposed event: " +
		"a time that suits everyone's calendars and a place that suits everyone. Start a turn, follow its stream of " +
		"updates, and confirm the proposal."
	cfg.Info.Contact, cfg.Info.License = &huma.Contact{Name: "The operators of this server"}, &huma.License{
		Name: "Apache-2.0", Identifier: "Apache-2.0",
	}
	cfg.Servers = []*huma.Server{{URL: "/", Description: "Where this document came from."}}
	cfg.OpenAPIPath, cfg.DocsPath, cfg.SchemasPath, cfg.CreateHooks = "", "", "", nil
	cfg.Transformers = []huma.Transformer{ownErrors}
	cfg.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		keyScheme: {Type: "http", Scheme: "bearer",
			Description: "A server's key. A server without keys needs none, and answers on its own machine only."},
		tokenScheme: {Type: "http", Scheme: "bearer", BearerFormat: "JWT",
			Description: "A browser's token, made with POST /v1/tokens. It finds only what it is bound to."},
		queryScheme: {Type: "apiKey", In: "query", Name: tokenParameter,
			Description: "A browser's token, for clients that cannot send headers."},
	}
	// Responses may grow: a client ignores unknown members. Requests refuse them, each by its own tag.
	cfg.AllowAdditionalPropertiesByDefault = true
	r := cfg.Components.Schemas
	r.RegisterTypeAlias(reflect.TypeFor[interval.Week](), reflect.TypeFor[weekSchema]())
	r.RegisterTypeAlias(reflect.TypeFor[interval.Clock](), reflect.TypeFor[clockSchema]())
	return cfg
}

// document is the OpenAPI document. It is made when it is first asked for, as the types are, because a command that
// starts a server for itself needs neither. One that cannot be written fails every test that reads them.
func (s *Server) document() []byte {
	document, err := json.Marshal(s.huma.OpenAPI())
	if err != nil {
		panic(fmt.Errorf("describe the API: %w", err))
	}
	return document
}

// operation builds the description of a route.
type operation struct {
	huma.Operation
	server *Server
	// bodyless says that a request may leave its body out.
	bodyless bool
}

// operation describes a route that may respond with a problem.
func (s *Server) operation(id, method, path, summary string) *operation {
	op := &operation{Operation: huma.Operation{
		OperationID: id, Method: method, Path: path, Summary: summary,
		SkipValidateBody: true, // bodyOf is stricter, and names the field that is wrong
		Responses:        map[string]*huma.Response{},
	}, server: s}
	op.Responses["default"] = &huma.Response{
		Description: "What went wrong.",
		Content:     map[string]*huma.MediaType{"application/problem+json": {Schema: reflectSchema[Problem](s)}},
	}
	return op.to(withKey)
}

// to says who may use the route while the door is closed. The default is withKey.
func (op *operation) to(a access) *operation {
	op.server.route(op.Method, op.Path).access = a
	op.Security = a.security()
	return op
}

// inAddress accepts a token in the query too.
func (op *operation) inAddress() *operation {
	op.server.route(op.Method, op.Path).inAddress = true
	op.Security = append(op.Security, map[string][]string{queryScheme: {}})
	return op
}

// streams says which requests get a stream, also if they have to come back later.
func (op *operation) streams(which func(echo.Context) bool) *operation {
	op.server.route(op.Method, op.Path).streams = which
	return op
}

// upTo bounds the body instead of maxBody.
func (op *operation) upTo(bytes int64) *operation {
	op.server.route(op.Method, op.Path).mostBody = bytes
	return op
}

// answers adds a response; content is nil if it has no body.
func (op *operation) answers(status int, description string, content map[string]*huma.MediaType) *operation {
	op.Responses[strconv.Itoa(status)] = &huma.Response{Description: description, Content: content}
	return op
}

// body describes the body, which is required unless orNoBody was called before.
func (op *operation) body(schema *huma.Schema) *operation {
	op.RequestBody = &huma.RequestBody{
		Content: map[string]*huma.MediaType{"application/json": {Schema: schema}}, Required: !op.bodyless,
	}
	return op
}

func (op *operation) orNoBody() *operation {
	op.bodyless = true
	return op
}

// reflectSchema returns a reference to the schema of T.
func reflectSchema[T any](s *Server) *huma.Schema {
	return s.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[T](), true, "")
}

func jsonOf(schema *huma.Schema) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{"application/json": {Schema: schema}}
}

func eventStream() map[string]*huma.MediaType {
	return map[string]*huma.MediaType{sse.ContentType: {Schema: &huma.Schema{
		Type: huma.TypeString,
		Description: "Server-Sent Events. Each has one data line, an Update as JSON, and an id that counts 1, 2, 3 and so " +
			"on within the turn. " +
			"The last update is done; after it the server closes the stream.",
		Extensions: map[string]any{
			"contentMediaType": sse.ContentType, "contentSchema": &huma.Schema{Ref: schemaPrefix + updateSchema},
		},
	}}}
}

// foreignStream is a stream in another protocol, which has its own documentation.
func foreignStream() map[string]*huma.MediaType {
	return map[string]*huma.MediaType{sse.ContentType: {Schema: &huma.Schema{
		Type: huma.TypeString, Description: "Server-Sent Events, made of the same updates as the turn's own stream.",
	}}}
}

func plainText() map[string]*huma.MediaType {
	return map[string]*huma.MediaType{"text/plain": {Schema: &huma.Schema{Type: huma.TypeString}}}
}

// updates lists every update of a stream.
func updates() []meet.Update {
	return []meet.Update{
		meet.TurnUpdate{}, meet.AcknowledgmentUpdate{}, meet.ProgressUpdate{}, meet.TemplateUpdate{},
		meet.CandidatesUpdate{}, meet.MessageDeltaUpdate{}, meet.MessageUpdate{}, meet.EventUpdate{},
		meet.AlternativesUpdate{}, meet.ActivitiesUpdate{}, meet.NavigateUpdate{}, meet.PlanUpdate{}, meet.ResultUpdate{},
		meet.ChangesUpdate{}, meet.ChoicesUpdate{}, meet.AppliedUpdate{}, meet.ErrorUpdate{}, meet.DoneUpdate{},
	}
}

// describeUpdates adds the updates to the document: one schema each, discriminated by type, and one for all of them.
func (s *Server) describeUpdates() {
	r := s.huma.OpenAPI().Components.Schemas
	all := &huma.Schema{
		Description:   "What a turn streams.",
		Discriminator: &huma.Discriminator{PropertyName: "type", Mapping: map[string]string{}},
	}
	for _, u := range updates() {
		ref := r.Schema(reflect.TypeOf(u), true, "")
		schema, name := r.SchemaFromRef(ref.Ref), meet.TypeOf(u)
		schema.Properties["type"] = &huma.Schema{Type: huma.TypeString, Enum: []any{name}}
		schema.Required = append([]string{"type"}, schema.Required...)
		all.OneOf = append(all.OneOf, ref)
		all.Discriminator.Mapping[name] = ref.Ref
	}
	r.Map()[updateSchema] = all
	// huma describes its own errors beside ours; no response has them.
	delete(r.Map(), "ErrorModel")
	delete(r.Map(), "ErrorDetail")
}

// weekSchema describes interval.Week, and clockSchema interval.Clock, in JSON.
type (
	weekSchema  struct{}
	clockSchema struct{}
)

// Schema has a list of windows for each day that has hours.
func (weekSchema) Schema(r huma.Registry) *huma.Schema {
	windows := &huma.Schema{Type: huma.TypeArray, Items: r.Schema(reflect.TypeFor[interval.Window](), true, "")}
	days := map[string]*huma.Schema{}
	for _, day := range []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"} {
		days[day] = windows
	}
	return &huma.Schema{
		Type: huma.TypeObject, Properties: days, AdditionalProperties: false,
		Description: "Hours by weekday; a day that is left out has none.",
	}
}

// Schema is a time of day.
func (clockSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, Pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$", Description: "HH:MM, from 00:00 to 24:00.",
	}
}

// writeJSON writes a JSON response, for handlers with several kinds of response.
func (s *Server) writeJSON(ctx context.Context, h huma.Context, status int, v any) {
	h.SetHeader("Content-Type", "application/json")
	h.SetStatus(status)
	if err := s.huma.Marshal(h.BodyWriter(), "application/json", v); err != nil {
		noteOf(ctx).err = err // the status is sent; the reader has most likely gone
	}
}
