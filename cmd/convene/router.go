package main

import (
	"fmt"

	"convene/pkg/travel"
	"convene/pkg/travel/osrm"
)

// router tells travel times: from the server of --router-url, which falls back to estimates, or estimates alone.
func (s settings) router() (travel.Router, error) {
	if s.RouterURL == "" {
		return travel.Model{}, nil
	}
	router, err := osrm.New(osrm.Config{URL: s.RouterURL})
	if err != nil {
		return nil, misuse{fmt.Errorf("--router-url: %w", err)}
	}
	return router, nil
}
