package foursquare

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/outbound"
	"convene/pkg/place"
)

// apiVersion is the version of the API that this package implements.
const apiVersion = "2025-06-17"

var (
	errNotJSON       = errors.New("the answer is not JSON")
	errNotUnderstood = errors.New("the answer is not as documented")
)

// ask makes one call. Its errors are faults without the request's address, which reveals people's locations.
func (f *Finder) ask(ctx context.Context, parameters url.Values) ([]meet.Place, error) {
	results, err := f.call(ctx, parameters)
	if err != nil {
		return nil, failed(err)
	}
	var found []meet.Place
	unread := 0
	for _, raw := range results {
		var r result
		if json.Unmarshal(raw, &r) != nil {
			unread++
		} else if p, ok := f.place(r); ok {
			found = append(found, p)
		}
	}
	if unread > 0 && unread == len(results) {
		return nil, failed(errNotUnderstood)
	}
	return found, nil
}

func (f *Finder) call(ctx context.Context, parameters url.Values) ([]json.RawMessage, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, f.cfg.Endpoint+"/places/search?"+parameters.Encode(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+f.cfg.Key)
	req.Header.Set("X-Places-Api-Version", apiVersion)
	req.Header.Set("Accept", "application/json")
	res, err := f.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		status := fmt.Errorf("status %d", res.StatusCode)
		return nil, place.Refused(res.StatusCode, outbound.RetryAfter(res.Header), status)
	}
	if kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nil, errNotJSON
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	var a answer
	if err := json.Unmarshal(body, &a); err != nil || a.Results == nil {
		return nil, errNotUnderstood // the decoder's own words would quote the body
	}
	return a.Results, nil
}

func failed(err error) error {
	if refused, ok := errors.AsType[*fault.Error](err); ok {
		return fmt.Errorf("foursquare: %w", refused)
	}
	cause := fmt.Errorf("foursquare: %w", outbound.Cause(err))
	if open, ok := errors.AsType[*outbound.OpenError](err); ok {
		return place.Refused(http.StatusServiceUnavailable, open.After, cause)
	}
	return place.Unavailable(cause)
}
