// Package account is which calendars people have connected, and what opens them.
//
// What opens an account, a token or a password, is sealed wherever it is stored, is told to nobody but the adapter
// that uses it, and is in no log and no error.
package account

import (
	"time"

	"convene/pkg/meet"
)

// ID names an account within Convene.
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

// Account is one person's account with one provider. It holds no secret but a feed's address, which is never shown.
type Account struct {
	ID       ID            `json:"id"`
	Person   meet.PersonID `json:"person"`
	Provider Provider      `json:"provider"`
	// Address is what the person knows the account by: an email address, a user name, the name of a feed.
	Address string `json:"address"`
	// Server is the calendar home of a CalDAV account, as an absolute URL; empty elsewhere.
	Server string `json:"server,omitempty"`
	// Calendars are those that were chosen when the account was connected. None means the account's main one.
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
	// Target says that confirmed events are written to it; at most one of an account's is.
	Target bool `json:"target"`
	// Timezone is the calendar's IANA zone, empty where the provider does not tell it.
	Timezone string `json:"timezone,omitempty"`
}

// Credential opens an account: an access token that is valid now, a user name and password, or a feed's address.
type Credential struct {
	AccessToken string
	Username    string
	Password    string
	// URL is the secret address of a feed.
	URL string
}

// String keeps a credential out of logs.
func (Credential) String() string { return "[sealed]" }

// GoString keeps a credential out of logs.
func (Credential) GoString() string { return "[sealed]" }
