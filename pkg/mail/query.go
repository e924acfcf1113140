package mail

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"convene/pkg/agenda"
)

// Query says which mails are meant. Zero members select everything; all members must fit.
type Query struct {
	// Folders are those in which to look; everywhere but in the trash and the junk if there are none.
	Folders []Folder
	// From and To are whole addresses, or words with which words of a name or an address begin: one of them must be the
	// sender's, or a recipient's.
	From, To []string
	// Subject are beginnings of words that the subject has, and Words those that the mail has in its subject, its text or
	// the names of its people; all of them.
	Subject, Words []string
	// Named are beginnings of words that the subject, or the sender's name or address has; all of them.
	Named []string
	// Since and Until bound the date: from Since, before Until.
	Since, Until                time.Time
	Unread, Starred, Attachment *bool
	// Newsletter is true of mails to many with an address to unsubscribe, Invitation of those that ask to an event.
	Newsletter    *bool
	Invitation    *bool
	Label, Thread string
	// MessageIDs are message identifiers; the mail has one of them.
	MessageIDs []string
	// IDs are those of the mails that may be meant, in whatever folder if Folders is empty. Nil is any; an empty list
	// means none.
	IDs []string
	// After is where the page begins: with the mail that follows this one. The mail itself may have gone.
	After *Mark
	// Limit is the size of the page. Defaults to MostListed, which it cannot exceed.
	Limit int
}

// Mark is a place in the order of mails.
type Mark struct {
	Date time.Time `json:"date"`
	ID   string    `json:"id"`
}

// MarkOf is the mark of a mail.
func MarkOf(m Mail) *Mark { return &Mark{m.Date, m.ID} }

// Precedes reports whether the mark stands before a mail; nil stands before all.
func (m *Mark) Precedes(o Mail) bool {
	return m == nil || Compare(Mail{ID: m.ID, Date: m.Date}, o) < 0
}

// Size is the size of the page.
func (q Query) Size() int {
	if q.Limit <= 0 || q.Limit > MostListed {
		return MostListed
	}
	return q.Limit
}

// In reports whether the query looks into a folder.
func (q Query) In(f Folder) bool {
	if len(q.Folders) == 0 {
		return q.IDs != nil || f != Trash && f != Junk
	}
	return slices.Contains(q.Folders, f)
}

// Holds reports whether a mail's state is one that the query means. It needs nothing that is in the mail.
func (q Query) Holds(s State) bool {
	return q.In(s.Folder) && agrees(q.Unread, !s.Read) && agrees(q.Starred, s.Starred) &&
		(q.Label == "" || slices.ContainsFunc(s.Labels, func(l string) bool { return fold(l) == fold(q.Label) }))
}

// Fits reports whether the query means a mail. Text is its text, which is asked for only if nothing else decides, and
// HasAttachments must be set only if the query has an Attachment.
func (q Query) Fits(m Mail, text func() string) bool {
	switch {
	case !q.Holds(m.State),
		q.IDs != nil && !slices.Contains(q.IDs, m.ID),
		q.MessageIDs != nil && !slices.Contains(q.MessageIDs, m.MessageID),
		q.Thread != "" && q.Thread != m.Thread,
		!q.Since.IsZero() && m.Date.Before(q.Since),
		!q.Until.IsZero() && !m.Date.Before(q.Until),
		!agrees(q.Attachment, m.HasAttachments),
		!agrees(q.Newsletter, m.Signs.Newsletter()),
		!agrees(q.Invitation, m.Invitation == "request"),
		len(q.From) > 0 && !named(q.From, []Address{m.From}),
		len(q.To) > 0 && !named(q.To, slices.Concat(m.To, m.CC, m.BCC)),
		!has(fold(m.Subject), q.Subject),
		len(q.Named) > 0 && !has(fold(m.Subject+"\n"+m.From.Name+"\n"+m.From.Email), q.Named):
		return false
	}
	if len(q.Words) == 0 {
		return true
	}
	head := fold(m.Subject)
	for _, a := range m.People() {
		head += "\n" + fold(a.Name) + "\n" + fold(a.Email)
	}
	rest := slices.DeleteFunc(slices.Clone(q.Words), func(word string) bool { return has(head, []string{word}) })
	return len(rest) == 0 || has(fold(text()), rest)
}

// Page are those of all mails, in the order of Compare, that the query means. Text is that of a mail.
func (q Query) Page(all []Mail, text func(m Mail) string) (p Page) {
	p.Mails = []Mail{}
	for _, m := range all {
		if !q.Fits(m, func() string { return text(m) }) {
			continue
		}
		p.Total++
		switch {
		case !q.After.Precedes(m):
		case len(p.Mails) < q.Size():
			p.Mails = append(p.Mails, m)
		default:
			p.More = true
		}
	}
	return p
}

// WithoutMail reports whether a mail's state and id decide alone, so that nothing of it has to be read.
func (q Query) WithoutMail() bool {
	return len(q.From)+len(q.To)+len(q.Subject)+len(q.Words)+len(q.Named) == 0 &&
		q.Newsletter == nil && q.Invitation == nil && q.Since.IsZero() && q.Until.IsZero() &&
		q.Attachment == nil && q.Thread == "" && q.MessageIDs == nil
}

func agrees(asked *bool, is bool) bool { return asked == nil || *asked == is }

// named reports whether one of the addresses is one that was asked for.
func named(asked []string, is []Address) bool {
	return slices.ContainsFunc(asked, func(who string) bool {
		return slices.ContainsFunc(is, func(a Address) bool {
			if strings.Contains(who, "@") {
				return fold(a.Email) == fold(who)
			}
			return called(who, a)
		})
	})
}

// called reports whether each word of a name is one of an address, or another word for the same thing: "banco" for
// "Harbor Bank". A longer word may be the beginning of one.
func called(name string, a Address) bool {
	apart := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) }
	is, words := strings.FieldsFunc(fold(a.Name+" "+a.Email), apart), strings.FieldsFunc(fold(name), apart)
	const whole = 3
	return len(words) > 0 && !slices.ContainsFunc(words, func(word string) bool {
		return !slices.ContainsFunc(is, func(one string) bool {
			return one == word || utf8.RuneCountInString(word) > whole && strings.HasPrefix(one, word) ||
				!agenda.Idle(word) && agenda.SameThing(agenda.Fold(word), agenda.Fold(one))
		})
	})
}

// has reports whether a folded text has all words, each at the beginning of one of its words; what is asked for in
// several words stands in it as it is.
func has(folded string, words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !begins(folded, fold(word)) })
}

// Excerpt are the lines of a text that have most of the words, in order, at most so many; its first lines if none has
// any.
func Excerpt(text string, words []string, most int) string {
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
	count := func(line string) (n int) {
		for _, w := range words {
			if begins(fold(line), fold(w)) {
				n++
			}
		}
		return n
	}
	best := slices.Clone(lines)
	slices.SortStableFunc(best, func(a, b string) int { return cmp.Compare(count(b), count(a)) })
	best = best[:min(most, len(best))]
	if len(best) > 0 && count(best[0]) > 0 {
		best = slices.DeleteFunc(best, func(l string) bool { return count(l) == 0 })
	}
	kept := slices.DeleteFunc(lines, func(l string) bool { return !slices.Contains(best, l) })
	return strings.Join(kept[:min(most, len(kept))], "\n")
}

// begins reports whether a phrase stands in a text where a word begins. In scripts that put words together, as Hebrew
// does with its particles, it may stand anywhere.
func begins(text, phrase string) bool {
	first, _ := utf8.DecodeRuneInString(phrase)
	apart := unicode.In(first, unicode.Latin, unicode.Greek, unicode.Cyrillic)
	for from := 0; phrase != ""; {
		i := strings.Index(text[from:], phrase)
		if i < 0 {
			return false
		}
		if before, _ := utf8.DecodeLastRuneInString(text[:from+i]); !apart || !unicode.IsLetter(before) {
			return true
		}
		from += i + len(phrase)
	}
	return true
}

// Folded is the text of a mail as it is compared with words, which may be folded once for many queries.
func Folded(m Message) string { return fold(m.Whole()) }

// fold is a text as it is compared: without case, and in one of its spellings.
func fold(s string) string {
	for _, c := range []byte(s) {
		if c >= 0x80 {
			return norm.NFKC.String(cases.Fold().String(norm.NFKC.String(s)))
		}
	}
	return strings.ToLower(s)
}
