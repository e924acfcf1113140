package ground

import (
	"slices"

	"convene/pkg/agenda"
	"convene/pkg/interval"
)

// nextOne shows what comes after the event that was shown or before it, or after the last of several ("what's the next
// thing after that?"), or the next one of its series ("and the one after?").
func (r *reading) nextOne() (string, arguments) {
	shown := keep(r.Things, func(t Thing) bool { return t.Kind == Event && slices.Contains(r.Last, t.ID) })
	after, before := r.says("asks for after"), r.says("asks for before")
	aspect, selection := "when", arguments{}
	if len(shown) == 0 {
		return "", nil
	}
	last := slices.MaxFunc(shown, func(a, b Thing) int { return a.Span.End.Compare(b.Span.End) })
	switch one := len(shown) == 1; {
	case r.says("asks when it is"):
		selection["ids"] = r.Last[:1]
	case one && after && r.says("one of them"):
		i := slices.IndexFunc(r.Things, func(t Thing) bool {
			return t.Series != "" && t.Series == last.Series && t.Span.Start.After(last.Span.Start)
		})
		if i < 0 {
			return "", nil
		}
		selection["ids"] = []string{r.Things[i].ID}
	case one && (after || before):
		aspect, selection["window"] = "list", r.besideOnDay(last, after)
	case after:
		from := last.Span.End.In(r.Now.Location())
		selection["window"] = agenda.Window{Start: from.Format(localTime), End: from.AddDate(1, 0, 0).Format(localTime)}
		selection["order"], selection["first"] = "start", 1
	default:
		return "", nil
	}
	return "calendar_findEvents", arguments{"aspect": aspect, "selection": selection}
}

// nearest is an hour that is said without the half of the day, in the half that is nearer to the one before, unless
// people sleep then: "make it 7" of a reminder at six in the evening.
func nearest(hour, before string) string {
	said, errSaid := interval.ParseClock(hour)
	was, errWas := interval.ParseClock(before)
	const half, up, down = 12 * 60, 7 * 60, 22 * 60
	other := (said + half) % (2 * half)
	farther := max(other-was, was-other) >= max(said-was, was-said)
	if errSaid != nil || errWas != nil || other < up || other > down || farther {
		return hour
	}
	return other.String()
}
