package api

import (
	"bufio"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"convene/pkg/meet"
)

// A stream of as many updates as a turn has; each comes when the reader has the one before.
func BenchmarkStream(b *testing.B) {
	f := newFixture(b)
	base := f.serve(b)
	b.ReportAllocs()
	for turn := 0; b.Loop(); turn++ {
		id := meet.TurnID("t" + strconv.Itoa(turn))
		f.log.append(id, meet.TurnUpdate{TurnID: id})
		req, err := http.NewRequestWithContext(b.Context(), http.MethodGet, base+"/v1/turns/"+string(id)+"/events",
			http.NoBody)
		if err != nil {
			b.Fatal(err)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			b.Fatal(err)
		}
		updates := 0
		for lines := bufio.NewScanner(res.Body); lines.Scan(); {
			if !strings.HasPrefix(lines.Text(), "id: ") {
				continue
			}
			switch updates++; {
			case updates < 15:
				f.log.append(id, meet.MessageDeltaUpdate{
					Text: "Blue Bottle Coffee - highly rated, 1.0 km from the midpoint, outdoor seating",
				})
			case updates == 15:
				f.log.append(id, meet.DoneUpdate{})
			}
		}
		res.Body.Close()
		if updates != 16 {
			b.Fatalf("%d updates", updates)
		}
	}
}
