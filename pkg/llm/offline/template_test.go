package offline

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// onWednesday is a document of stage 3 without anything before it: Wednesday 4 March 2026, nine in the morning.
func onWednesday(message string) templateData {
	return templateData{Message: message, Now: "2026-03-04T09:00:00-08:00", Timezone: "America/Los_Angeles"}
}

// stage3 answers a document with all three functions on offer.
func stage3(d templateData) (string, string) {
	name, arguments := New(Options{}).readTemplate([]string{
		generateEventTemplate, editEventTemplate, navigateToBookingLink,
	}, d)
	return name, brief(arguments)
}

// brief is arguments as the tables write them: each field that says something, in the order of the struct, as
// name=value.
func brief(arguments any) string {
	encoded, err := json.Marshal(arguments)
	if err != nil {
		return err.Error()
	}
	decoder := json.NewDecoder(strings.NewReader(string(encoded)))
	var fields []string
	for _, err := decoder.Token(); err == nil && decoder.More(); {
		key, _ := decoder.Token()
		var value json.RawMessage
		if err = decoder.Decode(&value); err != nil {
			break
		}
		if text := briefValue(value); text != "" {
			fields = append(fields, fmt.Sprintf("%v=%s", key, text))
		}
	}
	return strings.Join(fields, "; ")
}

func briefValue(value json.RawMessage) string {
	switch text := string(value); text {
	case "null", "[]", `""`, "false", `"none"`:
		return ""
	}
	var h hours
	if json.Unmarshal(value, &h) == nil && h.Mon != nil {
		return briefHours(h)
	}
	var days []dateRange
	if json.Unmarshal(value, &days) == nil {
		var out []string
		for _, d := range days {
			out = append(out, strings.TrimSuffix(d.Start+".."+d.End, ".."+d.Start))
		}
		return strings.Join(out, ",")
	}
	return strings.ReplaceAll(string(value), `"`, "")
}

func briefHours(h hours) string {
	all := map[string][]window{
		"mon": h.Mon, "tue": h.Tue, "wed": h.Wed, "thu": h.Thu, "fri": h.Fri, "sat": h.Sat, "sun": h.Sun,
	}
	var out []string
	same := true
	for _, day := range []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"} {
		same = same && cmp.Equal(all[day], h.Mon)
		if len(all[day]) > 0 {
			out = append(out, day+" "+briefWindows(all[day]))
		}
	}
	if same {
		return "daily " + briefWindows(h.Mon)
	}
	return strings.Join(out, " ")
}

func briefWindows(list []window) string {
	var out []string
	for _, w := range list {
		out = append(out, strings.TrimSuffix(w.Start+"-"+w.End, "-"+w.Start))
	}
	return strings.Join(out, "/")
}

// templateOf is the template of the new event that d asks for.
func templateOf(d templateData) templateArguments {
	_, arguments := New(Options{}).readTemplate([]string{generateEventTemplate}, d)
	made, _ := arguments.(templateArguments)
	return made
}

func TestNewTemplate(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{
			"Let's grab coffee with Al next week",
			"title=coffee with Al; eventType=in-person; activity=coffee; preferredSchedulableDates=2026-03-09..2026-03-15; " +
				"participants=[Al]; suggestedPlaceTypes=[cafe]; intentSpecificity=activity_type",
		},
		{
			"dinner with Dana and Priya Shah on Friday at 7 at Zuni Café",
			"title=dinner with Dana and Priya Shah; eventType=in-person; activity=dinner; " +
				"preferredSchedulableDates=2026-03-06; preferredSchedulableHours=daily 19:00; participants=[Dana,Priya Shah]; " +
				"suggestedPlaceTypes=[restaurant]; intentSpecificity=specific_place; placeName=Zuni Café",
		},
		{
			"lunch w/ my sister Mia the day after Thanksgiving",
			"title=lunch with Mia; eventType=in-person; activity=lunch; preferredSchedulableDates=2026-11-27; " +
				"participants=[Mia]; suggestedPlaceTypes=[restaurant]; intentSpecificity=activity_type",
		},
		{
			"zoom with hiro tomorrow at 9",
			"title=zoom with hiro; eventType=video; activity=meeting; preferredSchedulableDates=2026-03-05; " +
				"preferredSchedulableHours=daily 09:00; participants=[hiro]; intentSpecificity=open",
		},
		{
			"30 minute phone call with Ben, mornings this week",
			"title=phone call with Ben; eventType=phone; activity=call; duration=30; " +
				"preferredSchedulableDates=2026-03-04..2026-03-08; preferredSchedulableHours=daily 08:00-12:00; " +
				"participants=[Ben]; intentSpecificity=open",
		},
		{
			"meeting with Ravi at the office on Thursday",
			"title=meeting with Ravi at the office; eventType=in-person; activity=meeting; " +
				"preferredSchedulableDates=2026-03-05; participants=[Ravi]; intentSpecificity=open",
		},
		{
			"set up a 1:1 with Noor on Monday",
			"title=1:1 with Noor; eventType=video; activity=meeting; preferredSchedulableDates=2026-03-09; " +
				"participants=[Noor]; intentSpecificity=open",
		},
		{
			"drinks somewhere with outdoor seating on Thursday with Tom & Summer",
			"title=drinks with Tom and Summer; eventType=in-person; activity=drinks; preferredSchedulableDates=2026-03-05; " +
				"participants=[Tom,Summer]; suggestedPlaceTypes=[bar]; intentSpecificity=activity_type; wishes=[outdoor seating]",
		},
		{
			"ramen for lunch with Kim on Tuesday near the Ferry Building",
			"title=lunch with Kim; eventType=in-person; activity=lunch; preferredSchedulableDates=2026-03-10; " +
				"participants=[Kim]; suggestedPlaceTypes=[restaurant]; intentSpecificity=activity_type; " +
				"activitySearchQuery=ramen; where={area:,landmark:the Ferry Building,person:,anchor:none}",
		},
		{
			"sushi with Mia",
			"title=sushi with Mia; eventType=in-person; activity=dinner; participants=[Mia]; " +
				"suggestedPlaceTypes=[restaurant]; intentSpecificity=activity_type; activitySearchQuery=sushi",
		},
		{
			"museum with Noor this weekend",
			"title=museum with Noor; eventType=in-person; activity=custom; preferredSchedulableDates=2026-03-07..2026-03-08; " +
				"preferredSchedulableHours=daily 10:00-19:00; participants=[Noor]; suggestedPlaceTypes=[museum]; " +
				"intentSpecificity=activity_type",
		},
		{
			"let's hang out with Chris next week, no Mondays, with 30 minutes travel",
			"title=hang out with Chris; eventType=in-person; activity=custom; " +
				"preferredSchedulableDates=2026-03-09..2026-03-15; excludedHours=mon 00:00-24:00; participants=[Chris]; " +
				"intentSpecificity=open; travelBuffer={beforeMinutes:30,afterMinutes:30}",
		},
		{
			"coffee with Al on Friday around 3",
			"title=coffee with Al; eventType=in-person; activity=coffee; preferredSchedulableDates=2026-03-06; " +
				"preferredSchedulableHours=daily 14:30-16:00; participants=[Al]; suggestedPlaceTypes=[cafe]; " +
				"intentSpecificity=activity_type",
		},
		{
			"coffee with Al tomorrow from 9 to 5",
			"title=coffee with Al; eventType=in-person; activity=coffee; preferredSchedulableDates=2026-03-05; " +
				"preferredSchedulableHours=daily 09:00-17:00; participants=[Al]; suggestedPlaceTypes=[cafe]; " +
				"intentSpecificity=activity_type",
		},
		{
			"lunch with Al on Monday morning, or if not, Tuesday afternoon",
			"title=lunch with Al; eventType=in-person; activity=lunch; preferredSchedulableDates=2026-03-09..2026-03-10; " +
				"preferredSchedulableHours=mon 08:00-12:00 tue 12:00-17:00; participants=[Al]; suggestedPlaceTypes=[restaurant]; " +
				"intentSpecificity=activity_type",
		},
		{
			"cofee wiht al nxt wk plz", //nolint:misspell // slips are what this is about
			"title=coffee with al; eventType=in-person; activity=coffee; preferredSchedulableDates=2026-03-09..2026-03-15; " +
				"participants=[al]; suggestedPlaceTypes=[cafe]; intentSpecificity=activity_type",
		},
		{
			"DINNER W JEN TONIGHT 730",
			"title=dinner with Jen; eventType=in-person; activity=dinner; preferredSchedulableDates=2026-03-04; " +
				"preferredSchedulableHours=daily 19:30; participants=[Jen]; suggestedPlaceTypes=[restaurant]; " +
				"intentSpecificity=activity_type",
		},
		{
			"☕ with Al tomorrow",
			"title=coffee with Al; eventType=in-person; activity=coffee; preferredSchedulableDates=2026-03-05; " +
				"participants=[Al]; suggestedPlaceTypes=[cafe]; intentSpecificity=activity_type",
		},
		{
			"tacos with Mia on Sunday at 6, not at Harbor Hall",
			"title=tacos with Mia; eventType=in-person; activity=dinner; preferredSchedulableDates=2026-03-08; " +
				"preferredSchedulableHours=daily 18:00; participants=[Mia]; suggestedPlaceTypes=[restaurant]; " +
				"intentSpecificity=activity_type; activitySearchQuery=tacos; excludedPlaces=[Harbor Hall]",
		},
		{
			"ramen with Mia tomorrow at 11:30",
			"title=ramen with Mia; eventType=in-person; activity=lunch; preferredSchedulableDates=2026-03-05; " +
				"preferredSchedulableHours=daily 11:30; participants=[Mia]; suggestedPlaceTypes=[restaurant]; " +
				"intentSpecificity=activity_type; activitySearchQuery=ramen",
		},
		{
			"dinner with Mia but not with Tom on Friday for 5 hours",
			"title=dinner with Mia; eventType=in-person; activity=dinner; duration=300; preferredSchedulableDates=2026-03-06; " +
				"participants=[Mia]; suggestedPlaceTypes=[restaurant]; intentSpecificity=activity_type",
		},
		{
			"dinner with al chen, grace kim and theo on Saturday",
			"title=dinner with al chen, grace kim and theo; eventType=in-person; activity=dinner; " +
				"preferredSchedulableDates=2026-03-07; participants=[al chen,grace kim,theo]; suggestedPlaceTypes=[restaurant]; " +
				"intentSpecificity=activity_type",
		},
		{
			"coffee with al, then a walk and a talk on Friday",
			"title=coffee with al; eventType=in-person; activity=coffee; preferredSchedulableDates=2026-03-06; " +
				"participants=[al]; suggestedPlaceTypes=[cafe]; intentSpecificity=activity_type",
		},
		{
			"a quiet cafe with wifi with Al on Tuesday",
			"title=coffee with Al; eventType=in-person; activity=coffee; preferredSchedulableDates=2026-03-10; " +
				"participants=[Al]; suggestedPlaceTypes=[cafe]; intentSpecificity=activity_type; wishes=[quiet,wifi]",
		},
		{
			"coffee with Al, not Philz or Blue Door, on Friday",
			"title=coffee with Al; eventType=in-person; activity=coffee; preferredSchedulableDates=2026-03-06; " +
				"participants=[Al]; suggestedPlaceTypes=[cafe]; intentSpecificity=activity_type; excludedPlaces=[Philz,Blue Door]",
		},
		{
			"actually coffee with Al in Berlin",
			"title=coffee with Al; eventType=in-person; activity=coffee; participants=[Al]; suggestedPlaceTypes=[cafe]; " +
				"intentSpecificity=activity_type; where={area:Berlin,landmark:,person:,anchor:none}",
		},
		{
			"lunch with ann@mail.example and Bo tomorrow",
			"title=lunch with ann and Bo; eventType=in-person; activity=lunch; preferredSchedulableDates=2026-03-05; " +
				"participants=[ann@mail.example,Bo]; suggestedPlaceTypes=[restaurant]; intentSpecificity=activity_type",
		},
		{
			"lunch with our sales team and my boss on Friday",
			"title=lunch with the sales team and my boss; eventType=in-person; activity=lunch; " +
				"preferredSchedulableDates=2026-03-06; participants=[the sales team,my boss]; " +
				"suggestedPlaceTypes=[restaurant]; intentSpecificity=activity_type",
		},
		{
			"Noor drinks thurs 6",
			"title=drinks with Noor; eventType=in-person; activity=drinks; preferredSchedulableDates=2026-03-05; " +
				"preferredSchedulableHours=daily 18:00; participants=[Noor]; suggestedPlaceTypes=[bar]; " +
				"intentSpecificity=activity_type",
		},
		{
			"Farewell drinks on Thursday",
			"title=Farewell drinks; eventType=in-person; activity=drinks; preferredSchedulableDates=2026-03-05; " +
				"suggestedPlaceTypes=[bar]; intentSpecificity=activity_type",
		},
		{
			"tea with [Mia](https://elsewhere.example) tomorrow",
			"title=tea with Mia; eventType=in-person; activity=coffee; preferredSchedulableDates=2026-03-05; " +
				"participants=[Mia]; suggestedPlaceTypes=[tea house]; intentSpecificity=activity_type",
		},
		{
			"meeting with Mia in person on Monday",
			"title=meeting with Mia; eventType=in-person; activity=meeting; preferredSchedulableDates=2026-03-09; " +
				"participants=[Mia]; suggestedPlaceTypes=[cafe]; intentSpecificity=activity_type",
		},
		{
			"I have to see the dentist on Monday at 9",
			"title=dentist; eventType=in-person; activity=meeting; duration=60; preferredSchedulableDates=2026-03-09; " +
				"preferredSchedulableHours=daily 09:00; suggestedPlaceTypes=[dentist]; intentSpecificity=activity_type",
		},
		{
			"coffee with Mia at 26:00 tomorrow",
			"title=coffee with Mia; eventType=in-person; activity=coffee; preferredSchedulableDates=2026-03-05; " +
				"participants=[Mia]; suggestedPlaceTypes=[cafe]; intentSpecificity=activity_type",
		},
		{
			"phone with Mia on Monday",
			"title=call with Mia; eventType=phone; activity=call; preferredSchedulableDates=2026-03-09; participants=[Mia]; " +
				"intentSpecificity=open",
		},
		{
			"block focus time tomorrow from 9 to 11",
			"title=focus time; eventType=in-person; activity=meeting; duration=120; preferredSchedulableDates=2026-03-05; " +
				"preferredSchedulableHours=daily 09:00; intentSpecificity=open",
		},
		{
			"quiero cenar con Lucía y Marco el viernes",
			"title=cena con Lucía y Marco; eventType=in-person; activity=dinner; preferredSchedulableDates=2026-03-06; " +
				"participants=[Lucía,Marco]; suggestedPlaceTypes=[restaurant]; intentSpecificity=activity_type",
		},
		{
			"קפה עם נועה ביום שני",
			"title=קפה עם נועה; eventType=in-person; activity=coffee; preferredSchedulableDates=2026-03-09; " +
				"participants=[נועה]; suggestedPlaceTypes=[cafe]; intentSpecificity=activity_type",
		},
		{
			"visit a museum with Noor on Tuesday",
			"title=visit a museum with Noor; eventType=in-person; activity=custom; preferredSchedulableDates=2026-03-10; " +
				"preferredSchedulableHours=daily 10:00-19:00; participants=[Noor]; suggestedPlaceTypes=[museum]; " +
				"intentSpecificity=activity_type",
		},
		{
			"all-day hike with Noor on Saturday",
			"title=hike with Noor; eventType=in-person; activity=custom; duration=480; preferredSchedulableDates=2026-03-07; " +
				"preferredSchedulableHours=daily 08:00-20:00; participants=[Noor]; suggestedPlaceTypes=[hike]; " +
				"intentSpecificity=activity_type",
		},
		{
			"tomar un café con mi hermana Inés en Café Lumbre el jueves a las 16:00",
			"title=café con Inés; eventType=in-person; activity=coffee; preferredSchedulableDates=2026-03-05; " +
				"preferredSchedulableHours=daily 16:00; participants=[Inés]; suggestedPlaceTypes=[cafe]; " +
				"intentSpecificity=specific_place; placeName=Café Lumbre",
		},
		{
			"quedar con Ana y Iker el lunes",
			"title=reunión con Ana e Iker; eventType=video; activity=meeting; preferredSchedulableDates=2026-03-09; " +
				"participants=[Ana,Iker]; intentSpecificity=open",
		},
		{
			"אפשר להיפגש עם נועה לקפה ביום שני בשעה 10:00?",
			"title=קפה עם נועה; eventType=in-person; activity=coffee; preferredSchedulableDates=2026-03-09; " +
				"preferredSchedulableHours=daily 10:00; participants=[נועה]; suggestedPlaceTypes=[cafe]; " +
				"intentSpecificity=activity_type",
		},
		{
			"תקבע ארוחת ערב עם דן ועם Al ביום חמישי",
			"title=ארוחת ערב עם דן ו־Al; eventType=in-person; activity=dinner; preferredSchedulableDates=2026-03-05; " +
				"participants=[דן,Al]; suggestedPlaceTypes=[restaurant]; intentSpecificity=activity_type",
		},
		{
			"hike on Sunday, eagle ridge",
			"title=hike; eventType=in-person; activity=custom; preferredSchedulableDates=2026-03-08; " +
				"preferredSchedulableHours=daily 10:00-19:00; suggestedPlaceTypes=[hike]; intentSpecificity=specific_place; " +
				"placeName=eagle ridge",
		},
		{
			"weekly 1:1 with Noor on Monday",
			"title=weekly 1:1 with Noor; eventType=video; activity=meeting; preferredSchedulableDates=2026-03-09; " +
				"participants=[Noor]; intentSpecificity=open",
		},
		{
			"climbing with Will and Noor on Friday",
			"title=climbing with Will and Noor; eventType=in-person; activity=custom; preferredSchedulableDates=2026-03-06; " +
				"participants=[Will,Noor]; suggestedPlaceTypes=[climbing]; intentSpecificity=activity_type",
		},
		{
			"Dinner Date with my therapist Noor on Monday",
			"title=Dinner Date with Noor; eventType=in-person; activity=dinner; preferredSchedulableDates=2026-03-09; " +
				"participants=[Noor]; suggestedPlaceTypes=[restaurant]; intentSpecificity=activity_type",
		},
		{
			"Al Chen",
			"title=meeting with Al Chen; eventType=video; activity=meeting; participants=[Al Chen]; intentSpecificity=open",
		},
		{
			"",
			"title=meeting; eventType=video; activity=meeting; intentSpecificity=open",
		},
	} {
		name, got := stage3(onWednesday(c[0]))
		if name != generateEventTemplate || got != c[1] {
			t.Errorf("%q: %s\n got %s\nwant %s", c[0], name, got, c[1])
		}
	}
}

// A free time that was listed is meant by its place in the list; what the message says of time itself goes before.
func TestAFreeTimeIsMeantByItsNumber(t *testing.T) {
	for message, want := range map[string][2]string{
		"book lunch with Al in the second gap":    {"2026-03-06", "16:00-17:00"},
		"coffee with Al in the last one please":   {"2026-03-06", "16:00-17:00"},
		"comida con Al en el segundo hueco":       {"2026-03-06", "16:00-17:00"},
		"תקבע צהריים עם אל בחלון השני":            {"2026-03-06", "16:00-17:00"},
		"coffee with Al at 9:30 in the first one": {"2026-03-06", "daily 09:30;"},
	} {
		d := onWednesday(message)
		d.FreeTimes = []offeredEvent{
			{Start: "2026-03-06T09:15:00-08:00", End: "2026-03-06T14:00:00-08:00"},
			{Start: "2026-03-06T16:00:00-08:00", End: "2026-03-06T17:00:00-08:00"},
		}
		_, got := stage3(d)
		for _, part := range want {
			if !strings.Contains(got, part) || strings.Contains(got, "placeName") || strings.Contains(got, "Area") {
				t.Errorf("%s: %s, want %q and no place", message, got, want)
			}
		}
	}
}
