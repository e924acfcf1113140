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

// Bounds of a token's request.
const (
	maxTokenPeople        = 100
	maxTokenConversations = 20
	maxVisitor            = 200 // bytes
	longestToken          = int(auth.LongestLife / time.Minute)
)

// tokenRequest is the body of POST /v1/tokens.
type tokenRequest struct {
	_             struct{}              `additionalProperties:"false"`
	Origin        string                `json:"origin" doc:"The site on whose pages the token works: one that the server allows." example:"https://app.example"`
	Organizers    []meet.PersonID       `json:"organizers,omitempty" maxItems:"100" doc:"Ids of stored people as whom the browser may arrange events, and whose calendars it may see and connect."`
	Participants  []meet.PersonID       `json:"participants,omitempty" maxItems:"100" doc:"Ids of other stored people whom it may invite, also by naming them in a message."`
	Contacts      bool                  `json:"contacts,omitempty" doc:"Lets it invite all stored people."`
	Guests        bool                  `json:"guests,omitempty" doc:"Lets it name people who are not stored, as objects, also as organizer."`
	Conversations []meet.ConversationID `json:"conversations,omitempty" maxItems:"20" doc:"Conversations that it may continue. With them, and without visitor, it cannot begin new ones."`
	Visitor       string                `json:"visitor,omitempty" maxLength:"200" doc:"The owner of the browser, by a stable name of your choice: tokens for one visitor share their conversations. Left out, new conversations belong to this token alone."`
	Families      []string              `json:"families,omitempty" doc:"Families of tools that it may use; those of the key if left out."`
	NoConfirm     bool                  `json:"noConfirm,omitempty" doc:"It cannot confirm anything."`
	Minutes       int                   `json:"minutes,omitempty" minimum:"1" maximum:"1440" doc:"The lifetime of the token; 15 if left out."`
}

// mintedToken is a new token.
type mintedToken struct {
	Token     string    `json:"token" doc:"For Authorization: Bearer and, in the address of a stream or a calendar file, for ?token=."`
	ExpiresAt time.Time `json:"expiresAt"`
}

type tokenOutput struct {
	Status int
	Body   mintedToken
}

func (s *Server) tokenRoutes() {
	mint := s.operation("createToken", http.MethodPost, "/v1/tokens", "Make a token for one browser")
	mint.DefaultStatus = http.StatusCreated
	handleBody(s, mint, s.mintToken)
}

func (s *Server) mintToken(ctx context.Context, _ *struct{}, request tokenRequest) (*tokenOutput, error) {
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

// grant checks the request. Every fault names the field that is wrong.
func (s *Server) grant(ctx context.Context, in tokenRequest, tenant meet.Tenant) (g auth.Grant, err error) {
	switch {
	case !IsOrigin(in.Origin):
		return g, fault.Invalid("origin", "must be an origin such as https://app.example, in lower case and without a path")
	case !s.trustsOrigin(in.Origin):
		return g, fault.Invalid("origin", "is not one that this server allows: start it with --origins %s", in.Origin)
	case len(in.Organizers) == 0 && !in.Guests:
		return g, fault.Invalid("organizers", "is missing: the ids of the people as whom the browser may arrange events")
	case len(in.Conversations) > maxTokenConversations:
		return g, fault.Invalid("conversations", "are too many: at most %d", maxTokenConversations)
	case len(in.Visitor) > maxVisitor:
		return g, fault.Invalid("visitor", "is too long")
	case in.Minutes < 0 || in.Minutes > longestToken:
		return g, fault.Invalid("minutes", "must be between 1 and %d", longestToken)
	}
	if err := s.checkFamilies(in.Families); err != nil {
		return g, err
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
		Allowance: auth.Allowance{Families: in.Families, NoConfirm: in.NoConfirm},
	}, nil
}

// namespace returns the prefix of the ids of conversations that a token may begin.
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
		var err error
		valid := meet.IsID(string(id))
		if valid {
			_, err = s.cfg.People.Person(ctx, id)
		}
		if !valid || fault.CodeOf(err) == fault.NotFound {
			return fault.Invalid(fmt.Sprintf("%s[%d]", field, i), "there is no person with this id; store the person first")
		}
		if err != nil {
			return err
		}
	}
	return nil
}
