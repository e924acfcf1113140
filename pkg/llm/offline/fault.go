package offline

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// Fault is one way in which an answer goes wrong.
type Fault string

// The faults that can be injected.
const (
	// TooManyRequests answers 429 with Retry-After; ServerError, 500; Overloaded, 503 with Retry-After.
	TooManyRequests Fault = "429"
	ServerError     Fault = "500"
	Overloaded      Fault = "503"
	// Stall sends the status line and then nothing until the client gives up.
	Stall Fault = "stall"
	// Cut ends the answer halfway.
	Cut Fault = "cut"
	// Garbage writes arguments that are no JSON.
	Garbage Fault = "garbage"
	// Empty answers with no choice at all; Refusal with the model's refusal instead of a call.
	Empty   Fault = "empty"
	Refusal Fault = "refusal"
)

var knownFaults = []Fault{TooManyRequests, ServerError, Overloaded, Stall, Cut, Garbage, Empty, Refusal}

// Faults are failures and how often each happens. Which answers fail depends only on their number since the start, so
// that two runs with the same requests fail alike. The zero value never fails.
type Faults struct {
	shares []share
}

type share struct {
	fault Fault
	rate  float64
}

// ParseFaults reads "429:0.1,cut:0.05": each fault with its share of the answers, from 0 to 1. A fault without a share
// always happens. Shares must not add up to more than 1.
func ParseFaults(s string) (Faults, error) {
	var f Faults
	var sum float64
	for item := range strings.SplitSeq(s, ",") {
		item = strings.TrimSpace(item)
		if item == "" {
			continue
		}
		name, rate, hasRate := strings.Cut(item, ":")
		one := share{Fault(strings.TrimSpace(name)), 1}
		if !slices.Contains(knownFaults, one.fault) {
			return Faults{}, fmt.Errorf("fault %q is not known: use %s", name, faultNames())
		}
		if hasRate {
			r, err := strconv.ParseFloat(strings.TrimSpace(rate), 64)
			if err != nil || !(r >= 0 && r <= 1) {
				return Faults{}, fmt.Errorf("share %q of fault %s is not a number from 0 to 1", rate, name)
			}
			one.rate = r
		}
		sum += one.rate
		f.shares = append(f.shares, one)
	}
	if sum > 1+1e-9 {
		return Faults{}, fmt.Errorf("the shares of the faults add up to %g, more than 1", sum)
	}
	return f, nil
}

// String is the form that ParseFaults reads.
func (f Faults) String() string {
	var items []string
	for _, s := range f.shares {
		items = append(items, string(s.fault)+":"+strconv.FormatFloat(s.rate, 'g', -1, 64))
	}
	return strings.Join(items, ",")
}

// UnmarshalText reads what ParseFaults reads, for command lines and configuration.
func (f *Faults) UnmarshalText(b []byte) (err error) {
	*f, err = ParseFaults(string(b))
	return err
}

// MarshalText writes String.
func (f Faults) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// of is the fault of the nth answer, "" for none. A fixed sequence that spreads evenly decides, so that the shares
// hold over any stretch of answers.
func (f Faults) of(n uint64) Fault {
	// The van der Corput sequence: the bits of n mirrored after the binary point.
	at := float64(bits.Reverse64(n)>>11) / (1 << 53)
	for _, s := range f.shares {
		if at < s.rate {
			return s.fault
		}
		at -= s.rate
	}
	return ""
}

func faultNames() string {
	var names []string
	for _, f := range knownFaults {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}
