package openai

import (
	"encoding/json"
	"fmt"
	"strings"

	"convene/pkg/llm"
)

// In JSONSchema mode the answer is a JSON text: the arguments themselves if there is one function to call, and
// otherwise {"call": {"function": name, "arguments": {…}}}, because strict mode allows no anyOf at the root.

// chosenCall is the answer if there is a choice.
type chosenCall struct {
	Call struct {
		Function  string          `json:"function"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"call"`
}

func schemaFormat(req llm.Request) *responseFormat {
	if tool, ok := onlyTool(req); ok {
		return newFormat(tool.Name, tool.Parameters)
	}
	object := func(properties, required string) string {
		return `{"type":"object","properties":{` + properties + `},"required":[` + required +
			`],"additionalProperties":false}`
	}
	var calls []string
	for _, t := range req.Tools {
		calls = append(calls, object(fmt.Sprintf(`"function":{"type":"string","enum":[%q]},"arguments":%s`, t.Name,
			t.Parameters), `"function","arguments"`))
	}
	schema := object(`"call":{"anyOf":[`+strings.Join(calls, ",")+`]}`, `"call"`)
	return newFormat("functionCall", json.RawMessage(schema))
}

func newFormat(name string, schema json.RawMessage) *responseFormat {
	return &responseFormat{Type: "json_schema", Schema: namedSchema{Name: name, Strict: true, Schema: schema}}
}

// schemaInstruction describes the functions in words, as tools would. It is as static as the functions.
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
