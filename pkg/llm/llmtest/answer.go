package llmtest

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"time"

	"convene/pkg/llm"
	"convene/pkg/sse"
)

// Answer is one answer of the script: either a stream of chunks or, with a status, a plain response. The zero value is
// an empty stream that ends well. The methods return changed copies.
type Answer struct {
	chunks  []string
	status  int
	header  map[string]string
	body    string
	wait    time.Duration
	pace    time.Duration
	comment bool
	end     ending
	keep    int // chunks sent before an early end
	again   string
}

// ending is how a stream ends.
type ending int

const (
	whole ending = iota
	cut
	abort
	stall
	endless
)

// pieceSize is how many bytes of the arguments go into one chunk, some four tokens.
const pieceSize = 16

// Call is a good answer: one function call, its arguments in small pieces.
func Call(name, arguments string) Answer {
	return Calls(llm.Call{ID: "call_1", Name: name, Arguments: arguments})
}

// Calls is an answer of several calls at once. A call without ID gets one.
func Calls(calls ...llm.Call) Answer {
	chunks := []string{delta(`{"role":"assistant","content":null,"refusal":null}`)}
	for i, c := range calls {
		if c.ID == "" {
			c.ID = "call_" + strconv.Itoa(i+1)
		}
		index := strconv.Itoa(i)
		chunks = append(chunks, delta(`{"tool_calls":[{"index":`+index+`,"id":`+quote(c.ID)+
			`,"type":"function","function":{"name":`+quote(c.Name)+`,"arguments":""}}]}`))
		for _, piece := range pieces(c.Arguments) {
			chunks = append(chunks, delta(`{"tool_calls":[{"index":`+index+`,"function":{"arguments":`+quote(piece)+`}}]}`))
		}
	}
	return Answer{chunks: append(chunks, finish("tool_calls"), usage(llm.Usage{Input: 100, Cached: 64, Output: 20}))}
}

// Text is an answer of text, also that of a server that got a schema for its text.
func Text(s string) Answer {
	chunks := []string{delta(`{"role":"assistant","content":""}`)}
	for _, piece := range pieces(s) {
		chunks = append(chunks, delta(`{"content":`+quote(piece)+`}`))
	}
	return Answer{chunks: append(chunks, finish("stop"), usage(llm.Usage{Input: 100, Output: 20}))}
}

// Refusal is an answer in which the model declines.
func Refusal(s string) Answer {
	return Answer{
		chunks: []string{delta(`{"role":"assistant","content":null,"refusal":` + quote(s) + `}`), finish("stop")},
	}
}

// EmptyChoices is a whole stream without any choice.
func EmptyChoices() Answer {
	return Answer{chunks: []string{`{"id":"chatcmpl-1","object":"chat.completion.chunk","choices":[]}`}}
}

// Chunks is a stream of these chunks, one JSON text each, and "[DONE]".
func Chunks(chunks ...string) Answer { return Answer{chunks: chunks} }

// Status is a response that is not a stream. A body that begins with "{" is sent as JSON, any other as HTML.
func Status(status int, body string) Answer {
	return Answer{status: status, body: body}
}

// RateLimited is a 429. retryAfter is sent as it is, unless it is empty: seconds or a date.
func RateLimited(retryAfter string) Answer {
	a := Status(http.StatusTooManyRequests, `{"error":{"message":"Rate limit `+
		`reached","type":"requests","code":"rate_limit_exceeded"}}`)
	if retryAfter != "" {
		a.header = map[string]string{"Retry-After": retryAfter}
	}
	return a
}

// ServerError is a 500 in the form of the OpenAI API.
func ServerError() Answer {
	return Status(http.StatusInternalServerError, `{"error":{"message":"The server had an error","type":"server_error"}}`)
}

// BadGateway is the HTML page of a proxy.
func BadGateway() Answer {
	return Status(http.StatusBadGateway, "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>")
}

// Finished is the answer with another finish reason, as "length" or "content_filter".
func (a Answer) Finished(reason string) Answer {
	chunks := slices.Clone(a.chunks)
	for i, c := range chunks {
		if c == finish("tool_calls") || c == finish("stop") {
			chunks[i] = finish(reason)
		}
	}
	a.chunks = chunks
	return a
}

// Then is the answer with one more chunk, possibly invalid, after the first n.
func (a Answer) Then(n int, chunk string) Answer {
	a.chunks = slices.Insert(slices.Clone(a.chunks), min(n, len(a.chunks)), chunk)
	return a
}

// CutAfter ends the stream after n chunks as if it were whole, without "[DONE]".
func (a Answer) CutAfter(n int) Answer {
	a.end, a.keep = cut, n
	return a
}

// AbortAfter cuts the connection after n chunks.
func (a Answer) AbortAfter(n int) Answer {
	a.end, a.keep = abort, n
	return a
}

// StallAfter sends n chunks and then nothing more, until the client has gone. With n = 0 it sends no headers either.
func (a Answer) StallAfter(n int) Answer {
	a.end, a.keep = stall, n
	return a
}

// Endless repeats the same bytes after the chunks, until the client has gone.
func (a Answer) Endless(bytes string) Answer {
	a.end, a.keep, a.again = endless, len(a.chunks), bytes
	return a
}

// After is the answer with a wait before its first byte.
func (a Answer) After(wait time.Duration) Answer {
	a.wait = wait
	return a
}

// Paced is the answer with a wait before each chunk.
func (a Answer) Paced(wait time.Duration) Answer {
	a.pace = wait
	return a
}

// Commented is the answer with a comment line and an empty block before each chunk, as some gateways send.
func (a Answer) Commented() Answer {
	a.comment = true
	return a
}

// Pieces is the number of chunks, "[DONE]" not counted.
func (a Answer) Pieces() int { return len(a.chunks) }

func (a Answer) write(ctx context.Context, w http.ResponseWriter) {
	if !pause(ctx, a.wait) {
		return
	}
	if a.status != 0 {
		a.writeStatus(w)
		return
	}
	if a.end == stall && a.keep == 0 {
		<-ctx.Done()
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Type", sse.ContentType)
	for i, chunk := range a.chunks {
		if a.end != whole && i == a.keep {
			break
		}
		if !pause(ctx, a.pace) {
			return
		}
		a.send(w, chunk)
	}
	a.finish(ctx, w)
}

func (a Answer) finish(ctx context.Context, w http.ResponseWriter) {
	switch a.end {
	case whole:
		a.send(w, "[DONE]")
	case stall:
		<-ctx.Done()
		panic(http.ErrAbortHandler)
	case abort:
		panic(http.ErrAbortHandler)
	case endless:
		for ctx.Err() == nil {
			if _, err := w.Write([]byte(a.again)); err != nil {
				return
			}
		}
	case cut:
	}
}

func (a Answer) writeStatus(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html")
	if len(a.body) > 0 && a.body[0] == '{' {
		w.Header().Set("Content-Type", "application/json")
	}
	for name, value := range a.header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(a.status)
	_, _ = w.Write([]byte(a.body))
}

func (a Answer) send(w http.ResponseWriter, chunk string) {
	var block []byte
	if a.comment {
		block = append(block, ": OPENROUTER PROCESSING\n\n"...)
	}
	_, _ = w.Write(sse.AppendEvent(block, sse.Event{Data: []byte(chunk)}))
	_ = http.NewResponseController(w).Flush()
}

func pause(ctx context.Context, d time.Duration) bool {
	if d == 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func delta(d string) string { return choice(d, "null") }

func finish(reason string) string { return choice("{}", quote(reason)) }

func choice(delta, finish string) string {
	return `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"scripted",` +
		`"choices":[{"index":0,` +
		`"delta":` + delta + `,"logprobs":null,"finish_reason":` + finish + `}],"usage":null}`
}

func usage(u llm.Usage) string {
	return `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"scripted","choices":[],` +
		`"usage":{` +
		`"prompt_tokens":` + strconv.Itoa(u.Input) + `,"completion_tokens":` + strconv.Itoa(u.Output) +
		`,"total_tokens":` + strconv.Itoa(u.Input+u.Output) + `,"prompt_tokens_details":{"cached_tokens":` +
		strconv.Itoa(u.Cached) + `}}}`
}

func quote(s string) string {
	quoted, _ := json.Marshal(s) // a string always marshals
	return string(quoted)
}

// pieces never cut a character in two, which JSON could not carry.
func pieces(s string) []string {
	var all []string
	start := 0
	for i := range s {
		if i-start >= pieceSize {
			all = append(all, s[start:i])
			start = i
		}
	}
	if start < len(s) {
		all = append(all, s[start:])
	}
	return all
}
