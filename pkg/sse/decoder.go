package sse

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ErrTooLong ends a stream with a line or event beyond the decoder's bounds.
var ErrTooLong = errors.New("sse: line or event too long")

const (
	defaultMaxLine  = 1 << 20
	defaultMaxEvent = 4 << 20
	// maxRetry keeps a hostile reconnection time from overflowing.
	maxRetry      = 24 * time.Hour
	defaultRead   = 4 << 10
	maxEmptyReads = 100
	// mostAhead bounds how many bytes Ready searches, so that it costs little per event.
	mostAhead     = 4 << 10
	byteOrderMark = "\xEF\xBB\xBF"
)

// Decoder reads the events of a stream. It reads no further ahead than one call of Read, and returns an event as soon
// as the empty line after it has arrived.
type Decoder struct {
	// MaxLine bounds one line in bytes. Defaults to 1 MiB.
	MaxLine int
	// MaxEvent bounds the data of one event in bytes. Defaults to 4 MiB.
	MaxEvent int
	// Buffer is the read buffer, which must not be used otherwise until the last call of Next. A longer line gets a larger
	// one. Defaults to one of 4 KiB.
	Buffer []byte
	// Lend makes Next return data that is valid only until the next call.
	Lend bool

	r       io.Reader
	buf     []byte
	start   int // the next unread byte of buf
	err     error
	begun   bool // the byte order mark, if any, has been skipped
	afterCR bool // a "\n" that comes next belongs to the last line

	readErr error // the reader's error after the bytes in buf

	event pending
	id    string
	retry time.Duration
}

// pending is an event whose empty line has not arrived.
type pending struct {
	kind    string
	data    []byte
	hasData bool
}

// NewDecoder reads from r, without a check of its media type.
func NewDecoder(r io.Reader) *Decoder {
	return &Decoder{r: r}
}

// Next returns the next event that has data; its Data belongs to the caller unless Lend is set. A block without data is
// not returned, but its id and retry apply to the next event. At the end of the stream the error is io.EOF, and an
// incomplete block is dropped. Bytes that are not UTF-8 are returned as they are. An error is final: every later call
// returns it again.
func (d *Decoder) Next() (Event, error) {
	for {
		line, err := d.line()
		if err != nil {
			d.err = err
			return Event{}, err
		}
		if len(line) == 0 {
			if event, ok := d.dispatch(); ok {
				return event, nil
			}
			continue
		}
		if d.err = d.field(line); d.err != nil {
			return Event{}, d.err
		}
	}
}

// Ready reports whether a whole event with data is buffered, so that Next does not wait. If in doubt it returns false.
func (d *Decoder) Ready() bool {
	ahead := d.buf[d.start:]
	_, rest, found := bytes.Cut(ahead[:min(len(ahead), mostAhead)], []byte("data:"))
	return found && (bytes.Contains(rest, []byte("\n\n")) || bytes.Contains(rest, []byte("\r\n\r\n")))
}

func (d *Decoder) dispatch() (Event, bool) {
	p := d.event
	d.event = pending{}
	if d.Lend {
		d.event.data = p.data[:0]
	}
	if !p.hasData {
		return Event{}, false
	}
	event := Event{ID: d.id, Type: p.kind, Data: p.data, Retry: d.retry}
	d.retry = 0
	return event, true
}

func (d *Decoder) field(line []byte) error {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "data":
		return d.addData(value)
	case "event":
		d.event.kind = string(value)
	case "id":
		if bytes.IndexByte(value, 0) < 0 {
			d.id = string(value)
		}
	case "retry":
		d.setRetry(value)
	}
	return nil
}

func (d *Decoder) addData(value []byte) error {
	limit := cmp.Or(d.MaxEvent, defaultMaxEvent)
	if len(d.event.data)+len("\n")+len(value) > limit {
		return fmt.Errorf("%w: data of more than %d bytes", ErrTooLong, limit)
	}
	if d.event.hasData {
		d.event.data = append(d.event.data, '\n')
	}
	d.event.data = append(d.event.data, value...)
	d.event.hasData = true
	return nil
}

// setRetry accepts ASCII digits only; anything else leaves the time unchanged.
func (d *Decoder) setRetry(value []byte) {
	odd := func(r rune) bool { return r < '0' || r > '9' }
	if len(value) == 0 || bytes.ContainsFunc(value, odd) {
		return
	}
	ms, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil || ms > maxRetry.Milliseconds() {
		ms = maxRetry.Milliseconds()
	}
	d.retry = time.Duration(ms) * time.Millisecond
}

// line returns the next complete line without its end, valid until the next call. A line ends in "\n", "\r" or "\r\n";
// "\r" ends it at once, without waiting for what follows.
func (d *Decoder) line() ([]byte, error) {
	if d.err != nil {
		return nil, d.err
	}
	limit := cmp.Or(d.MaxLine, defaultMaxLine)
	for scanned := 0; ; {
		if d.skip() {
			rest := d.buf[d.start:]
			end := lineEnd(rest[scanned:])
			if end >= 0 && scanned+end <= limit {
				return d.take(scanned + end), nil
			}
			if scanned = len(rest); end >= 0 || scanned > limit {
				return nil, fmt.Errorf("%w: line of more than %d bytes", ErrTooLong, limit)
			}
		}
		if err := d.fill(); err != nil {
			return nil, err
		}
	}
}

// take returns the next n bytes, which are a line, and moves past them and the line's end.
func (d *Decoder) take(n int) []byte {
	line, end := d.buf[d.start:d.start+n], d.buf[d.start+n]
	d.start += n + 1
	d.afterCR = end == '\r'
	return line
}

// skip skips a byte order mark at the start of the stream, and the "\n" of a "\r\n" whose "\r" has ended the last line.
// False means that it needs more bytes to tell.
func (d *Decoder) skip() bool {
	rest := d.buf[d.start:]
	if !d.begun {
		if len(rest) < len(byteOrderMark) && strings.HasPrefix(byteOrderMark, string(rest)) {
			return false
		}
		d.begun = true
		if bytes.HasPrefix(rest, []byte(byteOrderMark)) {
			d.start += len(byteOrderMark)
		}
	}
	if d.afterCR {
		if d.start == len(d.buf) {
			return false
		}
		d.afterCR = false
		if d.buf[d.start] == '\n' {
			d.start++
		}
	}
	return true
}

// fill reads once, after the unread bytes. An error that comes together with bytes is kept until they are used.
func (d *Decoder) fill() error {
	if d.readErr != nil {
		return d.readErr
	}
	if d.start > 0 {
		d.buf = d.buf[:copy(d.buf, d.buf[d.start:])]
		d.start = 0
	}
	if d.buf == nil {
		d.buf = d.Buffer[:0]
	}
	if cap(d.buf)-len(d.buf) < defaultRead/2 {
		d.buf = slices.Grow(d.buf, defaultRead)
	}
	for range maxEmptyReads {
		n, err := d.r.Read(d.buf[len(d.buf):cap(d.buf)])
		d.buf = d.buf[:len(d.buf)+n]
		d.readErr = err
		if n > 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}
