package world

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	netmail "net/mail"
	"slices"
	"strings"
	"time"
	"unicode"

	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/meet"
)

// ownAddresses are the owner's.
func (w *World) ownAddresses() []string {
	addresses := []string{w.Owner.Email}
	if w.People == nil {
		return addresses
	}
	for _, me := range w.People(string(w.Owner.ID)) {
		if me.ID == w.Owner.ID {
			addresses = append(addresses, me.Email)
		}
	}
	return addresses
}

// IsOwn reports whether an address is the owner's.
func (w *World) IsOwn(email string) bool {
	return slices.ContainsFunc(w.ownAddresses(), func(own string) bool { return strings.EqualFold(own, email) })
}

// Disguised reports whether an address has the name of a contact, and is none of the contact's.
func (w *World) Disguised(a mail.Address) bool {
	if w.People == nil || a.Name == "" {
		return false
	}
	same := func(p meet.Person) bool { return strings.EqualFold(p.Name, a.Name) }
	named := w.People(a.Name)
	return slices.ContainsFunc(named, same) &&
		!slices.ContainsFunc(named, func(p meet.Person) bool { return same(p) && a.Is(p.Email) })
}

// NeverWritten is the code of a letter to an address that only others have named.
const NeverWritten fault.Code = "refused"

// Recipients are those to whom the owner wants to write, in an argument: names and ids of contacts, addresses in the
// owner's own words, and what names one of the known addresses, which the owner's calendar or a mail that is answered
// has in its fields. An address that only others have named is refused. A name that fits several is an *AmbiguousError.
func (w *World) Recipients(argument string, names []string, known []mail.Address) (all []mail.Address, err error) {
	for i, name := range names {
		a, err := w.recipient(fmt.Sprintf("%s[%d]", argument, i), strings.TrimSpace(name), known)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(all, func(o mail.Address) bool { return o.Is(a.Email) }) {
			all = append(all, a)
		}
	}
	return all, nil
}

func (w *World) recipient(argument, name string, known []mail.Address) (a mail.Address, err error) {
	if parsed, err := netmail.ParseAddress(name); err == nil {
		name = parsed.Address
	}
	if strings.Contains(name, "@") {
		return w.addressee(argument, name, known)
	}
	p, err := w.Person(argument, name)
	if fault.CodeOf(err) == fault.NotFound {
		return w.amongKnown(argument, name, known, err)
	}
	if err == nil && p.Email == "" {
		err = fault.New(fault.NotFound, "%s", w.Say("noAddress", "name", w.Voice().Title(cmp.Or(p.Name, name))))
	}
	return mail.Address{Name: p.Name, Email: p.Email}, err
}

// addressee is an address that the owner may write to.
func (w *World) addressee(argument, address string, known []mail.Address) (a mail.Address, err error) {
	if !mail.IsAddress(address) {
		return a, argumentOf(fault.Invalid(argument, "must be a name or an address as dana@example.com"))
	}
	known = slices.Concat(known, w.Known)
	if i := slices.IndexFunc(known, func(k mail.Address) bool { return k.Is(address) }); i >= 0 {
		return known[i], nil
	}
	if p, err := w.Person(argument, address); err == nil && p.Known() {
		return mail.Address{Name: p.Name, Email: p.Email}, nil
	}
	if !w.Program && !said(w.Said, address) {
		return a, fault.New(NeverWritten, "%s", w.Say("onlyTheirs", "address", w.Voice().Quote(address)))
	}
	return mail.Address{Email: address}, nil
}

// said reports whether words have an address.
func said(words, address string) bool {
	apart := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("<>()[]\"',;:", r) }
	return slices.ContainsFunc(strings.FieldsFunc(words, apart), func(word string) bool {
		return strings.EqualFold(strings.TrimRight(word, ".!?"), address)
	})
}

// amongKnown is the known address that a name means.
func (w *World) amongKnown(argument, name string, known []mail.Address, unknown error) (a mail.Address, err error) {
	asked := &AmbiguousError{Question: w.Say("whichPerson", "name", w.Voice().Title(name)), Argument: argument}
	for _, k := range known {
		if mail.IsAddress(k.Email) && k.Called(name) &&
			!slices.ContainsFunc(asked.Options, func(o meet.Option) bool { return strings.EqualFold(o.ID, k.Email) }) {
			a = k
			asked.Options = append(asked.Options, meet.Option{ID: k.Email, Label: cmp.Or(k.Name, k.Email), Detail: k.Email})
		}
	}
	switch len(asked.Options) {
	case 0:
		return a, unknown
	case 1:
		return a, nil
	}
	return a, asked
}

// Letter completes a letter of the owner's, and is the change that sends it or keeps it as a draft.
func (w *World) Letter(ctx context.Context, l mail.Letter) (meet.Change, mail.Letter, error) {
	if w.Mail == nil {
		return meet.Change{}, l, w.noMail(nil)
	}
	home, err := w.Mail.Home(ctx)
	if err != nil {
		return meet.Change{}, l, w.noMail(err)
	}
	if !mail.IsAddress(w.Owner.Email) {
		return meet.Change{}, l, fault.New(fault.Unavailable, "%s", w.Say("noOwnAddress"))
	}
	l.Key, l.Provider, l.Date = w.nextKey(), home.Provider, w.Now.Truncate(time.Second)
	l.From = mail.Address{Name: w.Owner.Name, Email: w.Owner.Email}
	sum := sha256.Sum256([]byte(string(w.Owner.ID) + "\x00" + l.Key))
	l.MessageID = hex.EncodeToString(sum[:16]) + "@" + l.From.Domain()
	if l.Automatic = w.Unattended && l.Folder == mail.Sent; home.Sender == nil && l.Folder == mail.Sent {
		l.Notes = append(l.Notes, w.Say("mailStaysHere"))
	}
	l = l.Tidied()
	if err := l.Check(); err != nil {
		return meet.Change{}, l, argumentOf(err)
	}
	c, err := l.Change()
	return c, l, err
}
