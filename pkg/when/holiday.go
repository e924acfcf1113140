package when

import (
	"time"

	"convene/pkg/interval"
)

// holiday tells its date of a year.
type holiday func(year int) interval.Date

func fixedDay(m time.Month, day int) holiday {
	return func(year int) interval.Date { return interval.Date{Year: year, Month: m, Day: day} }
}

func nthDay(m time.Month, day time.Weekday, n int) holiday {
	return func(year int) interval.Date { return nthOf(interval.Date{Year: year, Month: m, Day: 1}, day, n) }
}

func off(h holiday, n int) holiday {
	return func(year int) interval.Date { return h(year).AddDays(n) }
}

// easter is Easter Sunday by the Gregorian computus (the form that Meeus gives).
func easter(year int) interval.Date {
	a, b, c := year%19, year/100, year%100
	h := (19*a + b - b/4 - (b-(b+8)/25+1)/3 + 15) % 30
	l := (32 + 2*(b%4) + 2*(c/4) - h - c%4) % 7
	m := (a + 11*h + 22*l) / 451
	return interval.Date{Year: year, Month: time.Month((h + l - 7*m + 114) / 31), Day: (h+l-7*m+114)%31 + 1}
}

var holidays = index(map[string]holiday{
	"new year's day|new years day|new year|new year's|new years|new year day": fixedDay(time.January, 1),
	"mlk day|martin luther king day|martin luther king jr day":                nthDay(time.January, time.Monday, 3),
	"groundhog day": fixedDay(time.February, 2),
	"valentine's day|valentines day|valentine's|valentines":                                            fixedDay(time.February, 14),
	"presidents day|presidents' day|president's day":                                                   nthDay(time.February, time.Monday, 3),
	"st patrick's day|st patricks day|saint patrick's day|saint patrick|st patrick|saint patricks day": fixedDay(time.March, 17),
	"good friday":              off(easter, -2),
	"easter|easter sunday":     easter,
	"easter monday":            off(easter, 1),
	"tax day":                  fixedDay(time.April, 15),
	"cinco de mayo":            fixedDay(time.May, 5),
	"mother's day|mothers day": nthDay(time.May, time.Sunday, 2),
	"memorial day":             nthDay(time.May, time.Monday, -1),
	"father's day|fathers day": nthDay(time.June, time.Sunday, 3),
	"juneteenth":               fixedDay(time.June, 19),
	"independence day|fourth of july|the fourth of july":          fixedDay(time.July, 4),
	"labor day|labour day":                                        nthDay(time.September, time.Monday, 1),
	"columbus day|indigenous peoples day|indigenous peoples' day": nthDay(time.October, time.Monday, 2),
	"halloween": fixedDay(time.October, 31),
	"veterans day|veterans' day|veteran's day": fixedDay(time.November, 11),
	"thanksgiving|thanksgiving day|turkey day": nthDay(time.November, time.Thursday, 4),
	"black friday":                     off(nthDay(time.November, time.Thursday, 4), 1),
	"cyber monday":                     off(nthDay(time.November, time.Thursday, 4), 4),
	"christmas eve":                    fixedDay(time.December, 24),
	"christmas|christmas day":          fixedDay(time.December, 25),
	"boxing day":                       fixedDay(time.December, 26),
	"new year's eve|new years eve|nye": fixedDay(time.December, 31),
	"epiphany|three kings day":         fixedDay(time.January, 6),
	"shrove tuesday|mardi gras|pancake day|fat tuesday": off(easter, -47),
	"ash wednesday":                         off(easter, -46),
	"palm sunday":                           off(easter, -7),
	"maundy thursday|holy thursday":         off(easter, -3),
	"holy saturday":                         off(easter, -1),
	"ascension day|ascension thursday":      off(easter, 39),
	"pentecost|whit sunday":                 off(easter, 49),
	"whit monday":                           off(easter, 50),
	"corpus christi":                        off(easter, 60),
	"women's day|international women's day": fixedDay(time.March, 8),
	"pi day":                                fixedDay(time.March, 14),
	"april fools|april fool's|april fools day|april fool's day": fixedDay(time.April, 1),
	"earth day": fixedDay(time.April, 22),
	"may day|labour day in may|international workers day|workers day": fixedDay(time.May, 1),
	"flag day":            fixedDay(time.June, 14),
	"canada day":          fixedDay(time.July, 1),
	"bastille day":        fixedDay(time.July, 14),
	"patriot day":         fixedDay(time.September, 11),
	"boss's day|boss day": fixedDay(time.October, 16),
	"all saints|all saints day|all saints' day|all hallows day":      fixedDay(time.November, 1),
	"all souls day|all souls' day|day of the dead":                   fixedDay(time.November, 2),
	"guy fawkes day|guy fawkes night|bonfire night":                  fixedDay(time.November, 5),
	"remembrance day|armistice day":                                  fixedDay(time.November, 11),
	"election day":                                                   off(nthDay(time.November, time.Monday, 1), 1),
	"giving tuesday":                                                 off(nthDay(time.November, time.Thursday, 4), 5),
	"small business saturday":                                        off(nthDay(time.November, time.Thursday, 4), 2),
	"kwanzaa":                                                        fixedDay(time.December, 26),
	"rosh hashana|rosh hashanah|rosh ha shanah":                      fromNewYear(0),
	"rosh hashana eve|rosh hashanah eve|erev rosh hashanah":          fromNewYear(-1),
	"yom kippur":                                                     fromNewYear(9),
	"yom kippur eve|erev yom kippur|kol nidre":                       fromNewYear(8),
	"sukkot|sukkoth":                                                 fromNewYear(14),
	"simchat torah|shemini atzeret":                                  fromNewYear(21),
	"hanukkah|hanukah|chanukah|chanukkah|chanuka":                    hanukkah,
	"tu bishvat|tu b'shvat|tu bi shvat":                              tuBishvat,
	"purim":                                                          fromPassover(-30),
	"passover|pesach":                                                passover,
	"passover eve|seder|seder night|erev pesach":                     fromPassover(-1),
	"seventh of passover":                                            fromPassover(6),
	"holocaust day|yom hashoah|holocaust remembrance day":            holocaustDay,
	"israel memorial day|israeli memorial day|yom hazikaron":         off(israelIndependence, -1),
	"israel independence day|israeli independence day|yom haatzmaut": israelIndependence,
	"lag baomer|lag b'omer":                                          fromPassover(33),
	"jerusalem day|yom yerushalayim":                                 fromPassover(43),
	"shavuot":                                                        fromPassover(50),
	"tisha bav|tisha b'av":                                           tishaBav,
})

// holidayDate reads a holiday: the next one, or that of the year behind it.
func holidayDate(p *parser, i int) (days, int) {
	h, end := holidays.at(p, p.skip(i, "this", "next"))
	if h == nil || end <= i {
		return days{}, i
	}
	if t := p.at(end); t.kind == number && t.digits == 4 && t.value >= 2000 && t.value < 2100 {
		return single(h(t.value)), end + 1
	}
	d := h(p.today.Year)
	if d.Before(p.today) {
		d = h(p.today.Year + 1)
	}
	return single(d), end
}
