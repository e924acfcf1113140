package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"convene/pkg/redisstore/redistest"
	playback "convene/pkg/replay"
)

// userTick is the unit of /proc/PID/stat: USER_HZ is 100 on every Linux that Go runs on.
const userTick = 10 * time.Millisecond

// program builds the program, so that what is measured is what people run.
func program(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "convene")
	if out, err := exec.CommandContext(b.Context(), "go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	return path
}

// launch runs the program until the benchmark ends. Its log goes to a file, as in production.
func launch(b *testing.B, path string, args ...string) (process *os.Process, log string) {
	b.Helper()
	file, err := os.CreateTemp(b.TempDir(), "*.log")
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	cmd := exec.CommandContext(context.WithoutCancel(b.Context()), path, args...)
	cmd.Stderr = file
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { end(cmd) })
	return cmd.Process, file.Name()
}

// end stops the program and waits; it may have been stopped before.
func end(cmd *exec.Cmd) {
	if cmd.ProcessState != nil {
		return
	}
	_ = cmd.Process.Signal(syscall.SIGTERM)
	impatient := time.AfterFunc(5*time.Second, func() { _ = cmd.Process.Kill() })
	defer impatient.Stop()
	_ = cmd.Wait() // how it ended is not measured
}

// addressIn is the address that the program prints when it listens.
func addressIn(b *testing.B, log string) string {
	b.Helper()
	pattern := regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
	for began := time.Now(); time.Since(began) < 20*time.Second; <-time.After(5 * time.Millisecond) {
		content, err := os.ReadFile(log)
		if err != nil {
			b.Fatal(err)
		}
		if found := pattern.Find(content); found != nil {
			return string(found)
		}
	}
	b.Fatal("the program did not start")
	return ""
}

// spent is the processor time of a process so far.
func spent(b *testing.B, p *os.Process) time.Duration {
	b.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Pid))
	if err != nil {
		b.Skipf("processor time is read from /proc: %v", err)
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	var ticks int
	for _, field := range fields[11:13] { // utime and stime
		n, err := strconv.Atoi(field)
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * userTick
}

// Whole turns over HTTP on a real Redis, as convene replay load has them: every stream is checked and read twice, and
// both readings are in the processor time. Times are those that the service adds to what the model takes.
func BenchmarkTurns(b *testing.B) {
	path := program(b)
	script, err := playback.NewScript("coffee", "me", "Let's grab coffee with Al next week")
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		latency time.Duration // of each of the three calls
		load    playback.Load
	}{
		{"32 clients, instant model", 0, playback.Load{Clients: 32, Turns: 1000}},
		{"256 at once, model of 2.4 s", 800 * time.Millisecond, playback.Load{
			Clients: 1000, Turns: 750, Arrival: playback.Open, Rate: 107,
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			_, log := launch(b, path, "model", "--listen=127.0.0.1:0", "--latency="+c.latency.String())
			model := addressIn(b, log)
			server, log := launch(b, path, "serve", "--listen=127.0.0.1:0", "--now="+friday,
				"--openai-base-url="+model+"/v1", "--redis-url="+redistest.Start(b))
			c.load.Server, c.load.Scripts = addressIn(b, log), []playback.Script{script}
			for b.Loop() {
				measure(b, c.load, c.latency, server)
			}
		})
	}
}

// measure runs the load once and reports what it came to.
func measure(b *testing.B, load playback.Load, latency time.Duration, server *os.Process) {
	b.Helper()
	before := spent(b, server)
	summary, err := load.Run(b.Context())
	if err != nil || !summary.OK() {
		b.Fatalf("%v\n%s", err, summary.Report())
	}
	cpu := spent(b, server) - before
	modelMs := float64(latency.Milliseconds())
	b.ReportMetric(summary.TurnsPerSecond, "turns/s")
	b.ReportMetric(float64(cpu.Milliseconds())/float64(summary.Turns), "cpu-ms/turn")
	b.ReportMetric(summary.Latency.Acknowledgment.P50-modelMs, "ack-p50-ms")
	b.ReportMetric(summary.Latency.FirstWord.P50-3*modelMs, "word-p50-ms")
	b.ReportMetric(summary.Latency.End.P50-3*modelMs, "end-p50-ms")
	b.ReportMetric(summary.Latency.End.P99-3*modelMs, "end-p99-ms")
}

// From the start of the built program, with everything built in, to the first request that it accepts.
func BenchmarkStart(b *testing.B) {
	path := program(b)
	var config net.ListenConfig
	for b.Loop() {
		b.StopTimer()
		l, err := config.Listen(b.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		address := l.Addr().String()
		if err := l.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		began := time.Now()
		cmd := exec.CommandContext(b.Context(), path, "serve", "--listen="+address)
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		for !accepts(b, "http://"+address) {
			if time.Since(began) > 20*time.Second {
				b.Fatal("no request is accepted")
			}
			<-time.After(time.Millisecond)
		}
		b.StopTimer()
		b.ReportMetric(float64(time.Since(began).Microseconds())/1000, "start-ms")
		end(cmd)
		b.StartTimer()
	}
}

// accepts reports whether a turn was accepted.
func accepts(b *testing.B, server string) bool {
	b.Helper()
	body := strings.NewReader(`{"message": "Let's grab coffee with Al next week", "organizer": "me"}`)
	req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, server+"/v1/turns", body)
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false // nobody listens yet
	}
	defer resp.Body.Close()
	return resp.StatusCode == http.StatusAccepted
}
