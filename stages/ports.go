package stages

import (
	"context"
	"time"

	"convene/pkg/meet"
	"convene/pkg/travel"
	"convene/stages/candidates"
)

// The ports through which the stages reach the world. Each is named for the thing, and cmd wires an adapter to it.
type (
	// Activities suggests what to do.
	Activities interface {
		Suggest(ctx context.Context, q meet.ActivityQuery) ([]meet.Suggestion, error)
	}
	// Contacts are the people whom an organizer may mean, read once for a whole turn.
	Contacts interface {
		Of(ctx context.Context, organizer meet.PersonID) (Names, error)
	}
	// Names are what the contacts of one organizer are called.
	Names interface {
		// Find lists everyone whom a name fits; none where nobody is known by it.
		Find(name string) []meet.Person
		// Mentioned lists those whose names occur in a text; it may list too many.
		Mentioned(text string) []meet.Person
	}
	// Memory keeps a conversation for 30 minutes. An unknown one loads as empty.
	Memory interface {
		Load(ctx context.Context, id meet.ConversationID) (meet.Conversation, error)
		Save(ctx context.Context, c meet.Conversation) error
	}
	// Proposals keeps what was proposed, with the turn that asked for it, until it is confirmed or expires.
	Proposals interface {
		// SaveProposal leaves a proposal that is there already as it is: it may have been confirmed since. The event
		// comes in JSON too, if it has been encoded.
		SaveProposal(ctx context.Context, e meet.Event, raw []byte, t meet.Turn) error
		// LoadProposal is a fault.NotFound where there is none.
		LoadProposal(ctx context.Context, id meet.ProposalID) (meet.Event, meet.Turn, error)
		UpdateProposal(ctx context.Context, id meet.ProposalID, change func(*meet.Event) error) (meet.Event, error)
	}
	// Confirmer writes a proposal to the calendars.
	Confirmer interface {
		ConfirmProposal(ctx context.Context, id meet.ProposalID) (meet.Event, error)
	}
)

// Ports are all that a pipeline needs. All but Reader, Router and Observer are required.
type Ports struct {
	Model Model
	// Reader reads messages by rules, in the same calls as Model: what Model makes of a message is held against that.
	// Nil holds it against nothing, as if Model were rules itself.
	Reader     Model
	Calendars  candidates.Calendars
	Booked     candidates.Booked
	Places     candidates.Places
	Activities Activities
	Contacts   Contacts
	Memory     Memory
	Proposals  Proposals
	Confirmer  Confirmer
	// Router knows how long ways take. Defaults to travel.Model.
	Router travel.Router
	// Observer is told of the stages.
	Observer Observer
	// Render makes HTML of a message's Markdown that any page may show. Defaults to none.
	Render func(markdown string) (html string)
	// Now is the clock.
	Now func() time.Time
}

// Config is what may be set; the zero value works.
type Config struct {
	candidates.Config
	// IdeasPatience bounds the search for something to do, which may be one of the web. Defaults to 25 s.
	IdeasPatience time.Duration
}
