// Package travel estimates travel times, ranks places by fairness to all participants, and checks who can be where
// when.
//
// It makes no calls itself: times come from a Router, and Model is the one without a map. Three files build on them.
// fair.go: which order of places is fair to everyone? apart.go: do people live too far apart to meet? reach.go: can
// everyone come from their event before, and be on time at the next one?
package travel

import (
	"context"
	"time"

	"convene/pkg/geo"
)

// Router estimates travel times from door to door. The answer has a row for each of from, with a time for each of to.
// It is complete even with an error: missing times are estimated.
type Router interface {
	Times(ctx context.Context, from, to []geo.Point) ([][]time.Duration, error)
}

// Mode is a way to travel.
type Mode string

// The modes.
const (
	Walk    Mode = "walk"
	Transit Mode = "transit"
	Drive   Mode = "drive"
)

// Model estimates times from great-circle distances, for a city of some size, without its map, traffic and timetable.
// It is good to about a third, which is enough to compare ways. The zero value is ready for use.
type Model struct{}

var _ Router = Model{}

// leg is a part of a way, up to a distance from its beginning, with its speed.
type leg struct {
	untilKm, kmh float64
}

// manner describes a mode: its detour over the great circle, its overhead beyond moving, and its speeds, which grow
// with the distance.
type manner struct {
	mode     Mode
	detour   float64
	overhead time.Duration
	legs     [3]leg
}

const beyond = 1e9

// manners are all modes, with usual detours of street networks and speeds from door to door. Transit includes 8 minutes
// of waiting; driving 15 to get to the car and to leave it, or to the train, which is as fast on long ways.
func manners() [3]manner {
	return [...]manner{
		{Walk, 1.25, 0, [3]leg{{beyond, 4.8}}},
		{Transit, 1.35, 8 * time.Minute, [3]leg{{8, 19}, {40, 42}, {beyond, 85}}},
		{Drive, 1.35, 15 * time.Minute, [3]leg{{8, 26}, {40, 60}, {beyond, 95}}},
	}
}

// Between is the time of the way between two points, to the minute, and its fastest mode. In town that is on foot up to
// some 700 metres, by bus or train up to some six kilometres, and by car beyond. A longer way never takes less.
func (m Model) Between(from, to geo.Point) (took time.Duration, by Mode) {
	km := geo.Distance(from, to)
	for i, manner := range manners() {
		if t := manner.takes(km); i == 0 || t < took {
			took, by = t, manner.mode
		}
	}
	return took.Round(time.Minute), by
}

func (m manner) takes(km float64) time.Duration {
	km *= m.detour
	hours, done := 0.0, 0.0
	for _, l := range m.legs {
		part := min(km, l.untilKm) - done
		if part <= 0 {
			break
		}
		hours += part / l.kmh
		done += part
	}
	return m.overhead + time.Duration(hours*float64(time.Hour))
}

// Times estimates all ways. The error is always nil.
func (m Model) Times(_ context.Context, from, to []geo.Point) ([][]time.Duration, error) {
	all := make([][]time.Duration, len(from))
	for i := range from {
		all[i] = make([]time.Duration, len(to))
		for j := range to {
			all[i][j], _ = m.Between(from[i], to[j])
		}
	}
	return all, nil
}
