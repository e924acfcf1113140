package auth

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Rate is how many requests may be made within a window; the allowance refills evenly. The zero Rate is no limit.
type Rate struct {
	Requests int
	Window   time.Duration
}

// mostRequests bounds a Rate, so that its arithmetic stays exact.
const mostRequests = 1_000_000

// ParseRate reads "600/1m", or "off" for no limit.
func ParseRate(s string) (r Rate, err error) {
	if s == "off" {
		return Rate{}, nil
	}
	requests, window, _ := strings.Cut(s, "/")
	r.Requests, err = strconv.Atoi(requests)
	if err == nil {
		r.Window, err = time.ParseDuration(window)
	}
	if err != nil || r.Requests < 1 || r.Requests > mostRequests || r.Window < time.Second || r.Window > 24*time.Hour {
		return Rate{}, fmt.Errorf("%q is not a rate such as 600/1m, nor off", s)
	}
	return r, nil
}

// Limited reports whether there is a limit at all.
func (r Rate) Limited() bool { return r.Requests > 0 }

// Bucket is the allowance of one holder under one limit.
type Bucket struct {
	// Policy names the limit to clients, and Holder its owner.
	Policy, Holder string
	Rate           Rate
}

// Level is the state of a bucket after a request.
type Level struct {
	// Left is how many requests may follow at once.
	Left int
	// Full is the time until the bucket is full, Next until one request may be made; Next is zero if one may be made now.
	Full, Next time.Duration
}
