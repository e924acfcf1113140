package stages

import (
	"context"
	"time"

	"convene/functions/world"
	"convene/pkg/change"
	"convene/pkg/ground"
	"convene/pkg/interval"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/pkg/plan"
	"convene/pkg/preference"
	"convene/pkg/travel"
	"convene/pkg/workflow"
	"convene/stages/candidates"
)

// The ports through which the stages reach the world; cmd wires an adapter to each.
type (
	// Activities suggests what to do.
	Activities interface {
		Suggest(ctx context.Context, q meet.ActivityQuery) ([]meet.Suggestion, error)
	}
	// Agenda lists the events of a person's own calendar that overlap span, for a turn of that person alone. An error
	// means that events may be missing.
	Agenda interface {
		Events(ctx context.Context, person meet.Person, span interval.Span) ([]meet.Occurrence, error)
	}
	// Contacts are the people whom an organizer may mean, read once for each turn.
	Contacts interface {
		Of(ctx context.Context, organizer meet.PersonID) (Names, error)
	}
	// Names are what the contacts of one organizer are called.
	Names interface {
		// Find lists everyone whom a name fits.
		Find(name string) []meet.Person
		// Mentioned lists those whom the words of a text may mean; it may list too many.
		Mentioned(text string) []meet.Mention
	}
	// Gazetteer lists the venues, landmarks and parts of town that words of a text may mean; it may list too many.
	Gazetteer interface {
		Named(text string) []meet.NamedPlace
	}
	// Memory keeps a conversation for 30 minutes. An unknown one loads as empty.
	Memory interface {
		Load(ctx context.Context, id meet.ConversationID) (meet.Conversation, error)
		Save(ctx context.Context, c meet.Conversation) error
	}
	// Proposals keeps proposals, with the turn that asked for each, until they are confirmed or expire.
	Proposals interface {
		// SaveProposal does not change a proposal that exists: it may have been confirmed since. Raw is the event in JSON,
		// if it has been encoded.
		SaveProposal(ctx context.Context, e meet.Event, raw []byte, t meet.Turn) error
		// LoadProposal returns a fault.NotFound if there is none.
		LoadProposal(ctx context.Context, id meet.ProposalID) (meet.Event, meet.Turn, error)
		UpdateProposal(ctx context.Context, id meet.ProposalID, change func(*meet.Event) error) (meet.Event, error)
	}
	// Confirmer writes a proposal to the calendars, or withdraws it.
	Confirmer interface {
		ConfirmProposal(ctx context.Context, id meet.ProposalID) (meet.Event, error)
		CancelProposal(ctx context.Context, id meet.ProposalID) (meet.Event, error)
	}
	// Preferences are what people prefer.
	Preferences interface {
		Of(ctx context.Context, person meet.PersonID) (preference.Values, error)
	}
	// Worlds makes what the tools of a turn see.
	Worlds interface {
		// World is the world of the turn's organizer, over a working copy of their calendars without changes.
		World(ctx context.Context, t meet.Turn, now time.Time, language string) (*world.World, error)
	}
	// Changes keeps change sets and applies them; see change.Desk.
	Changes interface {
		// Of are the change sets of the turn's organizer, as far as the turn's caller may decide about them.
		Of(t meet.Turn) OwnChanges
	}
	// OwnChanges are the change sets of one person; a set of another is not found.
	OwnChanges interface {
		Propose(ctx context.Context, draft change.Draft) (set meet.ChangeSet, applied *meet.Applied, err error)
		Get(ctx context.Context, id meet.ChangesID) (set meet.ChangeSet, applied *meet.Applied, err error)
		// Confirm applies the changes of a pending set; all if only is nil. If things are not as they were shown, fresh is
		// the set as it would be now, nothing is written, and err says so.
		Confirm(ctx context.Context, id meet.ChangesID, digest string, only []string) (
			applied meet.Applied, fresh *meet.ChangeSet, err error)
		Cancel(ctx context.Context, id meet.ChangesID, reason string) (meet.ChangeSet, error)
		Undo(ctx context.Context, id meet.ChangesID) (meet.Applied, error)
	}
	// Observer measures and traces stages while they run. It must not block, and nothing that a user sees depends on it.
	// The stage goes on with the context that it returns.
	Observer interface {
		// Stage begins a stage of a turn. A stage whose result is in the journal does not begin again.
		Stage(ctx context.Context, name string) (observed context.Context, ended func(error))
	}
)

// unobserved is the default Observer.
type unobserved struct{}

func (unobserved) Stage(ctx context.Context, _ string) (context.Context, func(error)) {
	return ctx, func(error) {}
}

// Model completes one request with one function call; see llm.Model for its promises.
type Model interface {
	Complete(ctx context.Context, req llm.Request, onDelta func(string) error) (llm.Reply, error)
}

// Unread accounts for the words of a message in a language, read as a draft at a time. It may not know the language.
type Unread func(text, language string, draft meet.Draft, now time.Time) meet.Unread

// Ports are all that a pipeline needs. All but Reader, Unread, Asked, Agenda, Gazetteer, Preferences, Worlds and what
// serves it, Plans, Router, Observer and Render are required.
type Ports struct {
	Model Model
	// Reader reads messages by rules, in the same calls as Model, to check what Model makes of a message. Nil checks
	// nothing, as if Model were rules itself.
	Reader Model
	// Ruled says that Model is rules itself, also if Reader checks it.
	Ruled bool
	// Unread finds what Model and Reader left out of a message. Nil finds nothing.
	Unread Unread
	// Asked is what a message asks for of the proposal before it, and the language of the message; nothing if it asks for
	// no fact. Such a question is answered by code, and changes nothing. Nil knows no questions.
	Asked     func(message string, earlier []meet.Exchange) (asked []meet.Aspect, language string)
	Calendars candidates.Calendars
	// Agenda finds events by which users name a time. Without it they are asked.
	Agenda Agenda
	Booked candidates.Booked
	Places candidates.Places
	// Gazetteer finds the names of places in messages. Defaults to none.
	Gazetteer  Gazetteer
	Activities Activities
	Contacts   Contacts
	Memory     Memory
	Proposals  Proposals
	Confirmer  Confirmer
	// Preferences are the organizer's: hours, usual length, buffers and times that are kept free. Defaults to none.
	Preferences Preferences
	// Worlds, Changes, Runs and Reply serve the paths of look and act: what tools see, where their changes go, which plans
	// ran or wait, and how an answer to what waits is read. Without Worlds these paths do not exist.
	Worlds  Worlds
	Changes Changes
	// Birthday is the next one of a contact from a day on; false if no contact says it. Without it a birthday is no day.
	Birthday func(
		ctx context.Context, w *world.World, contact meet.PersonID, from time.Time,
	) (day interval.Date, known bool)
	// Described are the contacts of whom a message says what they are; see people.Described. Nil knows nothing of them.
	Described func(ctx context.Context, w *world.World, message string) []meet.PersonID
	// Runs keeps the plans that ran or wait.
	Runs  workflow.Store
	Reply func(message string, asked Asked) Reply
	// Language is the tag of the language of a message after what was said earlier, as far as rules know it before a model
	// has read it; see offline.Language. Nil knows none.
	Language func(message string, earlier []meet.Exchange) string
	// Sure is how probable it is, from 0 to 1, that a message has the intent, and 0 if that is not known: what the model
	// said is measured by it. Nil believes the model.
	Sure func(message string, earlier []meet.Exchange, hasEvent bool, intent meet.Intent) float64
	// Standing are the parts of a message that may name what stands in the user's calendar already; see offline.Standing.
	// Nil names nothing.
	Standing func(message, language string) []string
	// Uninvites reports whether a message orders not to invite people of these names, and what else it says; see
	// offline.Uninvites. Nil reads no such order.
	Uninvites func(message string, names []string) (more string, ok bool)
	// Ground reads a message by the things that the user has; see ground.Read. Without a model that answers, the turn may
	// follow it; a model's plan is compared with it. Nil reads nothing.
	Ground func(ground.Message) ground.Reading
	// Plans reads a message that takes several steps by rules, as a plan; false if it takes one, or cannot be read. Lost
	// are words after an operation that cannot be read, which would be lost if only the operation were done, or words
	// beside a plan that only tell something. It is asked if there is no model, or if the model fails. Nil reads none.
	Plans func(context.Context, ground.Message) (made plan.Plan, lost string, ok bool)
	// Router knows how long ways take. Defaults to travel.Model.
	Router   travel.Router
	Observer Observer
	// Render makes HTML of a message's Markdown that any page may show. Defaults to no HTML.
	Render func(markdown string) (html string)
	// Now is the clock.
	Now func() time.Time
}

// Config holds the settings; the zero value works.
type Config struct {
	candidates.Config
	// IdeasPatience bounds the search for activities, which may search the web. Defaults to 25 s.
	IdeasPatience time.Duration
	// PlansKeep is how long a plan waits for an answer of its user. Defaults to 24 h.
	PlansKeep time.Duration
}

// Asked is what waits: the titles of pending changes, or the labels of choices.
type Asked struct {
	Options []string
	// Details say when the changes are, in their order, and Deeds are their kinds, and of what: "delete event".
	Details, Deeds []string
	// Times are from when the things are that change: when a mail came, when an event is.
	Times []time.Time
	// Choices says that the options are the answers to a question, and not changes. Event says that an event is proposed,
	// and nothing was asked: only an order books it, and no nod.
	Choices, Event bool
	// Alone says that nobody but the user takes part in that event.
	Alone bool
	// Added says that the turn before added something: to take it off again is an undo.
	Added bool
	// Done says that the turn before did at once what it was asked: to forget that is to undo it.
	Done bool
}

// Reply is what a message says to what waits for the user.
type Reply struct {
	Kind ReplyKind
	// Indices are those of the options that are meant, for Only, Not and Pick.
	Indices []int
	// Denies says that a message which is no answer asks for something instead of what waits, Corrects that it does if it
	// is about other things of the kind.
	Denies, Corrects bool
	// Books says that a yes orders to book, which can mean nothing but an event, and Sends that it orders to send.
	Books, Sends bool
}

// ReplyKind is a way of answering.
type ReplyKind string

// The ways of answering. Other is no answer: the message stands for itself.
const (
	Other ReplyKind = ""
	Yes   ReplyKind = "yes"
	No    ReplyKind = "no"
	Only  ReplyKind = "only"
	Not   ReplyKind = "not"
	Pick  ReplyKind = "pick"
	Undo  ReplyKind = "undo"
)
