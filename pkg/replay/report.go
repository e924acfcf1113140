package replay

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

const barWidth = 50

// String is the snapshot on one line.
func (s Snapshot) String() string {
	return fmt.Sprintf("%4.0f s · %6.0f turns/s · %d done · %d running · %d errors",
		s.Elapsed.Round(time.Second).Seconds(), s.TurnsPerSecond, s.Turns, s.Running, s.Failed)
}

// Report is the summary for a person.
func (s Summary) Report() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d turns by %d clients in %.2f s: %.1f turns/s, %.0f updates/s\n",
		s.Turns, s.Clients, s.Seconds, s.TurnsPerSecond, s.UpdatesPerSecond)
	fmt.Fprintf(&b, "%d connections, %d of them cut and resumed; %d turns compared with their recording\n\n",
		s.Connections, s.Cuts, s.Compared)
	fmt.Fprintf(&b, "%-20s %8s %9s %9s %9s %9s\n", "milliseconds", "turns", "p50", "p90", "p99", "max")
	for _, row := range []struct {
		name string
		q    Quantiles
	}{
		{"first byte", s.Latency.FirstByte}, {"acknowledgment", s.Latency.Acknowledgment},
		{"first message word", s.Latency.FirstWord}, {"end", s.Latency.End},
	} {
		fmt.Fprintf(&b, "%-20s %8d %9.1f %9.1f %9.1f %9.1f\n", row.name, row.q.Count, row.q.P50, row.q.P90, row.q.P99,
			row.q.Max)
	}
	s.writeHistogram(&b)
	fmt.Fprintf(&b, "\nturns     %s\n", counts(s.Modes))
	fmt.Fprintf(&b, "outcomes  %s\n", counts(s.Outcomes))
	fmt.Fprintf(&b, "errors    %s\n", counts(s.Errors))
	for _, example := range s.Examples {
		fmt.Fprintf(&b, "  %s\n", example)
	}
	if s.Abandoned > 0 {
		fmt.Fprintf(&b, "interrupted with %d turns under way\n", s.Abandoned)
	}
	return b.String()
}

func (s Summary) writeHistogram(b *strings.Builder) {
	most := 0
	for _, bucket := range s.Histogram {
		most = max(most, bucket.Turns)
	}
	if most == 0 {
		return
	}
	b.WriteString("\nend, below\n")
	for _, bucket := range s.Histogram {
		bar := strings.Repeat("█", (bucket.Turns*barWidth+most-1)/most)
		fmt.Fprintf(b, "%8.0f ms %7d %s\n", bucket.BelowMs, bucket.Turns, bar)
	}
}

func counts[K ~string](m map[K]int) string {
	if len(m) == 0 {
		return "none"
	}
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, fmt.Sprintf("%s %d", k, m[k]))
	}
	return strings.Join(parts, " · ")
}
