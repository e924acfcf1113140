// Package osrm asks a router that speaks the HTTP API of OSRM (project-osrm.org) how long ways take.
//
// Such a router knows streets, but no timetables: transit is estimated. So is everything that the router does not answer
// in time, or has no way for.
package osrm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"convene/pkg/fault"
	"convene/pkg/geo"
	"convene/pkg/outbound"
	"convene/pkg/travel"
)

// Config is how the router is asked. URL is required.
type Config struct {
	// URL is the router's root, as http://localhost:5000.
	URL string
	// Profiles are the names that the router has for modes. Defaults to "foot" for walking and "driving" for driving; a
	// mode without a name is estimated.
	Profiles map[travel.Mode]string
	// Deadline bounds one question. Defaults to 2 s: an estimate is better than waiting.
	Deadline time.Duration
	// Base makes the connections. Defaults to a transport of the client's own.
	Base http.RoundTripper
	// Notify, where set, is told of each question that had to be estimated because the router failed. It must not block.
	Notify func(ctx context.Context, err error)
}

// Router is a travel.Router that asks an OSRM. It is safe for concurrent use.
type Router struct {
	cfg   Config
	http  *http.Client
	model travel.Model
}

var _ travel.Router = (*Router)(nil)

// New is a router after cfg. It asks nobody yet.
func New(cfg Config) (*Router, error) {
	root, err := url.Parse(strings.TrimSuffix(cfg.URL, "/"))
	if err != nil || root.Scheme != "http" && root.Scheme != "https" || root.Host == "" {
		return nil, fault.Invalid("url", "The router's address must begin with http:// or https://.")
	}
	cfg.URL = root.String()
	cfg.Deadline = cmp.Or(cfg.Deadline, 2*time.Second)
	if cfg.Profiles == nil {
		cfg.Profiles = map[travel.Mode]string{travel.Walk: "foot", travel.Drive: "driving"}
	}
	if cfg.Notify == nil {
		cfg.Notify = func(context.Context, error) {}
	}
	client := outbound.Client(outbound.Config{Name: "router", Base: cfg.Base, Deadline: cfg.Deadline, Attempts: 2})
	return &Router{cfg: cfg, http: client}, nil
}

// mostCoordinates is how many points an OSRM takes in one table by default.
const mostCoordinates = 100

// Times asks for tables of so many points as the router takes at once.
func (r *Router) Times(ctx context.Context, mode travel.Mode, from, to []geo.Point) [][]time.Duration {
	times := r.model.Times(ctx, mode, from, to)
	profile := r.cfg.Profiles[mode]
	if profile == "" || len(from) == 0 || len(from) >= mostCoordinates {
		return times
	}
	ctx, cancel := context.WithTimeout(ctx, r.cfg.Deadline)
	defer cancel()
	for begin, step := 0, mostCoordinates-len(from); begin < len(to); begin += step {
		end := min(begin+step, len(to))
		rows, err := r.table(ctx, profile, from, to[begin:end])
		if err != nil {
			r.cfg.Notify(ctx, err)
			return times
		}
		for i, row := range rows {
			for j, seconds := range row {
				if took, ok := duration(seconds); ok {
					times[i][begin+j] = took
				}
			}
		}
	}
	return times
}

// Route is the time of one way, estimated where the router has none.
func (r *Router) Route(ctx context.Context, mode travel.Mode, from, to geo.Point) time.Duration {
	estimate := r.model.Between(mode, from, to)
	profile := r.cfg.Profiles[mode]
	if profile == "" {
		return estimate
	}
	ctx, cancel := context.WithTimeout(ctx, r.cfg.Deadline)
	defer cancel()
	var answer struct {
		Code   string `json:"code"`
		Routes []struct {
			Duration *float64 `json:"duration"`
		} `json:"routes"`
	}
	path := "/route/v1/" + url.PathEscape(profile) + "/" + coordinates(from, to) + "?overview=false"
	if err := r.ask(ctx, path, &answer); err != nil {
		r.cfg.Notify(ctx, err)
		return estimate
	}
	if answer.Code == codeOK && len(answer.Routes) > 0 {
		if took, ok := duration(answer.Routes[0].Duration); ok {
			return took
		}
	}
	return estimate
}

const codeOK = "Ok"

var errNotUnderstood = errors.New("the answer is not as documented")

// table has a row of seconds for each of from, nil where there is no way.
func (r *Router) table(ctx context.Context, profile string, from, to []geo.Point) ([][]*float64, error) {
	var answer struct {
		Code      string       `json:"code"`
		Durations [][]*float64 `json:"durations"`
	}
	query := "?annotations=duration&sources=" + numbers(0, len(from)) + "&destinations=" + numbers(len(from), len(to))
	points := append(append([]geo.Point{}, from...), to...)
	if err := r.ask(ctx, "/table/v1/"+url.PathEscape(profile)+"/"+coordinates(points...)+query, &answer); err != nil {
		return nil, err
	}
	if answer.Code != codeOK || len(answer.Durations) != len(from) {
		return nil, fmt.Errorf("router: %w", errNotUnderstood)
	}
	for _, row := range answer.Durations {
		if len(row) != len(to) {
			return nil, fmt.Errorf("router: %w", errNotUnderstood)
		}
	}
	return answer.Durations, nil
}

// ask makes a call. Its errors do not say what was asked, which is where people are.
func (r *Router) ask(ctx context.Context, path string, answer any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.cfg.URL+path, nil)
	if err != nil {
		return errors.New("router: its address cannot be asked")
	}
	res, err := r.http.Do(req)
	if err != nil {
		return fmt.Errorf("router: %w", outbound.Cause(err))
	}
	defer res.Body.Close()
	// An answer of 400 says in JSON that there is no way.
	if res.StatusCode != http.StatusOK && res.StatusCode != http.StatusBadRequest {
		return fmt.Errorf("router: status %d", res.StatusCode)
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return fmt.Errorf("router: %w", err)
	}
	if json.Unmarshal(body, answer) != nil {
		return fmt.Errorf("router: %w", errNotUnderstood)
	}
	return nil
}

// longestWay is more than any journey on land takes; a way that is said to take longer is a mistake.
const longestWay = 14 * 24 * time.Hour

// duration is to the minute, as the estimates are.
func duration(seconds *float64) (took time.Duration, ok bool) {
	if seconds == nil || math.IsNaN(*seconds) || *seconds < 0 || *seconds > longestWay.Seconds() {
		return 0, false
	}
	return time.Duration(*seconds * float64(time.Second)).Round(time.Minute), true
}

// coordinates are longitude first, to some ten metres.
func coordinates(points ...geo.Point) string {
	parts := make([]string, len(points))
	for i, p := range points {
		parts[i] = strconv.FormatFloat(p.Longitude, 'f', 4, 64) + "," + strconv.FormatFloat(p.Latitude, 'f', 4, 64)
	}
	return strings.Join(parts, ";")
}

func numbers(from, count int) string {
	parts := make([]string, count)
	for i := range parts {
		parts[i] = strconv.Itoa(from + i)
	}
	return strings.Join(parts, ";")
}
