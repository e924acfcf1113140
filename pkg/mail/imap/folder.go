package imap

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/emersion/go-imap/v2"

	"convene/pkg/fault"
	"convene/pkg/mail"
)

// folder is a folder of an account: its name at the server, and as its owner sees it.
type folder struct {
	name string
	is   mail.Folder
	// whole is a folder that has the mails of all others too, as some servers do.
	whole bool
}

// used are the attributes of folders with a purpose (RFC 6154).
var used = map[imap.MailboxAttr]mail.Folder{
	imap.MailboxAttrSent: mail.Sent, imap.MailboxAttrDrafts: mail.Drafts, imap.MailboxAttrArchive: mail.Archive,
	imap.MailboxAttrTrash: mail.Trash, imap.MailboxAttrJunk: mail.Junk,
}

// unusable are the attributes of folders that hold no mails of their own.
var unusable = []imap.MailboxAttr{
	imap.MailboxAttrNoSelect, imap.MailboxAttrNonExistent, imap.MailboxAttrFlagged, imap.MailboxAttrImportant,
}

// folders are those that can be opened, in the order of their ranks. Delim stands between the parts of a name.
func (s *session) folders() (all []folder, delim string, err error) {
	var options *imap.ListOptions
	if caps := s.Caps(); caps.Has(imap.CapSpecialUse) && caps.Has(imap.CapListExtended) {
		options = &imap.ListOptions{ReturnSpecialUse: true}
	}
	listed, err := s.List("", "*", options).Collect()
	purposes := map[mail.Folder]string{mail.Inbox: "INBOX"}
	for _, l := range listed {
		delim = cmp.Or(delim, strings.Trim(string(l.Delim), "\x00"))
		for _, attr := range l.Attrs {
			if purpose, ok := used[attr]; ok && purposes[purpose] == "" {
				purposes[purpose] = l.Mailbox
			}
		}
	}
	named := map[string]mail.Folder{}
	for purpose, name := range purposes {
		named[name] = purpose
	}
	for _, l := range listed {
		if slices.ContainsFunc(l.Attrs, func(a imap.MailboxAttr) bool { return slices.Contains(unusable, a) }) {
			continue
		}
		is, known := named[l.Mailbox]
		if !known {
			is = folderOf(l.Mailbox, delim)
			if purpose := mail.FolderCalled(string(is)); purposes[purpose] == "" {
				is, purposes[purpose] = purpose, l.Mailbox
			}
		}
		all = append(all, folder{l.Mailbox, is, slices.Contains(l.Attrs, imap.MailboxAttrAll)})
	}
	slices.SortStableFunc(all, func(a, b folder) int { return cmp.Compare(a.rank(), b.rank()) })
	return all, delim, err
}

// rank is the order in which folders are looked into: a mail of several is where it is found first.
func (f folder) rank() int {
	i := slices.Index(mail.Purposes(), f.is)
	switch last := len(mail.Purposes()); {
	case f.whole:
		return last + 1
	case i < 0:
		return last
	}
	return i
}

// folderOf is a folder as its owner calls it. Some servers put all folders into the inbox.
func folderOf(name, delim string) mail.Folder {
	if delim == "" {
		return mail.Folder(name)
	}
	parts := strings.Split(name, delim)
	if len(parts) > 1 && strings.EqualFold(parts[0], "INBOX") {
		parts = parts[1:]
	}
	return mail.Folder(strings.Join(parts, "/"))
}

// Folders are those of the account, and those with a purpose.
func (b *box) Folders(ctx context.Context) (list []mail.Folder, err error) {
	err = b.with(ctx, func(s *session) error {
		all, _, err := s.folders()
		list = mail.Purposes()
		for _, f := range all {
			if !slices.Contains(list, f.is) {
				list = append(list, f.is)
			}
		}
		return err
	})
	return list, err
}

// folder is the folder with that name for its owner, which is made if it is not there.
func (s *session) folder(is mail.Folder) (folder, error) {
	all, delim, err := s.folders()
	if err != nil {
		return folder{}, err
	}
	if i := slices.IndexFunc(all, func(f folder) bool { return f.is == is }); i >= 0 {
		return all[i], nil
	}
	title := is.Title()
	if delim != "/" && strings.Contains(title, cmp.Or(delim, "/")) {
		return folder{}, fault.Invalid("folder", "cannot have %q in its name in this mailbox", cmp.Or(delim, "/"))
	}
	f := folder{name: strings.ReplaceAll(title, "/", delim), is: is}
	if s.Caps().Has(imap.CapNamespace) {
		spaces, err := s.Namespace().Wait()
		if err != nil {
			return f, err
		}
		if len(spaces.Personal) > 0 {
			f.name = spaces.Personal[0].Prefix + f.name
		}
	}
	var options *imap.CreateOptions
	for attr, purpose := range used {
		if purpose == is && s.Caps().Has(imap.CapCreateSpecialUse) {
			options = &imap.CreateOptions{SpecialUse: []imap.MailboxAttr{attr}}
		}
	}
	err = s.Create(f.name, options).Wait()
	if answer, ok := errors.AsType[*imap.Error](err); ok && answer.Code == imap.ResponseCodeAlreadyExists {
		err = nil // another program made it
	}
	if err == nil {
		err = s.Subscribe(f.name).Wait()
	}
	return f, err
}
