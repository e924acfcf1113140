package main

import (
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
}

// display shows updates on a terminal, or as plain lines where the output is none.
type display struct {
	out     io.Writer
	json    bool
	colours bool
	// preview is what of the message has been shown while it was written; waiting says that a line of progress stands
	// at the cursor.
	preview string
	waiting bool
}

func newDisplay(out io.Writer, asJSON bool) *display {
	return &display{out: out, json: asJSON, colours: isTerminal(out)}
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
		d.event(*u.Event)
	case "navigate":
		d.line("Book here: " + u.URL)
	case "error":
		d.clear()
		d.line("✗ " + u.Message)
	case "done":
		d.done(u)
	}
}

// progress is one line that the next one takes the place of.
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

// message replaces the preview. What the preview showed already is not shown again.
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

// settled is what has become of a proposal, in words and as a card.
func (d *display) settled(text string, e meet.Event) {
	if text != "" && !d.json {
		d.line(d.render(text))
	}
	d.event(e)
}

// event is the proposal as a card.
func (d *display) event(e meet.Event) {
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
	for _, c := range e.Conflicts {
		card = append(card, "⚠ "+apart(c.Text))
	}
	if e.Status == meet.Proposed {
		card = append(card, d.alternatives(e)...)
	}
	card = append(card, d.dim(string(e.ID)))
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

// Marks of direction (Unicode Bidirectional Algorithm, 2.4 and 2.6).
const (
	leftToRightMark = "\u200e"
	isolate         = "\u2068"
	endOfIsolate    = "\u2069"
)

// apart keeps what is written from right to left from turning what stands around it.
func apart(s string) string {
	if !strings.ContainsFunc(s, rightToLeft) {
		return s
	}
	return isolate + s + endOfIsolate
}

// leftToRight is what begins a line of a card, so that its edge stays on the left.
func leftToRight(line string) string {
	if strings.ContainsFunc(line, rightToLeft) {
		return leftToRightMark
	}
	return ""
}

func rightToLeft(r rune) bool {
	return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana)
}

// placeLine is a place with its address and what it costs: "Zuni Café, 1658 Market St ($$$$)".
func placeLine(p meet.Place) string {
	line := strings.TrimSuffix(apart(p.Name)+", "+apart(p.Address), ", ")
	if p.Price > 0 {
		line += " (" + strings.Repeat("$", p.Price) + ")"
	}
	return line
}

// alternatives are what /confirm takes by number.
func (d *display) alternatives(e meet.Event) []string {
	var lines []string
	for i, s := range e.Alternatives.Slots {
		lines = append(lines, d.dim(fmt.Sprintf("time %d   %s", i+1, s.Start.Format("Mon 2 Jan, 15:04"))))
	}
	for i, p := range e.Alternatives.Places {
		lines = append(lines, d.dim(fmt.Sprintf("place %d  %s", i+1, apart(p.Name))))
	}
	return lines
}

// instead are the times that can be had where one has gone.
func (d *display) instead(slots []meet.Slot) {
	if d.json {
		return
	}
	for i, s := range slots {
		d.line(fmt.Sprintf("  time %d   %s", i+1, s.Start.Format("Mon 2 Jan, 15:04")))
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
	escaped      = regexp.MustCompile(`\\([\\\[\]()*_<>#!|` + "`" + `~{}+.\-])`)
)

// render turns the message's Markdown into text for a terminal.
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
