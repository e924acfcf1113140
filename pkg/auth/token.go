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
	// Tokens and tickets have different audiences, so that one is not accepted for the other.
	tokenAudience  = "convene/browser"
	ticketAudience = "convene/connect"
	// skew is how far the clocks of two replicas may differ.
	skew = 10 * time.Second
	// signerLife is how long a signing key is used before another replaces it.
	signerLife = 30 * 24 * time.Hour
)

// algorithm is the only accepted one, whatever a token's header says.
var algorithm = jwt.SigningMethodHS256

// Signer is a key that signs tokens.
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

// outlived returns the ids of signers whose tokens have all expired: their successors are older than a token's longest
// life. The signers are sorted, oldest first.
func outlived(signers []Signer, now time.Time) (ids []string) {
	for i := range signers[:max(len(signers)-1, 0)] {
		if now.Sub(signers[i+1].Created) > LongestLife+time.Hour {
			ids = append(ids, signers[i].ID)
		}
	}
	return ids
}

// claims are the claims of a token or a ticket.
type claims struct {
	jwt.RegisteredClaims
	Grant
	Tenant meet.Tenant `json:"tenant,omitempty"`
	Key    KeyID       `json:"key"`
	// Address is what a ticket opens.
	Address string `json:"address,omitempty"`
}

func (c claims) caller() Caller {
	return Caller{Tenant: c.Tenant, Kind: ByToken, Key: c.Key, Token: c.ID, Grant: c.Grant}
}

// sign makes a token of c that is valid from now for life.
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

// errUnknownSigner refuses a token whose signing key may not have been read yet.
var errUnknownSigner = errors.New("signed with a key that is not known")

// read returns the claims of a token that one of the signers has signed for this audience, and that is valid now.
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

// refusal returns why a token is refused, and quotes nothing of it.
func refusal(err error) *fault.Error {
	if errors.Is(err, jwt.ErrTokenExpired) && !errors.Is(err, jwt.ErrTokenSignatureInvalid) {
		return fault.New(TokenExpired, "This token has expired. Please get a new one.")
	}
	return fault.New(Unauthorized, "This token is not valid here.")
}
