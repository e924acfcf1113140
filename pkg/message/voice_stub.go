package message

import (
	"time"

	"convene/pkg/interval"
)

// All of this file stands here until the voice has them; then the file goes.

// OnDay is Day within a sentence: "today", "on Tuesday".
func (v Voice) OnDay(t time.Time) string { return v.Day(t) }

// Times is a span on the clock: "2:00–3:00 PM".
func (v Voice) Times(s interval.Span) string { return v.Clock(s.Start) + "–" + v.Clock(s.End) }
