package auth_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"convene/pkg/auth"
	"convene/pkg/auth/authtest"
	"convene/pkg/meet"
)

func TestWhatCallersMayDo(t *testing.T) {
	t.Parallel()
	browser := func(g auth.Grant) auth.Caller { return auth.Caller{Kind: auth.ByToken, Grant: g} }
	bound := browser(auth.Grant{
		Organizers: []meet.PersonID{"me"}, Participants: []meet.PersonID{"al"},
		Conversations: []meet.ConversationID{"c1"}, Namespace: "w1",
	})
	for _, test := range []struct {
		name   string
		caller auth.Caller
		// may lists what the caller may: organize o, invite i, follow f, guests g, mint m.
		may string
	}{
		{"nobody", auth.Caller{}, ""},
		{"everybody", auth.Caller{Kind: auth.Open}, "o:me o:al o:eve i:me i:al i:eve f:c1 f:w1.x f:w1 f:w1x f:w2.x g"},
		{"a server", auth.Caller{Kind: auth.ByKey}, "o:me o:al o:eve i:me i:al i:eve f:c1 f:w1.x f:w1 f:w1x f:w2.x g m"},
		{"a browser", bound, "o:me i:me i:al f:c1 f:w1.x"},
		{"a browser with contacts", browser(auth.Grant{Organizers: []meet.PersonID{"me"}, Contacts: true}),
			"o:me i:me i:al i:eve"},
		{"a browser with guests", browser(auth.Grant{Guests: true}), "g"},
		{"a browser with nothing", browser(auth.Grant{}), ""},
	} {
		var may []string
		for _, p := range []meet.PersonID{"me", "al", "eve"} {
			if test.caller.MayOrganize(p) {
				may = append(may, "o:"+string(p))
			}
		}
		for _, p := range []meet.PersonID{"me", "al", "eve"} {
			if test.caller.MayInvite(p) {
				may = append(may, "i:"+string(p))
			}
		}
		for _, c := range []meet.ConversationID{"c1", "w1.x", "w1", "w1x", "w2.x"} {
			if test.caller.MayFollow(c) {
				may = append(may, "f:"+string(c))
			}
		}
		if test.caller.MayBringGuests() {
			may = append(may, "g")
		}
		if test.caller.MayMint() {
			may = append(may, "m")
		}
		want(t, test.name, strings.Join(may, " "), test.may)
	}
	want(t, "the circle of a browser", bound.Circle(), []meet.PersonID{"me", "al"})
	want(t, "the circle of nobody", auth.Caller{}.Circle(), []meet.PersonID{})
	want(t, "the circle of a server", auth.Caller{Kind: auth.ByKey}.Circle(), []meet.PersonID(nil))
}

// What a key may do bounds the tokens that are made with it, also those that were made before.
func TestWhatAllowancesAllow(t *testing.T) {
	t.Parallel()
	some := func(families ...string) auth.Allowance { return auth.Allowance{Families: families} }
	for name, test := range map[string]struct {
		key, token auth.Allowance
		want       string
	}{
		"all":                       {auth.Allowance{}, auth.Allowance{}, "calendar schedule confirm"},
		"a limited key":             {some("calendar"), auth.Allowance{}, "calendar confirm"},
		"a limited token":           {auth.Allowance{}, some("schedule"), "schedule confirm"},
		"both":                      {some("calendar", "schedule"), some("schedule"), "schedule confirm"},
		"nothing in common":         {some("calendar"), some("schedule"), "confirm"},
		"a key that cannot confirm": {auth.Allowance{NoConfirm: true}, some("schedule"), "schedule"},
	} {
		ring := &authtest.Ring{}
		door := auth.NewDoor(auth.DoorConfig{Ring: ring})
		_, key := ring.NewLimitedKey("acme", test.key)
		c, err := door.Caller(t.Context(), authtest.Mint(t, door, key, auth.Grant{Allowance: test.token}))
		if err != nil {
			t.Fatal(err)
		}
		var may []string
		for _, family := range []string{"calendar", "schedule"} {
			if c.MayUse(family) {
				may = append(may, family)
			}
		}
		if c.MayConfirm() {
			may = append(may, "confirm")
		}
		want(t, name, strings.Join(may, " "), test.want)
	}
	if nobody := (auth.Caller{}); nobody.MayUse("calendar") || nobody.MayConfirm() {
		t.Error("nobody may do something")
	}
}

func TestConversationsThatAreBegun(t *testing.T) {
	t.Parallel()
	browser := auth.Caller{Kind: auth.ByToken, Grant: auth.Grant{Namespace: "w1"}}
	first, ok := browser.NewConversation()
	second, _ := browser.NewConversation()
	if !ok || first == second || !browser.MayFollow(first) || !meet.IsID(string(first)) {
		t.Errorf("%q, %q, %t", first, second, ok)
	}
	if id, ok := (auth.Caller{Kind: auth.ByKey}).NewConversation(); id != "" || !ok {
		t.Errorf("a server: %q, %t", id, ok)
	}
	if id, ok := (auth.Caller{Kind: auth.ByToken}).NewConversation(); ok {
		t.Errorf("a browser that may begin none: %q", id)
	}
}

func TestCallersAreNobodyUntilTheyAreKnown(t *testing.T) {
	t.Parallel()
	if c := auth.CallerOf(context.Background()); c.Kind != "" || c.MayMint() || c.MayOrganize("me") {
		t.Errorf("%+v", c)
	}
	ctx := auth.Calling(context.Background(), auth.Caller{Tenant: "acme", Kind: auth.ByKey})
	if meet.TenantOf(ctx) != "acme" || !auth.CallerOf(ctx).MayMint() {
		t.Errorf("tenant %q, %+v", meet.TenantOf(ctx), auth.CallerOf(ctx))
	}
}

func TestIsTenant(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"": true, "acme": true, "a.b_c-9": true, "Acme": false, "a b": false, "a:b": false, "a{b": false, "é": false,
		strings.Repeat("a", 65): false,
	} {
		if got := auth.IsTenant(name); got != want {
			t.Errorf("IsTenant(%q) = %t", name, got)
		}
	}
}

func TestParseRate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]auth.Rate{
		"600/1m": {Requests: 600, Window: time.Minute}, "1/1s": {Requests: 1, Window: time.Second}, "off": {},
	} {
		if got, err := auth.ParseRate(text); got != want || err != nil {
			t.Errorf("ParseRate(%q) = %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "600", "/1m", "600/", "0/1m", "-1/1m", "1.5/1m", "600/1", "600/1ms", "600/25h",
		"2000000/1m", "1e3/1m", "600/1m/1m"} {
		if got, err := auth.ParseRate(text); err == nil || got.Limited() {
			t.Errorf("ParseRate(%q) = %v, want an error", text, got)
		}
	}
}
