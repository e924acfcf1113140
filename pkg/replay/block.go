package replay

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"convene/pkg/sse"
)

// maxBlock bounds one block of a stream in bytes.
const maxBlock = 4 << 20

var errNoData = errors.New("a block without data")

// blockReader splits a stream into blocks without changing a byte.
type blockReader struct{ in *bufio.Reader }

func newBlockReader(r io.Reader) blockReader { return blockReader{bufio.NewReader(r)} }

// next returns the next block with the empty line that ends it. The end between two blocks is io.EOF; the end within
// one is io.ErrUnexpectedEOF, unless it has only heartbeats.
func (r blockReader) next() ([]byte, error) {
	var block []byte
	silent := true
	for {
		line, err := r.in.ReadBytes('\n')
		block = append(block, line...)
		silent = silent && (len(line) == 0 || line[0] == ':')
		switch {
		case errors.Is(err, io.EOF) && silent:
			return nil, io.EOF
		case errors.Is(err, io.EOF):
			return nil, io.ErrUnexpectedEOF
		case err != nil:
			return nil, err
		case len(block) > maxBlock:
			return nil, fmt.Errorf("a block of more than %d bytes", maxBlock)
		case len(line) == 1:
			return block, nil
		}
	}
}

// update is a block as every reader of the turn gets it.
type update struct {
	// id is 0 if the block has none: then it belongs to the connection, not to the turn.
	id    int
	bytes []byte
	// retry is the removed line, which belongs to the connection.
	retry   []byte
	content content
}

// content is the part of an update that the checks read.
type content struct {
	Type           string `json:"type"`
	TurnID         string `json:"turnId"`
	ConversationID string `json:"conversationId"`
	Intent         string `json:"intent"`
	Mode           string `json:"mode"`
	Outcome        string `json:"outcome"`
	Code           string `json:"code"`
	PlanID         string `json:"planId"`
	// QuestionID is that of choices.
	QuestionID string `json:"id"`
	Event      named  `json:"event"`
	Changes    named  `json:"changes"`
}

// named is an object with an id, and that of a change set with a digest; a list of that name has none.
type named struct{ ID, Digest string }

// UnmarshalJSON reads an object.
func (n *named) UnmarshalJSON(raw []byte) error {
	if raw[0] != '{' {
		return nil
	}
	type object named
	return json.Unmarshal(raw, (*object)(n))
}

// parseBlock parses a block. The comments and the reconnection time before it are not the update's.
func parseBlock(block []byte) (update, error) {
	var u update
	for rest := block; ; rest = u.bytes {
		line, after, more := bytes.Cut(rest, []byte("\n"))
		ours := bytes.HasPrefix(line, []byte("retry:"))
		if !more || !ours && !bytes.HasPrefix(line, []byte(":")) {
			u.bytes = rest
			break
		}
		if ours {
			u.retry = rest[:len(line)+1]
		}
		u.bytes = after
	}
	event, err := sse.NewDecoder(bytes.NewReader(u.bytes)).Next()
	if errors.Is(err, io.EOF) {
		return update{}, errNoData
	}
	if err != nil {
		return update{}, fmt.Errorf("read a block: %w", err)
	}
	if err := json.Unmarshal(event.Data, &u.content); err != nil {
		return update{}, fmt.Errorf("an update that is not JSON: %.80q", event.Data)
	}
	if event.ID == "" {
		return u, nil
	}
	u.id, err = strconv.Atoi(event.ID)
	if err != nil || u.id < 1 {
		return update{}, fmt.Errorf("%q is not the id of an update", event.ID)
	}
	return u, nil
}
