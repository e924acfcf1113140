package main

import (
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
)

// result is the whole comparison.
type result struct {
	Load     string            `json:"loadAverage"`
	Clients  int               `json:"clients"`
	Rounds   int               `json:"rounds"`
	Seconds  float64           `json:"seconds"`
	Redis    bool              `json:"redis"`
	Versions map[string]string `json:"versions"`
	Medians  []median          `json:"medians"`
	Runs     []run             `json:"runs"`
}

// median of a server's rounds. Times is how many times as many turns a second Convene does, CPUTimes how many times as
// much processor time a turn takes as with Convene.
type median struct {
	run
	Times    float64 `json:"times"`
	CPUTimes float64 `json:"cpuTimes"`
}

func (r *result) summarize() {
	var names []string
	rounds := map[string][]run{}
	for _, one := range r.Runs {
		if !slices.Contains(names, one.Server) {
			names = append(names, one.Server)
		}
		rounds[one.Server] = append(rounds[one.Server], one)
	}
	for _, name := range names {
		of := func(figure func(run) float64) float64 {
			var all []float64
			for _, one := range rounds[name] {
				all = append(all, figure(one))
			}
			slices.Sort(all)
			return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
		}
		r.Medians = append(r.Medians, median{run: run{
			Server:         name,
			Turns:          int(of(func(o run) float64 { return float64(o.Turns) })),
			TurnsPerSecond: of(func(o run) float64 { return o.TurnsPerSecond }),
			CPUms:          of(func(o run) float64 { return o.CPUms }),
			RedisMs:        of(func(o run) float64 { return o.RedisMs }),
			ModelMs:        of(func(o run) float64 { return o.ModelMs }),
		}})
	}
	ours := r.Medians[0]
	for i, m := range r.Medians {
		r.Medians[i].Times = ours.TurnsPerSecond / m.TurnsPerSecond
		r.Medians[i].CPUTimes = m.CPUms / ours.CPUms
	}
}

// table is the result for a person.
func (r *result) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d clients, medians of %d rounds of %.0f s, %d processors, load average before %s\n",
		r.Clients, r.Rounds, r.Seconds, runtime.NumCPU(), r.Load)
	store := "the embedded Redis"
	if r.Redis {
		store = "a Redis of its own"
	}
	fmt.Fprintf(&b, "Convene keeps its turns in %s, which took %.2f ms a turn; the model took %.2f ms\n\n",
		store, r.Medians[0].RedisMs, r.Medians[0].ModelMs)
	fmt.Fprintf(&b, "%-16s %10s %14s %16s %16s\n", "server", "turns/s", "CPU a turn", "Convene's turns", "Convene's CPU")
	for _, m := range r.Medians {
		fmt.Fprintf(&b, "%-16s %10.1f %11.2f ms %14.1f × %14.1f ×\n", m.Server, m.TurnsPerSecond, m.CPUms, m.Times,
			1/m.CPUTimes)
	}
	b.WriteString("\n")
	for _, name := range slices.Sorted(maps.Keys(r.Versions)) {
		fmt.Fprintf(&b, "%s %s\n", name, r.Versions[name])
	}
	return b.String()
}

// loadAverage is what else the machine had to do.
func loadAverage() string {
	content, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(content))[:3], " ")
}
