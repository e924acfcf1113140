package google

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"
	"unicode/utf8"

	gcal "google.golang.org/api/calendar/v3"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// The ids of our events are mark, the owner in ownerLength characters, and the UID, in the letters of base32hex that
// Google allows. The owner is in it because two people may each keep a copy of one event; who that is cannot be read
// from it, since guests see the id.
const (
	mark        = "convene"
	ownerBytes  = 10
	ownerLength = ownerBytes * 8 / 5
	// maxID is how long Google lets an id be.
	maxID = 1024
	// googleUID ends the iCalUID of an event whose id was given: it is the id itself, in every guest's calendar.
	googleUID = "@google.com"
)

// eventID is the id of the event with that UID in the owner's calendar: the same each time.
func eventID(uid string, owner meet.PersonID) (string, error) {
	of := sha256.Sum256([]byte(owner))
	id := mark + strings.ToLower(letters().EncodeToString(of[:ownerBytes])+letters().EncodeToString([]byte(uid)))
	if uid == "" || len(id) > maxID {
		return "", fault.New(fault.Internal, "The event has no identity under which it could be written.")
	}
	return id, nil
}

// uidOf is the event's iCalendar identity: for one of ours, whoever's calendar it stands in, the UID that it was
// written with.
func uidOf(e *gcal.Event) string {
	if uid, ok := decodeID(e.Id); ok {
		return uid
	}
	return UID(e.ICalUID)
}

// UID is the UID that an event was written with, for the name that Google has given it in its guests' calendars. Other
// names are what they are.
func UID(iCalUID string) (uid string) {
	if id, ok := strings.CutSuffix(iCalUID, googleUID); ok {
		if uid, ok := decodeID(id); ok {
			return uid
		}
	}
	return iCalUID
}

func decodeID(id string) (uid string, ok bool) {
	rest, ours := strings.CutPrefix(id, mark)
	if !ours || len(rest) <= ownerLength || rest != strings.ToLower(rest) {
		return "", false
	}
	text, err := letters().DecodeString(strings.ToUpper(rest[ownerLength:]))
	return string(text), err == nil && len(text) > 0 && utf8.Valid(text)
}

func letters() *base32.Encoding { return base32.HexEncoding.WithPadding(base32.NoPadding) }
