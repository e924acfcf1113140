package when

import (
	_ "embed"
	"fmt"
	"strings"
)

// grammarWords are the lists of the grammar. A line is a list's name, what its expressions mean if a list has several
// meanings, and the expressions.
//
//go:embed en/grammar.txt
var grammarWords string

// row is a line of a list.
type row struct{ meaning, expressions string }

var rows = readRows(grammarWords)

// readRows are the lines of a file by their first word.
func readRows(text string) map[string][]row {
	all := map[string][]row{}
	for line := range strings.Lines(text) {
		head, said, found := strings.Cut(strings.TrimSpace(line), ": ")
		if name, meaning, _ := strings.Cut(head, " "); found && !strings.HasPrefix(line, "//") {
			all[name] = append(all[name], row{meaning, said})
		}
	}
	return all
}

// table is a list whose expressions have meanings.
func table[T any](name string, meaning func(string) T) phrases[T] {
	list := map[string]T{}
	for _, r := range rows[name] {
		list[r.expressions] = meaning(r.meaning)
	}
	return index(list)
}

// list is a list of expressions.
func list(name string) expressions { return expressions{flags(name)} }

// flags is a list of which some expressions are true.
func flags(name string) phrases[bool] { return table(name, func(m string) bool { return m == "true" }) }

// wordSet is a list of single words.
func wordSet(name string) map[string]bool {
	set := map[string]bool{}
	for _, r := range rows[name] {
		for w := range strings.SplitSeq(r.expressions, " | ") {
			set[w] = true
		}
	}
	return set
}

// dayPartOf reads "8:00-12:00 am".
func dayPartOf(meaning string) dayPart {
	var h1, m1, h2, m2 int
	var hint string
	_, _ = fmt.Sscanf(meaning, "%d:%d-%d:%d %s", &h1, &m1, &h2, &m2, &hint) // a line that is none has no hours
	return span(h1, m1, h2, m2, map[string]half{"am": am, "pm": pm}[hint])
}

// The tables of the grammar.
var (
	parts        = table("parts", dayPartOf)
	stretchParts = table("stretchParts", strings.TrimSpace)
	bounds       = table("bounds", func(m string) hoursKind {
		return map[string]hoursKind{"after": after, "before": before, "until": until}[m]
	})
	links = table("links", func(m string) link {
		return map[string]link{
			"orLink": orLink, "andLink": andLink, "commaLink": commaLink, "stopLink": stopLink, "butLink": butLink,
		}[m]
	})
	travelSides = table("travelSides", func(m string) Side {
		return map[string]Side{"BeforeIt": BeforeIt, "AfterIt": AfterIt}[m]
	})
)

// The lists of the grammar, whose names say what they are for.
var (
	streets, afterDay, fromDay, beforeDay      = list("streets"), list("afterDay"), list("fromDay"), list("beforeDay")
	atLeast, atMost, throughDay, notBusy       = list("atLeast"), list("atMost"), list("throughDay"), list("notBusy")
	inReach, wishWords, recordWords            = list("inReach"), list("wishWords"), list("recordWords")
	clauseStarts, limitWords, noLimit          = list("clauseStarts"), list("limitWords"), list("noLimit")
	blockVerbs, ishWords, sharpWords           = list("blockVerbs"), list("ishWords"), list("sharpWords")
	oclock, inTheMorning, inTheEvening         = list("oclock"), list("inTheMorning"), list("inTheEvening")
	atNight, thatStart, theNext, dateLeads     = list("atNight"), list("thatStart"), list("theNext"), list("dateLeads")
	dateArticles, vagueWords, deadlines        = list("dateArticles"), list("vagueWords"), list("deadlines")
	fromNow, fromToday, pastLeads              = list("fromNow"), list("fromToday"), list("pastLeads")
	fromThenOn, atTheLatest, theNextToo        = list("fromThenOn"), list("atTheLatest"), list("theNextToo")
	spanLeads, drawnRefusals, notThisOne       = list("spanLeads"), list("drawnRefusals"), list("notThisOne")
	eveLeads, andAHalf, andThreeQuarters       = list("eveLeads"), list("andAHalf"), list("andThreeQuarters")
	andAQuarter, halfHour, quarterHour         = list("andAQuarter"), list("halfHour"), list("quarterHour")
	halfDay, threeQuarters, lengthLeads        = list("halfDay"), list("threeQuarters"), list("lengthLeads")
	lengthTails, travelWords, bothWays         = list("lengthTails"), list("travelWords"), list("bothWays")
	momentTails, movedThings, movedBy          = list("momentTails"), list("movedThings"), list("movedBy")
	weekAfter, weekBefore, dayAfter            = list("weekAfter"), list("weekBefore"), list("dayAfter")
	dayBefore, monthOf, thisMonth              = list("dayBefore"), list("monthOf"), list("thisMonth")
	lastMonth, monthAfterNext, nextMonth       = list("lastMonth"), list("monthAfterNext"), list("nextMonth")
	monthLeads, ofMonth, ofThisMonth           = list("monthLeads"), list("ofMonth"), list("ofThisMonth")
	ofNextMonth, ofMonthAfterNext, ofNextYear  = list("ofNextMonth"), list("ofMonthAfterNext"), list("ofNextYear")
	partLeads, betweenLeads, freeFromLeads     = list("partLeads"), list("betweenLeads"), list("freeFromLeads")
	rangeLeads, orLater, oneToOne              = list("rangeLeads"), list("orLater"), list("oneToOne")
	orEarlier, onwards, aroundWords            = list("orEarlier"), list("onwards"), list("aroundWords")
	startLeads, seasonLeads, weekAfterNext     = list("startLeads"), list("seasonLeads"), list("weekAfterNext")
	nextWeek, thisWeek, lastWeek, theWeek      = list("nextWeek"), list("thisWeek"), list("lastWeek"), list("theWeek")
	weekendAfterNext, nextWeekend, lastWeekend = list("weekendAfterNext"), list("nextWeekend"), list("lastWeekend")
	weekends, workdays, thisWeekend            = list("weekends"), list("workdays"), list("thisWeekend")
	withinWeek, nextLeads, weekdayLeads        = list("withinWeek"), list("nextLeads"), list("weekdayLeads")
	corrections, busyWords, negations          = flags("corrections"), flags("busyWords"), flags("negations")
	refusals, soon                             = flags("refusals"), flags("soon")
	fillers, awayWords, numberedThings         = wordSet("fillers"), wordSet("awayWords"), wordSet("numberedThings")
	afterHour, gluing, countedThings           = wordSet("afterHour"), wordSet("gluing"), wordSet("countedThings")
	possessives                                = wordSet("possessives")
	countables, ordinalThings, movingVerbs     = wordSet("countables"), wordSet("ordinalThings"), wordSet("movingVerbs")
	relocatingVerbs, beforeRelocating          = wordSet("relocatingVerbs"), wordSet("beforeRelocating")
	measured                                   = wordSet("measured")
	beforeCounts                               = wordSet("beforeCounts")
)
