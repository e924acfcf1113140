package functions

import "convene/pkg/meet"

// Templates are the functions of stage 3.
type Templates struct {
	generate, edit, navigate Function[TemplateContext, meet.Draft]
}

// NewTemplates builds them once; a Templates is safe for concurrent use.
func NewTemplates() Templates {
	return Templates{GenerateEventTemplate(), EditEventTemplate(), NavigateToBookingLink()}
}

// For is what may be called in context c: a conversation without a cached search has nothing to edit, and a turn
// without any booking page has nowhere to go.
func (t Templates) For(c TemplateContext) Set[TemplateContext, meet.Draft] {
	set := Set[TemplateContext, meet.Draft]{t.generate}
	if c.Search != nil {
		set = append(set, t.edit)
	}
	if len(c.BookingLinks) > 0 {
		set = append(set, t.navigate)
	}
	return set
}
