package auth

import (
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

const (
	issuer = "convene"
	// A token and a ticket cannot take each other's place: each has an audience of its own.
	tokenAudience  = "convene/browser"
	ticketAudience = "convene/connect"
	// skew is how far the clocks of two replicas may be apart.
	skew = 10 * time.Second
	// signerLife is how long a signing key is used before another takes its place.
	signerLife = 30 * 24 * time.Hour
)

// algorithm is the only one that is believed, whatever a token says of itself.
var algorithm = jwt.SigningMethodHS256

// Signer is a key with which tokens are signed.
type Signer struct {
	// ID is the kid of the tokens that it signs.
	ID      string    `json:"id"`
	Secret  []byte    `json:"secret"`
	Created time.Time `json:"created"`
}

func newSigner(now time.Time) Signer {
	secret := make([]byte, secretSize)
	_, _ = rand.Read(secret) // it never fails
	return Signer{ID: rand.Text(), Secret: secret, Created: now}
}

// outlived are the signers, oldest first, none of whose tokens is valid any more: each was succeeded by another longer
// ago than a token lives.
func outlived(signers []Signer, now time.Time) (ids []string) {
	for i := range signers[:max(len(signers)-1, 0)] {
		if now.Sub(signers[i+1].Created) > LongestLife+time.Hour {
			ids = append(ids, signers[i].ID)
		}
	}
	return ids
}

// claims are what a token or a ticket says.
type claims struct {
	jwt.RegisteredClaims
	Tenant        meet.Tenant           `json:"tenant,omitempty"`
	Key           KeyID                 `json:"key"`
	Origin        string                `json:"origin,omitempty"`
	Organizers    []meet.PersonID       `json:"organizers,omitempty"`
	Participants  []meet.PersonID       `json:"participants,omitempty"`
	Contacts      bool                  `json:"contacts,omitempty"`
	Guests        bool                  `json:"guests,omitempty"`
	Conversations []meet.ConversationID `json:"conversations,omitempty"`
	Namespace     string                `json:"namespace,omitempty"`
	// Address is what a ticket opens.
	Address string `json:"address,omitempty"`
}

func claimsOf(by Caller, g Grant) claims {
	return claims{
		Tenant: by.Tenant, Key: by.Key, Origin: g.Origin, Organizers: g.Organizers, Participants: g.Participants,
		Contacts: g.Contacts, Guests: g.Guests, Conversations: g.Conversations, Namespace: g.Namespace,
	}
}

func (c claims) caller() Caller {
	return Caller{Tenant: c.Tenant, Kind: ByToken, Key: c.Key, Token: c.ID, Grant: Grant{
		Origin: c.Origin, Organizers: c.Organizers, Participants: c.Participants, Contacts: c.Contacts, Guests: c.Guests,
		Conversations: c.Conversations, Namespace: c.Namespace,
	}}
}

// sign makes the token of c, which lives from now on for so long.
func (c claims) sign(with Signer, audience string, now time.Time, life time.Duration) (string, error) {
	c.RegisteredClaims = jwt.RegisteredClaims{
		Issuer: issuer, Audience: jwt.ClaimStrings{audience}, ID: rand.Text(),
		IssuedAt: jwt.NewNumericDate(now), NotBefore: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(life)),
	}
	token := jwt.NewWithClaims(algorithm, c)
	token.Header["kid"] = with.ID
	signed, err := token.SignedString(with.Secret)
	if err != nil {
		return "", fmt.Errorf("sign token: %w", err)
	}
	return signed, nil
}

// errUnknownSigner is why a token is refused that may have been signed with a key that is not read yet.
var errUnknownSigner = errors.New("signed with a key that is not known")

// read is what a token says that one of the signers has signed for this audience, and that is valid now.
func read(token, audience string, signers []Signer, now func() time.Time) (c claims, err error) {
	parser := jwt.NewParser(
		jwt.WithValidMethods([]string{algorithm.Alg()}), jwt.WithIssuer(issuer), jwt.WithAudience(audience),
		jwt.WithExpirationRequired(), jwt.WithNotBeforeRequired(),
		jwt.WithIssuedAt(), jwt.WithLeeway(skew), jwt.WithTimeFunc(now),
		jwt.WithStrictDecoding(),
	)
	_, err = parser.ParseWithClaims(token, &c, func(t *jwt.Token) (any, error) {
		i := slices.IndexFunc(signers, func(s Signer) bool { return s.ID == t.Header["kid"] })
		if i < 0 {
			return nil, errUnknownSigner
		}
		return signers[i].Secret, nil
	})
	return c, err
}

// refusal is why a token does not open the door. Nothing of the token stands in it.
func refusal(err error) *fault.Error {
	if errors.Is(err, jwt.ErrTokenExpired) && !errors.Is(err, jwt.ErrTokenSignatureInvalid) {
		return fault.New(TokenExpired, "This token has expired. Please ask for another one.")
	}
	return fault.New(Unauthorized, "This token is not valid here.")
}
