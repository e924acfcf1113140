package sse_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"convene/pkg/sse"
)

func TestAppendEvent(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		event sse.Event
		want  string
	}{
		"data before id": {
			sse.Event{ID: "7", Data: []byte(`{"type":"done"}`)},
			"data: {\"type\":\"done\"}\nid: 7\n\n",
		},
		"retry before the rest, which stays the same": {
			sse.Event{ID: "1", Data: []byte("x"), Retry: 2 * time.Second},
			"retry: 2000\ndata: x\nid: 1\n\n",
		},
		"a line for each line of the data": {
			sse.Event{Data: []byte("a\nb\r\nc\rd")},
			"data: a\ndata: b\ndata: c\ndata: d\n\n",
		},
		"a last line break is kept":         {sse.Event{Data: []byte("a\n")}, "data: a\ndata: \n\n"},
		"no data is an empty message":       {sse.Event{ID: "2"}, "data: \nid: 2\n\n"},
		"a type where one is set":           {sse.Event{Type: "chat", Data: []byte("x")}, "event: chat\ndata: x\n\n"},
		"an id with a line break is left":   {sse.Event{ID: "1\ndata: y", Data: []byte("x")}, "data: x\n\n"},
		"an id with a NUL is left":          {sse.Event{ID: "1\x00", Data: []byte("x")}, "data: x\n\n"},
		"a type with a line break is left":  {sse.Event{Type: "a\rb", Data: []byte("x")}, "data: x\n\n"},
		"retry below a millisecond is none": {sse.Event{Data: []byte("x"), Retry: time.Microsecond}, "data: x\n\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := string(sse.AppendEvent([]byte("before|"), tc.event))
			if diff := cmp.Diff("before|"+tc.want, got); diff != "" {
				t.Errorf("AppendEvent (-want +got):\n%s", diff)
			}
		})
	}
}

func TestValidID(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{
		"": true, "17": true, "ä-ö": true,
		"1\n": false, "1\r": false, "\x00": false, "\x7f": false, "\u0085": false, "\xff": false,
	} {
		if got := sse.ValidID(id); got != want {
			t.Errorf("ValidID(%q) = %v, want %v", id, got, want)
		}
	}
}

// The names say which sentence of the standard's "Parsing" and "Interpreting an event stream" is meant.
func TestDecoder(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		stream string
		want   []sse.Event
	}{
		"three messages, the second with a line more": {
			"data: This is the first message.\n\ndata: This is the second message, it\ndata: has two lines.\n\ndata: third\n\n",
			[]sse.Event{
				message("This is the first message."), message("This is the second message, it\nhas two lines."), message("third"),
			},
		},
		"types": {
			"event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\n",
			[]sse.Event{{Type: "add", Data: []byte("73857293")}, {Type: "remove", Data: []byte("2153")}},
		},
		"stock ticker: data joined by a newline": {
			"data: YHOO\ndata: +2\ndata: 10\n\n",
			[]sse.Event{message("YHOO\n+2\n10")},
		},
		"a comment, an id, an id set back, and a leading space that stays": {
			": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
			[]sse.Event{{ID: "1", Data: []byte("first event")}, message("second event"), message(" third event")},
		},
		"an empty data field, two of them, and a block that the end cuts": {
			"data\n\ndata\ndata\n\ndata:",
			[]sse.Event{message(""), message("\n")},
		},
		"the space after the colon is optional": {
			"data:test\n\ndata: test\n\n",
			[]sse.Event{message("test"), message("test")},
		},
		"the last id stays in force": {"id: 4\ndata: a\n\ndata: b\n\n", []sse.Event{
			{ID: "4", Data: []byte("a")}, {ID: "4", Data: []byte("b")},
		}},
		"an id without data counts":        {"id: 4\n\ndata: b\n\n", []sse.Event{{ID: "4", Data: []byte("b")}}},
		"an id with NUL is ignored":        {"id: 4\nid: 5\x00\ndata: b\n\n", []sse.Event{{ID: "4", Data: []byte("b")}}},
		"a type without data is forgotten": {"event: x\n\ndata: b\n\n", []sse.Event{message("b")}},
		"byte order mark":                  {"\xEF\xBB\xBFdata: a\n\n", []sse.Event{message("a")}},
		"only the first byte order mark":   {"\xEF\xBB\xBF\xEF\xBB\xBFdata: a\n\ndata: b\n\n", []sse.Event{message("b")}},
		"CR":                               {"data: a\rdata: b\r\rdata: c\r\r", []sse.Event{message("a\nb"), message("c")}},
		"CRLF": {"data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n", []sse.Event{
			message("a\nb"), message("c"),
		}},
		"all line ends mixed":         {"data: a\r\ndata: b\rdata: c\n\r\n\n", []sse.Event{message("a\nb\nc")}},
		"LF CR are two ends":          {"data: a\n\rdata: b\n\n", []sse.Event{message("a"), message("b")}},
		"comments within and between": {": x\ndata: a\n:\n: y\ndata: b\n\n: \n: \n\n", []sse.Event{message("a\nb")}},
		"a heartbeat before a block":  {sse.Heartbeat + "data: a\n\n", []sse.Event{message("a")}},
		"retry takes digits only": {
			"retry: 2000\ndata: a\n\nretry: 2s\ndata: b\n\nretry: -1\ndata: c\n\nretry\ndata: d\n\n",
			[]sse.Event{{Data: []byte("a"), Retry: 2 * time.Second}, message("b"), message("c"), message("d")},
		},
		"retry without data counts": {"retry: 5\n\ndata: a\n\n", []sse.Event{
			{Data: []byte("a"), Retry: 5 * time.Millisecond},
		}},
		"retry of many digits is a day": {"retry: 99999999999999999999\ndata: a\n\n", []sse.Event{
			{Data: []byte("a"), Retry: 24 * time.Hour},
		}},
		"unknown fields are ignored":     {"date: x\nData: y\ndata : z\ndata: a\n\n", []sse.Event{message("a")}},
		"a colon in the value stays":     {"data: a:b: c\n\n", []sse.Event{message("a:b: c")}},
		"a block that the end cuts":      {"data: a\n\ndata: b\nid: 2\n", []sse.Event{message("a")}},
		"nothing":                        {"", nil},
		"a beginning of byte order mark": {"\xEF\xBB", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for how, r := range map[string]io.Reader{
				"at once":       strings.NewReader(tc.stream),
				"by bytes":      iotest.OneByteReader(strings.NewReader(tc.stream)),
				"EOF with data": iotest.DataErrReader(strings.NewReader(tc.stream)),
			} {
				got, err := all(sse.NewDecoder(r))
				if !errors.Is(err, io.EOF) {
					t.Errorf("%s: Next ended with %v, want io.EOF", how, err)
				}
				if diff := cmp.Diff(tc.want, got, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("%s (-want +got):\n%s", how, diff)
				}
			}
		})
	}
}

func TestDecoderDoesNotWaitForTheLineFeedAfterACarriageReturn(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	defer r.Close()
	go func() { _, _ = io.WriteString(w, "data: a\r\n\r") }() // and the pipe stays open
	got, err := sse.NewDecoder(r).Next()
	if err != nil || string(got.Data) != "a" {
		t.Errorf("Next = %q, %v; want \"a\"", got.Data, err)
	}
}

func TestDecoderBounds(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		stream string
		want   error
	}{
		"a line at the bound":          {"data: " + strings.Repeat("x", 10) + "\n\n", io.EOF},
		"a line beyond it":             {"data: " + strings.Repeat("x", 11) + "\n\n", sse.ErrTooLong},
		"a line without end":           {strings.Repeat("x", 17), sse.ErrTooLong},
		"an event at the bound":        {strings.Repeat("data: 1234\n", 6) + "\n", io.EOF},
		"an event beyond it":           {strings.Repeat("data: 1234\n", 7) + "\n", sse.ErrTooLong},
		"an event of many empty lines": {strings.Repeat("data\n", 32), sse.ErrTooLong},
		"comments add up to nothing":   {strings.Repeat(": 1234\n", 100), io.EOF},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := sse.NewDecoder(strings.NewReader(tc.stream))
			d.MaxLine, d.MaxEvent = 16, 30
			if _, err := all(d); !errors.Is(err, tc.want) {
				t.Errorf("Next ended with %v, want %v", err, tc.want)
			}
			if _, err := d.Next(); !errors.Is(err, tc.want) {
				t.Errorf("Next afterwards = %v, want %v again", err, tc.want)
			}
		})
	}
}

func TestDecoderLendsItsData(t *testing.T) {
	t.Parallel()
	d := sse.NewDecoder(strings.NewReader("data: first\n\ndata: 2\ndata: lines\n\ndata\n\ndata: " +
		strings.Repeat("x", 10_000) + "\n\n"))
	d.Lend = true
	for _, want := range []string{"first", "2\nlines", "", strings.Repeat("x", 10_000)} {
		got, err := d.Next()
		if err != nil || string(got.Data) != want {
			t.Errorf("Next = %q, %v, want %q", got.Data, err, want)
		}
	}
}

// What a decoder gave stays as it is when its buffer serves the next one, whose line may be longer than it.
func TestDecoderReadsIntoItsBuffer(t *testing.T) {
	t.Parallel()
	buffer := make([]byte, 4<<10)
	texts := []string{"first", strings.Repeat("x", 10_000), "last"}
	var events []sse.Event
	for _, text := range texts {
		d := sse.NewDecoder(strings.NewReader("id: " + text + "\ndata: " + text + "\n\n"))
		d.Buffer = buffer
		event, err := d.Next()
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, event)
	}
	for i, want := range texts {
		if events[i].ID != want || string(events[i].Data) != want {
			t.Errorf("event %d = %.20q and %.20q, want %.20q", i, events[i].ID, events[i].Data, want)
		}
	}
}

func TestDecoderReportsWhatTheReaderReports(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken pipe")
	r := io.MultiReader(strings.NewReader("data: a\n\ndata: b"), iotest.ErrReader(broken))
	got, err := all(sse.NewDecoder(r))
	if !errors.Is(err, broken) {
		t.Errorf("error = %v, want %v", err, broken)
	}
	if diff := cmp.Diff([]sse.Event{message("a")}, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func FuzzRoundTrip(f *testing.F) {
	f.Add("1", "", []byte(`{"type":"turn"}`), int64(0))
	f.Add("1\n2", "a\rb", []byte("a\r\n\n b"), int64(2000))
	f.Add("", "x", []byte("\xEF\xBB\xBF: \x00"), int64(-1))
	f.Fuzz(func(t *testing.T, id, kind string, data []byte, ms int64) {
		sent := sse.Event{ID: id, Type: kind, Data: data, Retry: time.Duration(ms%1000) * time.Millisecond}
		stream := append([]byte(sse.Heartbeat), sse.AppendEvent(nil, sent)...)
		stream = append(stream, "data: after\n\n"...)

		want := sse.Event{ID: onlyValid(id), Type: onlyValid(kind), Data: normalized(data), Retry: max(0, sent.Retry)}
		d := sse.NewDecoder(iotest.HalfReader(bytes.NewReader(stream)))
		d.MaxLine, d.MaxEvent = len(stream), len(stream)
		got, err := d.Next()
		if err != nil {
			t.Fatalf("Next: %v", err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("round trip (-want +got):\n%s", diff)
		}
		if got, err := d.Next(); err != nil || string(got.Data) != "after" {
			t.Errorf("the event behind it = %q, %v; want \"after\"", got.Data, err)
		}
	})
}

func FuzzDecoder(f *testing.F) {
	f.Add([]byte("data: a\r\rid\x00: 1\n\nretry: 1\ndata"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		atOnce, err := all(sse.NewDecoder(bytes.NewReader(stream)))
		byBytes, err2 := all(sse.NewDecoder(iotest.OneByteReader(bytes.NewReader(stream))))
		if !errors.Is(err, io.EOF) || !errors.Is(err2, io.EOF) {
			t.Fatalf("errors = %v, %v; want io.EOF", err, err2)
		}
		if diff := cmp.Diff(atOnce, byBytes, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("how the bytes arrive changes the events (-at once +by bytes):\n%s", diff)
		}
	})
}

func message(data string) sse.Event { return sse.Event{Data: []byte(data)} }

// all reads until the first error.
func all(d *sse.Decoder) ([]sse.Event, error) {
	var events []sse.Event
	for {
		e, err := d.Next()
		if err != nil {
			return events, err
		}
		events = append(events, e)
	}
}

func onlyValid(s string) string {
	if sse.ValidID(s) {
		return s
	}
	return ""
}

func normalized(data []byte) []byte {
	s := strings.ReplaceAll(string(data), "\r\n", "\n")
	return []byte(strings.ReplaceAll(s, "\r", "\n"))
}

// Ready tells what Next would do, where that is not in doubt.
func TestDecoderReady(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		behind string
		want   bool
	}{
		"nothing":                      {"", false},
		"an event":                     {"data: b\n\n", true},
		"an event with lines before":   {": note\nid: 2\ndata: b\n\n", true},
		"carriage returns":             {"data: b\r\n\r\n", true},
		"a comment":                    {": note\n\n", false},
		"an event without its end":     {"data: b\n", false},
		"an event behind a comment":    {": note\n\ndata: b\n\n", true},
		"a comment behind half a line": {"dat", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := sse.NewDecoder(strings.NewReader("data: a\n\n" + tt.behind))
			if _, err := d.Next(); err != nil {
				t.Fatal(err)
			}
			if got := d.Ready(); got != tt.want {
				t.Errorf("Ready = %v, want %v", got, tt.want)
			}
		})
	}
}
