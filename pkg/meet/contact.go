package meet

import (
	"strings"
	"time"
	"unicode"
)

// Contact is a person with what is kept about them. Scheduling sees the person alone.
type Contact struct {
	Person
	// Emails are further addresses.
	Emails []string `json:"emails,omitempty"`
	Phone  string   `json:"phone,omitempty"`
	// Role is what the person does, or is to the owner: "plumber", "Noa's teacher".
	Role  string `json:"role,omitempty"`
	Notes string `json:"notes,omitempty"`
	// Birthday is "1987-05-03", or "--05-03" without a year (RFC 6350, section 4.3.1).
	Birthday string `json:"birthday,omitempty"`
}

// maxEmails and maxNotes bound a contact; notes are counted in bytes.
const (
	maxEmails = 20
	maxNotes  = 4000
	maxPhone  = 40
)

// Check finds the first invalid field of a contact, as Person.Check does.
func (c Contact) Check() (field, problem string) {
	if field, problem = c.Person.Check(); problem != "" {
		return field, problem
	}
	if len(c.Emails) > maxEmails {
		return "emails", "has more than 20 addresses"
	}
	for _, address := range c.Emails {
		if problem := checkEmail(address); problem != "" || address == "" {
			return "emails", "has what is no email address"
		}
	}
	switch {
	case len(c.Phone) > maxPhone || strings.ContainsFunc(c.Phone, noPhone):
		return "phone", "must be digits, spaces and + - . ( ) # * only, at most 40 of them"
	case c.Role != Caption(c.Role):
		return "role", "must be one line without web addresses"
	case len(c.Notes) > maxNotes || strings.ContainsFunc(c.Notes, noText):
		return "notes", "must be at most 4000 bytes of plain text"
	}
	if _, _, ok := c.Born(); c.Birthday != "" && !ok {
		return "birthday", "must be a date as 1987-05-03, or --05-03 without a year"
	}
	return "", ""
}

func noText(r rune) bool { return unicode.IsControl(r) && r != '\n' }

func noPhone(r rune) bool { return !unicode.IsDigit(r) && !strings.ContainsRune(" +-.()#*/extEXT", r) }

// Born is the date of birth; its year is 0 if that is not known. Ok is false if there is none.
func (c Contact) Born() (year int, day time.Time, ok bool) {
	text, yearless := strings.CutPrefix(c.Birthday, "--")
	if yearless {
		text = "2000-" + text // a leap year
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return 0, time.Time{}, false
	}
	if !yearless {
		year = day.Year()
	}
	return year, day, true
}

// Addresses are all email addresses, the usual one first.
func (c Contact) Addresses() []string {
	if c.Email == "" {
		return c.Emails
	}
	return append([]string{c.Email}, c.Emails...)
}
