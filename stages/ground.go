package stages

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/ground"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/pkg/message"
)

// grounded is what a message asks for by the things that it names. First says that the turn follows it before any other
// reading.
type grounded struct {
	ground.Reading
	First bool
}

// plan is the call, and none if only the deed is known. What is not plain is asked for before it is done.
func (g grounded) plan(language string) planned {
	if g.Tool == "" {
		return planned{Question: g.question(language)}
	}
	return planned{
		Call:   &meet.PlannedCall{Tool: g.Tool, Arguments: g.Arguments},
		Unsure: !g.Sure,
	}
}

// ground reads the message by the things that the user has. It goes before a new event and before small talk; before a
// look or a change only if these can make nothing of the message; and before an event that is being arranged if it is
// said aside.
func (p *Pipeline) ground(ctx context.Context, r *run) (err error) {
	i, alone, arranging := r.understood.Intent, p.alone(r), r.goesOn()
	if r.ownPlan != nil || p.ports.Ground == nil || p.ports.Worlds == nil || r.anew ||
		!alone && (arranging || i != meet.Look && i != meet.Act) || arranging && !r.mayBeAside() {
		return nil
	}
	r.grounded.Reading, err = once(ctx, r, "ground", func(ctx context.Context) (ground.Reading, error) {
		if err := r.catchUp(); err != nil { // "that day" is the one of the event
			return ground.Reading{}, err
		}
		return p.grounded(ctx, r), nil
	})
	if err != nil || !alone {
		return err // a model's plan is compared with it
	}
	switch {
	case arranging && !r.grounded.aside(r), r.changesBooked():
		r.grounded = grounded{}
		return nil
	case arranging: // and what stands is shown before it is changed
		r.grounded.Sure = r.grounded.Sure && slices.Contains(makingDeeds, r.grounded.Deed) &&
			(r.grounded.Plain || i == meet.Converse)
	case r.grounded.Reports:
		r.understood.Intent, r.understood.RequiresPlan = meet.Converse, false
		r.understood.Acknowledgment = message.Look(r.understood.Language)
	}
	if r.changesOffer() {
		r.grounded.Reading, r.understood.Intent = ground.Reading{}, meet.Act
	}
	r.amend()
	if !arranging && !r.grounded.leads(r.understood) {
		return nil
	}
	r.aspects = nil
	r.grounded.First, r.understood.Acknowledgment = true, message.Look(r.understood.Language)
	r.understood.Intent, r.understood.RequiresPlan = meet.Act, false
	if r.grounded.Reads {
		r.understood.Intent = meet.Look
	}
	return nil
}

// makingDeeds make something, and change nothing that stands.
var makingDeeds = []string{"task_create", "note_save"}

// mayBeAside reports whether the message can ask for something else than the event that is being arranged, before
// anything is read for that.
func (r *run) mayBeAside() bool {
	i, search := r.understood.Intent, r.conversation.Search
	if search != nil && search.Event != nil && search.Fresh && ground.MakesIt(r.turn.Message) {
		return false
	}
	return i != meet.ShowMore && !ground.CallsIt(r.turn.Message) &&
		(i != meet.HandleEvent || ground.Tells(r.plainMessage()))
}

// leads reports whether the message is followed before what it was understood as.
func (g grounded) leads(as meet.Understanding) bool {
	elsewhere := g.Elsewhere() && (as.Intent == meet.HandleEvent || as.Intent == meet.SuggestActivities && g.Tool != "")
	asks := g.Tasks && g.Denied && as.Intent == meet.Converse // which task is meant
	if g.Tool == "" && !elsewhere && g.Refuses == "" && !asks {
		return false
	}
	switch i := as.Intent; {
	case g.Amends || g.Refuses != "":
		return true
	case i == meet.Look || i == meet.Act:
		return as.RequiresPlan && g.Probability >= plainly
	case i == meet.SuggestActivities && g.Reads && (!g.Names || !g.Plain) && (!elsewhere || !g.ofKept()):
		return false
	default:
		return i == meet.Converse || g.Names || elsewhere || g.blocks()
	}
}

// aside reports whether the message plainly asks for something else than the event that is being arranged: for what is
// kept besides the calendar, for a look at what stands there, or for a change of an event of another name. What would
// answer a question, or change the event, has to be plainer.
func (g grounded) aside(r *run) bool {
	standing := g.Tool != "" && !g.Reads && !g.ofKept() && g.Names && g.Plain && !r.speaksOfArranged()
	switch {
	case standing && r.asks == nil:
		return g.Probability >= plainlyNamed
	case g.Amends || !g.Elsewhere():
		return g.Amends
	case g.Tool == "": // then the user is asked
		kind, _, _ := strings.Cut(g.Deed, "_")
		return r.understood.Intent == meet.HandleEvent && r.asks == nil && g.Probability >= plainlyAside &&
			slices.Contains(keptKinds, kind)
	}
	small := r.understood.Intent == meet.Converse && r.asks == nil && len(r.aspects) == 0
	ofPeople := !g.Reads && strings.HasPrefix(g.Tool, "contact_") // who takes part in the event
	likely := g.Probability >= plainly || g.Names && (g.Plain || small && g.Reads)
	switch {
	case g.ofKept():
		plain := small || g.Plain || g.Names && g.Probability >= plainlyAside
		return likely && plain && (g.Clear || small && g.Reads) && !ofPeople && len(r.aspects) == 0
	case g.Reads:
		return likely && g.Clear && (small || g.Plain) && g.looksAside(r)
	}
	return false
}

// plainlyNamed is how probable a change has to be of an event that is named whole.
const plainlyNamed = 0.75

// keptKinds are the kinds of things that no event has, by the beginning of a deed's name.
var keptKinds = []string{"task", "item", "list", "note", "mail"}

// looksAside reports whether the message plainly asks for a look at the calendar, and not whether the event that is
// being arranged could be at another time.
func (g grounded) looksAside(r *run) bool {
	if g.Deed == "ask_free" || len(r.conversation.Suggestions) > 0 {
		return false
	}
	return g.Probability >= plainlyAside || g.Names && !r.speaksOfArranged()
}

// plainlyAside is how probable a look has to be that names nothing.
const plainlyAside = 0.95

// speaksOfArranged reports whether the message has words of the title of the event that is being arranged.
func (r *run) speaksOfArranged() bool {
	search := r.conversation.Search
	if search == nil {
		return false
	}
	said := strings.Fields(agenda.Fold(r.turn.Message))
	for i, word := range strings.Fields(agenda.Fold(search.Template.Title)) {
		if (i == 0 || utf8.RuneCountInString(word) >= longWord) && slices.Contains(said, word) {
			return true
		}
	}
	return false
}

// longWord is how many letters a word has at least that tells something.
const longWord = 5

// changesOffer reports whether a change is said of what was offered.
func (r *run) changesOffer() bool { return r.offers() && r.grounded.Tool != "" && !r.grounded.Reads }

// amend makes a mail that waits the one that the turn is about, with all words of the user that it came of.
func (r *run) amend() {
	if open := r.conversation.Waiting; r.grounded.Amends && open != nil {
		again := *open
		again.Fresh = true
		r.conversation.Waiting, r.corrects = &again, true
		r.before = strings.Join(each(r.conversation.History, func(e meet.Exchange) string { return e.User }), "\n")
	}
}

// alone reports whether rules read the message without a model beside them: none is configured, or it did not answer.
func (p *Pipeline) alone(r *run) bool {
	return p.ports.Ruled || p.ports.Reader == nil || r.fellBack()
}

// fellBack reports whether the built-in model answered in place of the configured one.
func (r *run) fellBack() bool { return slices.Contains(r.receipt.total().Degraded, llm.FellBack) }

// named is a plan of the rules or, if the message names things and asks for something else of them, the plan for that.
func (w worker) named(plan planned, r *run) planned {
	switch {
	case w.yields(plan, r.grounded):
		return r.grounded.plan(r.understood.Language)
	case w.forbids(plan, r.grounded), losesHours(plan, r.turn.Message):
		return planned{Question: r.grounded.question(r.understood.Language)}
	}
	return plan
}

// question asks what is meant.
func (g grounded) question(language string) string {
	if g.Tasks {
		return message.WhichTasks(language)
	}
	return message.NoEvent(language)
}

// blocks reports whether the message plainly keeps time free, which is no event with others.
func (g grounded) blocks() bool {
	return g.Tool != "" && g.Deed == "block_create" && g.Plain && g.Probability >= plainly
}

// goesOn reports whether the message goes on with an event that is being arranged, or was asked for one.
func (r *run) goesOn() bool {
	search := r.conversation.Search
	arranging := search != nil && search.Event != nil && !search.Booked || len(r.conversation.Suggestions) > 0
	return arranging || r.asks != nil || r.anew || len(r.aspects) > 0
}

// changesBooked reports whether the message is taken for a change of the event that was just booked: "one more hour".
func (r *run) changesBooked() bool {
	search, i := r.conversation.Search, r.understood.Intent
	booked := search != nil && search.Event != nil && search.Booked && r.meant == search.Event.ID
	return booked && (i == meet.HandleEvent && r.grounded.Tool == "" || i == meet.ShowMore)
}

// grounded is what the message asks for by the things that the user has.
func (p *Pipeline) grounded(ctx context.Context, r *run) ground.Reading {
	plain := r.plainMessage()
	if r.understood.Intent == meet.HandleEvent && !ground.Amends(plain) && ground.Creates(plain) {
		return ground.Reading{} // it is something new, also if its words name something
	}
	reading := p.ports.Ground(p.message(ctx, r))
	if _, again := ground.SeriesOf(plain); again && r.understood.Intent == meet.HandleEvent && reading.Tool == "" {
		return ground.Reading{} // "choir every monday at 6" has no verb
	}
	return reading
}

// question stands in the memory of a conversation for a question to which any words may answer.
const question = "(question)"

// plainly is how probable a change has to be that goes before a look.
const plainly = 0.85

// surely reports whether the deed is sure; another one than that of the rules also if it is plain.
func (g grounded) surely(same bool) bool {
	return g.Probability >= ground.Surely || !same && g.Plain && g.Probability >= plainlyAnother
}

// plainlyAnother is how probable a deed has to be that is plain, so that it goes before another one.
const plainlyAnother = 0.9

// yields reports whether a plan of the rules goes after what the message names: there is none, or it makes something
// new, or only looks, or the message plainly asks for something else.
func (w worker) yields(plan planned, g grounded) bool {
	own, ok := w.planner.tools.Tool(g.Tool)
	if !ok || plan.Call == nil || g.First {
		return ok && plan.Call == nil
	}
	if ofMail(g.Tool) || g.ofSeries() {
		return true // rules know no mailbox, and take a series for so many single events
	}
	t, ok := w.planner.tools.Tool(plan.Call.Tool)
	if !ok {
		return false
	}
	same := plan.Call.Tool == g.Tool
	sure := g.surely(same)
	if t.Operation == meet.DeleteResource && own.Effect == world.Reads && g.Probability >= plainly {
		return true // and nothing is deleted if the message rather asks for a look
	}
	if g.Tasks && own.Family != t.Family {
		return true // the rules take them for events
	}
	if stands(plan, t, own) {
		return false
	}
	makes := t.Operation == meet.CreateResource && own.Operation != meet.CreateResource
	looks := t.Effect == world.Reads && own.Effect == world.Changes && g.Probability >= plainly
	elsewhere := t.Effect == world.Reads && own.Effect == world.Reads && t.Gives != own.Gives && g.looksElsewhere()
	return makes || looks || elsewhere || sure && !same || same && g.tellsMore(plan, sure)
}

// tellsMore reports whether the call says more than that of the rules for the same tool, or the same more plainly.
func (g grounded) tellsMore(plan planned, sure bool) bool {
	more := members(g.Arguments) - members(plan.Call.Arguments)
	return more > 0 || g.Plain && sure && (more == 0 || g.Clear) || g.byLength() && g.Probability >= plainlyAnother ||
		g.Plain && setsAll(g.Arguments) && !setsAll(plan.Call.Arguments)
}

// losesHours reports whether a message says the hours of some days beside those of the rest, and a plan sets only one
// of the two.
func losesHours(plan planned, message string) bool {
	return plan.Call != nil && plan.Call.Tool == "preference_updatePreferences" && ground.OnOtherDays(message) &&
		!setsAll(plan.Call.Arguments)
}

// setsAll reports whether a preference is set as a whole: the hours of some days, and other ones of the rest.
func setsAll(arguments json.RawMessage) bool {
	var call struct{ Updates []struct{ Value *string } }
	return json.Unmarshal(arguments, &call) == nil && len(call.Updates) == 1 && call.Updates[0].Value != nil
}

// byLength reports whether events plainly move by so much, whatever hours the rules read in which ones these are:
// "everything from 9 to 12 by half an hour".
func (g grounded) byLength() bool {
	var call struct{ To struct{ ByMinutes *int } }
	return g.Plain && g.Clear && g.Names && json.Unmarshal(g.Arguments, &call) == nil && call.To.ByMinutes != nil
}

// ofSeries reports whether a series plainly changes from some day on.
func (g grounded) ofSeries() bool {
	var call struct{ Scope string }
	return g.Plain && json.Unmarshal(g.Arguments, &call) == nil && call.Scope == string(meet.Following)
}

// stands reports whether a call of the rules is followed whatever else a message may name: nothing is deleted in place
// of a look, or looked at in place of a move that says what stays.
func stands(plan planned, t, own world.Tool) bool {
	return own.Operation == meet.DeleteResource && t.Effect == world.Reads ||
		own.Effect == world.Reads && spares(plan.Call.Arguments)
}

// looksElsewhere reports whether a look at something else than the rules would show is plain enough.
func (g grounded) looksElsewhere() bool {
	likely := g.Probability >= plainly
	return g.Plain && likely || g.ofKept() && g.Elsewhere() && (g.Plain || likely)
}

// ofKept reports whether the call is for a tool of what is kept besides the calendar, of which the rules read nothing.
func (g grounded) ofKept() bool {
	family, _, _ := strings.Cut(g.Tool, "_")
	return !slices.Contains([]string{"", "calendar", "schedule", "preference"}, family)
}

// forbids reports whether a change that the rules plan is one that the message plainly does not want done so, or is of
// another kind of things than it is surely about. A call that says what stays as it is has understood what the message
// does not want.
func (w worker) forbids(plan planned, g grounded) bool {
	if plan.Call == nil || spares(plan.Call.Arguments) {
		return false
	}
	t, ok := w.planner.tools.Tool(plan.Call.Tool)
	if !ok || t.Effect != world.Changes || t.Family == "preference" { // which says what is not wanted
		return false
	}
	if plan.Call.Tool == "calendar_respond" && g.Deed == "several" && g.Tool == "" && g.Probability >= plainly {
		return true // one answer would lose the other
	}
	ofOther := g.Tool == "" && g.Probability >= ground.Surely && forgets(g.Deed) && !g.Of(t.Family)
	return g.Denied || ofOther
}

// forgets reports whether a deed takes something away.
func forgets(deed string) bool {
	return strings.HasSuffix(deed, "_delete") || strings.HasSuffix(deed, "_remove")
}

// spares reports whether the arguments of a call find new times for events, and say which ones stay, what stays free,
// or which day they leave.
func spares(arguments json.RawMessage) bool {
	var said struct {
		Selection struct {
			Except []json.RawMessage `json:"except"`
		} `json:"selection"`
		To struct {
			Window    json.RawMessage `json:"window"`
			TimeOfDay json.RawMessage `json:"timeOfDay"`
			Lighter   json.RawMessage `json:"lighterThan"`
			Weekdays  []string        `json:"weekdays"`
			Avoid     []string        `json:"avoid"`
		} `json:"to"`
	}
	if json.Unmarshal(arguments, &said) != nil {
		return false
	}
	isSaid := func(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }
	return isSaid(said.To.Lighter) || (isSaid(said.To.Window) || isSaid(said.To.TimeOfDay)) &&
		len(said.Selection.Except)+len(said.To.Weekdays)+len(said.To.Avoid) > 0
}

// members is how much the arguments of a call say of what it is made for.
func members(arguments json.RawMessage) (n int) {
	var all map[string]any
	if json.Unmarshal(arguments, &all) != nil {
		return 0
	}
	return said(all)
}

func said(of map[string]any) (n int) {
	for name, value := range of {
		switch v := value.(type) {
		case nil:
		case []any:
			n += min(len(v), 1)
		case map[string]any:
			if name != "selection" {
				n += said(v)
			}
		default:
			n++
		}
	}
	return n
}

// looksAmiss reports whether a look for events of some name has found none, where the message rather asks to see
// what is no event: "how long is my longest free stretch tomorrow".
func (w worker) looksAmiss(r *run, made done) bool {
	if made.Call == nil || made.Call.Tool != findsEvents || r.grounded.Probability < leastAmiss {
		return false
	}
	var asked struct {
		Selection agenda.Selection `json:"selection"`
	}
	var found struct {
		Events []json.RawMessage `json:"events"`
	}
	own, ok := w.planner.tools.Tool(r.grounded.Tool)
	isNone := json.Unmarshal(made.Response.Data, &found) == nil && len(found.Events) == 0
	isNamed := json.Unmarshal(made.Call.Arguments, &asked) == nil && len(asked.Selection.TitleHas) > 0
	return ok && own.Effect == world.Reads && own.Gives != world.Events && isNone && isNamed
}

// findsEvents is the tool that looks for events.
const findsEvents = "calendar_findEvents"

// leastAmiss is how probable another look has to be after one that found nothing.
const leastAmiss = 0.75

// instead is the call of what a message names, if the one that was made has found nothing, or too much. One that says
// what stays is understood: the other call would not keep it.
func (w worker) instead(ctx context.Context, r *run, made done) done {
	missed := made.Response.Error != nil && made.Response.Error.Code == string(fault.NotFound) || w.looksAmiss(r, made)
	if made.Choices != nil {
		missed = !slices.ContainsFunc(made.Choices.Options, func(o meet.Option) bool {
			return strings.Contains(string(r.grounded.Arguments), strconv.Quote(o.ID))
		})
	}
	if !missed || r.grounded.Tool == "" || r.grounded.First || made.Call != nil && spares(made.Call.Arguments) {
		return made
	}
	plan := r.grounded.plan(r.understood.Language)
	own, err := w.call(ctx, r, plan.Call)
	if asks := own.Choices != nil; err != nil || asks && made.Choices != nil || !asks && own.Response.Error != nil {
		return made
	}
	own.Heard, own.Unsure = true, own.Unsure || plan.Unsure
	return own
}
