package offline

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"convene/pkg/llm"
)

// written is an answer before it is put on the wire: a call of function, or text where function is empty.
type written struct {
	function  string
	arguments string
	text      string
	refusal   string
}

func (w written) size() int { return tokens([]byte(w.arguments + w.text + w.refusal)) }

// complete answers one Chat Completions request.
func (m *Model) complete(w http.ResponseWriter, r *http.Request) {
	body, err := bodyOf(w, r)
	if err != nil {
		refuse(w, http.StatusRequestEntityTooLarge, "invalid_request_error", "the request is too large or was cut off")
		return
	}
	var req completionRequest
	if err := json.Unmarshal(body, &req); err != nil || !req.legible() {
		refuse(w, http.StatusBadRequest, "invalid_request_error", "the request is not a chat completion request in JSON")
		return
	}
	if len(req.Messages) == 0 {
		refuse(w, http.StatusBadRequest, "invalid_request_error", "messages must not be empty")
		return
	}
	n := m.served.Add(1)
	if !pause(r.Context(), m.options.Latency) {
		return
	}
	fault := m.options.Faults.of(n)
	if m.failed(w, r, fault) {
		return
	}
	reply := m.reply(n, &req, body)
	reply.write = spoil(fault, m.respond(&req))
	reply.cut = fault == Cut
	reply.silent = fault == Empty
	if req.Stream {
		m.stream(r.Context(), w, reply)
		return
	}
	reply.send(w)
}

// Complete answers as the wire does, without it: no answer is streamed, and none is counted, delayed or spoiled. It
// fails only if the context has ended.
func (m *Model) Complete(ctx context.Context, req llm.Request, _ func(string) error) (llm.Reply, error) {
	if err := ctx.Err(); err != nil {
		return llm.Reply{}, fmt.Errorf("offline: %w", err)
	}
	asked := completionRequest{Messages: []message{{Role: "user", Content: req.Data}}}
	for _, t := range req.Tools {
		if req.Force == "" || req.Force == t.Name {
			asked.Tools = append(asked.Tools, tool{functionName{t.Name, t.Parameters}})
		}
	}
	said := m.respond(&asked)
	if said.function == "" {
		return llm.Reply{Text: said.text}, nil
	}
	return llm.Reply{Calls: []llm.Call{{Name: said.function, Arguments: said.arguments}}}, nil
}

// usualBody is room for a request of the stages, in bytes.
const usualBody = 32 << 10

// bodyOf reads a request's body, into as much memory as the client says that it takes, unless that is unusual.
func bodyOf(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	var body bytes.Buffer
	body.Grow(int(min(max(0, r.ContentLength), usualBody)) + bytes.MinRead)
	_, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, maxBody))
	return body.Bytes(), err
}

// failed answers with the faults that leave no answer at all.
func (m *Model) failed(w http.ResponseWriter, r *http.Request, f Fault) bool {
	switch f {
	case TooManyRequests:
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusTooManyRequests, "rate_limit_exceeded", "too many requests")
	case ServerError:
		refuse(w, http.StatusInternalServerError, "server_error", "the server had an error")
	case Overloaded:
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusServiceUnavailable, "server_error", "the server is overloaded")
	case Stall:
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	default:
		return false
	}
	return true
}

// spoil makes a good answer into the bad one that the fault asks for.
func spoil(f Fault, good written) written {
	switch f {
	case Garbage:
		if good.function == "" {
			return written{text: "{]" + good.text}
		}
		good.arguments = `{"` + good.arguments
		return good
	case Refusal:
		return written{refusal: "I cannot help with that."}
	default:
		return good
	}
}

// reply is an answer on its way.
type reply struct {
	id      string
	created int64
	model   string
	prompt  int
	// wantsUsage asks for the usage chunk at the end of a stream.
	wantsUsage bool
	write      written
	// cut ends the answer halfway; silent leaves out the choice.
	cut, silent bool
}

func (m *Model) reply(n uint64, req *completionRequest, body []byte) reply {
	name := req.Model
	if name == "" {
		name = Name
	}
	return reply{
		id:         fmt.Sprintf("chatcmpl-offline-%d", n),
		created:    m.options.Now().Unix(),
		model:      name,
		prompt:     tokens(body),
		wantsUsage: req.StreamOptions.IncludeUsage,
	}
}

func (r reply) usage() *usage {
	out := r.write.size()
	return &usage{PromptTokens: r.prompt, CompletionTokens: out, TotalTokens: r.prompt + out}
}

func (r reply) callID() string { return "call_" + r.id }

// send writes the whole answer at once.
func (r reply) send(w http.ResponseWriter) {
	msg, finish := &answer{Role: "assistant"}, "stop"
	switch {
	case r.write.refusal != "":
		msg.Refusal = &r.write.refusal
	case r.write.function != "":
		finish = "tool_calls"
		call := functionCall{Name: r.write.function, Arguments: r.write.arguments}
		msg.ToolCalls = []toolCall{{ID: r.callID(), Type: "function", Function: call}}
	default:
		msg.Content = &r.write.text
	}
	c := completion{
		ID: r.id, Object: "chat.completion", Created: r.created, Model: r.model,
		Choices: []choice{{Message: msg, FinishReason: &finish}}, Usage: r.usage(),
	}
	if r.silent {
		c.Choices = []choice{}
	}
	body, err := json.Marshal(c)
	if err != nil {
		refuse(w, http.StatusInternalServerError, "server_error", "the answer could not be written")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	// A body shorter than it promised to be is how a client learns that it was cut.
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.cut {
		body = body[:len(body)/2]
	}
	_, _ = w.Write(body)
}

// pause waits for d, and reports whether the client is still there.
func pause(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
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
