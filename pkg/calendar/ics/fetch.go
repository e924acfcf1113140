package ics

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"convene/pkg/calendar/icalendar"
	"convene/pkg/meet"
)

// validators identify the version of a feed to its server (RFC 9110, section 8.8).
type validators struct {
	ETag     string `json:"etag,omitempty"`
	Modified string `json:"modified,omitempty"`
}

// kept is a mark: validators, and the version of their reading.
type kept struct {
	Version string `json:"version"`
	validators
}

// release changes with the way feeds are read: marks of another release are not used.
const release = "2"

// versionOf is a hash of what a feed's blocks depend on beside its text: its address, and its owner's zone and email.
func versionOf(address *url.URL, owner meet.Person) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{release, address.String(), owner.Timezone, owner.Email}, "\n")))
	return hex.EncodeToString(sum[:12])
}

// mark encodes the validators for the next reading; empty if the server gave none.
func (v validators) mark(version string) string {
	if v == (validators{}) {
		return ""
	}
	text, err := json.Marshal(kept{version, v})
	if err != nil {
		return "" // the feed is read anew
	}
	return string(text)
}

// parseMark decodes the validators of a mark; none if it is of another version.
func parseMark(mark, version string) validators {
	var k kept
	if err := json.Unmarshal([]byte(mark), &k); err != nil || k.Version != version {
		return validators{}
	}
	return k.validators
}

// answer is a server's answer.
type answer struct {
	// schedule is nil if the feed has not changed.
	schedule   *icalendar.Schedule
	validators validators
}

// fetch fetches a feed, unless it has not changed since known.
func (c *Calendar) fetch(ctx context.Context, address *url.URL, known validators) (answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return answer{}, failure(ctx, err, address)
	}
	req.Header.Set("Accept", "text/calendar, */*;q=0.5")
	req.Header.Set("User-Agent", "Convene")
	if known.ETag != "" {
		req.Header.Set("If-None-Match", known.ETag)
	}
	if known.Modified != "" {
		req.Header.Set("If-Modified-Since", known.Modified)
	}
	res, err := c.cfg.Client.Do(req)
	if err != nil {
		return answer{}, failure(ctx, err, address)
	}
	defer func() { _ = res.Body.Close() }()
	switch {
	case res.StatusCode == http.StatusNotModified && known != (validators{}):
		return answer{}, nil
	case res.StatusCode != http.StatusOK:
		return answer{}, refused(res)
	}
	data, err := readAll(res.Body)
	if err != nil {
		return answer{}, failure(ctx, err, address)
	}
	schedule, err := parse(data, res.Header.Get("Content-Type"))
	if err != nil {
		return answer{}, err
	}
	return answer{schedule, validators{res.Header.Get("ETag"), res.Header.Get("Last-Modified")}}, nil
}

// errTooLarge says that a feed is larger than MaxFeed.
var errTooLarge = errors.New("the feed is too large")

// readAll reads at most MaxFeed bytes.
func readAll(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxFeed+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxFeed {
		return nil, errTooLarge
	}
	return data, nil
}
