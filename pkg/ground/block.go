package ground

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/interval"
)

// clear deletes the events that are named, or all of a time, but for what is excepted.
func (r *reading) clear() (string, arguments) {
	if tool, call := r.dropDays(); tool != "" {
		return tool, call
	}
	at := len(r.Text)
	for _, name := range []string{"except", "keeping"} {
		if found := words()[name].FindStringIndex(r.masked()); found != nil {
			at = min(at, found[0])
		}
	}
	if found := words()["excepted"].FindStringIndex(r.masked()); found != nil { // "…, mondays excepted"
		at = min(at, strings.LastIndexAny(r.Text[:found[0]], ",;:–—-")+1)
	}
	excepted, ok := r.except(at)
	if !ok {
		return "", nil
	}
	if named := r.of(Event); len(named) > 0 {
		if described := named[0].described; len(excepted) > 0 || !described && r.says("entirely") {
			return "", nil // "all of it", and something that is named besides
		}
		r.locateAll(0)
		return "calendar_deleteEvents", r.selecting(Event, nil)
	}
	selection := r.cleared()
	unknown := at == len(r.Text) && (r.clearsUnknown() || r.clearsIt())
	if unknown || r.says("series") || len(selection) == 0 || !r.freesTime() {
		return "", nil // of events that nobody knows
	}
	if len(excepted) > 0 {
		selection["except"] = excepted
	}
	return "calendar_deleteEvents", arguments{"selection": selection}
}

// freesTime reports whether the message plainly asks that a time be free, or has a word for that: "it doesn't rain
// tomorrow" has none.
func (r *reading) freesTime() bool {
	return r.probability >= plainlyOfEvent || r.says("everything") || r.says("events") ||
		slices.ContainsFunc(meanings(Plain(r.delexicalized())), func(meaning string) bool {
			return meaning == "cancel" || meaning == "free"
		})
}

// clearsUnknown reports whether what is to be deleted has a name that nothing has: "cancel zumba tomorrow" is not all
// of that day.
func (r *reading) clearsUnknown() bool {
	first := firstWord(form("courtesy").ReplaceAllString(r.Text, ""))
	if !slices.Contains(conceptsOf(first), "cancel") || Joins(r.Text) || r.says("everything") || r.says("events") {
		return false
	}
	return slices.ContainsFunc(strings.Fields(r.unknownName()), func(w string) bool {
		of := func(p said) bool { return strings.Contains(strings.ToLower(p.text), w) }
		return w != first && !slices.ContainsFunc(r.people, of)
	})
}

// clearsIt reports whether what is to be deleted is a thing that was called something before, and not all of its day:
// "no puedo ir a la despedida el miércoles, quítala".
func (r *reading) clearsIt() bool { return form("off it").MatchString(r.Text) && r.strange(true) }

// cleared selects what is deleted of which no event is named: all of a time, or all with somebody; empty if it is
// neither.
func (r *reading) cleared() (selection arguments) {
	points := r.points()
	dated := func(t *timed) bool { return len(t.Dates) > 0 || t.Exact != nil || !t.Hours.Empty() }
	switch {
	case words()["my day"].MatchString(r.Text) && !slices.ContainsFunc(points, dated):
		end := interval.DateOf(r.Now).AddDays(1).Start(r.Now.Location())
		selection = arguments{"window": agenda.Window{Start: r.Now.Format(localTime), End: end.Format(localTime)}}
		r.useTimes()
	case len(points) == 1 && !points[0].open:
		if s, ok := r.span(points[0]); ok {
			selection = r.within(s)
		}
	case len(points) == 0:
		if with := r.company(); len(with) > 0 {
			selection = arguments{"with": with}
		}
	}
	return selection
}

// except are the exceptions that are named from a byte on: events, people and times, each by itself. They are used
// then, and the events no longer found.
func (r *reading) except(at int) (all []arguments, ok bool) {
	var kept []mention
	for _, m := range r.found {
		if len(m.words) == 0 || r.words[m.words[0]].from < at {
			kept = append(kept, m)
			continue
		}
		if m.kind != Event || m.described {
			return nil, false
		}
		all = append(all, arguments{"titleHas": []string{m.things[0].Title}})
	}
	r.found = kept
	for i := range r.people {
		if p := &r.people[i]; p.from > at {
			p.used = true
			all = append(all, arguments{"with": []string{p.text}})
		}
	}
	for i := range r.times {
		t := &r.times[i]
		if t.from < at {
			continue
		}
		if day, mere := r.weekdayOf(*t); mere && t.Exact == nil && t.Hours.Empty() {
			all, t.used = append(all, arguments{"weekdays": []string{strings.ToLower(day.String())}}), true
			continue // it is that of any week
		}
		s, ok := r.span(t)
		if !ok || t.open {
			return nil, false
		}
		all = append(all, s.exception(len(t.Dates) > 0))
	}
	return all, at == len(r.Text) || len(all) > 0
}

// exception is the time as one that is left out, with its days if these are said.
func (s span) exception(days bool) arguments {
	e := arguments{}
	if s.hours != nil {
		e["timeOfDay"] = s.hours
	}
	if days {
		e["window"] = s.window()
	}
	return e
}

// masked is the message with blanks in the place of the words of names, which say nothing else.
func (r *reading) masked() string {
	text := []byte(r.Text)
	for _, w := range r.words {
		if w.taken {
			copy(text[w.from:w.to], strings.Repeat(" ", w.to-w.from))
		}
	}
	return string(text)
}

// mostDays is how many days can be blocked at once.
const mostDays = 14

// block keeps time free: on one day as a block, on several as events.
func (r *reading) block() (string, arguments) {
	if r.isBeside() {
		return r.blockBeside()
	}
	points := r.points()
	if r.away != "" && onDays(points) {
		return r.blockDays(points, r.away)
	}
	if len(points) == 0 || len(r.found) > 0 || r.dailyBut(points) {
		return "", nil
	}
	if slices.ContainsFunc(points, (*timed).isWholeDays) {
		return r.blockWhole(points)
	}
	days, w, ok := r.stretch(points)
	length := 0
	if len(points) == 1 && len(points[0].windows(days[0])) <= 1 {
		length = r.partOf(points[0], w)
	}
	if !ok && length == 0 || len(days) > mostDays || length > 0 && len(days) > 1 {
		return "", nil
	}
	title := r.blockTitle(points)
	if title == "" {
		return "", nil
	}
	start, end := w.Start.String(), w.End.String()
	if len(days) == 1 {
		block := arguments{"type": "blocked", "title": title, "date": days[0].String()}
		if w.Start < w.End {
			block["startTime"], block["endTime"] = start, end
		}
		if length > 0 {
			block["durationMinutes"] = length // somewhere in these hours
		}
		return "schedule_createTimeBlock", block
	}
	var events []arguments
	for _, day := range days {
		on := day.String() + "T"
		events = append(events, arguments{"title": title, "start": on + start, "end": on + end})
	}
	return "calendar_createEvents", arguments{"events": events}
}

// dailyBut reports whether every day is meant, and some days are said besides: "every day but friday".
func (r *reading) dailyBut(points []*timed) bool {
	dated := func(t *timed) bool { return len(t.Dates) > 0 }
	return words()["daily"].MatchString(r.Text) && slices.ContainsFunc(points, dated)
}

// blockTitle is what time is kept free for; empty if that is not understood.
func (r *reading) blockTitle(points []*timed) string {
	if r.away != "" {
		return r.away
	}
	title, ok := r.ownWords().(string)
	whole := r.purpose(points[len(points)-1].to)
	more, begins := strings.CutPrefix(whole, title)
	bare := func(text string) string { return form("courtesy").ReplaceAllString(text, "") }
	verb := title != "" && strings.EqualFold(bare(title), firstWord(bare(r.Text))) // "block an hour for mail"
	own := verb || words()["self"].MatchString(title)
	if r.saysWhen() {
		title, ok = "", false // "after lunch"
	}
	if !ok || own && whole != "" || strings.HasSuffix(whole, title) ||
		begins && form("purpose goes on").MatchString(more) {
		title = whole
	}
	title = form("for word").ReplaceAllString(form("keeps free").ReplaceAllString(withoutFree(title), ""), "")
	if every := words()["every"].FindStringIndex(title); every != nil && every[1] == len(title) {
		title = "" // "block every morning" names nothing
	}
	if title != "" && onlySays(title, "kept free") { // "keep sunday evening free"
		title = blocked[strings.Split(r.Language, "-")[0]]
	}
	switch at := words()["only it"].FindStringSubmatch(title); {
	case at != nil && at[1] != "":
		return "" // "put it in my calendar" is of something that is not known here
	case at != nil:
		title = blocked[strings.Split(r.Language, "-")[0]]
	}
	own = verb && whole == "" || words()["self"].MatchString(title)
	if own || title == "" && r.plain() && !r.says("forwhat") {
		title = blocked[strings.Split(r.Language, "-")[0]]
	}
	return title
}

// withoutFree is a title without the words that say that time is kept free for it: "and keep lunch free".
func withoutFree(title string) string {
	if named := form("named free").FindStringSubmatch(title); named != nil && !onlySays(named[1], "kept free") {
		return named[1]
	}
	return title
}

// saysWhen reports whether the user's own words begin within a time.
func (r *reading) saysWhen() bool {
	return len(r.own) > 0 && slices.ContainsFunc(r.times, func(t timed) bool {
		return t.from <= r.own[len(r.own)-1].from && r.own[len(r.own)-1].from < t.to
	})
}

// blockBeside keeps some time free right before an event or right after it, or between two.
func (r *reading) blockBeside() (string, arguments) {
	if r.isBetween() {
		return r.blockBetween()
	}
	event, after := r.relatedTo()
	length := r.length()
	if event == nil || length == 0 {
		return "", nil
	}
	words := r.found[0].words
	last := r.words[words[len(words)-1]].to
	for _, t := range r.times {
		last = max(last, t.to)
	}
	title := r.purpose(last)
	if title == "" {
		title = blocked[strings.Split(r.Language, "-")[0]]
	}
	start := event.Span.Start.In(r.Now.Location()).Add(-time.Duration(length) * time.Minute)
	if after {
		start = event.Span.End.In(r.Now.Location())
	}
	at := interval.ClockOf(start)
	return "schedule_createTimeBlock", arguments{
		"type": "blocked", "title": title, "date": interval.DateOf(start).String(), "startTime": at.String(),
		"endTime": (at + interval.Clock(length)).String(),
	}
}

// isBeside reports whether an event tells the time, or two do.
func (r *reading) isBeside() bool { return slices.ContainsFunc(r.found, r.isRelated) || r.isBetween() }

// isBetween reports whether two events are named that time lies between.
func (r *reading) isBetween() bool {
	return len(r.of(Event)) == 2 && len(r.found) == 2 && slices.ContainsFunc(r.found, func(m mention) bool {
		return len(m.words) > 0 && form("between").MatchString(r.Text[:r.words[m.words[0]].from])
	})
}

// blockBetween keeps some time free between two events of a day: right after the first one, or later if that is taken.
func (r *reading) blockBetween() (string, arguments) {
	r.locateAll(0)
	length, a, b := r.length(), r.onThatDay(r.found[0]), r.onThatDay(r.found[1])
	if b.Span.Start.Before(a.Span.Start) {
		a, b = b, a
	}
	zone := r.Now.Location()
	free := interval.Span{Start: a.Span.End.In(zone), End: b.Span.Start.In(zone)}
	if length == 0 || r.dayOf(a) != r.dayOf(b) || free.Duration() < time.Duration(length)*time.Minute {
		return "", nil
	}
	r.useWithin(0, len(r.Text))
	return createBlock, arguments{
		"type": "blocked", "title": blocked[strings.Split(r.Language, "-")[0]], "date": r.dayOf(a).String(),
		"startTime": interval.ClockOf(free.Start).String(), "endTime": interval.ClockOf(free.End).String(),
		"durationMinutes": length,
	}
}

// isWholeDays reports whether a time is several days side by side, or all of one, and names no hours.
func (t *timed) isWholeDays() bool {
	many := len(t.Dates) == 1 && t.Dates[0].Start != t.Dates[0].End
	return t.Exact == nil && t.Hours.Empty() && (many || t.AllDay && len(t.Dates) == 1)
}

// blockWhole keeps days free that are named whole, and nothing else is. On which of them a length is, is not said.
func (r *reading) blockWhole(points []*timed) (string, arguments) {
	if r.length() > 0 || slices.ContainsFunc(points, func(t *timed) bool { return !t.isWholeDays() }) {
		return "", nil
	}
	title := cmp.Or(r.purpose(points[len(points)-1].to), blocked[strings.Split(r.Language, "-")[0]])
	return r.blockDays(points, title)
}

// blockDays keeps whole days free.
func (r *reading) blockDays(points []*timed, title string) (string, arguments) {
	var events []arguments
	for _, t := range points {
		if t.Dates[0].Start.DaysUntil(t.Dates[0].End) >= mostDays {
			return "", nil
		}
		t.used, t.until = true, false
		events = append(events, arguments{
			"title": title, "start": t.Dates[0].Start.String(), "end": t.Dates[0].End.AddDays(1).String(),
		})
	}
	return "calendar_createEvents", arguments{"events": events}
}

// partOf is how many minutes a block takes that is somewhere in the hours of a time, or on its day if it tells none; 0
// if it takes all of them.
func (r *reading) partOf(t *timed, w interval.Window) int {
	if t.Exact != nil {
		return 0
	}
	length := int(t.Duration.Minutes())
	if length == 0 {
		length = r.length()
	}
	if length == int(w.End-w.Start) {
		return 0
	}
	return length
}

// ownTime is the message as one that keeps time free, if that is sure and its words are only some of a name: "keep 12
// to 2 for errands" is of no errand that the user has. Nil if it is not.
func (r *reading) ownTime(all []mention) *reading {
	if len(all) == 0 || !all[0].weak() {
		return nil
	}
	way := *r
	way.words, way.people = slices.Clone(r.words), slices.Clone(r.people)
	way.readTimes()
	if way.judge(); way.deed != "block_create" || way.probability < Surely {
		return nil
	}
	return &way
}

// stretch are the days and the hours of all times that are said; ok is false if they tell no hours, or several.
func (r *reading) stretch(points []*timed) (days []interval.Date, w interval.Window, ok bool) {
	for _, t := range points {
		hours, told := r.hours(t)
		if told && ok && hours != w {
			return nil, w, false
		}
		if told {
			w, ok = hours, true
		}
		for _, d := range t.Dates {
			for day := d.Start; !d.End.Before(day); day = day.AddDays(1) {
				days = append(days, day)
			}
		}
		t.used = true
	}
	if len(days) == 0 {
		days = append(days, r.today())
	}
	return days, w, ok && w.Start < w.End
}

// purpose is what a message says that time is for, from a byte on or between a length and a time.
func (r *reading) purpose(from int) string {
	message := r.delexicalized()
	if at := form("length for").FindStringSubmatchIndex(message); at != nil {
		start, end := r.original(at[2], at[3])
		r.takeWords(start, end)
		return strings.TrimSpace(r.Text[start:end])
	}
	rest := r.Text[from:]
	at := form("for what").FindStringIndex(rest)
	if at == nil {
		return ""
	}
	r.takeWords(from, len(r.Text))
	return strings.Trim(rest[at[1]:], " .!?")
}

// blocked is what a block is called that the user gives no name, by language.
var blocked = map[string]string{"en": "Blocked", "es": "Bloqueado", "he": "זמן חסום"}

// hours are those of a time of day; its length may stand elsewhere.
func (r *reading) hours(t *timed) (w interval.Window, ok bool) {
	day := r.today()
	if len(t.Dates) > 0 {
		day = t.Dates[0].Start
	}
	windows := t.windows(day)
	if t.Exact == nil {
		if len(windows) != 1 {
			return w, false
		}
		return windows[0], true
	}
	minutes := int(t.Duration.Minutes())
	if minutes == 0 {
		minutes = r.length()
	}
	return interval.Window{Start: *t.Exact, End: *t.Exact + interval.Clock(minutes)}, minutes > 0
}
