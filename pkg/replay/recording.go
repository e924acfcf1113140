// Package replay records turns as they are streamed, plays recordings back as a server, and puts a server under load
// while it checks every stream. It works over HTTP with any server that has the same API.
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

// Extension is the file name extension of recordings.
const Extension = ".jsonl"

// maxLine bounds a line of a recording in bytes.
const maxLine = 8 << 20

// Recording is one turn: its request and its stream, with times.
//
// Its file is JSON Lines, so that two recordings can be compared line by line:
//
//	{"request":{"method":"POST","path":"/v1/turns","headers":{…},"body":{…}}}
//	{"response":{"status":200,"headers":{"Content-Type":"text/event-stream"}}}
//	{"ms":1.52,"bytes":"retry: 2000\ndata: {…}\nid: 1\n\n"}
//
// Each line after the second is a block of the stream with its bytes and the milliseconds after the request at which it
// is played. A response that is not a stream is one such line.
type Recording struct {
	// Name is the file's name without its extension: the conversation, a dot, and the number of the turn in it.
	Name     string
	Request  Request
	Response Response
	Blocks   []Block
}

// Request is the request of the turn.
type Request struct {
	Method string            `json:"method"`
	Path   string            `json:"path"`
	Header map[string]string `json:"headers"`
	Body   json.RawMessage   `json:"body"`
}

// Response is the start of the response.
type Response struct {
	Status int               `json:"status"`
	Header map[string]string `json:"headers"`
}

// Block is a part of the response's body.
type Block struct {
	// At is the time since the request, in whole microseconds.
	At    time.Duration
	Bytes string
}

// line is a line of the file: a request, a response or a block.
type line struct {
	Request  *Request  `json:"request,omitempty"`
	Response *Response `json:"response,omitempty"`
	Ms       *float64  `json:"ms,omitempty"`
	Bytes    string    `json:"bytes,omitempty"`
}

// Write writes the recording's file.
func (r Recording) Write(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	lines := []line{{Request: &r.Request}, {Response: &r.Response}}
	for _, b := range r.Blocks {
		lines = append(lines, line{Ms: new(ms(b.At)), Bytes: b.Bytes})
	}
	for _, line := range lines {
		if err := encoder.Encode(line); err != nil {
			return fmt.Errorf("write recording %s: %w", r.Name, err)
		}
	}
	return nil
}

// Read reads a recording's file. Its errors have the number of the wrong line.
func Read(name string, file io.Reader) (Recording, error) {
	r := Recording{Name: name}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, maxLine)
	n := 0
	for lines.Scan() {
		n++
		if err := r.readLine(n, lines.Bytes()); err != nil {
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

func (r *Recording) readLine(n int, raw []byte) error {
	var l line
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&l); err != nil {
		return err
	}
	switch {
	case n == 1 && (l.Request == nil || l.Request.Method == "" || l.Request.Path == ""):
		return errors.New("no request")
	case n == 1:
		r.Request = *l.Request
	case n == 2 && (l.Response == nil || l.Response.Status == 0):
		return errors.New("no response")
	case n == 2:
		r.Response = *l.Response
	case l.Ms == nil:
		return errors.New("no time")
	default:
		r.Blocks = append(r.Blocks, Block{At: time.Duration(*l.Ms * float64(time.Millisecond)), Bytes: l.Bytes})
	}
	return nil
}

// ReadFiles reads the recordings at the paths, each a file or a folder, and sorts them by name.
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

// Save writes the recording into the folder. changed reports whether the file changed.
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

// place returns the turn's conversation and its number in it; 0 if the name has none.
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

// streamed reports whether the response is a stream.
func (r Recording) streamed() bool {
	return r.Response.Status == http.StatusOK && strings.HasPrefix(r.Response.Header["Content-Type"], sse.ContentType)
}

// updates returns the recording's updates as every reader gets them.
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
