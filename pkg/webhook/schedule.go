package webhook

import (
	"net/http"
	"time"
)

// delays are how long is waited after each failed attempt, as the specification suggests: ten attempts in a little more
// than three days.
func delays() []time.Duration {
	return []time.Duration{
		5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
		10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
	}
}

// longestDelay is the most that an endpoint can ask for.
const longestDelay = 24 * time.Hour

// pause is how long to wait after so many failed attempts; there is none after the last. chance, from 0 to 1, adds up
// to a fifth, so that what failed together does not come back together. An endpoint that asked to be left alone is.
func pause(tries int, chance float64, asked time.Duration) (wait time.Duration, more bool) {
	all := delays()
	if tries < 1 || tries > len(all) {
		return 0, false
	}
	wait = all[tries-1]
	wait += time.Duration(chance * float64(wait) / 5)
	return max(wait, min(asked, longestDelay)), true
}

// mostAttempts is how many of a delivery's attempts are kept.
const mostAttempts = 20

// attempted notes an attempt of the delivery that ended at now, and what is to become of it. asked is how long the
// endpoint wants to be left alone.
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

// again has the delivery attempted now, and from there on after the whole schedule.
func (d *Delivery) again(now time.Time) { d.State, d.Next, d.Tries = Pending, now, 0 }
