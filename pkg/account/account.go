// Package account is which calendars people have connected, and what opens them.
//
// What opens an account, a token or a password, is sealed wherever it is stored, is told to nobody but the adapter
// that uses it, and is in no log and no error. A Store keeps accounts and renews their tokens; a Connector connects new
// ones.
package account

import (
	"fmt"
	"time"

	"convene/pkg/meet"
)

// ID names an account within Convene, whichever tenant it is of. The same account of the same person has the same ID
// whenever it is connected.
type ID string

// Provider is who keeps an account's calendars.
type Provider string

// The providers whose accounts can be connected.
const (
	Google    Provider = "google"
	Microsoft Provider = "microsoft"
	CalDAV    Provider = "caldav"
	ICS       Provider = "ics"
)

// Title is the provider in sentences.
func (p Provider) Title() string {
	switch p {
	case Google:
		return "Google"
	case Microsoft:
		return "Microsoft"
	case CalDAV:
		return "CalDAV"
	default:
		return string(p)
	}
}

// Access is what may be done with an account.
type Access string

// Read tells when its owner is busy; Write also puts events into its calendars.
const (
	Read  Access = "read"
	Write Access = "write"
)

// Account is one person's account with one provider. It holds no secret.
type Account struct {
	ID       ID            `json:"id"`
	Person   meet.PersonID `json:"person"`
	Provider Provider      `json:"provider"`
	// Access is what the provider lets us do.
	Access Access `json:"access"`
	// Address is what the person knows the account by: an email address, a user name, the name of a feed.
	Address string `json:"address"`
	// Server is the calendar home of a CalDAV account, as an absolute URL; empty elsewhere.
	Server string `json:"server,omitempty"`
	// Calendars are those that were found when the account was connected. None means the account's main one.
	Calendars []Calendar `json:"calendars"`
	Connected time.Time  `json:"connected"`
	// Problem is what the person has to do before the account can be read again, such as "reconnect the Google
	// calendar"; empty where all is well.
	Problem string `json:"problem,omitempty"`
}

// Calendar is one of an account's calendars.
type Calendar struct {
	// ID is the provider's: a calendar id, or the absolute URL of a CalDAV collection.
	ID   string `json:"id"`
	Name string `json:"name"`
	// Blocks says that what stands in it takes the person's time.
	Blocks bool `json:"blocks"`
	// Target says that confirmed events are written to it, where Access is Write; at most one of an account's is.
	Target bool `json:"target"`
	// Timezone is the calendar's IANA zone, empty where the provider does not tell it.
	Timezone string `json:"timezone,omitempty"`
}

// Credential opens an account: an access token that is valid now, a user name and password, or a feed's address.
// However it is printed, logged or encoded, it is "[sealed]".
type Credential struct {
	AccessToken string
	Username    string
	Password    string
	// URL is the secret address of a feed.
	URL string
}

// sealedText is what is seen of a secret.
const sealedText = "[sealed]"

// String keeps a credential out of logs.
func (Credential) String() string { return sealedText }

// GoString keeps a credential out of logs.
func (Credential) GoString() string { return sealedText }

// Format keeps a credential out of whatever is printed, under any verb.
func (Credential) Format(f fmt.State, _ rune) { hide(f) }

// MarshalText keeps a credential out of JSON and other encodings, and so out of structured logs.
func (Credential) MarshalText() ([]byte, error) { return []byte(sealedText), nil }

func hide(f fmt.State) { _, _ = f.Write([]byte(sealedText)) } // fmt keeps what is written in memory
