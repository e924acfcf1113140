package mail

import (
	"context"
	"errors"
	"io"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Provider keeps the mailboxes of people. mailtest is the suite that each must pass. Other programs may use the same
// mailbox at the same time. ErrNotConnected, from any method, says that the person has no mailbox here.
type Provider interface {
	// Name is the provider's, as Mail.Provider has it.
	Name() string
	// Folders are those of the person's mailbox: all with a purpose, also if they are empty, and others.
	Folders(ctx context.Context, person meet.Person) ([]Folder, error)
	// List is a page of the mails that a query means, as Query.Fits says, in the order of Compare. Previews and
	// attachments may be missing of a mail that is very large.
	List(ctx context.Context, person meet.Person, q Query) (Page, error)
	// Open is a mail, and its content as it was sent (RFC 5322), which the caller closes. Reading marks nothing as read. A
	// mail that is gone is fault.NotFound.
	Open(ctx context.Context, person meet.Person, id string) (Mail, io.ReadCloser, error)
	// Apply makes one change, as Amendment.On says, and returns the mail's state then. A folder that is not there is made.
	// A repeat of a change that was made finds the mail as it will be, and writes nothing. If the mail is gone, or On says
	// that the change clashes, nothing is written, and the error is Changed. A fault Invalid is a refusal; any other error
	// leaves it open whether it was written.
	Apply(ctx context.Context, person meet.Person, a Amendment) (State, error)
}

// Page are some of the mails that a query means.
type Page struct {
	Mails []Mail
	// More says that others follow: those of the query After the last one.
	More bool
	// Total counts all that the query means, from the first page on; -1 if that is not known without reading them.
	Total int
}

// ErrNotConnected says that a person has no mailbox at a provider.
var ErrNotConnected = errors.New("mail: no mailbox is connected")

// ChangedCode is the code of a mail that is not as it was read.
const ChangedCode fault.Code = "changed"

// Changed is the fault of a mail that is not as it was read.
func Changed() *fault.Error { return fault.New(ChangedCode, "The mail has changed meanwhile.") }

// NotFound is the fault of a mail that is not there.
func NotFound() *fault.Error { return fault.New(fault.NotFound, "There is no mail with this id.") }

// Bounds of what is read of one mail: its header and whole content in bytes, the characters of its text, and the number
// of its parts, their depth, its addresses and its links.
const (
	MostHeader    = 256 << 10
	MostContent   = 32 << 20
	MostText      = 100_000
	mostParts     = 200
	mostDepth     = 10
	mostAddresses = 500
	mostLinks     = 200
)

// MostListed bounds a page, and is what a Query without a limit asks for.
const MostListed = 200
