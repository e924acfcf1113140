package microsoft

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// The extended properties of our events, in a namespace of Convene's own.
const (
	// uidProperty holds the event's UID.
	uidProperty = "String {9d2c6f0e-4b1a-4f6b-8f57-3c8a2f6f7b11} Name ConveneUID"
	// contentProperty holds the content that was written last: see content.
	contentProperty = "String {9d2c6f0e-4b1a-4f6b-8f57-3c8a2f6f7b11} Name ConveneContent"
)

// transactionPrefix begins the transactionId of our events.
const transactionPrefix = "convene."

// transactionOf is the transactionId with which an event is created: the same for every attempt, whatever its content,
// so that Graph keeps one event. Graph remembers the ids of removed events; life counts those.
func transactionOf(uid string, life int) string {
	return transactionPrefix + strconv.Itoa(life) + "." + uid
}

// uidOf is the UID in a transactionId; own is false if it is not one of ours.
func uidOf(transaction string) (uid string, own bool) {
	rest, own := strings.CutPrefix(transaction, transactionPrefix)
	if !own {
		return "", false
	}
	life, uid, found := strings.Cut(rest, ".")
	if _, err := strconv.Atoi(life); err != nil || !found || uid == "" {
		return "", false
	}
	return uid, true
}

// The layout of the GlobalObjectId in an iCalUId ([MS-OXOCAL] 2.2.1.27): a fixed start, the date of the instance, the
// creation time, the size and the data, which for an event from elsewhere is a marker and its UID.
const (
	objectIDStart = "040000008200E00074C5B7101A82E008"
	instanceFrom  = 16
	instanceUntil = 20
	dataFrom      = 40
	foreignMarker = "vCal-Uid\x01\x00\x00\x00"
)

// seriesUID is the UID that all instances of an event share: Graph may give each an iCalUId of its own, with the
// instance's date in it.
func seriesUID(iCalUID string) string {
	if len(iCalUID) < 2*dataFrom || !strings.EqualFold(iCalUID[:len(objectIDStart)], objectIDStart) {
		return iCalUID
	}
	id, err := hex.DecodeString(iCalUID)
	if err != nil {
		return iCalUID
	}
	if uid, foreign := strings.CutPrefix(string(id[dataFrom:]), foreignMarker); foreign {
		return strings.TrimRight(uid, "\x00")
	}
	clear(id[instanceFrom:instanceUntil])
	return fmt.Sprintf("%X", id)
}

// maxKnown bounds what identities remembers.
const maxKnown = 10_000

// identities map the iCalUIds that Graph gave to our events to their UIDs. A guest's copy of an event carries only
// Graph's identity, so that it would block moving the event. They are kept in memory, as a help only: without one the
// guest's time counts as busy. All tenants share them: an iCalUId belongs to one event, and its UID is of use only to
// those who move that event.
type identities struct {
	mu    sync.Mutex
	known map[string]string
}

// learn notes Graph's iCalUID of the event with that UID.
func (i *identities) learn(iCalUID, uid string) {
	if iCalUID == "" || uid == "" {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.known == nil || len(i.known) >= maxKnown {
		i.known = map[string]string{}
	}
	i.known[seriesUID(iCalUID)] = uid
}

// uid is the UID of the event with Graph's iCalUID: ours if it was learned, else Graph's.
func (i *identities) uid(iCalUID string) string {
	name := seriesUID(iCalUID)
	i.mu.Lock()
	defer i.mu.Unlock()
	if uid, ok := i.known[name]; ok {
		return uid
	}
	return name
}
