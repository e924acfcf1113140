// Package osrm asks a router with the HTTP API of OSRM (project-osrm.org) for travel times by car.
//
// Such a router knows streets, but no timetables, and serves one mode. So its times stand for all vehicles, and a way
// that is faster on foot is estimated. So is everything that the router does not answer in time, or has no way for.
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

// Config is the connection to the router. URL is required.
type Config struct {
	// URL is the router's root, for example http://localhost:5000.
	URL string
	// Profile is the router's name for driving. Defaults to "driving".
	Profile string
	// Deadline bounds one call of Times with all its tables. Defaults to 1 s: an estimate is better than waiting.
	Deadline time.Duration
	// Base makes the connections. Defaults to a transport of the client's own.
	Base http.RoundTripper
}

// Router is a travel.Router backed by an OSRM server. It is safe for concurrent use. After repeated failures it pauses
// its calls for a while.
type Router struct {
	cfg   Config
	http  *http.Client
	model travel.Model
}

var _ travel.Router = (*Router)(nil)

// New makes a router without any call.
func New(cfg Config) (*Router, error) {
	root, err := url.Parse(strings.TrimSuffix(cfg.URL, "/"))
	if err != nil || root.Scheme != "http" && root.Scheme != "https" || root.Host == "" {
		return nil, fault.Invalid("url", "The router's address must begin with http:// or https://.")
	}
	cfg.URL = root.String()
	cfg.Deadline = cmp.Or(cfg.Deadline, time.Second)
	cfg.Profile = cmp.Or(cfg.Profile, "driving")
	client := outbound.Client(outbound.Config{Name: "router", Base: cfg.Base, Deadline: cfg.Deadline, Attempts: 2})
	return &Router{cfg: cfg, http: client}, nil
}

const (
	// mostCoordinates is OSRM's default maximum of points in one table, and mostTables how many tables one call of Times
	// may request. Ways beyond them are estimated.
	mostCoordinates = 100
	mostTables      = 8
	// parking is the overhead of a drive.
	parking = 5 * time.Minute
)

// Times requests one table, or several if there are more points than the router takes at once. With an error, which
// reveals no location, all times are estimates.
func (r *Router) Times(ctx context.Context, from, to []geo.Point) ([][]time.Duration, error) {
	times, err := r.model.Times(ctx, from, to)
	if err != nil || len(from) == 0 || len(to) == 0 {
		return times, err
	}
	ctx, cancel := context.WithTimeout(ctx, r.cfg.Deadline)
	defer cancel()
	asked := make([][]time.Duration, len(times))
	for i, row := range times {
		asked[i] = append([]time.Duration{}, row...)
	}
	for _, p := range parts(len(from), len(to)) {
		rows, err := r.table(ctx, from[p.from:p.fromEnd], to[p.to:p.toEnd])
		if err != nil {
			return times, err
		}
		for i, row := range rows {
			for j, seconds := range row {
				set(&asked[p.from+i][p.to+j], from[p.from+i], to[p.to+j], seconds)
			}
		}
	}
	return asked, nil
}

// part is a table: a range of the origins and of the destinations.
type part struct{ from, fromEnd, to, toEnd int }

// parts are as few tables as the router can answer, at most mostTables.
func parts(from, to int) (list []part) {
	columns := min(to, max(mostCoordinates/2, mostCoordinates-from))
	rows := mostCoordinates - columns
	for i := 0; i < from; i += rows {
		for j := 0; j < to; j += columns {
			if len(list) < mostTables {
				list = append(list, part{i, min(i+rows, from), j, min(j+columns, to)})
			}
		}
	}
	return list
}

// set replaces an estimate with the router's time, unless walking is faster.
func set(estimate *time.Duration, from, to geo.Point, seconds *float64) {
	took, ok := duration(seconds)
	if !ok {
		return
	}
	if _, by := (travel.Model{}).Between(from, to); by == travel.Walk {
		took = min(took+parking, *estimate)
	} else {
		took += parking
	}
	*estimate = took
}

const codeOK = "Ok"

var errNotUnderstood = errors.New("the answer is not as documented")

// table has a row of seconds for each of from, nil if there is no way.
func (r *Router) table(ctx context.Context, from, to []geo.Point) ([][]*float64, error) {
	var answer struct {
		Code      string       `json:"code"`
		Durations [][]*float64 `json:"durations"`
	}
	query := "?annotations=duration&sources=" + numbers(0, len(from)) + "&destinations=" + numbers(len(from), len(to))
	points := append(append([]geo.Point{}, from...), to...)
	path := "/table/v1/" + url.PathEscape(r.cfg.Profile) + "/" + coordinates(points...) + query
	if err := r.ask(ctx, path, &answer); err != nil {
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

// ask makes a call. Its errors omit the URL, which reveals locations.
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
	if res.StatusCode != http.StatusOK {
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

// longestWay is more than any journey on land takes; a longer time is a mistake.
const longestWay = 14 * 24 * time.Hour

// duration is rounded to the minute, as estimates are.
func duration(seconds *float64) (took time.Duration, ok bool) {
	if seconds == nil || math.IsNaN(*seconds) || *seconds < 0 || *seconds > longestWay.Seconds() {
		return 0, false
	}
	return time.Duration(*seconds * float64(time.Second)).Round(time.Minute), true
}

// coordinates are longitude first, rounded to some ten metres.
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
