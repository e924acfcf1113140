package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"convene/pkg/llm/offline"
	"convene/pkg/sse"
	"convene/pkg/testenv"
)

const (
	ctrlC = "\x03"
	ctrlD = "\x04"
	enter = "\r"
)

// terminal is the program in a terminal of 100 columns.
type terminal struct {
	t       *testing.T
	process *exec.Cmd
	screen  *os.File
	shown   bytes.Buffer
	// seen is how far into shown the test has come.
	seen int
}

// inTerminal starts the program; environ is added to an environment that has nothing else to do with terminals.
func inTerminal(t *testing.T, environ []string, args ...string) *terminal {
	t.Helper()
	s := &terminal{t: t, process: exec.CommandContext(context.WithoutCancel(t.Context()), os.Args[0], args...)}
	s.process.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "NO_COLOR=") || strings.HasPrefix(v, "TERM=") || strings.HasPrefix(v, "COLUMNS=")
	})
	s.process.Env = append(append(s.process.Env, asProgram+"=1", "TERM=xterm"), environ...)
	var err error
	if s.screen, err = pty.StartWithSize(s.process, &pty.Winsize{Rows: 40, Cols: 100}); err != nil {
		testenv.Skip(t, "no terminals here: "+err.Error())
	}
	stuck := time.AfterFunc(time.Minute, func() { _ = s.process.Process.Kill() })
	t.Cleanup(func() {
		stuck.Stop()
		_ = s.process.Process.Kill()
		s.screen.Close()
	})
	return s
}

// until waits for a text after what was waited for before.
func (s *terminal) until(text string) *terminal {
	s.t.Helper()
	for {
		if i := strings.Index(s.shown.String()[s.seen:], text); i >= 0 {
			s.seen += i + len(text)
			return s
		}
		if !s.read() {
			s.t.Fatalf("the program ended without %q:\n%s", text, &s.shown)
		}
	}
}

func (s *terminal) read() bool {
	piece := make([]byte, 4096)
	n, err := s.screen.Read(piece)
	s.shown.Write(piece[:n])
	return err == nil
}

func (s *terminal) press(keys string) *terminal {
	s.t.Helper()
	if _, err := io.WriteString(s.screen, keys); err != nil {
		s.t.Fatal(err)
	}
	return s
}

// ends waits for the end of the program, with this status.
func (s *terminal) ends(status int) {
	s.t.Helper()
	if got := s.end().ExitCode(); got != status {
		s.t.Errorf("exit status %d, want %d:\n%s", got, status, &s.shown)
	}
}

func (s *terminal) end() *os.ProcessState {
	for s.read() {
		continue
	}
	_ = s.process.Wait() // the state says it
	return s.process.ProcessState
}

// thinking is a model that never comes to what an event's template should be.
func thinking(t *testing.T) (url string) {
	t.Helper()
	rules := offline.New(offline.Options{})
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil && bytes.Contains(body, []byte("generateEventTemplate")) {
			<-r.Context().Done()
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		rules.ServeHTTP(w, r)
	}))
	t.Cleanup(model.Close)
	return model.URL + "/v1"
}

// Ctrl-C cancels the turn on the server, and the conversation goes on; Ctrl-D ends it.
func TestCtrlCCancelsATurn(t *testing.T) {
	t.Parallel()
	server := startServer(t, "", "--openai-base-url="+thinking(t))
	s := inTerminal(t, nil, "ask", "--server="+server)
	s.until("› ").press("coffee with Al" + enter)
	s.until("Let me find a good time for coffee with Al.").press(ctrlC)
	s.until("cancelled · ").until("› ").press("hello" + enter)
	s.until("Hello!").until("answered").until("› ").press(ctrlD)
	s.ends(exitDone)
	if strings.Contains(s.shown.String(), "convene:") {
		t.Errorf("complaints:\n%s", &s.shown)
	}
}

func TestCtrlCAtThePromptEnds(t *testing.T) {
	t.Parallel()
	s := inTerminal(t, nil, "ask", "--now="+friday)
	s.until("› ").press(ctrlC).ends(exitInterrupted)
	if strings.Contains(s.shown.String(), "convene:") {
		t.Errorf("complaints:\n%s", &s.shown)
	}
}

// One message, and lines from a pipe: nobody is there to go on with after Ctrl-C.
func TestCtrlCEndsWhatIsNoConversation(t *testing.T) {
	t.Parallel()
	args := []string{"ask", "--now=" + friday, "--openai-base-url=" + thinking(t)}
	s := inTerminal(t, nil, append(args, "coffee with Al")...)
	s.until("Let me find a good time").press(ctrlC).until("cancelled · ")
	s.ends(exitInterrupted)

	piped := exec.CommandContext(t.Context(), os.Args[0], args...)
	piped.Env = append(os.Environ(), asProgram+"=1")
	in, err := piped.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := piped.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := piped.Start(); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(in, "coffee with Al\nlunch with Al\n")
	lines := bufio.NewReader(out)
	if first, err := lines.ReadString('\n'); err != nil || !strings.HasPrefix(first, "Let me find a good time") {
		t.Fatalf("first line %q, %v", first, err)
	}
	if err := piped.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(lines)
	_ = piped.Wait()
	status := piped.ProcessState.ExitCode()
	if err != nil || status != exitInterrupted || !bytes.Contains(rest, []byte("cancelled")) ||
		bytes.Contains(rest, []byte("lunch")) {
		t.Errorf("exit status %d, %v: %s", status, err, rest)
	}
}

// A server that does not cancel holds nobody who presses Ctrl-C twice.
func TestTheSecondCtrlCEndsAtOnce(t *testing.T) {
	t.Parallel()
	asked, over := make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete && r.URL.Path == "/v1/turns/t_1" {
			close(asked)
			<-over
			return
		}
		w.Header().Set("Location", "/v1/turns/t_1")
		w.Header().Set("Content-Type", sse.ContentType)
		fmt.Fprint(w, "data: {\"type\":\"acknowledgment\",\"text\":\"Let me look.\"}\nid: 1\n\n")
		_ = http.NewResponseController(w).Flush()
		<-over
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(over) })
	s := inTerminal(t, nil, "ask", "--server="+server.URL)
	s.until("› ").press("coffee with Al" + enter).until("Let me look.").press(ctrlC)
	<-asked
	s.press(ctrlC)
	status, ok := s.end().Sys().(syscall.WaitStatus)
	if !ok || status.Signal() != syscall.SIGINT {
		t.Errorf("ended as %v, want by the second Ctrl-C:\n%s", s.process.ProcessState, &s.shown)
	}
}

// Neither colours nor lines that are written over, where they are not wanted or not known.
func TestPlainTerminals(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		environ []string
		styled  bool
	}{
		{nil, true}, {[]string{"NO_COLOR="}, true}, {[]string{"NO_COLOR=1"}, false}, {[]string{"TERM=dumb"}, false},
	} {
		s := inTerminal(t, tt.environ, "ask", "--now="+friday, "coffee with Al")
		s.ends(exitDone)
		text := strings.ReplaceAll(s.shown.String(), "\r\n", "\n")
		if styled := strings.ContainsAny(text, "\x1b\r"); styled != tt.styled {
			t.Errorf("%v: styled is %t, want %t:\n%q", tt.environ, styled, tt.styled, text)
		}
		if strings.Count(text, "Narrowing down times") != 1 {
			t.Errorf("%v: progress is not shown once:\n%q", tt.environ, text)
		}
	}
}

// The help of ask is what belongs to it, on one screen.
func TestTheHelpOfAskFitsAScreen(t *testing.T) {
	t.Parallel()
	s := inTerminal(t, nil, "ask", "--help")
	s.ends(exitDone)
	text := s.shown.String()
	if lines := strings.Count(text, "\n"); lines > 40 {
		t.Errorf("%d lines:\n%s", lines, text)
	}
	for word, want := range map[string]bool{"--organizer": true, "Ctrl-C": true, "convene serve --help": true,
		"--redis-url": false, "--classify-model": false} {
		if strings.Contains(text, word) != want {
			t.Errorf("%q in the help: %t, want %t:\n%s", word, !want, want, text)
		}
	}
}
