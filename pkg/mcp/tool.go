package mcp

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rs/zerolog"

	"convene/pkg/fault"
)

// tool is a tool that agents call.
type tool struct {
	sdk.Tool
	input *jsonschema.Schema
	call  func(ctx context.Context, args arguments, notify progress) (result, error)
}

// tools lists every tool.
func (s *Server) tools() ([]tool, error) {
	output, err := resultSchema()
	if err != nil {
		return nil, err
	}
	all := []tool{s.proposeTool(), s.editTool(), s.confirmTool(), s.cancelTool()}
	for i := range all {
		all[i].InputSchema, all[i].OutputSchema = all[i].input, output
	}
	registered, err := s.registered()
	return append(all, registered...), err
}

func (s *Server) proposeTool() tool {
	return tool{
		Tool: sdk.Tool{
			Name: "propose", Title: "Propose an event",
			Description: "Finds a time that suits everyone's calendars, and a place if people meet in person, for what " +
				"the user wants to arrange. " +
				"Returns a proposal with alternatives, or a question to ask the user. Nothing is booked and nobody is " +
				"invited: show the proposal to the user, and call confirm once they agree.",
			// It adds a proposal, and reads calendars and places of others.
			Annotations: &sdk.ToolAnnotations{DestructiveHint: new(false), OpenWorldHint: new(true)},
		},
		input: object(map[string]*jsonschema.Schema{
			"message": message("What the user wants to arrange, in the user's own words and language, as \"Let's grab " +
				"coffee with Al next week\"."),
			"conversationId": text("Continues an earlier conversation. Leave it out to begin a new one."),
			"organizer": person("Who asks: the id of a stored person, or a person as an object with a name. Give the " +
				"same organizer in every call of a conversation. Leave it out if only one person can be meant."),
			"participants":   participants(),
			"timezone":       zone("IANA time zone in which the message is meant. Left out, the organizer's."),
			"availability":   availability(),
			"idempotencyKey": idempotencyKey(),
		}, "message"),
		call: s.turn,
	}
}

func participants() *jsonschema.Schema {
	most := 20
	list := listOf(person("A participant: the id of a stored person, or a person as an object with a name."),
		"The others. Left out, the names in the message are looked up among the organizer's contacts.")
	list.MaxItems = &most
	return list
}

func idempotencyKey() *jsonschema.Schema {
	longest := 200
	return &jsonschema.Schema{
		Type: "string", MaxLength: &longest, Pattern: "^[!-~]*$",
		Description: "For calls that may be repeated after a failure of the network: the same key with the same arguments " +
			"gives the first call's result. Take a new key for each new request.",
	}
}

func (s *Server) editTool() tool {
	return tool{
		Tool: sdk.Tool{
			Name: "edit", Title: "Change a proposal",
			Description: "Continues a conversation: changes the proposal (\"make it lunch\", \"with Ben as " +
				"well\", \"the second one\"), " +
				"asks for other times (\"anything earlier?\"), or answers a question that came back. What the message does not " +
				"name stays. " +
				"A change is a new proposal with its own id, which replaces the old one once it is confirmed.",
			Annotations: &sdk.ToolAnnotations{DestructiveHint: new(false), OpenWorldHint: new(true)},
		},
		input: object(map[string]*jsonschema.Schema{
			"conversationId": text("The conversationId that propose returned."),
			"message":        message("What the user says, in their own words, as \"make it lunch\" or \"earlier?\"."),
			"organizer": person("The same organizer as in propose, or left out as there; a conversation is known to its " +
				"organizer only."),
			"timezone":       zone("IANA time zone in which the message is meant. Left out, the organizer's."),
			"availability":   availability(),
			"idempotencyKey": idempotencyKey(),
		}, "conversationId", "message"),
		call: s.turn,
	}
}

func (s *Server) confirmTool() tool {
	input := object(map[string]*jsonschema.Schema{
		"proposalId": text("The proposalId of the proposal that the user agreed to."),
		"slot":       index("Chooses another time: the slot of one of alternatives.slots. Requires start."),
		"place": index("Chooses another place: the place of one of alternatives.places. It must be open for the " +
			"whole time."),
		"start": moment("When the event must start, exactly as in the result. Required with slot: the times " +
			"on offer may have been replaced, and nothing is booked at another time than this."),
	}, "proposalId")
	input.DependentRequired = map[string][]string{"slot": {"start"}}
	return tool{
		Tool: sdk.Tool{
			Name: "confirm", Title: "Book a proposal",
			Description: "Books a proposal: writes it to calendars and invites everyone. Call it only after the user has " +
				"agreed to this time and place. " +
				"All calendars are read once more; if the time has gone nothing is booked, and the result has new times. " +
				"Confirming again changes nothing.",
			// Confirming a changed event moves the one in people's calendars.
			Annotations: &sdk.ToolAnnotations{DestructiveHint: new(true), IdempotentHint: true, OpenWorldHint: new(true)},
		},
		input: input,
		call:  s.confirm,
	}
}

func (s *Server) cancelTool() tool {
	return tool{
		Tool: sdk.Tool{
			Name: "cancel", Title: "Cancel a proposal or an event",
			Description: "Withdraws a proposal, or removes a booked event from everyone's calendars and notifies those who " +
				"were invited. " +
				"Call it only when the user wants that; it cannot be undone. Cancelling again changes nothing.",
			Annotations: &sdk.ToolAnnotations{DestructiveHint: new(true), IdempotentHint: true, OpenWorldHint: new(true)},
		},
		input: object(map[string]*jsonschema.Schema{
			"proposalId": text("The proposalId of the proposal, or of the event that was booked."),
		}, "proposalId"),
		call: s.cancel,
	}
}

// handler answers calls of the tool. Errors become results.
func (s *Server) handler(t tool) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		began := time.Now()
		ctx, release := untilAbandoned(ctx)
		defer release()
		r, err := s.answer(ctx, t, req)
		if err != nil {
			r = failed(err, r)
		}
		note(ctx, t.Name, r, err).Dur("took", time.Since(began)).Msg("tool called")
		return r.content()
	}
}

// answer calls the tool within Deadline. A panic is a failed call: the SDK would let it end the process.
func (s *Server) answer(ctx context.Context, t tool, req *sdk.CallToolRequest) (r result, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("tool %s: panic: %v\n%s", t.Name, p, debug.Stack())
		}
	}()
	ctx, cancel := context.WithTimeoutCause(ctx, s.cfg.Deadline, tooLong())
	defer cancel()
	defer s.beat(ctx)()
	args, err := read(req.Params.Arguments, t.input)
	if err != nil {
		return r, err
	}
	return t.call(ctx, args, progressOf(ctx, req))
}

func tooLong() *fault.Error {
	return fault.New(fault.DeadlineExceeded, "This took too long. Please try again.").Later(0)
}

// note is the call's line in the log: ids and codes, no messages.
func note(ctx context.Context, tool string, r result, err error) *zerolog.Event {
	logger := zerolog.Ctx(ctx)
	line := logger.Info()
	if fault.CodeOf(err) == fault.Internal {
		line = logger.Error().Err(err)
	}
	if err != nil {
		line = line.Str("code", string(fault.CodeOf(err)))
	}
	return line.Str("tool", tool).Str("turn", string(r.turn)).Str("conversation", string(r.ConversationID)).
		Str("proposal", string(r.ProposalID)).Str("outcome", string(r.Outcome))
}
