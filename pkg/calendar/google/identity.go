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

// The ids of our events are mark, a hash of the owner in ownerLength characters, and the UID, in base32hex, the letters
// that Google allows. The owner is part of it because two people may each keep a copy of one event; it is hashed
// because guests see the id.
const (
	mark        = "convene"
	ownerBytes  = 10
	ownerLength = ownerBytes * 8 / 5
	// maxID is Google's maximum length of an id.
	maxID = 1024
	// googleUID is the suffix that makes an event's iCalUID, in every guest's calendar, from an id that the client chose.
	googleUID = "@google.com"
)

// eventID is the id of the event with that UID in the owner's calendar. It is deterministic.
func eventID(uid string, owner meet.PersonID) (string, error) {
	of := sha256.Sum256([]byte(owner))
	id := mark + strings.ToLower(letters().EncodeToString(of[:ownerBytes])+letters().EncodeToString([]byte(uid)))
	if uid == "" || len(id) > maxID {
		return "", fault.New(fault.Internal, "The event has no identity under which it could be written.")
	}
	return id, nil
}

// uidOf is the event's iCalendar identity: for one of ours, in any calendar, the UID that it was written with.
func uidOf(e *gcal.Event) string {
	if uid, ok := decodeID(e.Id); ok {
		return uid
	}
	return UID(e.ICalUID)
}

// UID is the UID that an event was written with, for its name in its guests' calendars at Google. Other names stay as
// they are.
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
