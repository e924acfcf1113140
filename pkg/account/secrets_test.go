package account_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/account"
	"convene/pkg/fault"
)

// everything is a credential with something in each field.
func everything() account.Credential {
	return account.Credential{AccessToken: "a-s3cr3t", Username: "u-s3cr3t", Password: "p-s3cr3t", URL: "https://s3cr3t"}
}

func TestSecretsAreNotPrinted(t *testing.T) {
	t.Parallel()
	cred := everything()
	login := account.ServerLogin{Server: "x", Username: "x", Password: "s3cr3t"}
	oauth := account.OAuth{ClientID: "client-1", ClientSecret: "s3cr3t"}
	holder := struct{ C account.Credential }{cred}
	for _, v := range []any{cred, &cred, []account.Credential{cred}, map[string]account.Credential{"x": cred}, holder,
		login, &login, oauth, account.Config{Google: oauth}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%T %v", "%20v"} {
			if got := strings.ToLower(fmt.Sprintf(verb, v, v)); containsSecret(got) || strings.Contains(got, "733363723374") {
				t.Errorf("%s of a %T = %s", verb, v, got)
			}
		}
	}
	log := &safeBuffer{}
	logger := zerolog.New(log)
	logger.Info().Interface("a", cred).Any("b", &cred).Any("c", holder).Stringer("d", cred).Msgf("%v", cred)
	slog.New(slog.NewJSONHandler(log, nil)).Info("x", "cred", cred, "holder", holder)
	slog.New(slog.NewTextHandler(log, nil)).Info("x", "cred", cred, "holder", holder)
	for name, encode := range map[string]func(any) ([]byte, error){"JSON": json.Marshal, "XML": xml.Marshal} {
		text, err := encode(cred)
		if err != nil || containsSecret(string(text)) {
			t.Errorf("%s = %s, %v", name, text, err)
		}
	}
	if containsSecret(log.String()) || !strings.Contains(log.String(), "[sealed]") {
		t.Errorf("log = %s", log)
	}
}

// All that is done with secrets leaves none of them in Redis, in the log or in an error.
func TestNoSecretIsLeftInTheOpen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.authority.rotates = true
	r := w.replica()
	a := w.connect(r, account.Write)
	must(r.connector.AddCalDAV(w.ctx(), "al", account.ServerLogin{
		Server: "https://dav.example", Username: "al", Password: "password-s3cr3t",
	}))(t)
	must(r.connector.AddFeed(w.ctx(), "al", "https://feeds.example/s3cr3t", ""))(t)
	must(r.connector.Begin(w.ctx(), account.Request{Person: "al", Provider: account.Google, Browser: "s3cr3t"}))(t)
	w.wait(time.Hour)
	must(r.Credential(w.ctx(), a.ID))(t)
	dump := w.redis.Dump()
	if !strings.Contains(dump, string(a.ID)) {
		t.Fatalf("nothing is stored:\n%s", dump)
	}
	w.wait(time.Hour)
	w.authority.tell(func(a *authority) { clear(a.valid) })
	_, err := r.Credential(w.ctx(), a.ID)
	for name, text := range map[string]string{"Redis": dump, "the log": w.log.String(), "an error": err.Error(),
		"the accounts": fmt.Sprintf("%+v", must(r.List(w.ctx(), "al"))(t))} {
		if containsSecret(text) {
			t.Errorf("%s shows a secret:\n%s", name, text)
		}
	}
}

// An attacker who can write to Redis cannot have one account opened with what belongs to another.
func TestSealedValuesCannotBeSwapped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.replica()
	als := must(r.connector.AddFeed(w.ctx(), "al", "https://feeds.example/1", ""))(t)
	mine := must(r.connector.AddFeed(w.ctx(), "me", "https://feeds.example/2", ""))(t)
	records := r.config.Records
	stolen := must(records.Record(w.ctx(), als.ID))(t).Sealed
	for name, change := range map[string]func(*account.Record){
		"another account's value": func(r *account.Record) { r.Sealed = stolen },
		"another owner":           func(r *account.Record) { r.Account.Person = "eve" },
		"a changed value":         func(r *account.Record) { r.Sealed[len(r.Sealed)-1] ^= 1 },
		"a value of no key":       func(r *account.Record) { r.Sealed = []byte("plain") },
		"no value":                func(r *account.Record) { r.Sealed = nil },
	} {
		before := must(records.Record(w.ctx(), mine.ID))(t)
		must(records.Update(w.ctx(), mine.ID, func(r *account.Record) error { change(r); return nil }))(t)
		if got, err := r.Credential(w.ctx(), mine.ID); fault.CodeOf(err) != fault.CalendarFailed ||
			got != (account.Credential{}) {
			t.Errorf("%s opens: %v", name, err)
		}
		if err := records.Put(w.ctx(), before); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Credential(w.ctx(), mine.ID); err != nil {
		t.Errorf("Credential of what was not touched = %v", err)
	}
}

func TestRotation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	old := w.replica()
	a := w.connect(old, account.Read)
	want := must(old.Credential(w.ctx(), a.ID))(t)
	sealed := must(old.config.Records.Record(w.ctx(), a.ID))(t).Sealed

	w.keyset = string(must(account.Rotate([]byte(w.keyset)))(t))
	rotated := w.replica()
	if got := must(rotated.Credential(w.ctx(), a.ID))(t); got != want {
		t.Error("what was sealed before the rotation opens differently")
	}
	resealed := must(old.config.Records.Record(w.ctx(), a.ID))(t).Sealed
	if string(resealed[:5]) == string(sealed[:5]) {
		t.Error("what was read is still sealed with the old key")
	}
	// A replica that has not been restarted yet goes on.
	if got, err := old.Credential(w.ctx(), a.ID); err != nil || got != want {
		t.Errorf("Credential on a replica with the older keyset = %v", err)
	}
	for range 3 {
		w.keyset = string(must(account.Rotate([]byte(w.keyset)))(t))
	}
	if got := must(w.replica().Credential(w.ctx(), a.ID))(t); got != want {
		t.Error("what was sealed some rotations ago does not open")
	}
}

func TestALostKeyIsShownAsAProblem(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.connect(w.replica(), account.Read)
	w.keyset = string(must(account.NewKeyset())(t))
	r := w.replica()
	if got := must(r.List(w.ctx(), "al"))(t); got[0].Problem != "reconnect the Google calendar" {
		t.Errorf("accounts = %+v", got)
	}
	if _, err := r.Credential(w.ctx(), a.ID); fault.As(err).Message != "reconnect the Google calendar" {
		t.Errorf("Credential = %v", err)
	}
	w.connect(r, account.Read)
	if got := must(r.List(w.ctx(), "al"))(t); len(got) != 1 || got[0].Problem != "" {
		t.Errorf("accounts after connecting anew = %+v", got)
	}
}

func TestOpenSecrets(t *testing.T) {
	t.Parallel()
	keyset := must(account.NewKeyset())(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "keyset.json")
	if err := os.WriteFile(file, append(keyset, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		setting         string
		lasting, wanted bool
	}{
		"a file":                 {file, true, true},
		"the keyset itself":      {string(keyset), true, true},
		"none":                   {"", false, true},
		"no such file":           {filepath.Join(dir, "s3cr3t"), false, false},
		"a directory":            {dir, false, false},
		"something else in JSON": {`{"s3cr3t":1}`, false, false},
		"a keyset that was cut":  {string(keyset[:len(keyset)/2]), false, false},
		"a keyset without keys":  {`{"primaryKeyId":1,"key":[]}`, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := account.OpenSecrets(tt.setting)
			if (err == nil) != tt.wanted {
				t.Fatalf("OpenSecrets = %v, want success: %t", err, tt.wanted)
			}
			if err != nil && (containsSecret(err.Error()) || strings.Contains(err.Error(), "value")) {
				t.Errorf("the error repeats the setting: %v", err)
			}
			if err == nil && s.Lasting() != tt.lasting {
				t.Errorf("Lasting = %t", s.Lasting())
			}
		})
	}
	if _, err := account.Rotate([]byte("s3cr3t")); err == nil || containsSecret(err.Error()) {
		t.Errorf("Rotate = %v", err)
	}
}
