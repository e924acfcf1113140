package microsoft

import "testing"

func TestTransactionTellsTheUID(t *testing.T) {
	t.Parallel()
	for _, uid := range []string{"p1@convene", "with.dots.and spaces", "7"} {
		for _, life := range []int{0, 3, 12} {
			if got, own := uidOf(transactionOf(uid, life)); got != uid || !own {
				t.Errorf("%q, life %d: got %q, %v", uid, life, got, own)
			}
		}
	}
	for _, foreign := range []string{"", "convene.", "convene.x.y", "convene.1", "convene.1.", "localevent:7e16",
		"7E163156-7762"} {
		if uid, own := uidOf(foreign); own {
			t.Errorf("%q is taken for ours: %q", foreign, uid)
		}
	}
}

func TestInstancesShareAUID(t *testing.T) {
	t.Parallel()
	const (
		start = "040000008200E00074C5B7101A82E008"
		tail  = "FB7128DC464BD4010000000000000000100000006176917542798940B4FDBBFBA5B474A6"
	)
	for got, want := range map[string]string{
		start + "07EA0303" + tail:                start + "00000000" + tail,
		start + "00000000" + tail:                start + "00000000" + tail,
		"19rh93h5t893h5v@calendar.icloud.com":    "19rh93h5t893h5v@calendar.icloud.com",
		start:                                    start,
		start + "07EA0303" + tail + "ZZ":         start + "07EA0303" + tail + "ZZ",
		"":                                       "",
		foreign("07EA0303", "w@example.com\x00"): "w@example.com",
		foreign("00000000", "w@example.com"):     "w@example.com",
	} {
		if uid := seriesUID(got); uid != want {
			t.Errorf("%s: got %q, want %q", got, uid, want)
		}
	}
}

// foreign is the identity of an instance of an event from elsewhere.
func foreign(date, uid string) string {
	const digits = "0123456789ABCDEF"
	id := "040000008200E00074C5B7101A82E008" + date + "00000000000000000000000000000000" + "1D000000"
	for _, b := range []byte("vCal-Uid\x01\x00\x00\x00" + uid) {
		id += string([]byte{digits[b>>4], digits[b&15]})
	}
	return id
}

func TestIdentitiesAreBounded(t *testing.T) {
	t.Parallel()
	var known identities
	known.learn("", "u")
	known.learn("i", "")
	for n := range maxKnown + 5 {
		known.learn(transactionOf("i", n), "u")
	}
	if len(known.known) > maxKnown {
		t.Errorf("%d are known, want at most %d", len(known.known), maxKnown)
	}
	if got := known.uid(transactionOf("i", maxKnown+4)); got != "u" {
		t.Errorf("the last one learned: got %q", got)
	}
	if got := known.uid("stranger"); got != "stranger" {
		t.Errorf("a stranger: got %q", got)
	}
}
