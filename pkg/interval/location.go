package interval

import (
	"fmt"
	"sync"
	"time"
)

// loaded are the zones that were read, by name: a zone is the same for ever, and reading one costs more than most of
// what is done with it.
var loaded sync.Map

// Zone is the location of an IANA name. Unlike time.LoadLocation it reads each zone once, and knows no "Local".
func Zone(name string) (*time.Location, error) {
	if loc, ok := loaded.Load(name); ok {
		return loc.(*time.Location), nil //nolint:forcetypeassert // nothing else is stored
	}
	if name == "Local" {
		return nil, fmt.Errorf("unknown time zone %s", name)
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return nil, err
	}
	loaded.Store(name, loc)
	return loc, nil
}
