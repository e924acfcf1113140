package telemetry

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/pkg/webhook"
)

// Results of model calls, as labels.
const (
	answered = "answered"
	degraded = "degraded"
	failed   = "failed"
)

// metrics has the counters and histograms.
type metrics struct {
	turns        *prometheus.CounterVec
	turnSeconds  prometheus.Histogram
	stageSeconds *prometheus.HistogramVec
	modelCalls   *prometheus.CounterVec
	modelTokens  *prometheus.CounterVec
	readers      prometheus.Gauge
	resumes      prometheus.Counter
	redisErrors  *prometheus.CounterVec
	webhooks     *prometheus.CounterVec
	requests     *prometheus.CounterVec
	requestTimes *prometheus.HistogramVec
	dropped      *prometheus.CounterVec
}

// newMetrics registers them. Known labels start at zero, so that a first failure is an increase and not a new series.
func newMetrics(registry *prometheus.Registry) metrics {
	m := metrics{
		turns: prometheus.NewCounterVec(counter("turns_total", "Turns that ended on this process."), []string{"outcome"}),
		turnSeconds: prometheus.NewHistogram(seconds("turn_duration_seconds", "From a turn's acceptance to its end.",
			.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20, 40, 60)),
		stageSeconds: prometheus.NewHistogramVec(seconds("stage_duration_seconds",
			"How long a stage took, model call included.",
			.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20), []string{"stage"}),
		modelCalls: prometheus.NewCounterVec(counter("model_calls_total",
			"Calls of a model; degraded ones were answered by the built-in model in place of the configured one."),
			[]string{"stage", "result"}),
		modelTokens: prometheus.NewCounterVec(counter("model_tokens_total",
			"Tokens that models read and wrote; cached ones are part of input."), []string{"kind"}),
		readers: prometheus.NewGauge(prometheus.GaugeOpts(counter("stream_readers", "Connections that follow a turn now."))),
		resumes: prometheus.NewCounter(counter("stream_resumes_total", "Connections that resumed after an update.")),
		redisErrors: prometheus.NewCounterVec(counter("redis_errors_total",
			"Tries of an operation that Redis refused or did not answer."), []string{"operation"}),
		webhooks: prometheus.NewCounterVec(counter("webhook_attempts_total", "Attempts to deliver a webhook."),
			[]string{"result"}),
		requests: prometheus.NewCounterVec(counter("http_requests_total", "Requests, counted when their responses begin."),
			[]string{"route", "method", "status"}),
		requestTimes: prometheus.NewHistogramVec(seconds("http_request_duration_seconds",
			"From the arrival of a request's headers to the beginning of its response; a stream continues after that.",
			.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30), []string{"route", "method"}),
		dropped: prometheus.NewCounterVec(counter("connections_dropped_total",
			"Connections that were refused because there were too many, or closed to make room."), []string{"reason"}),
	}
	registry.MustRegister(m.turns, m.turnSeconds, m.stageSeconds, m.modelCalls, m.modelTokens, m.readers, m.resumes,
		m.redisErrors, m.webhooks, m.requests, m.requestTimes, m.dropped,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	for _, outcome := range []meet.OutcomeKind{
		meet.OutcomeProposed, meet.OutcomeConfirmed, meet.OutcomeAlternatives, meet.OutcomeActivities, meet.OutcomeNavigate,
		meet.OutcomeQuestion, meet.OutcomeAnswered, meet.OutcomeChanged, meet.OutcomeWaiting, meet.OutcomePartly,
		meet.OutcomeCancelled, meet.OutcomeFailed,
	} {
		m.turns.WithLabelValues(string(outcome))
	}
	for _, stage := range []llm.Stage{llm.Classify, llm.Template, llm.Select, llm.Plan} {
		for _, result := range []string{answered, degraded, failed} {
			m.modelCalls.WithLabelValues(string(stage), result)
		}
	}
	for _, result := range webhookResults {
		m.webhooks.WithLabelValues(result)
	}
	for _, why := range []string{"full", "per_address", "idle"} {
		m.dropped.WithLabelValues(why)
	}
	m.tokens(llm.Usage{})
	return m
}

// metric is always 1; its labels have the information.
func (b Build) metric() prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: "convene", Name: "build_info", Help: "Which build of the program this is; always 1.",
		ConstLabels: prometheus.Labels{"version": b.Version, "revision": b.Revision, "goversion": b.Go},
	}, func() float64 { return 1 })
}

func counter(name, help string) prometheus.CounterOpts {
	return prometheus.CounterOpts{Namespace: "convene", Name: name, Help: help}
}

func seconds(name, help string, buckets ...float64) prometheus.HistogramOpts {
	return prometheus.HistogramOpts{Namespace: "convene", Name: name, Help: help, Buckets: buckets}
}

func (m metrics) tokens(u llm.Usage) {
	m.modelTokens.WithLabelValues("input").Add(float64(u.Input))
	m.modelTokens.WithLabelValues("cached").Add(float64(u.Cached))
	m.modelTokens.WithLabelValues("output").Add(float64(u.Output))
}

// Reader counts a connection that follows a turn from the update numbered after, until left is called.
func (t *Telemetry) Reader(after int) (left func()) {
	if after > 0 {
		t.metrics.resumes.Inc()
	}
	t.metrics.readers.Inc()
	return t.metrics.readers.Dec
}

// Answered counts a request whose response begins.
func (t *Telemetry) Answered(route, method string, status int, took time.Duration) {
	t.metrics.requests.WithLabelValues(route, method, strconv.Itoa(status)).Inc()
	t.metrics.requestTimes.WithLabelValues(route, method).Observe(took.Seconds())
}

// Dropped counts a connection that was refused or closed for a reason.
func (t *Telemetry) Dropped(why string) { t.metrics.dropped.WithLabelValues(why).Inc() }

// RedisFailed counts a try of an operation that Redis refused or did not answer.
func (t *Telemetry) RedisFailed(operation string) {
	t.metrics.redisErrors.WithLabelValues(strings.ReplaceAll(operation, " ", "_")).Inc()
}

// WebhookAttempted counts an attempt to deliver a webhook by the delivery's state.
func (t *Telemetry) WebhookAttempted(state webhook.State) {
	t.metrics.webhooks.WithLabelValues(webhookResults[state]).Inc()
}

// webhookResults are the labels of attempts, by the delivery's state.
var webhookResults = map[webhook.State]string{
	webhook.Delivered: "delivered", webhook.Failed: "given_up", webhook.Pending: "tried_again",
}

// Waiting returns how many turns no process has taken yet, and how long the oldest of them has been waiting.
type Waiting func(context.Context) (n int, oldest time.Duration, err error)

// scrapeTime bounds the query of the queue; Prometheus waits 10 s by default.
const scrapeTime = time.Second

// scrapesAtOnce bounds the concurrent scrapes.
const scrapesAtOnce = 4

// Handler answers a scrape. It queries the queue each time, and leaves its metrics out if that fails.
func (t *Telemetry) Handler(waiting Waiting) http.Handler {
	queue := prometheus.NewRegistry()
	queue.MustRegister(queueCollector{
		waiting: waiting,
		turns:   prometheus.NewDesc("convene_queue_waiting", "Turns that no process has taken yet.", nil, nil),
		oldest: prometheus.NewDesc("convene_queue_oldest_seconds", "For how long the oldest of them has been waiting.",
			nil, nil),
	})
	return promhttp.HandlerFor(prometheus.Gatherers{t.registry, queue}, promhttp.HandlerOpts{
		ErrorHandling: promhttp.ContinueOnError, MaxRequestsInFlight: scrapesAtOnce,
	})
}

// queueCollector queries the queue at each scrape.
type queueCollector struct {
	waiting       Waiting
	turns, oldest *prometheus.Desc
}

// Describe implements prometheus.Collector.
func (c queueCollector) Describe(descriptions chan<- *prometheus.Desc) {
	descriptions <- c.turns
	descriptions <- c.oldest
}

// Collect implements prometheus.Collector, which has no context.
func (c queueCollector) Collect(found chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTime)
	defer cancel()
	n, oldest, err := c.waiting(ctx)
	if err != nil {
		return
	}
	found <- prometheus.MustNewConstMetric(c.turns, prometheus.GaugeValue, float64(n))
	found <- prometheus.MustNewConstMetric(c.oldest, prometheus.GaugeValue, oldest.Seconds())
}
