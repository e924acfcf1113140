package gmail

import (
	"slices"
	"strings"

	"convene/pkg/fault"
	"convene/pkg/mail"
)

// Gmail's own labels.
const (
	inbox, sent, draft, trash, spam = "INBOX", "SENT", "DRAFT", "TRASH", "SPAM"
	unread, starred                 = "UNREAD", "STARRED"
)

// labelOf are the labels of folders with a purpose; the archive has none.
var labelOf = map[mail.Folder]string{
	mail.Inbox: inbox, mail.Sent: sent, mail.Drafts: draft, mail.Trash: trash, mail.Junk: spam,
}

// before are the folders whose labels count before all else that a mail has.
var before = []mail.Folder{mail.Trash, mail.Junk, mail.Drafts, mail.Inbox}

// stateOf is what the labels of a mail say.
func (s *session) stateOf(id string, labels []string) mail.State {
	state := mail.State{Read: !slices.Contains(labels, unread), Starred: slices.Contains(labels, starred)}
	moved, isMoved := s.names[s.moved[id]]
	isMoved = isMoved && slices.Contains(labels, s.moved[id])
	i := slices.IndexFunc(before, func(f mail.Folder) bool { return slices.Contains(labels, labelOf[f]) })
	switch {
	case i >= 0:
		state.Folder, isMoved = before[i], false
	case isMoved:
		state.Folder = mail.Folder(moved)
	case slices.Contains(labels, sent):
		state.Folder = mail.Sent
	default:
		state.Folder = mail.Archive
	}
	for _, label := range labels {
		if name, own := s.names[label]; own && (!isMoved || label != s.moved[id]) {
			state.Labels = append(state.Labels, name)
		}
	}
	slices.Sort(state.Labels)
	return state
}

// labelled is the id of the owner's label with a name; empty if there is none.
func (s *session) labelled(name string) string {
	for id, is := range s.names {
		if strings.EqualFold(is, name) {
			return id
		}
	}
	return ""
}

// relabel are the labels that a mail gets and loses when its state changes, and the one that is its folder then. All
// labels that the new state names must be there. It is a fault if Gmail does not allow it.
func (s *session) relabel(id string, labels []string, to mail.State) (add, remove []string, folder string, err error) {
	now := s.stateOf(id, labels)
	want := slices.DeleteFunc(slices.Clone(labels), func(l string) bool {
		return slices.Contains([]string{inbox, trash, spam, unread, starred}, l) || s.names[l] != ""
	})
	if !to.Read {
		want = append(want, unread)
	}
	if to.Starred {
		want = append(want, starred)
	}
	for _, name := range to.Labels {
		want = append(want, s.labelled(name))
	}
	switch label, purpose := labelOf[to.Folder]; {
	case purpose && label != sent && label != draft:
		want = append(want, label)
	case !purpose && to.Folder != mail.Archive:
		folder = s.labelled(string(to.Folder))
		want = append(want, folder)
	}
	add = slices.DeleteFunc(slices.Clone(want), func(l string) bool { return slices.Contains(labels, l) })
	remove = slices.DeleteFunc(slices.Clone(labels), func(l string) bool { return slices.Contains(want, l) })
	then := session{names: s.names, moved: map[string]string{id: folder}}
	if is := then.stateOf(id, want); now.Folder != to.Folder && is.Folder != to.Folder {
		return nil, nil, "", fault.Invalid("folder", "cannot be %s: Gmail leaves this mail in %s",
			to.Folder.Title(), is.Folder.Title())
	}
	return add, remove, folder, nil
}
