package eval

import (
	"fmt"
	"math"
	"slices"
)

// Summary is how far results can be trusted, over the items that say what is right and were read with a confidence.
type Summary struct {
	// Items is how many these are.
	Items int
	// CalibrationError is the expected calibration error over ten bins: how far the confidence is from the share that is
	// right, on average.
	CalibrationError float64
	// Coverage is the share read with at least the confidence of doubtful, Right the share that is right.
	Coverage, Right float64
	// Unwarned is the share that is wrong although nothing is in doubt and nothing is asked.
	Unwarned float64
}

// doubtful is the confidence below which a reading is in doubt.
const doubtful = 0.5

const bins = 10

// Summarize compares results with what their items expect.
func Summarize(items []Item, results []Result) (s Summary) {
	var confidence, right [bins]float64
	for i, r := range results {
		got, want := r.Intent, items[i].Expect.Intents
		if r.Route != "" {
			got, want = r.Route, items[i].Expect.Routes
		}
		if len(want) == 0 || r.Confidence == 0 {
			continue
		}
		s.Items++
		bin := min(bins-1, int(r.Confidence*bins))
		confidence[bin] += r.Confidence
		sure := r.Confidence >= doubtful
		if sure {
			s.Coverage++
		}
		switch {
		case slices.Contains(want, got):
			right[bin]++
			s.Right++
		case sure && !r.Asks:
			s.Unwarned++
		}
	}
	if s.Items == 0 {
		return s
	}
	n := float64(s.Items)
	for i := range bins {
		s.CalibrationError += math.Abs(confidence[i]-right[i]) / n
	}
	s.Coverage, s.Right, s.Unwarned = s.Coverage/n, s.Right/n, s.Unwarned/n
	return s
}

func (s Summary) String() string {
	return fmt.Sprintf("%d items say what is right: %.1f %% right, %.1f %% wrong without a warning, coverage %.1f %%, "+
		"calibration error %.3f", s.Items, 100*s.Right, 100*s.Unwarned, 100*s.Coverage, s.CalibrationError)
}
