package google

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	gcal "google.golang.org/api/calendar/v3"

	"convene/pkg/calendar"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// The private properties of our events. Only the owner's copy has them, and no guest sees them.
const (
	propertyUID      = "conveneUID"
	propertyProposal = "conveneProposal"
	propertySequence = "conveneSequence"
	// propertyContent is a digest of the written content, which distinguishes a repetition from a change. Google rewrites
	// the content itself.
	propertyContent = "conveneContent"
	// propertyKind is the kind of a time block, and propertyCategories a JSON list: Google has neither.
	propertyKind       = "conveneKind"
	propertyCategories = "conveneCategories"
	// propertyMarks are the marks of the amendments that were made last, and propertyFormer what the last one replaced.
	propertyMarks  = "conveneMarks"
	propertyFormer = "conveneFormer"
)

// draft is an entry to write to one calendar.
type draft struct {
	entry calendar.Entry
	id    string
	// guests are those whom Google can invite, by their address in lower case.
	guests map[string]meet.Participant
	zone   *time.Location
}

// newDraft refuses an event that could not be found again, or takes no time.
func newDraft(e calendar.Entry) (draft, error) {
	id, err := eventID(e.Event.UID, e.Owner.ID)
	if err != nil {
		return draft{}, err
	}
	if !e.Event.Start.Before(e.Event.End) {
		return draft{}, fault.New(fault.Internal, "The event has no time that could be written.")
	}
	zone, err := interval.Zone(e.Event.Timezone)
	if err != nil {
		zone = time.UTC
	}
	return draft{entry: e, id: id, guests: guestsOf(e), zone: zone}, nil
}

// guestsOf are the guests with an address, each once, without the owner.
func guestsOf(e calendar.Entry) map[string]meet.Participant {
	guests := map[string]meet.Participant{}
	for _, g := range e.Guests {
		address := strings.ToLower(g.Email)
		owner := g.ID != "" && g.ID == e.Owner.ID || strings.EqualFold(address, e.Owner.Email)
		if _, twice := guests[address]; address != "" && !owner && !twice {
			guests[address] = g
		}
	}
	return guests
}

// updates says whom Google informs.
func (d draft) updates() string {
	if len(d.guests) == 0 {
		return "none"
	}
	return "all"
}

// event is the whole event. Its empty fields become empty in Google Calendar too.
func (d draft) event(at shelf) *gcal.Event {
	e := d.entry.Event
	return &gcal.Event{
		Id: d.id, Status: "confirmed", Summary: e.Title, Location: placeLine(e.Place), Description: d.description(),
		Start: d.time(e.Start), End: d.time(e.End), Sequence: int64(e.Sequence),
		Attendees: d.attendees(at, nil),
		ExtendedProperties: &gcal.EventExtendedProperties{Private: map[string]string{
			propertyUID: e.UID, propertyProposal: string(e.ID),
			propertySequence: strconv.Itoa(e.Sequence), propertyContent: d.digest(),
		}},
		ConferenceData:  d.conference(nil),
		ForceSendFields: []string{"Summary", "Location", "Description", "Attendees"},
	}
}

// time is t in the event's zone.
func (d draft) time(t time.Time) *gcal.EventDateTime {
	return &gcal.EventDateTime{DateTime: t.In(d.zone).Format(time.RFC3339), TimeZone: d.zone.String()}
}

func placeLine(p *meet.Place) string {
	switch {
	case p == nil:
		return ""
	case p.Address == "":
		return p.Name
	default:
		return p.Name + ", " + p.Address
	}
}

// description has the facts for which Google has no field.
func (d draft) description() string {
	e := d.entry.Event
	var lines []string
	if b := e.TravelBuffer.Shared(); b.BeforeMinutes > 0 || b.AfterMinutes > 0 {
		lines = append(lines, fmt.Sprintf("Travel time to keep free: %d minutes before, %d minutes after.",
			b.BeforeMinutes, b.AfterMinutes))
	}
	if e.Place != nil {
		if link, err := url.Parse(e.Place.MapsURL); err == nil && link.Scheme == "https" && link.Host != "" {
			lines = append(lines, "Map: "+link.String())
		}
	}
	return strings.Join(lines, "\n")
}

// attendees are the owner, who has accepted, and the guests; none without guests. Answers in there stay.
func (d draft) attendees(at shelf, there []*gcal.EventAttendee) []*gcal.EventAttendee {
	if len(d.guests) == 0 {
		return []*gcal.EventAttendee{}
	}
	known := map[string]*gcal.EventAttendee{}
	for _, a := range there {
		if a != nil {
			known[strings.ToLower(a.Email)] = a
		}
	}
	var all []*gcal.EventAttendee
	add := func(a *gcal.EventAttendee) {
		if old, ok := known[strings.ToLower(a.Email)]; ok {
			a = old
		}
		all = append(all, a)
	}
	if at.self != "" {
		add(&gcal.EventAttendee{Email: at.self, DisplayName: d.entry.Owner.Name, ResponseStatus: "accepted"})
	}
	for _, address := range slices.Sorted(maps.Keys(d.guests)) {
		if !strings.EqualFold(address, at.self) {
			guest := d.guests[address]
			add(&gcal.EventAttendee{Email: guest.Email, DisplayName: guest.Name, ResponseStatus: "needsAction"})
		}
	}
	return all
}

// conference asks for a meeting link, unless there is one. Google ignores a request id that it has seen, so each
// revision has its own.
func (d draft) conference(there *gcal.ConferenceData) *gcal.ConferenceData {
	if !d.entry.Online || there != nil {
		return nil
	}
	return &gcal.ConferenceData{CreateRequest: &gcal.CreateConferenceRequest{
		RequestId:             fmt.Sprintf("%s%d", d.request(), d.entry.Event.Sequence),
		ConferenceSolutionKey: &gcal.ConferenceSolutionKey{Type: "hangoutsMeet"},
	}}
}

// request is the prefix of our request ids for this event.
func (d draft) request() string {
	sum := sha256.Sum256([]byte(d.id))
	return mark + "-" + hex.EncodeToString(sum[:12]) + "-"
}

// ours reports whether the meeting link is one that we asked for.
func (d draft) ours(there *gcal.ConferenceData) bool {
	return there != nil && there.CreateRequest != nil && strings.HasPrefix(there.CreateRequest.RequestId, d.request())
}

// digest is equal for entries with the same content for guests, whatever their proposal.
func (d draft) digest() string {
	e := d.entry.Event
	// A struct of strings always has a JSON form.
	content, _ := json.Marshal(struct {
		Title, Place, Description, Start, End, Zone string
		Guests                                      []string
		Online                                      bool
	}{
		e.Title, placeLine(e.Place), d.description(), rfc3339(e.Start), rfc3339(e.End), d.zone.String(),
		slices.Sorted(maps.Keys(d.guests)), d.entry.Online,
	})
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:16])
}

// stands reports whether the event there has the draft's content and time.
func (d draft) stands(there *gcal.Event) bool {
	when, err := timeOf(there, d.zone)
	e := d.entry.Event
	return err == nil && privateOf(there)[propertyContent] == d.digest() &&
		when.Start.Equal(e.Start.Truncate(time.Second)) &&
		when.End.Equal(e.End.Truncate(time.Second))
}

// sequenceOf is the revision that was last written; 0 if unknown.
func sequenceOf(there *gcal.Event) int {
	n, err := strconv.Atoi(privateOf(there)[propertySequence])
	if err != nil {
		return 0
	}
	return n
}

func privateOf(e *gcal.Event) map[string]string {
	if e.ExtendedProperties == nil {
		return nil
	}
	return e.ExtendedProperties.Private
}
