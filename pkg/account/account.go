// Package account keeps the calendar and mail accounts that people have connected, and their credentials.
//
// A credential (a token, a password, a feed's address) is sealed wherever it is stored, is given only to the adapter
// that uses it, and is in no log and no error. A Store keeps accounts and renews their tokens; a Connector connects new
// ones.
package account

import (
	"fmt"
	"time"

	"convene/pkg/meet"
)

// ID names an account within Convene, across all tenants. The same account of the same person always has the same ID.
type ID string

// Provider keeps an account's calendars, or its mail.
type Provider string

// The providers whose accounts can be connected.
const (
	Google    Provider = "google"
	Microsoft Provider = "microsoft"
	CalDAV    Provider = "caldav"
	ICS       Provider = "ics"
	IMAP      Provider = "imap"
	// Gmail is mail at Google, which is connected by itself.
	Gmail Provider = "gmail"
	// Outlook is mail at Microsoft, which is connected by itself.
	Outlook Provider = "outlook"
)

// Title is the provider's name in sentences.
func (p Provider) Title() string {
	switch p {
	case Google:
		return "Google"
	case Microsoft:
		return "Microsoft"
	case CalDAV:
		return "CalDAV"
	case IMAP:
		return "IMAP"
	case Gmail:
		return "Gmail"
	case Outlook:
		return "Outlook"
	default:
		return string(p)
	}
}

// KeepsMail reports whether its accounts are mailboxes. Those of others are calendars.
func (p Provider) KeepsMail() bool { return p == IMAP || p == Gmail || p == Outlook }

// Thing is what its accounts are, in sentences.
func (p Provider) Thing() string {
	if p.KeepsMail() {
		return "mailbox"
	}
	return "calendar"
}

// Access is the granted access to an account.
type Access string

// Read allows reading busy times; Write also allows writing events.
const (
	Read  Access = "read"
	Write Access = "write"
)

// Account is one person's account with one provider. It holds no secret.
type Account struct {
	ID       ID            `json:"id"`
	Person   meet.PersonID `json:"person"`
	Provider Provider      `json:"provider"`
	// Access is the access that the provider has granted.
	Access Access `json:"access"`
	// Address is the account's name for the person: an email address, a user name, the name of a feed.
	Address string `json:"address"`
	// Server is the calendar home of a CalDAV account, or an IMAP server, as an absolute URL; empty elsewhere.
	Server string `json:"server,omitempty"`
	// Outgoing is the SMTP server of a mail account, as an absolute URL; empty if it has none.
	Outgoing string `json:"outgoing,omitempty"`
	// Calendars are the calendars at the time of connection. None means the account's main one.
	Calendars []Calendar `json:"calendars"`
	// Tasks says that the account's tasks may be read and changed too.
	Tasks     bool      `json:"tasks,omitempty"`
	Connected time.Time `json:"connected"`
	// Problem says what the person must do before the account can be read again, as "reconnect the Google calendar"; empty
	// if it can be read.
	Problem string `json:"problem,omitempty"`
}

// Calendar is one of an account's calendars.
type Calendar struct {
	// ID is the provider's: a calendar id, or the absolute URL of a CalDAV collection.
	ID   string `json:"id"`
	Name string `json:"name"`
	// Blocks says that its events take the person's time.
	Blocks bool `json:"blocks"`
	// Target says that confirmed events are written to it, if Access is Write; an account has at most one target.
	Target bool `json:"target"`
	// Timezone is the calendar's IANA zone; empty if the provider does not give it.
	Timezone string `json:"timezone,omitempty"`
}

// Credential opens an account: a valid access token, a user name and password, or a feed's address. Printed, logged or
// encoded, it is always "[sealed]".
type Credential struct {
	AccessToken string
	Username    string
	Password    string
	// URL is the secret address of a feed.
	URL string
}

// sealedText is the visible form of a secret.
const sealedText = "[sealed]"

// String keeps a credential out of logs.
func (Credential) String() string { return sealedText }

// GoString keeps a credential out of logs.
func (Credential) GoString() string { return sealedText }

// Format keeps a credential out of formatted text, under any verb.
func (Credential) Format(f fmt.State, _ rune) { hide(f) }

// MarshalText keeps a credential out of JSON and other encodings, and so out of structured logs.
func (Credential) MarshalText() ([]byte, error) { return []byte(sealedText), nil }

func hide(f fmt.State) { _, _ = f.Write([]byte(sealedText)) } // fmt writes to memory
