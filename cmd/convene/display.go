package main

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"

	"convene/pkg/meet"
)

// received is any update as a client reads it.
type received struct {
	Type           string                `json:"type"`
	ConversationID string                `json:"conversationId"`
	Text           string                `json:"text"`
	Message        string                `json:"message"`
	URL            string                `json:"url"`
	ComposedBy     meet.Author           `json:"composedBy"`
	Event          *meet.Event           `json:"event"`
	Calendars      []meet.CalendarStatus `json:"calendars"`
	Preliminary    bool                  `json:"preliminary"`
	Outcome        meet.OutcomeKind      `json:"outcome"`
	Receipt        meet.Receipt          `json:"receipt"`
	Steps          []meet.PlanStep       `json:"steps"`
	Response       meet.Response         `json:"response"`
	// ID, Question and Options are those of choices.
	ID       string        `json:"id"`
	Question string        `json:"question"`
	Options  []meet.Option `json:"options"`
	// Changes is a set, or the results of its changes.
	Changes json.RawMessage `json:"changes"`

	// offers are the numbered lines of the alternatives that can be confirmed.
	offers []string
}

// display shows updates on a terminal, or as plain lines elsewhere.
type display struct {
	out     io.Writer
	json    bool
	colours bool
	// preview is the part of the message that has been shown; waiting says that the cursor is on a line of progress.
	preview string
	waiting bool
	// steps are the last states of a plan's steps.
	steps map[string]string
}

func newDisplay(out io.Writer, asJSON bool) *display {
	return &display{out: out, json: asJSON, colours: styled(out), steps: map[string]string{}}
}

func (d *display) update(u received, raw []byte) {
	if d.json {
		fmt.Fprintf(d.out, "%s\n", raw)
		return
	}
	switch u.Type {
	case "acknowledgment":
		d.line(u.Text)
	case "progress":
		d.progress(u.Text)
	case "candidates":
		if !u.Preliminary { // a calendar that is still being read may yet answer
			d.unread(u.Calendars)
		}
	case "message_delta":
		d.clear()
		d.preview += u.Text
		fmt.Fprint(d.out, u.Text)
	case "message":
		d.message(u)
	case "event":
		d.event(*u.Event, u.offers)
	case "alternatives":
		d.offers(u.offers)
	case "navigate":
		d.line("Book here: " + u.URL)
	case "plan":
		d.plan(u.Steps)
	case "result":
		d.result(u.Response)
	case "choices":
		d.choices(u.Question, u.Options)
	case "changes":
		var set meet.ChangeSet
		if json.Unmarshal(u.Changes, &set) == nil {
			d.changes(set)
		}
	case "applied":
		var applied meet.Applied
		if json.Unmarshal(raw, &applied) == nil {
			d.applied(applied)
		}
	case "error":
		d.clear()
		d.line("✗ " + u.Message)
	case "done":
		d.done(u)
	}
}

// progress shows a line that the next line overwrites.
func (d *display) progress(text string) {
	if !d.colours {
		d.line(text)
		return
	}
	d.clear()
	fmt.Fprint(d.out, "\x1b[2m"+text+"\x1b[0m")
	d.waiting = true
}

func (d *display) clear() {
	if d.waiting {
		fmt.Fprint(d.out, "\r\x1b[2K")
		d.waiting = false
	}
}

func (d *display) line(text string) {
	d.clear()
	fmt.Fprintln(d.out, text)
}

func (d *display) unread(calendars []meet.CalendarStatus) {
	for _, c := range calendars {
		if c.State == meet.CalendarUnchecked {
			d.line(d.dim("! " + c.Name + ": " + c.Reason))
		}
	}
}

// message replaces the preview. Text that the preview has shown is not shown again.
func (d *display) message(u received) {
	d.clear()
	text := d.render(u.Text)
	shown := d.preview
	d.preview = ""
	if shown != "" {
		if rest, ok := strings.CutPrefix((&display{}).render(u.Text), shown); ok {
			fmt.Fprintln(d.out, rest) // the preview may end a little before the message does
			return
		}
		fmt.Fprintln(d.out)
		if u.ComposedBy == meet.ByModel {
			return
		}
		fmt.Fprintln(d.out, d.dim("(corrected:)"))
	}
	fmt.Fprintln(d.out, text)
}

// settled shows a confirmed or cancelled proposal, in words and as a card.
func (d *display) settled(text string, e meet.Event) {
	if text != "" && !d.json {
		d.line(d.render(text))
	}
	d.event(e, nil)
}

// event shows the proposal as a card, with the alternatives.
func (d *display) event(e meet.Event, offers []string) {
	if d.json {
		return
	}
	card := []string{
		d.bold(apart(e.Title)) + " · " + string(e.Status),
		e.Start.Format("Mon 2 Jan 2006, 15:04") + "–" + e.End.Format("15:04") + " " + e.Timezone,
	}
	for _, p := range e.Participants {
		if !p.LocalStart.IsZero() && p.LocalStart.Format("-07:00") != e.Start.Format("-07:00") {
			card = append(card, p.LocalStart.Format("Mon 15:04")+" for "+apart(p.Name)+" ("+p.Timezone+")")
		}
	}
	if e.Place != nil {
		card = append(card, placeLine(*e.Place))
		if e.Place.MapsURL != "" {
			card = append(card, d.dim(e.Place.MapsURL))
		}
		if credit := strings.TrimSpace(e.Place.Credit + " " + e.Place.PageURL); credit != "" {
			card = append(card, d.dim(credit))
		}
	}
	if e.JoinURL != "" {
		card = append(card, "Join: "+e.JoinURL)
	}
	card = append(card, warnings(e)...)
	if e.Status == meet.Proposed {
		for _, line := range offers {
			card = append(card, d.dim(line))
		}
	}
	d.card(append(card, d.dim(string(e.ID))))
}

// card frames lines on their left.
func (d *display) card(card []string) {
	for i, line := range card {
		edge := "│"
		switch i {
		case 0:
			edge = "┌"
		case len(card) - 1:
			edge = "└"
		}
		d.line(leftToRight(line) + "  " + edge + " " + line)
	}
}

// warnings lists an event's doubts, its conflicts and the invitations that could not be delivered.
func warnings(e meet.Event) []string {
	var lines []string
	for _, doubt := range e.Doubts {
		lines = append(lines, "⚠ "+apart(doubt.Text))
	}
	for _, c := range e.Conflicts {
		lines = append(lines, "⚠ "+apart(c.Text))
	}
	untold, copied := e.Undelivered()
	for _, name := range untold {
		lines = append(lines, "⚠ The invitation to "+apart(name)+" could not be delivered; please pass the event on")
	}
	for _, name := range copied {
		lines = append(lines, "⚠ The invitation to "+apart(name)+
			" could not be delivered; the event was added to their own calendar")
	}
	return lines
}

// Marks of direction (Unicode Bidirectional Algorithm, 2.4 and 2.6).
const (
	leftToRightMark = "\u200e"
	isolate         = "\u2068"
	endOfIsolate    = "\u2069"
)

// apart isolates right-to-left text, so that the text around it keeps its direction.
func apart(s string) string {
	if !strings.ContainsFunc(s, rightToLeft) {
		return s
	}
	return isolate + s + endOfIsolate
}

// leftToRight is the mark that begins a card's line with right-to-left text, so that its edge stays on the left.
func leftToRight(line string) string {
	if strings.ContainsFunc(line, rightToLeft) {
		return leftToRightMark
	}
	return ""
}

func rightToLeft(r rune) bool {
	return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana)
}

// placeLine is a place with its address and price level: "Zuni Café, 1658 Market St ($$$$)".
func placeLine(p meet.Place) string {
	line := strings.TrimSuffix(apart(p.Name)+", "+apart(p.Address), ", ")
	if p.Price > 0 {
		line += " (" + strings.Repeat("$", p.Price) + ")"
	}
	return line
}

// offers shows the alternatives, with the numbers that /confirm takes.
func (d *display) offers(lines []string) {
	if d.json {
		return
	}
	for _, line := range lines {
		d.line("  " + line)
	}
}

func (d *display) done(u received) {
	d.clear()
	took := 0.0
	for _, s := range u.Receipt.Stages {
		took += s.Ms
	}
	calls := fmt.Sprintf("%d model calls", u.Receipt.ModelCalls)
	if u.Receipt.ModelCalls == 1 {
		calls = "1 model call"
	}
	note := fmt.Sprintf("%s · %s · %.0f ms", u.Outcome, calls, took)
	for _, what := range u.Receipt.Degraded {
		note += " · " + what
	}
	d.line(d.dim(note))
}

var (
	markdownLink = regexp.MustCompile(`\[((?:\\.|[^\]\\])*)\]\(([^)\s]*)\)`)
	markdownBold = regexp.MustCompile(`\*\*(.+?)\*\*`)
	markdownItal = regexp.MustCompile(`(^|[^*\\])\*([^*\n]+)\*`)
	escaped      = regexp.MustCompile(`\\([\\\[\]()*_<>#!|` + "`" + `~{}+.:/@&=\-])`)
)

// render returns the message's Markdown as text for a terminal.
func (d *display) render(markdown string) string {
	text := markdownLink.ReplaceAllString(markdown, "$1")
	bold, ital := "$1", "$1$2"
	if d.colours {
		bold, ital = "\x1b[1m$1\x1b[0m", "$1\x1b[3m$2\x1b[0m"
	}
	text = markdownBold.ReplaceAllString(text, bold)
	text = markdownItal.ReplaceAllString(text, ital)
	return escaped.ReplaceAllString(text, "$1")
}

func (d *display) bold(s string) string { return d.style("1", s) }
func (d *display) dim(s string) string  { return d.style("2", s) }

func (d *display) style(code, s string) string {
	if !d.colours {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}
