package api

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"golang.org/x/text/language"

	"convene/pkg/auth"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Tools are the tools of the assistant.
type Tools interface {
	List() []meet.ToolDescription
	// Call calls a tool of the list. A wrong argument is fault.InvalidRequest, with the argument's path as its field. What
	// the tool cannot do is the response's error.
	Call(ctx context.Context, c meet.ToolCall) (meet.ToolResult, error)
}

// toolRequest is the body of POST /v1/tools/{name}.
type toolRequest struct {
	_ struct{} `additionalProperties:"false"`
	ToolOptions
	Arguments json.RawMessage `json:"arguments,omitempty" doc:"The tool's own, by its schema. Members that may be null, and lists, may be left out."`
}

// ToolOptions are the members of a call that all tools have.
type ToolOptions struct {
	Organizer   personOrID `json:"organizer,omitzero" doc:"Whose day it is. Left out, the only person as whom the caller may ask: the only stored one, or the token's; in the demo, me."`
	Timezone    string     `json:"timezone,omitempty" doc:"IANA zone of times without an offset. Left out, the organizer's, or UTC if that is not known." example:"America/Los_Angeles"`
	AutoConfirm bool       `json:"autoConfirm,omitempty" doc:"Applies what would have to be confirmed; what is refused stays refused."`
}

type toolInput struct {
	Name           string `path:"name" doc:"The tool's name."`
	Language       string `header:"Accept-Language" doc:"The language of the texts."`
	IdempotencyKey string `header:"Idempotency-Key" doc:"A repeated call with the same key and body makes its changes once. Up to 200 visible ASCII characters."`
}

type toolOutput struct{ Body meet.ToolResult }

type toolsOutput struct {
	Body struct {
		Tools []meet.ToolDescription `json:"tools"`
	}
}

func (s *Server) toolRoutes() {
	if s.cfg.Tools == nil {
		return
	}
	handle(s, s.operation("listTools", http.MethodGet, "/v1/tools", "List the tools of the assistant").
		to(withToken), s.listTools)
	handle(s, s.operation("callTool", http.MethodPost, "/v1/tools/{name}", "Call a tool").to(withToken).
		orNoBody().body(reflectSchema[toolRequest](s)), s.callTool)
}

// listTools lists the tools that the caller may use.
func (s *Server) listTools(ctx context.Context, _ *struct{}) (*toolsOutput, error) {
	out := &toolsOutput{}
	out.Body.Tools = slices.DeleteFunc(append([]meet.ToolDescription{}, s.cfg.Tools.List()...),
		func(t meet.ToolDescription) bool { return !auth.CallerOf(ctx).MayUse(t.Family) })
	return out, nil
}

func (s *Server) callTool(ctx context.Context, in *toolInput) (*toolOutput, error) {
	options := CallOptions{Key: in.IdempotencyKey}
	if in.Language != "" {
		_, i := language.MatchStrings(language.NewMatcher(landingLanguages), in.Language)
		options.Language = landingLanguages[i].String()
	}
	result, err := s.CallTool(ctx, in.Name, noteOf(ctx).body, options)
	return &toolOutput{result}, err
}

// CallOptions are what a call of a tool has beside its body. Both may be empty.
//
// Without a Language the texts are in the one that the organizer prefers, or else in English.
type CallOptions struct{ Key, Language string }

// CallTool calls a tool with the body of POST /v1/tools/{name}. Other ways to call a tool use it, so that all accept
// and refuse the same.
func (s *Server) CallTool(
	ctx context.Context, name string, body []byte, options CallOptions,
) (result meet.ToolResult, err error) {
	tools := s.cfg.Tools.List()
	i := slices.IndexFunc(tools, func(t meet.ToolDescription) bool { return t.Name == name })
	if i < 0 {
		return result, fault.New(fault.NotFound, "There is no tool with this name; GET /v1/tools lists them.")
	}
	if err := MayUse(ctx, tools[i].Family); err != nil {
		return result, err
	}
	var request toolRequest
	if len(body) > 0 {
		if request, err = decode[toolRequest](body, ""); err != nil {
			return result, err
		}
	}
	call := meet.ToolCall{Tool: name, Language: options.Language, Arguments: request.Arguments}
	if call.Turn, err = s.toolTurn(ctx, request.ToolOptions); err != nil {
		return result, err
	}
	if call.Turn.ID, err = callID(call, options.Key); err != nil {
		return result, err
	}
	return s.cfg.Tools.Call(ctx, call)
}

// toolTurn is who calls a tool, as the turn of a message would have it.
func (s *Server) toolTurn(ctx context.Context, in ToolOptions) (t meet.Turn, err error) {
	caller := auth.CallerOf(ctx)
	t = meet.Turn{
		Timezone: in.Timezone, Circle: caller.Circle(), Families: caller.Grant.Families, NoConfirm: !caller.MayConfirm(),
		AutoConfirm: in.AutoConfirm, ReceivedAt: s.cfg.Now(),
	}
	if err := checkZone("timezone", in.Timezone); err != nil {
		return t, err
	}
	if in.AutoConfirm {
		if err := MayConfirm(ctx); err != nil {
			return t, err
		}
	}
	people := s.roster(ctx, turnRequest{TurnOptions: TurnOptions{Organizer: in.Organizer}})
	defer people.close()
	t.Organizer, err = people.organizer(ctx, in.Organizer, s.cfg.Organizer)
	return t, err
}

// callID names a call: by its content if it has an idempotency key, so that a repeated call is the same one.
func callID(call meet.ToolCall, key string) (meet.TurnID, error) {
	key, err := idempotencyKey(key)
	if err != nil || key == "" {
		return meet.TurnID("call_" + strings.ToLower(rand.Text())), err
	}
	content := fmt.Sprintf("%s\x00%s\x00%s\x00%s\x00%s", call.Turn.Organizer.ID, key, call.Tool, call.Turn.Timezone,
		call.Arguments)
	sum := sha256.Sum256([]byte(content))
	return meet.TurnID("call_" + hex.EncodeToString(sum[:16])), nil
}

// checkFamilies refuses names that are no families of tools, and a list without any; nil is all families.
func (s *Server) checkFamilies(names []string) error {
	if names != nil && len(names) == 0 {
		return fault.Invalid("families", "must name a family; left out, all are meant")
	}
	known := map[string]bool{}
	if s.cfg.Tools != nil {
		for _, t := range s.cfg.Tools.List() {
			known[t.Family] = true
		}
	}
	for i, name := range names {
		if !known[name] {
			return fault.Invalid(fmt.Sprintf("families[%d]", i), "is no family of tools; GET /v1/tools lists them")
		}
	}
	return nil
}

// describeTools adds an operation for each tool, with its words and the schemas of its arguments and data.
func (s *Server) describeTools() {
	if s.cfg.Tools == nil {
		return
	}
	schemas := s.huma.OpenAPI().Components.Schemas.Map()
	result := schemas["ToolResult"].Properties
	for _, member := range []string{"changes", "applied"} {
		result[member] = orNull(result[member])
	}
	for _, t := range s.cfg.Tools.List() {
		name := pascal(t.Name)
		schemas[name+"Arguments"], schemas[name+"Data"] = verbatim(t.Arguments), verbatim(t.Data)
		op := s.operation(t.Name, http.MethodPost, "/v1/tools/"+t.Name, summaryOf(t.Description)).to(withToken).
			orNoBody().body(s.toolBody(name)).
			answers(http.StatusOK, "What came of it.", jsonOf(s.toolAnswer(name)))
		op.Tags, op.Description = []string{toolsTag}, t.Description
		s.huma.OpenAPI().AddOperation(&op.Operation)
	}
}

// toolsTag is the tag of the tools' operations in operations.json.
const toolsTag = "tools"

// toolBody is the toolRequest with the arguments of one tool.
func (s *Server) toolBody(name string) *huma.Schema {
	body := *s.huma.OpenAPI().Components.Schemas.SchemaFromRef(reflectSchema[toolRequest](s).Ref)
	members := map[string]*huma.Schema{"arguments": {Ref: schemaPrefix + name + "Arguments"}}
	for _, member := range []string{"organizer", "timezone", "autoConfirm"} {
		members[member] = body.Properties[member]
	}
	return &huma.Schema{Type: huma.TypeObject, Properties: members, AdditionalProperties: false}
}

// toolAnswer is the meet.ToolResult with the data of one tool; null if the tool could not do it.
func (s *Server) toolAnswer(name string) *huma.Schema {
	return &huma.Schema{AllOf: []*huma.Schema{reflectSchema[meet.ToolResult](s), {
		Type: huma.TypeObject, Properties: map[string]*huma.Schema{"response": {
			Type: huma.TypeObject, Properties: map[string]*huma.Schema{
				"data": orNull(&huma.Schema{Ref: schemaPrefix + name + "Data"}),
			},
		}},
	}}}
}

func orNull(schema *huma.Schema) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{schema, {Type: "null"}}}
}

// verbatim is a schema that is written as it is.
func verbatim(schema json.RawMessage) *huma.Schema {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(schema, &members) // what is no object describes anything
	as := &huma.Schema{Extensions: map[string]any{}}
	for name, value := range members {
		as.Extensions[name] = value
	}
	return as
}

// pascal is the name of a tool as that of a type: calendar_findEvents is CalendarFindEvents.
func pascal(name string) string {
	var all strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		if part != "" {
			all.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return all.String()
}

// summaryOf is the first sentence of a description.
func summaryOf(description string) string {
	line, _, _ := strings.Cut(description, "\n")
	sentence, _, _ := strings.Cut(line, ". ")
	return strings.TrimSuffix(sentence, ".")
}
