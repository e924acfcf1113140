package mail

import "strings"

// calledFolder are the names that mail programs give to folders with a purpose, folded.
var calledFolder = map[Folder][]string{
	Inbox:   {"inbox"},
	Sent:    {"sent", "sent items", "sent messages", "sent mail"},
	Drafts:  {"drafts", "draft"},
	Archive: {"archive", "archives", "all mail"},
	Trash:   {"trash", "deleted items", "deleted messages", "bin"},
	Junk:    {"junk", "spam", "junk e-mail", "junk email", "bulk mail"},
}

// FolderCalled is the folder that a mail program calls so: one with a purpose, or else one of that name.
func FolderCalled(name string) Folder {
	for _, purpose := range Purposes() {
		for _, one := range calledFolder[purpose] {
			if strings.EqualFold(name, one) {
				return purpose
			}
		}
	}
	return Folder(name)
}
