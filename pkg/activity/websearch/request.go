package websearch

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"convene/pkg/geo"
	"convene/pkg/meet"
	"convene/pkg/outbound"
)

//go:embed search.md
var instructions string

//go:embed schema.json
var schema []byte

// form is how strictly the format of an answer is requested.
type form string

const (
	// strict has the provider enforce the schema; loose relies on the instructions.
	strict form = "strict"
	loose  form = "loose"
)

// The body of a request, as the Responses API documents it.
type (
	request struct {
		Model         string     `json:"model"`
		Instructions  string     `json:"instructions"`
		Input         string     `json:"input"`
		Tools         []tool     `json:"tools"`
		ToolChoice    string     `json:"tool_choice"`
		Include       []string   `json:"include"`
		Text          *text      `json:"text,omitempty"`
		Reasoning     *reasoning `json:"reasoning,omitempty"`
		MaxTokens     int        `json:"max_output_tokens"`
		MaxToolCalls  int        `json:"max_tool_calls"`
		Store         bool       `json:"store"`
		ParallelCalls bool       `json:"parallel_tool_calls"`
	}
	tool struct {
		Type         string    `json:"type"`
		UserLocation *location `json:"user_location,omitempty"`
	}
	location struct {
		Type     string `json:"type"`
		City     string `json:"city,omitempty"`
		Timezone string `json:"timezone,omitempty"`
	}
	text struct {
		Format format `json:"format"`
	}
	format struct {
		Type   string          `json:"type"`
		Name   string          `json:"name"`
		Strict bool            `json:"strict"`
		Schema json.RawMessage `json:"schema"`
	}
	reasoning struct {
		Effort string `json:"effort"`
	}
)

// question is a query as the model sees it.
type question struct {
	Message  string     `json:"message"`
	From     string     `json:"from"`
	To       string     `json:"to"`
	Today    string     `json:"today"`
	Timezone string     `json:"timezone"`
	Area     string     `json:"area,omitempty"`
	Near     *geo.Point `json:"near,omitempty"`
	Limit    int        `json:"limit"`
}

// asked is the number of activities requested: more than are shown, because some fail the checks.
const asked = 8

func (f *Finder) body(q meet.ActivityQuery, as form) ([]byte, error) {
	zone := zoneOf(q)
	from := q.Span.Start.In(zone)
	input, err := json.Marshal(question{
		Message: q.Text, From: from.Format(time.RFC3339), To: q.Span.End.In(zone).Format(time.RFC3339),
		Today:    from.Format("Monday, " + time.DateOnly),
		Timezone: zone.String(), Area: q.Area, Near: roughly(q.Near), Limit: asked,
	})
	if err != nil {
		return nil, fmt.Errorf("question: %w", err)
	}
	r := request{
		Model: f.cfg.Model, Instructions: instructions, Input: string(input),
		Tools: []tool{
			{Type: "web_search", UserLocation: &location{Type: "approximate", City: q.Area, Timezone: zone.String()}},
		},
		ToolChoice: "required", Include: []string{"web_search_call.action.sources"},
		MaxTokens: maxTokens, MaxToolCalls: maxSearches, ParallelCalls: true,
	}
	if as == strict {
		r.Text = &text{format{Type: "json_schema", Name: "activities", Strict: true, Schema: schema}}
	}
	if f.cfg.Effort != EffortOmitted {
		r.Reasoning = &reasoning{f.cfg.Effort}
	}
	return json.Marshal(r)
}

func zoneOf(q meet.ActivityQuery) *time.Location { return cmp.Or(q.Zone, time.UTC) }

// roughly rounds a point to some ten kilometres, so that no home is revealed.
func roughly(p *geo.Point) *geo.Point {
	if p == nil {
		return nil
	}
	rough := p.Rounded(10)
	return &rough
}

// ask makes one search.
func (f *Finder) ask(ctx context.Context, q meet.ActivityQuery, as form) (answer, error) {
	body, err := f.body(q, as)
	if err != nil {
		return answer{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.cfg.BaseURL+"responses", bytes.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if f.cfg.Key != "" {
		req.Header.Set("Authorization", "Bearer "+f.cfg.Key)
	}
	res, err := f.http.Do(req)
	if err != nil {
		return answer{}, outbound.Cause(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return answer{}, fmt.Errorf("read the answer: %w", err)
	}
	if res.StatusCode != http.StatusOK {
		return answer{}, refusalOf(res.StatusCode, raw)
	}
	return readAnswer(raw)
}
