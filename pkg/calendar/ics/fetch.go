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

// validators are what a server knows the version of a feed by.
type validators struct {
	ETag     string `json:"etag,omitempty"`
	Modified string `json:"modified,omitempty"`
}

// kept is a mark: validators, and the version of what they were for.
type kept struct {
	Version string `json:"version"`
	validators
}

// reading of feeds may change with a release; what an older one has kept is then read anew.
const release = "2"

// versionOf names what a feed's blocks depend on beside its text: where it is, and how its owner is known. The address
// is hidden in it.
func versionOf(address *url.URL, owner meet.Person) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{release, address.String(), owner.Timezone, owner.Email}, "\n")))
	return hex.EncodeToString(sum[:12])
}

// mark keeps the validators for the next reading; empty where the server gave none.
func (v validators) mark(version string) string {
	if v == (validators{}) {
		return ""
	}
	text, err := json.Marshal(kept{version, v})
	if err != nil {
		return "" // which only means that the feed is read anew
	}
	return string(text)
}

// parseMark are the validators of a mark of that version; none where it is of another.
func parseMark(mark, version string) validators {
	var k kept
	if err := json.Unmarshal([]byte(mark), &k); err != nil || k.Version != version {
		return validators{}
	}
	return k.validators
}

// answer is what a server gave.
type answer struct {
	// schedule is nil where the feed has not changed.
	schedule   *icalendar.Schedule
	validators validators
}

// fetch gets a feed, unless it is still what it was.
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

// errTooLarge says that a feed goes on behind MaxFeed.
var errTooLarge = errors.New("the feed is too large")

// readAll reads what is not larger than MaxFeed.
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
