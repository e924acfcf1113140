package api

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"time"

	"convene/pkg/auth"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// What one token may be bound to.
const (
	maxTokenPeople        = 100
	maxTokenConversations = 20
	maxVisitor            = 200 // bytes
	longestToken          = int(auth.LongestLife / time.Minute)
)

// tokenRequest is the body of POST /v1/tokens.
type tokenRequest struct {
	_             struct{}              `additionalProperties:"false"`
	Origin        string                `json:"origin" doc:"The site on whose pages the token works: one of those that the server allows." example:"https://app.example"`
	Organizers    []meet.PersonID       `json:"organizers,omitempty" maxItems:"100" doc:"Ids of stored people as whom the browser may arrange things, and whose calendars it may see and connect."`
	Participants  []meet.PersonID       `json:"participants,omitempty" maxItems:"100" doc:"Ids of stored people whom it may invite beside them, also by naming them in a message."`
	Contacts      bool                  `json:"contacts,omitempty" doc:"Lets it invite everybody who is stored."`
	Guests        bool                  `json:"guests,omitempty" doc:"Lets it give people as objects who are not stored, as organizer too."`
	Conversations []meet.ConversationID `json:"conversations,omitempty" maxItems:"20" doc:"Conversations that it may go on with. With them, and without visitor, it can begin none."`
	Visitor       string                `json:"visitor,omitempty" maxLength:"200" doc:"Whose browser it is, by a name of your own that stays the same: tokens for one visitor share their conversations. Left out, those that are begun belong to this token alone."`
	Minutes       int                   `json:"minutes,omitempty" minimum:"1" maximum:"1440" doc:"How long the token lives; 15 where it is left out."`
}

// mintedToken is a token as it is handed out.
type mintedToken struct {
	Token     string    `json:"token" doc:"For Authorization: Bearer and, in the address of a stream or a calendar file, for ?token=."`
	ExpiresAt time.Time `json:"expiresAt"`
}

type tokenOutput struct {
	Status int
	Body   mintedToken
}

func (s *Server) tokenRoutes() {
	mint := s.operation("createToken", http.MethodPost, "/v1/tokens", "Make a token for one browser").
		body(reflectSchema[tokenRequest](s))
	mint.DefaultStatus = http.StatusCreated
	handle(s, mint.Operation, s.mintToken)
}

func (s *Server) mintToken(ctx context.Context, _ *struct{}) (*tokenOutput, error) {
	request, err := bodyOf[tokenRequest](ctx)
	if err != nil {
		return nil, err
	}
	caller := auth.CallerOf(ctx)
	grant, err := s.grant(ctx, request, caller.Tenant)
	if err != nil && caller.MayMint() {
		return nil, err
	}
	token, until, err := s.cfg.Door.Mint(ctx, caller, grant, time.Duration(request.Minutes)*time.Minute)
	if err != nil {
		return nil, err
	}
	return &tokenOutput{http.StatusCreated, mintedToken{token, until.UTC()}}, nil
}

// grant checks what is asked for. Every fault names the field that is wrong.
func (s *Server) grant(ctx context.Context, in tokenRequest, tenant meet.Tenant) (g auth.Grant, err error) {
	switch {
	case !IsOrigin(in.Origin):
		return g, fault.Invalid("origin", "must be an origin such as https://app.example, in lower case and without a path")
	case !s.trustsOrigin(in.Origin):
		return g, fault.Invalid("origin", "is not one that this server allows: start it with --origins %s", in.Origin)
	case len(in.Organizers) == 0 && !in.Guests:
		return g, fault.Invalid("organizers", "is missing: the ids of the people as whom the browser may arrange things")
	case len(in.Conversations) > maxTokenConversations:
		return g, fault.Invalid("conversations", "are too many: at most %d", maxTokenConversations)
	case len(in.Visitor) > maxVisitor:
		return g, fault.Invalid("visitor", "is too long")
	case in.Minutes < 0 || in.Minutes > longestToken:
		return g, fault.Invalid("minutes", "must be between 1 and %d", longestToken)
	}
	for i, id := range in.Conversations {
		if !meet.IsID(string(id)) {
			return g, fault.Invalid(fmt.Sprintf("conversations[%d]", i), "is not an id that Convene gave out")
		}
	}
	if err := s.allStored(ctx, in.Organizers, "organizers"); err != nil {
		return g, err
	}
	if err := s.allStored(ctx, in.Participants, "participants"); err != nil {
		return g, err
	}
	return auth.Grant{
		Origin: in.Origin, Organizers: in.Organizers, Participants: in.Participants, Contacts: in.Contacts, Guests: in.Guests,
		Conversations: in.Conversations, Namespace: namespace(in, tenant),
	}, nil
}

// namespace is what the ids of the conversations begin with that a token may begin.
func namespace(in tokenRequest, tenant meet.Tenant) string {
	switch {
	case in.Visitor != "":
		sum := sha256.Sum256([]byte(string(tenant) + "\x00" + in.Visitor))
		return "v" + hex.EncodeToString(sum[:12])
	case len(in.Conversations) > 0:
		return ""
	default:
		return "w" + strings.ToLower(rand.Text())
	}
}

func (s *Server) allStored(ctx context.Context, ids []meet.PersonID, field string) error {
	if len(ids) > maxTokenPeople {
		return fault.Invalid(field, "are too many: at most %d", maxTokenPeople)
	}
	for i, id := range ids {
		err := error(fault.New(fault.NotFound, "It is no id at all."))
		if meet.IsID(string(id)) {
			_, err = s.cfg.People.Person(ctx, id)
		}
		if fault.CodeOf(err) == fault.NotFound {
			return fault.Invalid(fmt.Sprintf("%s[%d]", field, i), "there is no person with this id; store the person first")
		}
		if err != nil {
			return err
		}
	}
	return nil
}
