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

// encoding tells updates in another protocol. It is given a turn's updates from the first on and in order, and what it
// makes of one depends on it and those before only, so that every connection gets the same bytes.
type encoding interface {
	// Encode gives the data of the events that the update becomes. There may be none.
	Encode(update []byte) (events [][]byte, err error)
}

// protocol is how a turn's updates are told. The zero value tells them as they are.
type protocol string

// The protocols of other makers, as Accept and the query name them.
const (
	uiMessageStream protocol = "ui-message-stream"
	agUI            protocol = "ag-ui"
)

// encoding begins a turn in the protocol; nil where the updates go out as they are. run is the client's name for the
// turn, in protocols that have one.
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

// announce sets the headers by which a client knows its protocol.
func announce(h http.Header, as encoding) {
	if _, ok := as.(*aisdk.Encoder); ok {
		h.Set(aisdk.Header, aisdk.Version)
	}
}

// negotiate is whether a stream is asked for and in which protocol. The query counts before the header, which some
// clients set by themselves.
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

// accepts reads an Accept header: a stream is meant where it is asked for by name, and no less than JSON. Of several
// protocols the one with the highest q is taken, and of equals one that is named.
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
			// nothing that is served here
		case q > stream || q == stream && best == "":
			best, stream = p, q
		}
	}
	if stream == 0 || stream < other {
		return "", false
	}
	return best, true
}

// translated makes blocks of another protocol of a turn's entries, which it is given from the first on: of those behind
// the one numbered after. There may be none.
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

// appendUpdate appends the update e to dst, as it is or in another protocol. There, the id stands on the last of its
// events, so that a client that is cut off between them asks for all of them again.
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
