package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Tools are the tools of the assistant, described and called as over HTTP.
type Tools struct {
	List []meet.ToolDescription
	// Call calls one with the body of POST /v1/tools/{name}. key, the idempotency key, may be empty.
	Call func(ctx context.Context, name string, body []byte, key string) (meet.ToolResult, error)
	// MayUse returns an error if the caller may use the tools of none of the families.
	MayUse func(ctx context.Context, families ...string) error
}

// registered are the tools of the assistant, with the schemas and words of their families.
func (s *Server) registered() (all []tool, err error) {
	for _, d := range s.cfg.Tools.List {
		known, input, output, err := schemasOf(d)
		if err != nil {
			return nil, fmt.Errorf("tool %s: %w", d.Name, err)
		}
		changes := d.Effect == "change"
		again := !changes || d.Operation == meet.DeleteResource
		destroys := changes && d.Operation != meet.CreateResource
		all = append(all, tool{
			Tool: sdk.Tool{
				Name: d.Name, Description: d.Description, OutputSchema: output, InputSchema: input,
				Annotations: &sdk.ToolAnnotations{
					ReadOnlyHint: !changes, DestructiveHint: &destroys, IdempotentHint: again, OpenWorldHint: &changes,
				},
			},
			input: known,
			call: func(ctx context.Context, args arguments, _ progress) (result, error) {
				return s.callRegistered(ctx, d.Name, args)
			},
		})
	}
	return all, nil
}

// schemasOf are the schemas of a call's arguments, with those that all calls have, and of its result, as they are: only
// which arguments there are is read.
func schemasOf(d meet.ToolDescription) (known *jsonschema.Schema, input, output json.RawMessage, err error) {
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(d.Arguments, &whole); err != nil {
		return nil, nil, nil, err
	}
	properties := map[string]json.RawMessage{}
	known = &jsonschema.Schema{Properties: map[string]*jsonschema.Schema{}}
	for name, into := range map[string]any{"properties": &properties, "required": &known.Required} {
		if raw, there := whole[name]; there {
			if err := json.Unmarshal(raw, into); err != nil {
				return nil, nil, nil, err
			}
		}
	}
	for name, schema := range map[string]*jsonschema.Schema{
		"organizer": text("Whose day it is: the id or the email address of a stored person. Leave it out if only one " +
			"person can be meant."),
		"timezone":       zone("IANA time zone of times without an offset. Left out, the organizer's."),
		"idempotencyKey": idempotencyKey(),
	} {
		if properties[name], err = json.Marshal(schema); err != nil {
			return nil, nil, nil, err
		}
	}
	for name, raw := range properties {
		var words struct{ Description string }
		if err := json.Unmarshal(raw, &words); err != nil {
			return nil, nil, nil, err
		}
		known.Properties[name] = &jsonschema.Schema{Description: words.Description}
	}
	if whole["properties"], err = json.Marshal(properties); err != nil {
		return nil, nil, nil, err
	}
	if input, err = json.Marshal(whole); err != nil {
		return nil, nil, nil, err
	}
	output, err = json.Marshal(resultOf(d.Data))
	return known, input, output, err
}

// schema is a JSON Schema as it is written.
type schema = map[string]any

// resultOf is the schema of a tool's result, with that of its data.
func resultOf(data json.RawMessage) schema {
	orNull := []string{"object", "null"}
	return schema{"type": "object", "properties": schema{
		"response": schema{"type": "object", "properties": schema{
			"data": schema{"anyOf": []any{data, schema{"type": "null"}}},
		}},
		"changes": schema{
			"type":        orNull,
			"description": "What would change. While its status is pending, nothing is written.",
		},
		"applied": schema{"type": orNull, "description": "What came of changes that needed no confirmation."},
	}}
}

// callRegistered calls a tool of the assistant.
func (s *Server) callRegistered(ctx context.Context, name string, args arguments) (r result, err error) {
	body := map[string]any{"arguments": args}
	key, err := args.take("idempotencyKey")
	if err != nil {
		return r, err
	}
	for _, member := range []string{"organizer", "timezone"} {
		if value, given := args[member]; given {
			body[member] = value
			delete(args, member)
		}
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return r, fmt.Errorf("arguments of a tool: %w", err)
	}
	given, err := s.cfg.Tools.Call(ctx, name, raw, key)
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Code == fault.InvalidRequest {
		err = fault.Invalid(strings.TrimPrefix(f.Field, "arguments."), "%s", f.Message).Because(err)
	}
	if err != nil {
		return r, ownWords(err)
	}
	r.given = &given
	return r, nil
}

// onlyAllowed leaves those tools out of tools/list that the caller may not use.
func (s *Server) onlyAllowed(next sdk.MethodHandler) sdk.MethodHandler {
	families := map[string]string{}
	for _, d := range s.cfg.Tools.List {
		families[d.Name] = d.Family
	}
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		answer, err := next(ctx, method, req)
		list, ok := answer.(*sdk.ListToolsResult)
		if !ok || err != nil {
			return answer, err
		}
		allowed := *list
		allowed.Tools = slices.DeleteFunc(slices.Clone(list.Tools), func(t *sdk.Tool) bool {
			family, registered := families[t.Name]
			return registered && s.cfg.Tools.MayUse(ctx, family) != nil
		})
		return &allowed, nil
	}
}

// registeredContent is the result of a tool of the assistant in the protocol.
func registeredContent(given meet.ToolResult) (*sdk.CallToolResult, error) {
	structured, err := json.Marshal(given)
	if err != nil {
		return nil, fmt.Errorf("result: %w", err)
	}
	response := given.Response
	lines := []string{response.Display.Title, response.Display.Description}
	if response.Error != nil {
		lines = append([]string{response.Error.Message}, response.Error.SuggestedActions...)
	}
	content := []sdk.Content{&sdk.TextContent{Text: strings.Join(slices.DeleteFunc(lines, func(line string) bool {
		return line == ""
	}), "\n")}}
	if next := changeLines(given.Changes); len(next) > 0 {
		content = append(content, forAgent(strings.Join(next, "\n")))
	}
	return &sdk.CallToolResult{
		Content: content, StructuredContent: json.RawMessage(structured), IsError: response.Error != nil,
	}, nil
}

// changeLines tell an agent what waits for a confirmation, and how to confirm it.
func changeLines(set *meet.ChangeSet) []string {
	if set == nil || set.Status != meet.ChangesPending {
		return nil
	}
	lines := []string{"Nothing is written yet. Show the user every change, and once they agree call " +
		"system_confirmProposal with this id and digest.", "id: " + string(set.ID), "digest: " + set.Digest}
	for _, c := range set.Changes {
		lines = append(lines, changeLine(c))
	}
	return lines
}

// changeLine says all that a change does, as many clients show agents the text alone.
func changeLine(c meet.Change) string {
	parts := []string{fmt.Sprintf("change %s: %s %s %s", c.ID, c.Kind, c.What, oneLine(c.Title))}
	before, after := membersOf(c.Before), membersOf(c.After)
	names := maps.Clone(before)
	maps.Copy(names, after)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		switch from, to := before[name], after[name]; {
		case from == to:
		case c.Kind == meet.CreateThing:
			parts = append(parts, name+" "+to)
		case c.Kind != meet.DeleteThing:
			parts = append(parts, name+" "+cmp.Or(from, "none")+" → "+cmp.Or(to, "none"))
		case name == "start", name == "end":
			parts = append(parts, name+" "+from)
		}
	}
	if c.Scope != "" {
		parts = append(parts, "scope "+string(c.Scope))
	}
	for _, a := range c.Affects {
		parts = append(parts, "told: "+oneLine(cmp.Or(a.Name, a.Email)))
	}
	if !c.Undoable {
		parts = append(parts, "cannot be undone")
	}
	return strings.Join(parts, "; ")
}

// membersOf are the members of a thing that say something, as JSON; a thing without members is one named value.
func membersOf(thing json.RawMessage) map[string]string {
	var members map[string]json.RawMessage
	if json.Unmarshal(thing, &members) != nil {
		members = map[string]json.RawMessage{"value": thing}
	}
	texts := map[string]string{}
	for name, value := range members {
		says := !slices.Contains([]string{"", `""`, "[]", "{}", "null", "false"}, string(value))
		if says && !slices.Contains([]string{"id", "series", "pending"}, name) {
			texts[name] = oneLine(string(value))
		}
	}
	return texts
}
