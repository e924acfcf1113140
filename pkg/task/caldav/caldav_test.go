package caldav_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"convene/pkg/account"
	"convene/pkg/calendar/caldav"
	"convene/pkg/calendar/caldav/radicaletest"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/outbound"
	"convene/pkg/task"
	taskcaldav "convene/pkg/task/caldav"
	"convene/pkg/task/overlay"
	"convene/pkg/task/remote"
	"convene/pkg/task/tasktest"
)

// radicale is one server for all tests of the binary. Each test has a user to itself.
var radicale radicaletest.Server

func TestMain(m *testing.M) {
	code := m.Run()
	radicale.Stop()
	os.Exit(code)
}

// accounts has one account.
type accounts struct {
	account account.Account
	cred    account.Credential
	refused bool
}

func (a *accounts) Accounts(
	_ context.Context, person meet.PersonID, _ account.Provider,
) ([]account.Account, error) {
	if person != a.account.Person {
		return nil, nil
	}
	return []account.Account{a.account}, nil
}

func (a *accounts) Credential(context.Context, account.ID) (account.Credential, error) {
	return a.cred, nil
}

func (a *accounts) Refused(context.Context, account.ID, account.Credential) error {
	a.refused = true
	return fault.New(fault.CalendarFailed, "reconnect the CalDAV calendar")
}

// lossy makes calls, and loses the answers to changes when it is told to.
type lossy struct {
	mu   sync.Mutex
	lose bool
	puts int
}

func (l *lossy) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := http.DefaultTransport.RoundTrip(r)
	if r.Method != http.MethodPut && r.Method != http.MethodDelete {
		return answer, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.puts++
	if l.lose && err == nil {
		l.lose = false
		return nil, errors.Join(errors.New("the connection broke"), answer.Body.Close())
	}
	return answer, err
}

// world is the owner's account on the real server, with an overlay over it.
type world struct {
	overlay.Provider
	user     string
	accounts *accounts
	line     *lossy
}

func now() time.Time { return time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC) }

// connect gives the owner an account with these collections.
func connect(t *testing.T, collections ...string) *world {
	t.Helper()
	w := &world{user: radicale.User(t), line: &lossy{}}
	for _, one := range collections {
		w.collection(t, one)
	}
	w.accounts = &accounts{cred: account.Credential{Username: w.user, Password: radicaletest.Password}}
	dav := caldav.New(caldav.Config{Accounts: w.accounts, Now: now, Client: outbound.Client(outbound.Config{
		Name: "test", Base: w.line, Attempts: 1,
	})})
	home, address, calendars, err := dav.Discover(t.Context(), radicale.URL(), w.accounts.cred)
	if err != nil {
		t.Fatalf("Discover: %v", err)
	}
	w.accounts.account = account.Account{
		ID: account.ID(w.user), Person: tasktest.Owner().ID, Provider: account.CalDAV, Address: address, Server: home,
		Calendars: calendars,
	}
	server := taskcaldav.Server{Calendar: dav, Now: now}
	w.Provider = overlay.Provider{Inner: remote.Provider{Server: server}, Store: &tasktest.Shelf{}}
	return w
}

// collection makes one that takes what its name says before the dash: events or tasks.
func (w *world) collection(t *testing.T, name string) {
	t.Helper()
	component := "VEVENT"
	if strings.HasPrefix(name, "tasks") {
		component = "VTODO"
	}
	w.do(t, "MKCALENDAR", name, `<?xml version="1.0"?><c:mkcalendar xmlns:d="DAV:" `+
		`xmlns:c="urn:ietf:params:xml:ns:caldav"><d:set><d:prop><d:displayname>`+name+`</d:displayname>`+
		`<c:supported-calendar-component-set><c:comp name="`+component+`"/></c:supported-calendar-component-set>`+
		`</d:prop></d:set></c:mkcalendar>`)
}

// do is what another client of the user's own does.
func (w *world) do(t *testing.T, method, path, body string) string {
	t.Helper()
	answer, err := radicale.Call(context.WithoutCancel(t.Context()), w.user, method, "/"+w.user+"/"+path, body)
	if err != nil {
		t.Fatal(err)
	}
	return string(bytes.ReplaceAll(answer, []byte("\r\n "), nil))
}

func (w *world) tasks(t *testing.T) []task.Task {
	t.Helper()
	tasks, err := w.Tasks(t.Context(), tasktest.Owner())
	if err != nil {
		t.Fatal(err)
	}
	return tasks
}

func (w *world) apply(t *testing.T, a task.Amendment) task.Task {
	t.Helper()
	done, err := w.Apply(t.Context(), tasktest.Owner(), a)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func TestConformance(t *testing.T) {
	t.Parallel()
	tasktest.Run(t, func(t *testing.T, _ meet.Person, tasks ...task.Task) task.Provider {
		t.Helper()
		w := connect(t, "events", "tasks")
		for _, one := range tasks {
			w.apply(t, task.Amendment{Key: "seed-" + one.ID, To: &one})
		}
		return w.Provider
	})
}

// What is written here is seen by another client as RFC 5545 has it, and in the list for tasks.
func TestAnotherClientSeesWhatIsWritten(t *testing.T) {
	t.Parallel()
	w := connect(t, "events", "tasks")
	full := tasktest.Full()
	w.apply(t, task.Amendment{Key: "make", To: &full})
	got := w.do(t, "GET", "tasks/full.ics", "")
	for _, line := range []string{
		"BEGIN:VTODO", "UID:full", `SUMMARY:Send Al the deck\; review\, \\ first`, "DUE:20261127T160000Z",
		"STATUS:IN-PROCESS", "PRIORITY:1", `CATEGORIES:deck,Q4\, later`, "RRULE:FREQ=WEEKLY;BYDAY=FR",
		"RELATED-TO;RELTYPE=DEPENDS-ON:numbers", "BEGIN:VALARM", "TRIGGER;VALUE=DATE-TIME:20261127T080000Z",
	} {
		if !strings.Contains(got, line+"\r\n") {
			t.Errorf("%s is missing in\n%s", line, got)
		}
	}
}

// theirs is a task as another program writes it.
const theirs = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Other//EN\r\nBEGIN:VTODO\r\nUID:theirs-1\r\n" +
	"DTSTAMP:20261120T080000Z\r\nSUMMARY:Water the plants\r\nDUE;VALUE=DATE:20261125\r\nPRIORITY:3\r\n" +
	"X-APPLE-SORT-ORDER:7\r\nATTACH:https://example.com/plan.pdf\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"

// What another client writes is seen here, and stays when it is changed here.
func TestWhatAnotherClientWrites(t *testing.T) {
	t.Parallel()
	w := connect(t, "events", "tasks", "tasks-garden")
	w.do(t, "PUT", "tasks-garden/any name.ics", theirs)
	was := w.tasks(t)[0]
	want := task.Task{
		ID: "theirs-1", Title: "Water the plants", Due: "2026-11-25", Priority: task.High, Status: task.Backlog,
		Board: "tasks-garden", Provider: "caldav",
	}
	if !task.Same(was, want) {
		t.Fatalf("got %+v, want %+v", was, want)
	}
	to := was
	to.Status, to.Completed = task.Completed, "2026-11-24T09:00:00+01:00"
	w.apply(t, task.Amendment{Key: "done", From: &was, To: &to})
	got := w.do(t, "GET", "tasks-garden/any%20name.ics", "")
	for _, line := range []string{
		"STATUS:COMPLETED", "COMPLETED:20261124T080000Z", "X-APPLE-SORT-ORDER:7", "ATTACH:https://example.com/plan.pdf",
		"PRIORITY:3", "DUE;VALUE=DATE:20261125",
	} {
		if !strings.Contains(got, line+"\r\n") {
			t.Errorf("%s is missing in\n%s", line, got)
		}
	}
	w.do(t, "PUT", "tasks-garden/any name.ics", strings.Replace(theirs, "Water", "Drown", 1))
	if now := w.tasks(t)[0]; now.Title != "Drown the plants" || now.Status != task.Backlog {
		t.Errorf("after another change there: %+v", now)
	}
}

// A board that is a list's name is that list.
func TestANewTaskOfAListGoesThere(t *testing.T) {
	t.Parallel()
	w := connect(t, "events", "tasks", "tasks-garden")
	made := w.apply(t, task.Amendment{Key: "make", To: &task.Task{
		ID: "1", Title: "Prune the roses", Board: "Tasks-Garden", Status: task.Backlog,
	}})
	if made.Board != "Tasks-Garden" {
		t.Errorf("its board is %q", made.Board)
	}
	w.do(t, "GET", "tasks-garden/1.ics", "")
}

// A change whose answer is lost is made once.
func TestALostAnswer(t *testing.T) {
	t.Parallel()
	w := connect(t, "events", "tasks")
	one := task.Task{ID: "1", Title: "Buy stamps", Status: task.Backlog}
	two := one
	two.Title, two.Priority = "Buy many stamps", task.High
	var standing task.Task
	for i, next := range []task.Amendment{{Key: "make", To: &one}, {Key: "set", To: &two}, {Key: "delete"}} {
		if i > 0 {
			was := standing
			next.From = &was
		}
		if next.To != nil && i > 0 {
			to := *next.To
			to.Provider = standing.Provider
			next.To = &to
		}
		w.line.lose, w.line.puts = true, 0
		if _, err := w.Apply(t.Context(), tasktest.Owner(), next); err == nil {
			t.Fatalf("%s: the answer was not lost", next.Key)
		}
		standing = w.apply(t, next)
		if next.To != nil && standing.Title != next.To.Title || w.line.puts != 1 {
			t.Errorf("%s: %+v after %d writes", next.Key, standing, w.line.puts)
		}
	}
	if got := w.tasks(t); len(got) != 0 {
		t.Errorf("tasks are left: %+v", got)
	}
}

// A task that cannot be read, and an account that refuses, are errors, and what can be read is there.
func TestWhatCannotBeReadIsSaid(t *testing.T) {
	t.Parallel()
	w := connect(t, "events", "tasks")
	w.do(t, "PUT", "tasks/good.ics", theirs)
	w.do(t, "PUT", "tasks/bad.ics", strings.NewReplacer("theirs-1", "bad", "X-APPLE-SORT-ORDER:7",
		"ESTIMATED-DURATION:soon").Replace(theirs))
	tasks, err := w.Tasks(t.Context(), tasktest.Owner())
	if len(tasks) != 1 || err == nil {
		t.Errorf("%d tasks, %v", len(tasks), err)
	}
	w.accounts.cred.Password = "wrong"
	tasks, err = w.Tasks(t.Context(), tasktest.Owner())
	if len(tasks) != 0 || fault.As(err).Message != "reconnect the CalDAV calendar" || !w.accounts.refused {
		t.Errorf("%d tasks, %v", len(tasks), err)
	}
}

// An account without a list for tasks is no home for new ones.
func TestAnAccountWithoutTasks(t *testing.T) {
	t.Parallel()
	w := connect(t, "events")
	if w.Connected(t.Context(), tasktest.Owner()) {
		t.Error("it is connected")
	}
	if !connect(t, "tasks", "events").Connected(t.Context(), tasktest.Owner()) {
		t.Error("one with a list is not")
	}
}
