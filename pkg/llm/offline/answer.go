package offline

import (
	"bytes"
	"encoding/json"
	"slices"
)

// The functions that the model knows.
const (
	classifyIntent        = "classifyIntent"
	generateEventTemplate = "generateEventTemplate"
	editEventTemplate     = "editEventTemplate"
	navigateToBookingLink = "navigateToBookingLink"
	generateEvent         = "generateEvent"
	provideAlternatives   = "provideAlternatives"
)

var functionNames = []string{
	classifyIntent, generateEventTemplate, editEventTemplate, navigateToBookingLink, generateEvent, provideAlternatives,
}

// respond answers a request in the form that it demands.
func (m *Model) respond(req *completionRequest) written {
	m.places <- struct{}{}
	defer func() { <-m.places }()
	d := req.demand()
	if len(d.names) == 0 {
		// Someone talks to the model without any function: it says what it is for.
		return written{text: m.classify(decode[classifyData](req)).Acknowledgment}
	}
	name, arguments := m.call(d.names, req)
	encoded, err := json.Marshal(arguments)
	if err != nil {
		return written{refusal: "I could not write an answer."}
	}
	if !d.asContent {
		return written{function: name, arguments: string(encoded)}
	}
	return written{text: d.content(name, encoded)}
}

// offers is what the schema of stage 1 has a place for.
func (r *completionRequest) offers() (o offers) {
	for _, t := range r.Tools {
		if t.Function.Name == classifyIntent {
			o.day = bytes.Contains(t.Function.Parameters, []byte(`"look"`))
			o.families = bytes.Contains(t.Function.Parameters, []byte(`"families"`))
		}
	}
	return o
}

// content is a call as a JSON text, in the form that the schema of the request describes.
func (d demand) content(name string, arguments json.RawMessage) string {
	if !d.wrapped {
		return string(arguments)
	}
	type call struct {
		Function  string          `json:"function"`
		Arguments json.RawMessage `json:"arguments"`
	}
	var whole any = call{name, arguments}
	if d.nested {
		whole = struct {
			Call call `json:"call"`
		}{call{name, arguments}}
	}
	text, err := json.Marshal(whole)
	if err != nil {
		return string(arguments)
	}
	return string(text)
}

// call chooses one of the functions offered and fills in its arguments.
func (m *Model) call(offered []string, req *completionRequest) (name string, arguments any) {
	switch offers := func(name string) bool { return slices.Contains(offered, name) }; {
	case offers(classifyIntent):
		d := decode[classifyData](req)
		d.offers, d.whole = req.offers(), d.Message
		d.Message = withoutOrders(d.Message, Language(readable(d.Message), d.RecentTurns))
		return classifyIntent, m.classify(d)
	case offers(generateEvent):
		return generateEvent, propose(decode[selectData](req))
	case offers(provideAlternatives):
		return provideAlternatives, otherTimes(decode[selectData](req))
	case slices.ContainsFunc(offered, isTool):
		return m.operate(req.Tools, decode[planData](req))
	default:
		d := decode[templateData](req)
		d.Message = withoutOrders(d.Message, Language(readable(d.Message), d.RecentTurns))
		return m.readTemplate(offered, d)
	}
}
