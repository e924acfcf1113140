package api

import (
	"mime"
	"net/http"
	"strconv"
	"strings"

	"convene/pkg/fault"
	"convene/pkg/protocol/agui"
	"convene/pkg/protocol/aisdk"
	"convene/pkg/sse"
	"convene/pkg/turn"
)

// encoding translates updates to another protocol. It gets a turn's updates in order from the first, and its output for
// one depends only on that one and those before, so that every connection gets the same bytes.
type encoding interface {
	// Encode returns the data of the update's events, possibly none.
	Encode(update []byte) (events [][]byte, err error)
}

// protocol is the protocol of a stream. The zero value is our own.
type protocol string

// The other protocols, as Accept and the query name them.
const (
	uiMessageStream protocol = "ui-message-stream"
	agUI            protocol = "ag-ui"
)

// encoding begins a turn in the protocol; nil for our own. run is the client's name for the turn, in protocols that
// have one.
func (p protocol) encoding(run string) encoding {
	switch p {
	case uiMessageStream:
		return new(aisdk.Encoder)
	case agUI:
		return &agui.Encoder{Run: run}
	default:
		return nil
	}
}

// announce sets the headers by which a client recognizes its protocol.
func announce(h http.Header, as encoding) {
	if _, ok := as.(*aisdk.Encoder); ok {
		h.Set(aisdk.Header, aisdk.Version)
	}
}

// negotiate returns whether the request asks for a stream, and in which protocol. The query has precedence over the
// header, which some clients set by themselves.
func negotiate(accept, query string) (p protocol, streaming bool, err error) {
	if query == "" {
		p, streaming = accepts(accept)
		return p, streaming, nil
	}
	p = protocol(query)
	if p.encoding("") == nil {
		return "", false, fault.Invalid("protocol", "is not known here; there are %s and %s", uiMessageStream, agUI)
	}
	return p, true, nil
}

// accepts reads an Accept header, which asks for a stream if it names one with at least the q of JSON. Of several
// protocols the one with the highest q is chosen, and of equals a named one.
func accepts(header string) (best protocol, streaming bool) {
	stream, other := 0.0, 0.0
	for part := range strings.SplitSeq(header, ",") {
		kind, params, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		q := 1.0
		if v, err := strconv.ParseFloat(params["q"], 64); err == nil {
			q = v
		}
		p := protocol(params["protocol"])
		switch {
		case kind == "application/json":
			other = max(other, q)
		case kind != sse.ContentType || p != "" && p.encoding("") == nil:
			// not served here
		case q > stream || q == stream && best == "":
			best, stream = p, q
		}
	}
	if stream == 0 || stream < other {
		return "", false
	}
	return best, true
}

// translated returns a function that makes blocks of another protocol. It gets a turn's entries from the first on, and
// returns blocks of those after the one numbered after.
func translated(as encoding, after int) func(...turn.Entry) ([]byte, error) {
	retry := reconnectAfter
	return func(entries ...turn.Entry) ([]byte, error) {
		var block []byte
		for _, e := range entries {
			whole, err := appendUpdate(nil, as, sse.Event{ID: strconv.Itoa(e.ID), Data: e.Data, Retry: retry})
			if err != nil {
				return nil, err
			}
			if e.ID > after && len(whole) > 0 {
				block, retry = append(block, whole...), 0
			}
		}
		return block, nil
	}
}

// appendUpdate appends the update e to dst, as it is or in another protocol. There, the last of its events has the id,
// so that a client that is cut off between them asks for all of them again.
func appendUpdate(dst []byte, as encoding, e sse.Event) ([]byte, error) {
	if as == nil {
		return sse.AppendEvent(dst, e), nil
	}
	events, err := as.Encode(e.Data)
	if err != nil {
		return dst, err
	}
	for i, data := range events {
		one := sse.Event{Data: data}
		if i == 0 {
			one.Retry = e.Retry
		}
		if i == len(events)-1 {
			one.ID = e.ID
		}
		dst = sse.AppendEvent(dst, one)
	}
	return dst, nil
}
