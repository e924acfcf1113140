package caldav

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"

	"convene/pkg/account"
	"convene/pkg/calendar"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// TaskList is a collection of one of a person's accounts that takes VTODO objects. Its methods' errors are faults for
// the person.
type TaskList struct {
	Name     string
	Writable bool

	calendar *Calendar
	desk     desk
	rank     int
}

// TaskObject is an object of a list, in the version that was read.
type TaskObject struct {
	Data []byte
	at   object
}

// ErrTaskChanged says that another version of an object stands at the server, or one where none was expected.
var ErrTaskChanged = errors.New("caldav: the object has changed")

// TaskLists are those of all of the person's accounts; those that fit best for new tasks come first. With an error some
// are missing; calendar.ErrNoCalendar says that the person has no account.
func (c *Calendar) TaskLists(ctx context.Context, person meet.Person) ([]TaskList, error) {
	accounts, err := c.accounts(ctx, person)
	if err != nil {
		return nil, err
	}
	lists, err := calendar.GatherAll(accounts, func(a account.Account) ([]TaskList, error) {
		s, err := c.enter(ctx, a, toRead)
		if err != nil {
			return nil, err
		}
		found, err := s.collections(ctx, s.root, vtodo)
		lists := make([]TaskList, len(found))
		for i, one := range found {
			lists[i] = TaskList{
				Name: one.Name, Writable: one.writable, calendar: c, desk: desk{session: s, collection: one.url}, rank: one.rank(),
			}
		}
		return lists, c.explain(ctx, s, toRead, err)
	})
	slices.SortStableFunc(lists, func(a, b TaskList) int { return cmp.Compare(b.rank, a.rank) })
	return lists, err
}

// rank is how well a collection fits for new tasks: best is one of the user's own that takes nothing but tasks, and
// next the one to which events are written.
func (c collection) rank() (rank int) {
	for i, is := range []bool{c.Target, c.single, c.own, c.writable} {
		if is {
			rank |= 1 << i
		}
	}
	return rank
}

// Objects are all of the list.
func (l TaskList) Objects(ctx context.Context) ([]TaskObject, error) {
	found, err := l.desk.all(ctx, l.desk.collection, vtodo)
	var objects []TaskObject
	for _, o := range found {
		if !o.gone && o.data != "" {
			objects = append(objects, TaskObject{Data: o.text(), at: o})
		}
	}
	return objects, l.calendar.explain(ctx, l.desk.session, toRead, err)
}

// Create writes the object of the task with the UID, and returns it as the server has it. It is ErrTaskChanged if there
// is one.
func (l TaskList) Create(ctx context.Context, uid string, data []byte) ([]byte, error) {
	at := l.desk.collection.JoinPath(objectName(uid))
	return l.Replace(ctx, TaskObject{at: object{href: at.EscapedPath(), key: pathKey(at)}}, data)
}

// Replace writes an object anew, or deletes it if there is no data, if it is still as it was read. It returns the
// object as the server has it then.
func (l TaskList) Replace(ctx context.Context, o TaskObject, data []byte) ([]byte, error) {
	at, err := l.desk.resolve(l.desk.collection, o.at.href)
	if err == nil {
		err = l.desk.store(ctx, at, o.at, data)
	}
	if clashes(err) {
		return nil, ErrTaskChanged
	}
	var now object
	if err == nil && data != nil {
		now, err = l.desk.read(ctx, at)
	}
	if status, ok := errors.AsType[*statusError](err); ok && status.status == http.StatusForbidden {
		err = fault.Invalid("board", "The list %q can only be read.", l.Name).Because(err)
	}
	return now.text(), l.calendar.explain(ctx, l.desk.session, toRead, err)
}
