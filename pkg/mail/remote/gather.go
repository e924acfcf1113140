package remote

import (
	"slices"
	"time"

	"convene/pkg/fault"
	"convene/pkg/mail"
)

// Batch are mails of a listing.
type Batch struct {
	// Mails are those that the query means.
	Mails []mail.Mail
	// Read is how many were looked at, and Oldest when the oldest of them came.
	Read   int
	Oldest time.Time
	// More says that others follow.
	More bool
}

// leastRead is how many mails are asked for at least.
const leastRead = 20

// Gather are the newest mails of a listing that a query means: at least one more than a page has, with all of the same
// time. Next reads the next ones, about as many as size; after most it is a fault.
func Gather(q mail.Query, most int, next func(size int) (Batch, error)) (mails []mail.Mail, err error) {
	want := q.Size() + 1
	size := max(want+1, leastRead) // the one after tells whether others came at the same time
	for read := 0; read < most; {
		b, err := next(size)
		if err != nil {
			return nil, err
		}
		mails = append(mails, b.Mails...)
		slices.SortFunc(mails, mail.Compare)
		if !b.More || len(mails) >= want && mails[want-1].Date.After(b.Oldest) {
			return mails, nil
		}
		read += b.Read
		size = min(2*size, mail.MostListed)
	}
	return nil, TooMany()
}

// TooMany is the fault of a query for which the server cannot search, and for which too many mails would have to be
// read.
func TooMany() error {
	return fault.New(fault.Unavailable,
		"There is more mail than can be looked through at once. Please name a folder, a sender or a time.")
}
