package imap

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"convene/pkg/mail"
)

// errIncomplete says that a server leaves out what it was asked for.
var errIncomplete = errors.New("the server's answer is incomplete")

// identity are the fields that make a mail's id. Received is written by the owner's own server, so that a stranger
// cannot make a mail with the id of another.
func identity() *imap.FetchItemBodySection {
	fields := []string{"Message-Id", "From", "Subject", "Date", "Received"}
	return &imap.FetchItemBodySection{Specifier: imap.PartSpecifierHeader, HeaderFields: fields, Peek: true}
}

// content is the beginning of a mail, at most so many bytes.
func content(most int64) *imap.FetchItemBodySection {
	return &imap.FetchItemBodySection{Peek: true, Partial: &imap.SectionPartial{Size: most}}
}

// fetch reads mails of the folder that is open, and when they came, and calls each for those that are there. If another
// program changes a mail meanwhile, what the server tells of that may hide the answer: then it is asked for again.
func (s *session) fetch(
	uids []imap.UID, options imap.FetchOptions, each func(*imapclient.FetchMessageBuffer) error,
) (err error) {
	options.UID, options.InternalDate = true, true
	for range tries {
		var missed []imap.UID
		for _, set := range sets(uids) {
			cmd := s.Fetch(set, &options)
			for m := cmd.Next(); m != nil; m = cmd.Next() {
				is, failed := m.Collect()
				switch {
				case failed != nil || err != nil:
					err = errors.Join(err, failed)
				case is.InternalDate.IsZero() || len(is.BodySection) < len(options.BodySection):
					missed = append(missed, is.UID)
				default:
					err = each(is)
				}
			}
			if err = errors.Join(err, cmd.Close()); err != nil {
				return err
			}
		}
		if uids = missed; len(uids) == 0 {
			return nil
		}
	}
	return errIncomplete
}

// sets are the mails in sets that fit into one command each.
func sets(uids []imap.UID) (list []imap.UIDSet) {
	const mostRanges = 300
	for i, uid := range slices.Sorted(slices.Values(uids)) {
		last := len(list) - 1
		if i == 0 || len(list[last]) == mostRanges && list[last][mostRanges-1].Stop != uid-1 {
			list = append(list, imap.UIDSet{{Start: uid, Stop: uid}})
			continue
		}
		if end := &list[last][len(list[last])-1]; end.Stop == uid-1 || end.Stop == uid {
			end.Stop = uid
		} else {
			list[last] = append(list[last], imap.UIDRange{Start: uid, Stop: uid})
		}
	}
	return list
}

// section is what was fetched of a mail: its identity, or its content.
func section(m *imapclient.FetchMessageBuffer, kind imap.PartSpecifier) []byte {
	for _, s := range m.BodySection {
		if s.Section.Specifier == kind {
			return s.Bytes
		}
	}
	return nil
}

// idOf is a mail's id: when it came, to look for it, and a digest.
func (b *box) idOf(m *imapclient.FetchMessageBuffer) string {
	came := m.InternalDate.Unix()
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %d %s", b.account.ID, came,
		bytes.TrimSpace(section(m, imap.PartSpecifierHeader))))
	return strconv.FormatInt(came, 36) + "-" + hex.EncodeToString(sum[:10])
}

// cameOf is when the mail with an id came.
func cameOf(id string) (at time.Time, ok bool) {
	digits, _, ok := strings.Cut(id, "-")
	seconds, err := strconv.ParseInt(digits, 36, 64)
	return time.Unix(seconds, 0), ok && err == nil && len(digits) < 10
}

// listed is a mail as it is listed, and its text, as far as it was fetched. Its place is remembered.
func (b *box) listed(s *session, f folder, m *imapclient.FetchMessageBuffer) (mail.Message, error) {
	whole, err := mail.Glance(bytes.NewReader(section(m, imap.PartSpecifierNone)))
	is := whole.Listed()
	is.ID, is.State, is.Date, is.Provider = b.idOf(m), stateOf(f.is, m.Flags), m.InternalDate, Name
	whole.Mail = is
	b.saw(is.ID, f, s.selected.validity, m.UID)
	return whole, err
}

// stateOf is what flags and keywords say.
func stateOf(f mail.Folder, flags []imap.Flag) mail.State {
	s := mail.State{Folder: f}
	for _, flag := range flags {
		switch label, ok := labelOf(flag); {
		case strings.EqualFold(string(flag), string(imap.FlagSeen)):
			s.Read = true
		case strings.EqualFold(string(flag), string(imap.FlagFlagged)):
			s.Starred = true
		case ok:
			s.Labels = append(s.Labels, label)
		}
	}
	return s
}

// flagsOf are the flags and keywords of a state.
func flagsOf(s mail.State) (flags []imap.Flag) {
	if s.Read {
		flags = append(flags, imap.FlagSeen)
	}
	if s.Starred {
		flags = append(flags, imap.FlagFlagged)
	}
	for _, label := range s.Labels {
		flags = append(flags, keywordOf(label))
	}
	return flags
}

// keywordOf is a label as an atom (RFC 3501, 9): escaped like a query, with & in place of %, which atoms cannot have.
func keywordOf(label string) imap.Flag {
	return imap.Flag(strings.ReplaceAll(url.QueryEscape(label), "%", "&"))
}

// labelOf is the label of a keyword. Those of programs, which begin with $ or say what is junk, are none.
func labelOf(flag imap.Flag) (label string, ok bool) {
	name := string(flag)
	if name == "" || strings.ContainsAny(name[:1], `\$`) ||
		slices.Contains([]string{"junk", "nonjunk", "notjunk"}, strings.ToLower(name)) {
		return "", false
	}
	if label, err := url.QueryUnescape(strings.ReplaceAll(name, "&", "%")); err == nil {
		return label, true
	}
	return name, true
}
