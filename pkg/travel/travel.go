// Package travel is how long people are on their way, and which places are fair to all who come.
//
// Nothing here asks anybody: times come from a Router, of which Model is the one that needs no map.
package travel

import (
	"context"
	"time"

	"convene/pkg/geo"
)

// Mode is how somebody travels. The zero value is Transit.
type Mode string

// The modes.
const (
	Transit Mode = "transit"
	Walk    Mode = "walk"
	Drive   Mode = "drive"
)

// Router knows how long ways take. The answer has a row for each of from and in it a time for each of to; all are set,
// by an estimate where nothing better is known, so that there is always an order of places.
type Router interface {
	Times(ctx context.Context, mode Mode, from, to []geo.Point) [][]time.Duration
}

// Model estimates times from great-circle distances: what a way takes in a city of some size, without its map, its
// traffic and its timetable. It is good to about a third, which is enough to see who has the longer way. The zero value
// is ready for use.
type Model struct{}

var _ Router = Model{}

// leg is a part of a way, up to a distance from its beginning, and how fast it is.
type leg struct {
	untilKm, kmh float64
}

// manner is how a mode behaves: how much longer than the great circle its ways are, what it takes beyond moving, as to
// wait or to park, and how fast it is, which grows with the way.
type manner struct {
	detour   float64
	overhead time.Duration
	legs     []leg
}

// The detours are those that are usual between great circles and street networks: 1.2 to 1.4. The speeds are from door
// to door.
func mannerOf(mode Mode) manner {
	const beyond = 1e9
	switch mode {
	case Walk:
		return manner{1.25, 0, []leg{{beyond, 4.8}}}
	case Drive:
		return manner{1.35, 5 * time.Minute, []leg{{8, 26}, {40, 60}, {beyond, 95}}}
	default:
		return manner{1.35, 8 * time.Minute, []leg{{8, 19}, {40, 42}, {beyond, 85}}}
	}
}

// Between is how long the way from one point to another takes, to the minute. Nobody waits for a bus that is slower than
// walking.
func (m Model) Between(mode Mode, from, to geo.Point) time.Duration {
	km := geo.Distance(from, to)
	took := mannerOf(mode).takes(km)
	if mode != Walk {
		took = min(took, mannerOf(Walk).takes(km))
	}
	return took.Round(time.Minute)
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
	if km == 0 {
		return 0
	}
	return m.overhead + time.Duration(hours*float64(time.Hour))
}

// Times estimates all of them.
func (m Model) Times(_ context.Context, mode Mode, from, to []geo.Point) [][]time.Duration {
	all := make([][]time.Duration, len(from))
	for i := range from {
		all[i] = make([]time.Duration, len(to))
		for j := range to {
			all[i][j] = m.Between(mode, from[i], to[j])
		}
	}
	return all
}
