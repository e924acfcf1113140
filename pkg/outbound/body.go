package outbound

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// TooLargeError says that an answer has more bytes than are read.
type TooLargeError struct {
	// Name is Config.Name.
	Name string
	// Limit is the maximum, in bytes.
	Limit int64
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the answer of %s has more than %d bytes", e.Name, e.Limit)
}

// limited is an answer's body with bounded size and time.
type limited struct {
	io.ReadCloser
	cfg Config
	// left is the number of bytes that may still come.
	left int64
	// done ends the call's deadline.
	done context.CancelFunc
}

// Read asks for one byte more than is allowed, to detect an answer that is too large.
func (l *limited) Read(p []byte) (int, error) {
	if l.left < 0 {
		return 0, l.tooLarge()
	}
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.ReadCloser.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return n - 1, l.tooLarge()
	}
	if errors.Is(err, io.EOF) {
		l.done()
	}
	return n, err
}

// Close ends the call.
func (l *limited) Close() error {
	defer l.done()
	return l.ReadCloser.Close()
}

func (l *limited) tooLarge() error { return &TooLargeError{Name: l.cfg.Name, Limit: l.cfg.MaxBody} }
