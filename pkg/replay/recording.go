// Package replay records turns as they were streamed, plays recordings back as a server, and puts a server under load
// while it checks every stream. It knows the protocol and nothing of the service behind it: all of it works over HTTP
// with any server that speaks the same API.
package replay

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/pkg/sse"
)

// Extension ends the names of recordings.
const Extension = ".jsonl"

// maxLine bounds a line of a recording in bytes.
const maxLine = 8 << 20

// Recording is one turn: what was asked and what was streamed, with times.
//
// Its file is JSON Lines, so that two recordings can be compared line by line:
//
//	{"request":{"method":"POST","path":"/v1/turns","headers":{…},"body":{…}}}
//	{"response":{"status":200,"headers":{"Content-Type":"text/event-stream"}}}
//	{"ms":1.52,"bytes":"retry: 2000\ndata: {…}\nid: 1\n\n"}
//
// Each line behind the second is a block of the stream with its bytes and the milliseconds after the request at which
// it is played. An answer that is no stream is one such line.
type Recording struct {
	// Name is the file's name without its extension: the conversation, a dot, and the number of the turn in it.
	Name     string
	Request  Request
	Response Response
	Blocks   []Block
}

// Request is what started the turn.
type Request struct {
	Method string            `json:"method"`
	Path   string            `json:"path"`
	Header map[string]string `json:"headers"`
	Body   json.RawMessage   `json:"body"`
}

// Response is how the answer began.
type Response struct {
	Status int               `json:"status"`
	Header map[string]string `json:"headers"`
}

// Block is a part of the answer.
type Block struct {
	// At is how long after the request it came, in microseconds at the finest.
	At    time.Duration
	Bytes string
}

type requestLine struct {
	Request *Request `json:"request"`
}

type responseLine struct {
	Response *Response `json:"response"`
}

type blockLine struct {
	Ms    *float64 `json:"ms"`
	Bytes string   `json:"bytes"`
}

// Write writes the recording's file.
func (r Recording) Write(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	lines := []any{requestLine{&r.Request}, responseLine{&r.Response}}
	for _, b := range r.Blocks {
		ms := float64(b.At.Microseconds()) / 1000
		lines = append(lines, blockLine{&ms, b.Bytes})
	}
	for _, line := range lines {
		if err := encoder.Encode(line); err != nil {
			return fmt.Errorf("write recording %s: %w", r.Name, err)
		}
	}
	return nil
}

// Read reads a recording's file. What is no recording is refused with the number of the line.
func Read(name string, file io.Reader) (Recording, error) {
	r := Recording{Name: name}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, maxLine)
	n := 0
	for lines.Scan() {
		n++
		if err := r.line(n, lines.Bytes()); err != nil {
			return Recording{}, fmt.Errorf("recording %s, line %d: %w", name, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return Recording{}, fmt.Errorf("recording %s, line %d: %w", name, n+1, err)
	}
	if len(r.Blocks) == 0 {
		return Recording{}, fmt.Errorf("recording %s has no answer", name)
	}
	return r, nil
}

func (r *Recording) line(n int, raw []byte) error {
	var into any
	var b blockLine
	switch n {
	case 1:
		into = &requestLine{&r.Request}
	case 2:
		into = &responseLine{&r.Response}
	default:
		into = &b
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	switch {
	case n == 1 && (r.Request.Method == "" || r.Request.Path == ""):
		return errors.New("no request")
	case n == 2 && r.Response.Status == 0:
		return errors.New("no response")
	case n > 2 && b.Ms == nil:
		return errors.New("no time")
	case n > 2:
		at := time.Duration(*b.Ms * float64(time.Millisecond))
		r.Blocks = append(r.Blocks, Block{At: at, Bytes: b.Bytes})
	}
	return nil
}

// ReadFiles reads the recordings at the paths, each a file or a folder of them, in the order of their names.
func ReadFiles(paths ...string) ([]Recording, error) {
	var all []Recording
	for _, path := range paths {
		files := []string{path}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			if files, err = filepath.Glob(filepath.Join(path, "*"+Extension)); err != nil {
				return nil, fmt.Errorf("look into %s: %w", path, err)
			}
		}
		for _, file := range files {
			r, err := readFile(file)
			if err != nil {
				return nil, err
			}
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b Recording) int {
		x, i := a.place()
		y, j := b.place()
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(i, j))
	})
	return all, nil
}

func readFile(path string) (Recording, error) {
	file, err := os.Open(path)
	if err != nil {
		return Recording{}, fmt.Errorf("read a recording: %w", err)
	}
	defer file.Close()
	return Read(strings.TrimSuffix(filepath.Base(path), Extension), file)
}

// Save writes the recording into the folder. changed says whether that made a difference to the file.
func (r Recording) Save(dir string) (changed bool, err error) {
	path := filepath.Join(dir, r.Name+Extension)
	var content bytes.Buffer
	if err := r.Write(&content); err != nil {
		return false, err
	}
	if before, err := os.ReadFile(path); err == nil && bytes.Equal(before, content.Bytes()) {
		return false, nil
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return false, fmt.Errorf("save a recording: %w", err)
	}
	if err := os.WriteFile(path, content.Bytes(), 0o600); err != nil {
		return false, fmt.Errorf("save a recording: %w", err)
	}
	return true, nil
}

// place is the conversation that the turn belongs to and its number in it; 0 where the name has none.
func (r Recording) place() (conversation string, n int) {
	dot := strings.LastIndexByte(r.Name, '.')
	if dot < 0 {
		return r.Name, 0
	}
	n, err := strconv.Atoi(r.Name[dot+1:])
	if err != nil {
		return r.Name, 0
	}
	return r.Name[:dot], n
}

// streamed reports whether the answer was a stream.
func (r Recording) streamed() bool {
	return r.Response.Status == http.StatusOK && strings.HasPrefix(r.Response.Header["Content-Type"], sse.ContentType)
}

// updates are the recording's updates as every reader gets them.
func (r Recording) updates() ([]update, error) {
	var all []update
	for i, b := range r.Blocks {
		u, err := parseBlock([]byte(b.Bytes))
		if err != nil {
			return nil, fmt.Errorf("recording %s, block %d: %w", r.Name, i+1, err)
		}
		all = append(all, u)
	}
	return all, nil
}
