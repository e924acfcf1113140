package interval

import (
	"fmt"
	"sync"
	"time"
)

// loaded caches zones by name, because loading one is slow.
var loaded sync.Map

// Zone is the location of an IANA name. Unlike time.LoadLocation it loads each zone once, and refuses "Local".
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
