package holiday

import (
	"time"

	"github.com/rickar/cal/v2"
	"github.com/rickar/cal/v2/ar"
	"github.com/rickar/cal/v2/at"
	"github.com/rickar/cal/v2/au"
	"github.com/rickar/cal/v2/be"
	"github.com/rickar/cal/v2/bg"
	"github.com/rickar/cal/v2/br"
	"github.com/rickar/cal/v2/ca"
	"github.com/rickar/cal/v2/ch"
	"github.com/rickar/cal/v2/cz"
	"github.com/rickar/cal/v2/de"
	"github.com/rickar/cal/v2/dk"
	"github.com/rickar/cal/v2/es"
	"github.com/rickar/cal/v2/fr"
	"github.com/rickar/cal/v2/gb"
	"github.com/rickar/cal/v2/gr"
	"github.com/rickar/cal/v2/hr"
	"github.com/rickar/cal/v2/ie"
	"github.com/rickar/cal/v2/it"
	"github.com/rickar/cal/v2/jp"
	"github.com/rickar/cal/v2/lt"
	"github.com/rickar/cal/v2/lv"
	"github.com/rickar/cal/v2/mw"
	"github.com/rickar/cal/v2/nc"
	"github.com/rickar/cal/v2/nl"
	"github.com/rickar/cal/v2/no"
	"github.com/rickar/cal/v2/nz"
	"github.com/rickar/cal/v2/pl"
	"github.com/rickar/cal/v2/ro"
	"github.com/rickar/cal/v2/ru"
	"github.com/rickar/cal/v2/se"
	"github.com/rickar/cal/v2/si"
	"github.com/rickar/cal/v2/sk"
	"github.com/rickar/cal/v2/ua"
	"github.com/rickar/cal/v2/us"
	"github.com/rickar/cal/v2/za"

	"convene/pkg/holiday/hebrew"
	"convene/pkg/interval"
)

// national are the holidays that a whole country keeps, by its ISO 3166 code.
func national() map[string][]*cal.Holiday {
	return map[string][]*cal.Holiday{
		"AR": ar.Holidays, "AT": at.Holidays, "BE": be.Holidays, "BG": bg.Holidays, "BR": br.Holidays, "CA": ca.Holidays,
		"CH": ch.Holidays, "CZ": cz.Holidays, "DE": de.Holidays, "DK": dk.Holidays, "ES": es.Holidays, "FR": fr.Holidays,
		"GB": gb.Holidays, "GR": gr.Holidays, "HR": hr.Holidays, "IE": ie.Holidays, "IL": israeli(), "IT": it.Holidays,
		"JP": jp.Holidays, "LT": lt.Holidays, "LV": lv.Holidays, "MW": mw.Holidays, "NC": nc.Holidays, "NL": nl.Holidays,
		"NO": no.Holidays, "NZ": nz.Holidays, "PL": pl.Holidays, "RO": ro.Holidays, "RU": ru.Holidays, "SE": se.Holidays,
		"SI": si.Holidays, "SK": sk.Holidays, "UA": ua.Holidays, "US": us.Holidays, "ZA": za.Holidays,
	}
}

// states are the holidays of Australia by zone: its zones are those of its states, and the Capital Territory has
// Sydney's.
func states() map[string][]*cal.Holiday {
	return map[string][]*cal.Holiday{
		"Australia/Adelaide": au.HolidaysSA, "Australia/Brisbane": au.HolidaysQLD, "Australia/Broken_Hill": au.HolidaysNSW,
		"Australia/Darwin": au.HolidaysNT, "Australia/Eucla": au.HolidaysWA, "Australia/Hobart": au.HolidaysTAS,
		"Australia/Lindeman": au.HolidaysQLD, "Australia/Lord_Howe": au.HolidaysNSW, "Australia/Melbourne": au.HolidaysVIC,
		"Australia/Perth": au.HolidaysWA, "Australia/Sydney": au.HolidaysNSW,
	}
}

// israeli are the days of rest of Israel's Law and Administration Ordinance and Independence Day.
func israeli() []*cal.Holiday {
	return []*cal.Holiday{
		after("Rosh Hashanah", hebrew.NewYear, 0), after("Second day of Rosh Hashanah", hebrew.NewYear, 1),
		after("Yom Kippur", hebrew.NewYear, 9), after("Sukkot", hebrew.NewYear, 14),
		after("Simchat Torah", hebrew.NewYear, 21), after("Passover", hebrew.Passover, 0),
		after("Seventh of Passover", hebrew.Passover, 6), after("Independence Day", hebrew.IndependenceDay, 0),
		after("Shavuot", hebrew.Passover, 50),
	}
}

// after is a holiday so many days after another.
func after(name string, first func(year int) interval.Date, days int) *cal.Holiday {
	return &cal.Holiday{Name: name, Type: cal.ObservancePublic, Func: func(_ *cal.Holiday, year int) time.Time {
		return first(year).AddDays(days).Start(cal.DefaultLoc)
	}}
}
