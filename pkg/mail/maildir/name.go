package maildir

import (
	"encoding/base64"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"convene/pkg/mail"
)

// entry is a file of a mailbox. Its name is the mail's id, which other programs keep, and flags that they change.
type entry struct {
	id, flags string
	// dir is the folder's directory below the mailbox, with cur or new.
	dir string
	// folder is that of the directory.
	folder mail.Folder
}

// info stands between the id and the flags in a name.
const info = ":2,"

// The flags of a name.
const (
	seen    = "S"
	flagged = "F"
	trashed = "T"
)

func (e entry) name() string {
	if e.flags == "" && strings.HasSuffix(e.dir, "new") {
		return e.id
	}
	return e.id + info + e.flags
}

// state is what the name says. A mail that is marked as deleted counts as one of the trash.
func (e entry) state() mail.State {
	s := mail.State{
		Folder: e.folder, Read: strings.Contains(e.flags, seen), Starred: strings.Contains(e.flags, flagged),
	}
	if strings.Contains(e.flags, trashed) {
		s.Folder = mail.Trash
	}
	return s
}

// flagsFor are the flags of a mail in another state. What Convene does not know stays; keywords (small letters), which
// have another meaning in each folder, stay within theirs.
func (e entry) flagsFor(to mail.State) string {
	var kept []byte
	for f := byte('A'); f <= 'z'; f++ {
		keep := strings.Contains(e.flags, string(f))
		switch {
		case string(f) == seen:
			keep = to.Read
		case string(f) == flagged:
			keep = to.Starred
		case string(f) == trashed:
			keep = keep && to.Folder == mail.Trash
		case f >= 'a':
			keep = keep && to.Folder == e.folder
		}
		if keep {
			kept = append(kept, f)
		}
	}
	return string(kept)
}

// delivered is when a file was delivered, as its name says; zero if it does not.
func delivered(id string) time.Time {
	const shortest = 9
	digits := id[:len(id)-len(strings.TrimLeft(id, "0123456789"))]
	seconds, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || len(digits) < shortest {
		return time.Time{}
	}
	return time.Unix(seconds, 0)
}

// utf7 is the base64 of modified UTF-7 (RFC 3501, 5.1.3).
var utf7 = base64.NewEncoding("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,").
	WithPadding(base64.NoPadding)

// dirOf is the directory of a folder (Maildir++): its name in modified UTF-7, with dots for its parts.
func dirOf(f mail.Folder) string {
	var b strings.Builder
	var other []uint16
	flush := func() {
		if len(other) == 0 {
			return
		}
		raw := make([]byte, 0, 2*len(other))
		for _, unit := range other {
			raw = append(raw, byte(unit>>8), byte(unit))
		}
		b.WriteString("&" + utf7.EncodeToString(raw) + "-")
		other = nil
	}
	for _, r := range string(f) {
		plain := r >= ' ' && r <= '~' && r != '.'
		if plain {
			flush()
		}
		switch {
		case r == '/':
			b.WriteByte('.')
		case r == '&':
			b.WriteString("&-")
		case plain:
			b.WriteRune(r)
		default:
			other = utf16.AppendRune(other, r)
		}
	}
	flush()
	return "." + b.String()
}

// folderOf is the folder of a directory, as its owner calls it. What is no modified UTF-7 stays as it is.
func folderOf(dir string) string {
	var b strings.Builder
	rest := strings.ReplaceAll(strings.TrimPrefix(dir, "."), ".", "/")
	for {
		plain, coded, found := strings.Cut(rest, "&")
		b.WriteString(plain)
		if !found {
			return b.String()
		}
		code, after, ended := strings.Cut(coded, "-")
		raw, err := utf7.DecodeString(code)
		switch {
		case !ended || err != nil || len(raw)%2 != 0:
			b.WriteString("&" + coded)
			return b.String()
		case code == "":
			b.WriteByte('&')
		}
		units := make([]uint16, len(raw)/2)
		for i := range units {
			units[i] = uint16(raw[2*i])<<8 | uint16(raw[2*i+1])
		}
		b.WriteString(string(utf16.Decode(units)))
		rest = after
	}
}
