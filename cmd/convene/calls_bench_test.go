package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"syscall"
	"testing"
	"time"

	"convene/functions"
	"convene/pkg/geo"
	"convene/pkg/llm"
	"convene/pkg/llm/offline"
	"convene/pkg/llm/openai"
	"convene/pkg/meet"
	"convene/pkg/tool"
	"convene/prompts"
	"convene/stages"
	"convene/stages/stagestest"
)

// BenchmarkModelCalls makes the three calls of a turn over HTTP: prompt, request, stream, and the function that the
// model calls. The other end only plays back what a model wrote once. It should stay below 0.5 ms of processor time,
// that other end included.
func BenchmarkModelCalls(b *testing.B) {
	recorded := recordTurn(b)
	client, err := openai.New(openai.Config{BaseURL: playBack(b, recorded.answers)})
	if err != nil {
		b.Fatal(err)
	}
	calls := recorded.turn(b, &llm.Fallback{Primary: client})
	b.ReportAllocs()
	before := processorTime(b)
	for b.Loop() {
		if err := calls(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64((processorTime(b)-before).Microseconds())/float64(b.N), "cpu-us/op")
}

// recording is what a turn asked a model for and what it wrote.
type recording struct {
	requests []llm.Request
	answers  [][]byte
	next     http.RoundTripper
	model    llm.Model
}

// recordTurn runs a turn with the built-in model.
func recordTurn(b *testing.B) *recording {
	b.Helper()
	now := time.Date(2031, 5, 2, 9, 0, 0, 0, time.FixedZone("PDT", -7*3600))
	clock := func() time.Time { return now }
	world := smallWorld()
	r := &recording{next: offline.New(offline.Options{Now: clock}).Transport()}
	client, err := openai.New(openai.Config{BaseURL: "http://model.test/v1", HTTPClient: &http.Client{Transport: r}})
	if err != nil {
		b.Fatal(err)
	}
	r.model = client
	pipeline, err := stages.New(stages.Ports{
		Model: r, Calendars: stagestest.Calendars{World: world}, Booked: stagestest.Booked{World: world}, Places: world,
		Activities: world, Contacts: world, Memory: world, Proposals: world, Confirmer: world, Now: clock,
	}, stages.Config{})
	if err != nil {
		b.Fatal(err)
	}
	_, err = pipeline.Run(b.Context(), meet.Turn{
		ID: "t", Conversation: "c", Message: "Let's grab coffee with Ada next week", Organizer: world.People[0],
		Timezone: world.People[0].Timezone, ReceivedAt: now,
	}, forgetful{}, func(context.Context, ...meet.Update) error { return nil })
	if err != nil || len(r.requests) != 3 {
		b.Fatalf("a turn of %d calls, %v", len(r.requests), err)
	}
	return r
}

// smallWorld has an organizer, a friend and sixteen cafés.
func smallWorld() *stagestest.World {
	home := &meet.Location{Point: geo.Point{Latitude: 37.77, Longitude: -122.42}}
	world := &stagestest.World{People: []meet.Person{
		{ID: "me", Name: "Mia Moss", Timezone: "America/Los_Angeles", Location: home},
		{ID: "ada", Name: "Ada Byron", Timezone: "America/Los_Angeles", Location: home},
	}}
	for i := range 16 {
		id := strconv.Itoa(i + 1)
		world.Venues = append(world.Venues, meet.Place{
			ID: id, Name: "Café " + id, Types: []string{"cafe"}, Rating: 4.1, MapsURL: "https://maps.example/" + id,
		})
	}
	return world
}

// forgetful is a journal that keeps nothing.
type forgetful struct{}

func (forgetful) Begin(string) ([]byte, bool) { return nil, false }
func (forgetful) Finish(string, []byte)       {}
func (forgetful) Settle() error               { return nil }

// Complete implements stages.Model.
func (r *recording) Complete(ctx context.Context, req llm.Request, onDelta func(string) error) (llm.Reply, error) {
	r.requests = append(r.requests, req)
	return r.model.Complete(ctx, req, onDelta)
}

// RoundTrip implements http.RoundTripper.
func (r *recording) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := r.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	r.answers = append(r.answers, body)
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res, err
}

// turn makes the recorded calls again, as the stages do.
func (r *recording) turn(b *testing.B, model stages.Model) func() error {
	b.Helper()
	library, err := prompts.New()
	if err != nil {
		b.Fatal(err)
	}
	classify := stageCall[prompts.Classify, struct{}, meet.Understanding]{
		req: r.requests[0], prompt: library.Classify, set: tool.Set[struct{}, meet.Understanding]{
			functions.ClassifyIntent(stages.Intents()),
		},
	}
	draft := stageCall[prompts.Template, functions.TemplateContext, meet.Draft]{
		req: r.requests[1], prompt: library.Template, set: functions.NewTemplates().For(functions.TemplateContext{}),
	}
	choose := stageCall[prompts.Select, struct{}, meet.Selection]{
		req: r.requests[2], prompt: library.Select, set: tool.Set[struct{}, meet.Selection]{functions.GenerateEvent()},
	}
	again := []func() error{classify.again(b, model), draft.again(b, model), choose.again(b, model)}
	return func() error {
		for _, call := range again {
			if err := call(); err != nil {
				return err
			}
		}
		return nil
	}
}

// stageCall is a stage's call of a model.
type stageCall[Data, C, Out any] struct {
	req     llm.Request
	prompt  func(Data) (prompts.Prompt, error)
	set     tool.Set[C, Out]
	context C
}

// again makes the call, from what the model is to be shown to what its function gives.
func (c stageCall[Data, C, Out]) again(b *testing.B, model stages.Model) func() error {
	b.Helper()
	var data Data
	if err := json.Unmarshal([]byte(c.req.Data), &data); err != nil {
		b.Fatal(err)
	}
	return func() error {
		made, err := c.prompt(data)
		if err != nil {
			return err
		}
		req := c.req
		req.System, req.Data, req.Tools = made.System, made.Data, c.set.Tools()
		reply, err := model.Complete(b.Context(), req, func(string) error { return nil })
		if err != nil {
			return err
		}
		_, err = c.set.Call(b.Context(), c.context, reply.Calls[0])
		return err
	}
}

// playBack plays the answers back in turn, to one connection at a time. It gives the address.
func playBack(b *testing.B, answers [][]byte) string {
	b.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { listener.Close() })
	go func() {
		for i := 0; ; {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			buf := make([]byte, 64<<10)
			for ; takeRequest(conn, buf) == nil; i++ {
				if writeAnswer(conn, answers[i%len(answers)]) != nil {
					break
				}
			}
			conn.Close()
		}
	}()
	return "http://" + listener.Addr().String() + "/v1"
}

// takeRequest reads a request; only its length matters.
func takeRequest(conn net.Conn, buf []byte) error {
	for n := 0; ; {
		read, err := conn.Read(buf[n:])
		if err != nil {
			return err
		}
		n += read
		header, body, whole := bytes.Cut(buf[:n], []byte("\r\n\r\n"))
		if !whole {
			continue
		}
		_, length, _ := bytes.Cut(header, []byte("Content-Length: "))
		length, _, _ = bytes.Cut(length, []byte("\r\n"))
		if want, err := strconv.Atoi(string(length)); err != nil || len(body) == want {
			return err
		}
	}
}

// writeAnswer writes a stream in pieces of the size that a server writes.
func writeAnswer(conn net.Conn, stream []byte) error {
	const piece = 4096
	header := "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
	for len(stream) > 0 {
		n := min(piece, len(stream))
		if _, err := fmt.Fprintf(conn, "%s%x\r\n%s\r\n", header, n, stream[:n]); err != nil {
			return err
		}
		header, stream = "", stream[n:]
	}
	_, err := io.WriteString(conn, "0\r\n\r\n")
	return err
}

func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Skipf("processor time: %v", err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
