// Package functions has the functions that a model may call. Each is a tool in one file, with the struct of its
// arguments and its handler, and a Markdown file with the words for the model; see package tool.
//
// Handlers are thin: they check what a schema cannot, adjust, and return a value. They call no model and search
// nothing. A new function is one file here and one element of a Set.
package functions

import (
	"sync"

	"convene/pkg/meet"
	"convene/pkg/tool"
)

// Templates are the functions of stage 3.
type Templates struct {
	generate, edit, navigate tool.Tool[TemplateContext, meet.Draft]
}

// templates are made once: their schemas take time and memory.
var templates = sync.OnceValue(func() Templates {
	return Templates{GenerateEventTemplate(), EditEventTemplate(), NavigateToBookingLink()}
})

// NewTemplates are the functions of stage 3; safe for concurrent use.
func NewTemplates() Templates { return templates() }

// For returns the functions that may be called in context c: edit only with a cached search, and navigate only with a
// booking page.
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
