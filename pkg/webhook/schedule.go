package webhook

import (
	"net/http"
	"time"
)

// delays returns the waits after each failed attempt, as the specification suggests: ten attempts in a little more than
// three days.
func delays() []time.Duration {
	return []time.Duration{
		5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
		10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
	}
}

// longestDelay bounds the Retry-After of an endpoint.
const longestDelay = 24 * time.Hour

// pause returns the wait after a number of failed attempts; more is false after the last. chance, from 0 to 1, adds up
// to a fifth, so that deliveries that failed together are not retried together. asked is the endpoint's Retry-After.
func pause(tries int, chance float64, asked time.Duration) (wait time.Duration, more bool) {
	all := delays()
	if tries < 1 || tries > len(all) {
		return 0, false
	}
	wait = all[tries-1]
	wait += time.Duration(chance * float64(wait) / 5)
	return max(wait, min(asked, longestDelay)), true
}

// mostAttempts is how many of a delivery's attempts are stored.
const mostAttempts = 20

// attempted adds an attempt that ended at now, and decides what is next. asked is the endpoint's Retry-After.
func (d *Delivery) attempted(a Attempt, now time.Time, chance float64, asked time.Duration) {
	d.Attempts = append(d.Attempts, a)
	d.Attempts = d.Attempts[max(0, len(d.Attempts)-mostAttempts):]
	d.Tries++
	d.Next = time.Time{}
	wait, more := pause(d.Tries, chance, asked)
	switch next := now.Add(wait); {
	case a.Problem == "":
		d.State = Delivered
	case a.final() || !more || next.After(d.Created.Add(Kept)):
		d.State = Failed
	default:
		d.State, d.Next = Pending, next
	}
}

// final reports whether another attempt is pointless.
func (a Attempt) final() bool {
	return a.Status == http.StatusGone || a.Problem == ProblemRemoved || a.Problem == ProblemDisabled
}

// again restarts the schedule with an attempt now.
func (d *Delivery) again(now time.Time) { d.State, d.Next, d.Tries = Pending, now, 0 }
