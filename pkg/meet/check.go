package meet

import (
	"crypto/rand"
	"fmt"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"convene/pkg/interval"
)

const (
	// MaxText bounds names and labels, in characters.
	MaxText = 200
	// maxWindows bounds the windows of one day, maxID an id in bytes.
	maxWindows = 8
	maxID      = 128
	maxEmail   = 254
	maxLink    = 2000
)

// Check finds the first invalid field of a person, by its name in JSON ("workingHours.mon[0]"), and the problem in
// words that continue after the field's name. Both are empty for a valid person. The ID may be empty. Callers then use
// the Caption of the name, so that no two people differ by invisible characters only.
func (p Person) Check() (field, problem string) {
	for _, c := range []struct{ field, problem string }{
		{"id", checkID(string(p.ID))},
		{"name", checkName(p.Name)},
		{"email", checkEmail(p.Email)},
		{"timezone", checkZone(p.Timezone)},
		{"calendarType", checkCalendarType(p.CalendarType)},
		{"bookingLink", checkLink(p.BookingLink)},
	} {
		if c.problem != "" {
			return c.field, c.problem
		}
	}
	if field, problem = p.Location.check("location"); problem != "" {
		return field, problem
	}
	if field, problem = p.Office.check("office"); problem != "" {
		return field, problem
	}
	return checkHours(p.WorkingHours)
}

// NewID makes an identifier that cannot be guessed; kind is its prefix: "t_…" is a turn.
func NewID(kind string) string { return kind + "_" + strings.ToLower(rand.Text()) }

// IsID reports whether s has the form of an id, which is safe in stores, file names and logs.
func IsID(s string) bool {
	odd := func(r rune) bool { return !letterOrDigit(r) && !strings.ContainsRune("._@:+-", r) }
	return s != "" && len(s) <= maxID && letterOrDigit(rune(s[0])) && !strings.ContainsFunc(s, odd)
}

func letterOrDigit(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// IsZone reports whether s is a name of the IANA database; "Local", this machine's zone, is not.
func IsZone(s string) bool {
	_, err := time.LoadLocation(s)
	return err == nil && s != "" && s != "Local"
}

func checkID(id string) string {
	if id != "" && !IsID(id) {
		return "must be letters, digits and . _ @ : + - only, at most 128 of them, and begin with a letter or a digit"
	}
	return ""
}

func checkName(name string) string {
	if problem := checkText(name); problem != "" {
		return problem
	}
	if Caption(name) == "" {
		return "is missing"
	}
	return ""
}

// checkText accepts a single line that is plain text in a calendar file, a header and a log.
func checkText(s string) string {
	switch {
	case utf8.RuneCountInString(s) > MaxText || strings.ContainsFunc(s, unicode.IsControl):
		return fmt.Sprintf("must be at most %d characters without line breaks", MaxText)
	case strings.ContainsFunc(s, turns):
		return "must not have characters that turn the direction of the text"
	case hasAddress(s):
		return "must not have a web address in it"
	}
	return ""
}

func checkEmail(email string) string {
	if email == "" {
		return ""
	}
	address, err := mail.ParseAddress(email)
	if err != nil || address.Address != email || len(email) > maxEmail || checkText(email) != "" {
		return "must be an email address such as al@example.com"
	}
	return ""
}

func checkZone(zone string) string {
	if zone != "" && !IsZone(zone) {
		return "must be an IANA time zone such as America/Los_Angeles"
	}
	return ""
}

func checkCalendarType(kind CalendarType) string {
	if kind != "" && kind != Personal && kind != Work {
		return "must be personal or work"
	}
	return ""
}

func checkLink(link string) string {
	if link == "" {
		return ""
	}
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || len(link) > maxLink {
		return "must be an address that begins with https://"
	}
	return ""
}

// check validates the location; name is its field in JSON.
func (l *Location) check(name string) (field, problem string) {
	switch {
	case l == nil:
		return "", ""
	case !(l.Latitude >= -90 && l.Latitude <= 90):
		return name + ".latitude", "must be between -90 and 90"
	case !(l.Longitude >= -180 && l.Longitude <= 180):
		return name + ".longitude", "must be between -180 and 180"
	case checkText(l.Label) != "":
		return name + ".label", checkText(l.Label)
	}
	return "", ""
}

// checkHours refuses windows that run past midnight: a night shift is one window until 24:00 and another from 00:00 of
// the next day.
func checkHours(week *interval.Week) (field, problem string) {
	if week == nil {
		return "", ""
	}
	for i := range week {
		day := (i + 1) % len(week) // Monday first, as people read it
		field = "workingHours." + strings.ToLower(time.Weekday(day).String()[:3])
		if len(week[day]) > maxWindows {
			return field, fmt.Sprintf("has too many windows; at most %d are read", maxWindows)
		}
		for j, w := range week[day] {
			at := fmt.Sprintf("%s[%d]", field, j)
			overlaps := func(o interval.Window) bool { return w.Start < o.End && o.Start < w.End }
			switch {
			case w.Start >= w.End:
				return at, fmt.Sprintf("must end after it begins, on the same day; %s to %s does not", w.Start, w.End)
			case slices.ContainsFunc(week[day][:j], overlaps):
				return at, "overlaps an earlier window of that day"
			}
		}
	}
	return "", ""
}
