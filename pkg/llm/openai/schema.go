package openai

import (
	"encoding/json"
	"strings"

	"convene/pkg/llm"
)

// In JSONSchema mode the answer is a JSON text: the arguments themselves where there is one function to call, and
// {"call": {"function": name, "arguments": {…}}} where there is a choice. The choice is wrapped, because strict mode
// takes no anyOf at the root.

type (
	objectSchema struct {
		Type       string   `json:"type"`
		Properties any      `json:"properties"`
		Required   []string `json:"required"`
		Additional bool     `json:"additionalProperties"`
	}
	choiceProperties struct {
		Call anyOf `json:"call"`
	}
	anyOf struct {
		AnyOf []objectSchema `json:"anyOf"`
	}
	callProperties struct {
		Function  nameSchema      `json:"function"`
		Arguments json.RawMessage `json:"arguments"`
	}
	nameSchema struct {
		Type string   `json:"type"`
		Enum []string `json:"enum"`
	}
	// chosenCall is what the model writes for it.
	chosenCall struct {
		Call struct {
			Function  string          `json:"function"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"call"`
	}
)

func schemaFormat(req llm.Request) (*responseFormat, error) {
	if tool, ok := onlyTool(req); ok {
		return newFormat(tool.Name, tool.Parameters), nil
	}
	var choice choiceProperties
	for _, t := range req.Tools {
		choice.Call.AnyOf = append(choice.Call.AnyOf, objectSchema{
			Type: "object",
			Properties: callProperties{
				Function:  nameSchema{Type: "string", Enum: []string{t.Name}},
				Arguments: t.Parameters,
			},
			Required: []string{"function", "arguments"},
		})
	}
	schema, err := marshal(objectSchema{Type: "object", Properties: choice, Required: []string{"call"}})
	if err != nil {
		return nil, err
	}
	return newFormat("functionCall", schema), nil
}

func newFormat(name string, schema json.RawMessage) *responseFormat {
	return &responseFormat{Type: "json_schema", Schema: namedSchema{Name: name, Strict: true, Schema: schema}}
}

// schemaInstruction says in words what tools would say by themselves. It is as static as the functions are.
func schemaInstruction(req llm.Request) string {
	var b strings.Builder
	if tool, ok := onlyTool(req); ok {
		b.WriteString("\n\nAnswer with the arguments of the function " + tool.Name +
			" as one JSON object and nothing else.\n")
		b.WriteString("\n" + tool.Name + ": " + tool.Description + "\n")
		return b.String()
	}
	b.WriteString("\n\nCall exactly one of the functions below. Answer with one JSON object and nothing else: " +
		`{"call": {"function": its name, "arguments": its arguments}}.` + "\n")
	for _, t := range req.Tools {
		b.WriteString("\n" + t.Name + ": " + t.Description + "\n")
	}
	return b.String()
}
