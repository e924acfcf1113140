// Package functions is what a model may call. Each function is a tool in one file, with the struct of its arguments and
// its handler, and a Markdown file beside it with the words that the model reads; see package tool.
//
// Handlers are thin: they check what a schema cannot, adjust, and return a value. They call no model and search
// nothing. A new function is one file here and one element of a Set.
package functions

import (
	"convene/pkg/meet"
	"convene/pkg/tool"
)

// Templates are the functions of stage 3.
type Templates struct {
	generate, edit, navigate tool.Tool[TemplateContext, meet.Draft]
}

// NewTemplates builds them once; a Templates is safe for concurrent use.
func NewTemplates() Templates {
	return Templates{GenerateEventTemplate(), EditEventTemplate(), NavigateToBookingLink()}
}

// For is what may be called in context c: a conversation without a cached search has nothing to edit, and a turn
// without any booking page has nowhere to go.
func (t Templates) For(c TemplateContext) tool.Set[TemplateContext, meet.Draft] {
	set := tool.Set[TemplateContext, meet.Draft]{t.generate}
	if c.Search != nil {
		set = append(set, t.edit)
	}
	if len(c.BookingLinks) > 0 {
		set = append(set, t.navigate)
	}
	return set
}
