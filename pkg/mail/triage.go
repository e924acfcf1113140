package mail

import (
	_ "embed"
	"slices"
	"strings"
	"time"
)

// Category is what a mail asks of its owner.
type Category string

// The categories, the first of two counts. Unknown is what the rules cannot tell; such a mail is never one to archive.
const (
	NeedsReply    Category = "needs_reply"
	PotentialTask Category = "potential_task"
	ImportantInfo Category = "important_info"
	CanArchive    Category = "can_archive"
	Unknown       Category = "unknown"
)

// Reason says why a mail has its category or its urgency.
type Reason string

// The reasons.
const (
	InvitesMe     Reason = "invitation"
	AsksMe        Reason = "asks"
	AsksForDeed   Reason = "deed"
	TellsMe       Reason = "tells"
	CopiesMe      Reason = "copy"
	FromList      Reason = "list"
	FromProgram   Reason = "program"
	FromKnown     Reason = "known"
	WroteBefore   Reason = "wrote"
	FiledBefore   Reason = "filed"
	AnsweredIt    Reason = "answered"
	SaysUrgent    Reason = "urgent"
	Waits         Reason = "waits"
	Undelivered   Reason = "undelivered"
	DeceivesMe    Reason = "deceives"
	NotByItsName  Reason = "disguised"
	NothingToTell Reason = "nothing"
)

// Verdict is what a mail most probably asks for.
type Verdict struct {
	Category Category
	// Confidence is the probability that the category is right; of Unknown it is 0.
	Confidence float64
	// Urgency is from 0 to 100.
	Urgency int
	Reasons []Reason
}

// History is what the owner did with mails before.
type History struct {
	// wrote counts the mails to each address, and answered has the identifiers of mails to which the owner replied. Own
	// are the addresses from which the owner writes.
	wrote    map[string]int
	own      []string
	answered map[string]bool
	// filed counts the mails of each sender that were thrown away, or archived unread, and kept the others of those that
	// were filed.
	filed, kept map[string]int
}

// HistoryOf is the history in the mails that were sent, and in those that were filed.
func HistoryOf(sent, filed []Mail) History {
	h := History{
		wrote: map[string]int{}, answered: map[string]bool{}, filed: map[string]int{}, kept: map[string]int{},
	}
	for _, m := range sent {
		for _, a := range slices.Concat(m.To, m.CC, m.BCC) {
			h.wrote[fold(a.Email)]++
		}
		h.answered[m.InReplyTo] = m.InReplyTo != ""
		if m.From.Email != "" && !slices.Contains(h.own, m.From.Email) {
			h.own = append(h.own, m.From.Email)
		}
	}
	for _, m := range filed {
		count := h.filed
		if m.Starred || m.Read && m.Folder != Trash {
			count = h.kept
		}
		count[fold(m.From.Email)]++
	}
	return h
}

// Reader is whose mails are judged.
type Reader struct {
	// Addresses are all of the owner's. Known reports whether an address is one of a contact's, and Named whether a name
	// is a contact's who has other addresses.
	Addresses []string
	Known     func(email string) bool
	Named     func(name string) bool
	History   History
	Now       time.Time
}

// judged is a mail while rules look at it.
type judged struct {
	Reader
	m    Message
	said string
	why  []Reason
}

// Judge is what a mail asks of its reader, as its header, what the reader did with the sender's mails before, and a few
// words say. Nothing that others write can make a mail one to archive but the signs of mail to many.
func (r Reader) Judge(m Message) Verdict {
	j := judged{Reader: r, m: m, said: fold(m.Subject + "\n" + m.Text)}
	v := Verdict{Category: Unknown}
	v.Category, v.Confidence = j.category()
	if v.Category == Unknown {
		v.Confidence = 0
	}
	v.Urgency = j.urgency(v.Category)
	if slices.ContainsFunc(m.Links, func(l Link) bool { return l.Deceives }) && !r.Known(m.From.Email) {
		j.why = append(j.why, DeceivesMe)
	}
	if r.Named(m.From.Name) && !r.Known(m.From.Email) {
		j.why = append(j.why, NotByItsName)
	}
	if v.Reasons = j.why; len(j.why) == 0 {
		v.Reasons = []Reason{NothingToTell}
	}
	return v
}

// Probabilities of the rules.
const (
	sure     = 0.9
	likely   = 0.8
	probable = 0.7
	fair     = 0.6
)

func (j *judged) category() (Category, float64) {
	sender := fold(j.m.From.Email)
	known := j.Known(j.m.From.Email)
	wrote := j.History.wrote[sender] > 0
	for reason, holds := range map[Reason]bool{FromKnown: known, WroteBefore: wrote && !known} {
		if holds {
			j.why = append(j.why, reason)
		}
	}
	switch {
	case j.m.Signs.Report:
		return j.as(ImportantInfo, probable, Undelivered)
	case j.m.MessageID != "" && j.History.answered[j.m.MessageID]:
		return j.as(Unknown, 0, AnsweredIt)
	case j.m.Invitation == "request":
		return j.as(NeedsReply, sure, InvitesMe)
	case j.m.Signs.List || j.m.Signs.Automatic:
		return j.ofMany(known || wrote)
	}
	return j.ofPerson(known || wrote)
}

func (j *judged) as(c Category, p float64, why Reason) (Category, float64) {
	j.why = append(j.why, why)
	return c, p
}

// ofMany judges a mail that was sent to many, or by a program.
func (j *judged) ofMany(close bool) (Category, float64) {
	why := FromProgram
	if j.m.Signs.List {
		why = FromList
	}
	j.why = append(j.why, why)
	sender := fold(j.m.From.Email)
	switch {
	case close && asks(j.said, "ask") && j.toMe():
		return j.as(NeedsReply, fair, AsksMe)
	case asks(j.said, "task") && !j.m.Signs.Unsubscribe:
		return j.as(PotentialTask, fair, AsksForDeed)
	case asks(j.said, "info") && !j.m.Signs.Unsubscribe:
		return j.as(ImportantInfo, fair, TellsMe)
	case close, j.History.kept[sender] > j.History.filed[sender]:
		return Unknown, 0
	case j.History.filed[sender] > 1:
		return j.as(CanArchive, sure, FiledBefore)
	case j.m.Signs.Unsubscribe && !asks(j.said, "task"):
		return CanArchive, likely
	}
	return Unknown, 0
}

// ofPerson judges a mail that a person wrote.
func (j *judged) ofPerson(close bool) (Category, float64) {
	switch {
	case asks(j.said, "ask") && j.toMe() && close:
		return j.as(NeedsReply, likely, AsksMe)
	case asks(j.said, "task") && j.toMe() && close:
		return j.as(PotentialTask, probable, AsksForDeed)
	case asks(j.said, "ask") && j.toMe():
		return j.as(NeedsReply, fair, AsksMe)
	case asks(j.said, "info") && close:
		return j.as(ImportantInfo, probable, TellsMe)
	case close && !j.toMe():
		return j.as(ImportantInfo, fair, CopiesMe)
	}
	return Unknown, 0
}

// toMe reports whether the mail is written to its owner, and not to many.
func (j *judged) toMe() bool {
	const many = 5
	return len(j.m.To) <= many && slices.ContainsFunc(j.m.To, func(a Address) bool {
		return slices.ContainsFunc(slices.Concat(j.Addresses, j.History.own), a.Is)
	})
}

// bases are the urgencies of categories.
var bases = map[Category]int{NeedsReply: 55, PotentialTask: 50, ImportantInfo: 30, Unknown: 25, CanArchive: 5}

// urgency adds what makes a mail more urgent than others of its category. What says of itself that it is urgent counts
// only from people whom the owner knows.
func (j *judged) urgency(c Category) int {
	const more, most = 15, 100
	close := j.Known(j.m.From.Email) || j.History.wrote[fold(j.m.From.Email)] > 0
	age := j.Now.Sub(j.m.Date)
	urgency := bases[c]
	for _, one := range []struct {
		why   Reason
		holds bool
	}{
		{FromKnown, close && c != CanArchive},
		{SaysUrgent, close && c != CanArchive && asks(j.said, "urgent")},
		{Waits, c == NeedsReply && age > 48*time.Hour && age < 30*24*time.Hour},
		{"", j.m.Starred},
	} {
		if !one.holds {
			continue
		}
		urgency += more
		if one.why == SaysUrgent || one.why == Waits {
			j.why = append(j.why, one.why)
		}
	}
	return min(urgency, most)
}

//go:embed data/cues.txt
var cuesText string

// cues are beginnings of words by what they ask for.
var cues = func() map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(cuesText) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		_, words, ok := strings.Cut(rest, " ")
		if !ok || kind == "#" {
			continue
		}
		for word := range strings.SplitSeq(words, " | ") {
			all[kind] = append(all[kind], fold(strings.TrimSpace(word)))
		}
	}
	return all
}()

// asks reports whether a folded text has a cue. A word counts only where a word begins.
func asks(said, kind string) bool {
	return slices.ContainsFunc(cues[kind], func(cue string) bool { return begins(said, cue) })
}
