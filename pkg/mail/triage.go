package mail

import (
	"cmp"
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

// Categories are what mails are told apart by.
func Categories() []Category { return []Category{NeedsReply, PotentialTask, ImportantInfo, CanArchive} }

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
	Sells         Reason = "sells"
	DueSoon       Reason = "due"
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
	// Actions are what it asks for.
	Actions []Action
}

// History is what the owner did with mails before.
type History struct {
	// wrote counts the mails to each address. Answered are the identifiers of mails to which the owner replied, and mine
	// those of the owner's mails. Own are the addresses from which the owner writes.
	wrote          map[string]int
	own            []string
	answered, mine map[string]bool
	// filed counts the mails of each sender that were thrown away, or archived unread, and kept the others of those that
	// were filed.
	filed, kept map[string]int
}

// HistoryOf is the history in the mails that were sent, and in those that were filed.
func HistoryOf(sent, filed []Mail) History {
	h := History{
		wrote: map[string]int{}, answered: map[string]bool{}, mine: map[string]bool{},
		filed: map[string]int{}, kept: map[string]int{},
	}
	for _, m := range sent {
		for _, a := range slices.Concat(m.To, m.CC, m.BCC) {
			h.wrote[fold(a.Email)]++
		}
		h.answered[m.InReplyTo], h.mine[m.MessageID] = m.InReplyTo != "", m.MessageID != ""
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
	// Addresses and Names are all of the owner's. Known reports whether an address is one of a contact's, and Named
	// whether a name is a contact's who has other addresses.
	Addresses []string
	Names     []string
	Known     func(email string) bool
	Named     func(name string) bool
	History   History
	Now       time.Time
}

// judged is a mail while it is looked at. Close says that the owner knows the sender, or has written to them.
type judged struct {
	Reader
	m     Message
	said  string
	close bool
	why   []Reason
}

// Judge is what a mail asks of its reader. First count the header and what the reader did with the sender's mails
// before; they rule categories out. Among those that are left, a small classifier decides, or abstains: then it is
// Unknown. Nothing that others write can make a mail of someone whom the reader knows one to archive, but the signs of
// mail to many.
func (r Reader) Judge(m Message) Verdict {
	j := r.look(m)
	v := Verdict{Category: Unknown}
	v.Category, v.Confidence = j.category()
	if v.Category == NeedsReply || v.Category == PotentialTask {
		v.Actions = r.Actions(m)
	}
	v.Urgency = j.urgency(v)
	if j.deceives() {
		j.why = append(j.why, DeceivesMe)
	}
	if j.disguised() {
		j.why = append(j.why, NotByItsName)
	}
	if v.Reasons = j.why; len(j.why) == 0 {
		v.Reasons = []Reason{NothingToTell}
	}
	return v
}

func (r Reader) look(m Message) *judged {
	j := &judged{Reader: r, m: m, said: fold(m.Subject + "\n" + m.opening())}
	j.close = r.Known(m.From.Email) || r.History.wrote[fold(m.From.Email)] > 0
	return j
}

func (j *judged) deceives() bool {
	return slices.ContainsFunc(j.m.Links, func(l Link) bool { return l.Deceives }) && !j.Known(j.m.From.Email)
}

func (j *judged) disguised() bool { return j.Named(j.m.From.Name) && !j.Known(j.m.From.Email) }

func (j *judged) answered() bool { return j.m.MessageID != "" && j.History.answered[j.m.MessageID] }

// Probabilities from which a category is told. One to archive must be more probable, most of all if a person wrote it.
const (
	nearlySure  = 0.95
	sure        = 0.9
	enough      = 0.45
	toArchive   = 0.6
	ofStranger  = 0.8
	mostToReply = 0.1
)

// category is what the mail asks for; Unknown if nothing is probable enough.
func (j *judged) category() (Category, float64) {
	known := j.Known(j.m.From.Email)
	for _, is := range []struct {
		why   Reason
		holds bool
	}{
		{FromKnown, known}, {WroteBefore, j.close && !known}, {AnsweredIt, j.answered()}, {FromList, j.m.Signs.List},
		{FromProgram, j.m.Signs.Automatic && !j.m.Signs.List},
	} {
		if is.holds {
			j.why = append(j.why, is.why)
		}
	}
	switch {
	case j.m.Signs.Report:
		return j.as(ImportantInfo, sure, Undelivered)
	case j.m.Invitation == "request" && !j.answered():
		return j.as(NeedsReply, sure, InvitesMe)
	case j.m.Invitation == "cancel":
		return j.as(ImportantInfo, sure, TellsMe)
	}
	odds, wary := j.odds(), j.deceives() || j.disguised()
	best := slices.MaxFunc(Categories(), func(a, b Category) int { return cmp.Compare(odds[a], odds[b]) })
	least := enough
	switch {
	case best != CanArchive:
	case asks(j.said, "task"):
		least = nearlySure
	case !j.many():
		least = ofStranger
	default:
		least = toArchive
	}
	switch {
	case odds[best] < least, best == CanArchive && odds[NeedsReply] > mostToReply,
		best == NeedsReply && j.answered(), wary && (best == NeedsReply || best == PotentialTask):
		return Unknown, 0
	}
	return j.as(best, odds[best], j.reason(best))
}

func (j *judged) as(c Category, p float64, why Reason) (Category, float64) {
	if !slices.Contains(j.why, why) {
		j.why = append(j.why, why)
	}
	return c, p
}

// reason is why a mail is in a category that the classifier told.
func (j *judged) reason(c Category) Reason {
	switch {
	case c == NeedsReply:
		return AsksMe
	case c == PotentialTask:
		return AsksForDeed
	case c == ImportantInfo && !j.toMe() && j.close:
		return CopiesMe
	case c == ImportantInfo:
		return TellsMe
	case j.filed():
		return FiledBefore
	case j.many():
		return j.why[len(j.why)-1]
	}
	return Sells
}

// filed reports whether the owner files the sender's mails unread.
func (j *judged) filed() bool {
	sender := fold(j.m.From.Email)
	return j.History.filed[sender] > 1 && j.History.filed[sender] > j.History.kept[sender]
}

// toMe reports whether the mail is written to its owner, and not to many.
func (j *judged) toMe() bool {
	const many = 5
	return len(j.m.To) <= many && j.inTo()
}

func (j *judged) inTo() bool {
	return slices.ContainsFunc(j.m.To, func(a Address) bool {
		return slices.ContainsFunc(slices.Concat(j.Addresses, j.History.own), a.Is)
	})
}

// bases are the urgencies of categories.
var bases = map[Category]int{NeedsReply: 55, PotentialTask: 50, ImportantInfo: 30, Unknown: 25, CanArchive: 5}

// urgency adds what makes a mail more urgent than others of its category. What says of itself that it is urgent counts
// only from people whom the owner knows.
func (j *judged) urgency(v Verdict) int {
	const more, most = 15, 100
	counts := j.close && v.Category != CanArchive
	age := j.Now.Sub(j.m.Date)
	soon := slices.ContainsFunc(v.Actions, func(a Action) bool { return a.soon(j.Now) })
	urgency := bases[v.Category]
	for _, one := range []struct {
		why   Reason
		holds bool
	}{
		{"", counts}, {"", j.m.Starred}, {DueSoon, soon}, {SaysUrgent, counts && asks(j.said, "urgent")},
		{Waits, v.Category == NeedsReply && age > 48*time.Hour && age < 30*24*time.Hour},
	} {
		if !one.holds {
			continue
		}
		if urgency += more; one.why != "" {
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
