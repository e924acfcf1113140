package caldav_test

import (
	"bufio"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"convene/pkg/account"
	"convene/pkg/calendar/caldav"
	"convene/pkg/calendar/caldav/caldavtest"
	"convene/pkg/fault"
)

// recording answers calls as a file says. A call that is not in it is not found.
type recording struct {
	t       *testing.T
	answers map[string]string

	mu      sync.Mutex
	trusted []string
}

func record(t *testing.T, name string) *recording {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("..", "..", "..", "testdata", "payloads", "caldav", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	r := &recording{t: t, answers: map[string]string{}}
	for _, f := range archive.Files {
		r.answers[f.Name] = string(f.Data)
	}
	return r
}

// RoundTrip gives the answer of the file's section for the method, the address and maybe the depth.
func (r *recording) RoundTrip(req *http.Request) (*http.Response, error) {
	if _, _, ok := req.BasicAuth(); ok {
		r.mu.Lock()
		r.trusted = append(r.trusted, req.URL.Host)
		r.mu.Unlock()
	}
	name := req.Method + " " + req.URL.String()
	text, ok := r.answers[name+" depth "+req.Header.Get("Depth")]
	if !ok {
		text, ok = r.answers[name]
	}
	if !ok {
		text = "404\n\n"
	}
	status, rest, _ := strings.Cut(text, "\n")
	code, err := strconv.Atoi(strings.TrimSpace(status))
	if err != nil {
		return nil, err
	}
	whole := "HTTP/1.1 " + strconv.Itoa(code) + " Recorded\r\n" + rest
	return http.ReadResponse(bufio.NewReader(strings.NewReader(whole)), req)
}

func discoverer(t http.RoundTripper) *caldav.Calendar {
	return caldav.New(caldav.Config{Accounts: &accounts{}, Client: client(t), Now: now})
}

var ola = account.Credential{Username: "ola", Password: "secret"}

func TestDiscoverFindsTheCalendarsOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, server  string
		home, address string
		want          []account.Calendar
	}{
		{name: "icloud", server: "caldav.icloud.com",
			home: "https://p07-caldav.icloud.com/1234567890/calendars/", address: "ola@icloud.com",
			want: []account.Calendar{
				{ID: "https://p07-caldav.icloud.com/1234567890/calendars/6F0C3A2E-8D1B-4A57-9E43-1B7C2D3E4F50/",
					Name: "Family", Blocks: true},
				{ID: "https://p07-caldav.icloud.com/1234567890/calendars/home/", Name: "Home", Blocks: true, Target: true,
					Timezone: "Europe/Berlin"},
			}},
		{name: "fastmail", server: "ola@fastmail.com",
			home: "https://caldav.fastmail.com/dav/calendars/user/ola@fastmail.com/", address: "ola@fastmail.com",
			want: []account.Calendar{
				{ID: "https://caldav.fastmail.com/dav/calendars/user/ola@fastmail.com/0c52a0ec-birthdays/", Name: "Birthdays"},
				{ID: "https://caldav.fastmail.com/dav/calendars/user/ola@fastmail.com/5f8f2f6e-main/", Name: "Calendar",
					Blocks: true, Target: true},
			}},
		{name: "nextcloud", server: "https://cloud.example.org/",
			home: "https://cloud.example.org/remote.php/dav/calendars/ola/", address: "ola@example.org",
			want: []account.Calendar{
				{ID: "https://cloud.example.org/remote.php/dav/calendars/ola/contact_birthdays/", Name: "Contact birthdays"},
				{ID: "https://cloud.example.org/remote.php/dav/calendars/ola/team_shared_by_al/", Name: "Team (Al)", Blocks: true},
				{ID: "https://cloud.example.org/remote.php/dav/calendars/ola/personal/", Name: "Personal", Blocks: true,
					Target: true, Timezone: "Europe/Paris"},
			}},
		{name: "nextcloud", server: "https://cloud.example.org/remote.php/dav",
			home: "https://cloud.example.org/remote.php/dav/calendars/ola/", address: "ola@example.org",
			want: nil},
		{name: "radicale", server: "https://dav.example.net", home: "https://dav.example.net/ola/", address: "ola",
			want: []account.Calendar{{ID: "https://dav.example.net/ola/work/", Name: "Work", Blocks: true, Target: true}}},
	} {
		t.Run(c.name+" from "+c.server, func(t *testing.T) {
			t.Parallel()
			home, address, got, err := discoverer(record(t, c.name)).Discover(t.Context(), c.server, ola)
			if err != nil {
				t.Fatalf("Discover: %v", err)
			}
			if home != c.home || address != c.address {
				t.Errorf("got home %s of %s, want %s of %s", home, address, c.home, c.address)
			}
			if diff := cmp.Diff(c.want, got); diff != "" && c.want != nil {
				t.Errorf("calendars (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDiscoverTellsWhatIsWrong(t *testing.T) {
	t.Parallel()
	html := func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<html><body><form>Log in</form></body></html>")
		return true
	}
	for _, c := range []struct {
		name   string
		server string
		cred   account.Credential
		fail   caldavtest.Fault
		// empty is a server without calendars.
		empty bool
		field string
	}{
		{name: "not an address", server: "::", field: "server"},
		{name: "a password in the address", server: "https://ola:secret@dav.example.com", field: "server"},
		{name: "another protocol", server: "ftp://dav.example.com", field: "server"},
		{name: "no https", server: "http://dav.example.com", field: "server"},
		{name: "a wrong password", cred: account.Credential{Username: "ola", Password: "wrong"}, field: "password"},
		{name: "no CalDAV there", fail: html, field: "server"},
		{name: "nothing there", fail: answer(http.StatusNotFound, ""), field: "server"},
		{name: "a server that does not know the method", fail: answer(http.StatusMethodNotAllowed, ""), field: "server"},
		{name: "no calendars", empty: true, field: "server"},
		{name: "sent to another site", fail: redirect("https://dav.example.org/"), field: "server"},
		{name: "sent to where everybody can listen", fail: redirect("http://dav.example.com/"), field: "server"},
		{name: "sent in circles", fail: redirect("https://dav.example.com/.well-known/caldav"), field: "server"},
		{name: "a server that is down", fail: answer(http.StatusBadGateway, ""), field: ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := caldavtest.Start(t, caldavtest.Options{})
			if !c.empty {
				s.AddCalendar("work", nil)
			}
			if c.fail != nil {
				s.Fail(0, c.fail)
			}
			server, cred := c.server, c.cred
			if server == "" {
				server = "https://dav.example.com"
			}
			if cred.Username == "" {
				cred = ola
			}
			_, _, got, err := discoverer(s.Client().Transport).Discover(t.Context(), server, cred)
			if err == nil {
				t.Fatalf("got calendars %v, want an error", got)
			}
			f := fault.As(err)
			if f.Field != c.field || f.Code == fault.Internal {
				t.Errorf("got %v, want one about %q", f, c.field)
			}
			if first := f.Message[:1]; first != strings.ToUpper(first) || !strings.HasSuffix(f.Message, ".") {
				t.Errorf("got message %q, want a sentence", f.Message)
			}
			for _, host := range s.Trusted() {
				if host != "dav.example.com" {
					t.Errorf("%s was told the password", host)
				}
			}
		})
	}
}

// A server that is asked over http, as on this very machine, is not trusted with more than itself.
func TestPasswordStaysOnThisMachine(t *testing.T) {
	t.Parallel()
	s := caldavtest.Start(t, caldavtest.Options{HomeHost: "p07-caldav.example.com"})
	s.AddCalendar("work", nil)
	_, _, _, err := discoverer(s.Client().Transport).Discover(t.Context(), "http://localhost:5232", ola)
	if err == nil {
		t.Error("the calendars of another host were found with the password of this one")
	}
	if got := s.Trusted(); !slices.Equal(got, []string{"localhost:5232"}) {
		t.Errorf("%v were told the password", got)
	}
}

// Sent on within the site that the person named, the password goes along.
func TestDiscoverFollowsWithinTheSite(t *testing.T) {
	t.Parallel()
	s := caldavtest.Start(t, caldavtest.Options{HomeHost: "p07-caldav.example.com"})
	id := s.AddCalendar("work", nil)
	home, _, got, err := discoverer(s.Client().Transport).Discover(t.Context(), "https://caldav.example.com", ola)
	if err != nil {
		t.Fatalf("Discover: %v", err)
	}
	if home != s.Home() || len(got) != 1 || got[0].ID != id {
		t.Errorf("got home %s with %v", home, got)
	}
}

// What a person sees of a calendar decides whether it blocks and whether it can be written to.
func TestCalendarsThatCannotBeUsedAreLeftOut(t *testing.T) {
	t.Parallel()
	s := caldavtest.Start(t, caldavtest.Options{})
	const readOnly = "<d:privilege><d:read/></d:privilege>"
	s.AddCalendar("a-tasks", map[string]string{"supported-calendar-component-set": `<c:comp name="VTODO"/>`})
	s.AddCalendar("b-freebusy", map[string]string{
		"current-user-privilege-set": "<d:privilege><c:read-free-busy/></d:privilege>",
	})
	s.AddCalendar("c-inbox", map[string]string{"resourcetype": "<d:collection/><c:schedule-inbox/>"})
	s.AddCalendar("d-read-only", map[string]string{"current-user-privilege-set": readOnly})
	s.AddCalendar("e-shared", map[string]string{"owner": "<d:href>/dav/principals/al/</d:href>"})
	s.AddCalendar("f-transparent", map[string]string{"schedule-calendar-transp": "<c:transparent/>", "displayname": ""})
	s.AddCalendar("g-own", map[string]string{"calendar-timezone": "BEGIN:VTIMEZONE\r\nTZID:Made/Up\r\nEND:VTIMEZONE"})
	_, _, calendars, err := discoverer(s.Client().Transport).Discover(t.Context(), s.URL(), ola)
	if err != nil {
		t.Fatalf("Discover: %v", err)
	}
	var got []string
	for _, c := range calendars {
		line := c.Name
		if c.Blocks {
			line += " blocks"
		}
		if c.Target {
			line += " target"
		}
		got = append(got, line+c.Timezone)
	}
	want := []string{"d-read-only blocks", "e-shared blocks", "f-transparent", "g-own blocks target"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("calendars (-want +got):\n%s", diff)
	}
}
