package when

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

func TestDbg(t *testing.T) {
	loc, _ := time.LoadLocation("America/Los_Angeles")
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, loc)
	b, _ := os.ReadFile("/tmp/w/offt/sent.txt")
	for _, l := range strings.Split(string(b), "\n") {
		if l == "" {
			continue
		}
		r := Read(l, now)
		fmt.Println("•", l)
		fmt.Print("    ")
		for _, d := range r.Dates {
			fmt.Print(d.Start.String()[5:], "..", d.End.String()[5:], " ")
		}
		if !r.Hours.Week.Empty() {
			same := true
			for _, w := range r.Hours.Week {
				if fmt.Sprint(w) != fmt.Sprint(r.Hours.Week[0]) {
					same = false
				}
			}
			if same {
				fmt.Print(" H:", r.Hours.Week[0])
			} else {
				fmt.Print(" HW:", r.Hours.Week)
			}
		}
		if len(r.Hours.On) > 0 {
			fmt.Print(" ON:", r.Hours.On)
		}
		if r.Exact != nil {
			fmt.Print(" EXACT ", *r.Exact)
		}
		if r.About {
			fmt.Print(" about")
		}
		if r.Duration > 0 {
			fmt.Print(" dur ", r.Duration)
		}
		if r.Travel > 0 {
			fmt.Print(" travel ", r.Travel)
		}
		if r.EndsAt != nil {
			fmt.Print(" ends ", *r.EndsAt)
		}
		if r.Shift != (Shift{}) {
			fmt.Print(" shift ", r.Shift)
		}
		if len(r.ExcludedDates) > 0 {
			fmt.Print(" XD ", r.ExcludedDates)
		}
		if len(r.ExcludedWeekdays) > 0 {
			fmt.Print(" XW ", r.ExcludedWeekdays)
		}
		if !r.ExcludedHours.Empty() {
			fmt.Print(" XH ", r.ExcludedHours)
		}
		if r.Soonest {
			fmt.Print(" soon")
		}
		if r.AllDay {
			fmt.Print(" allday")
		}
		fmt.Print("   [")
		for _, e := range r.Entities {
			fmt.Print(string(e.Kind[:2]), ":", l[e.Start:e.End], "|")
		}
		fmt.Println("]")
	}
}
