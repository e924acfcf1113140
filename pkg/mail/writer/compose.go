package writer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	netmail "net/mail"
	"strings"

	gomail "github.com/wneessen/go-mail"

	"convene/pkg/mail"
)

// compose is a letter as it is sent (RFC 5322). The same letter with the same files always gives the same bytes.
func compose(l mail.Letter, files []mail.File) ([]byte, error) {
	m := gomail.NewMsg(gomail.WithNoDefaultUserAgent(), gomail.WithBoundary(boundaryOf(l)))
	m.FromMailAddress(addressOf(l.From))
	for header, list := range map[gomail.AddrHeader][]mail.Address{gomail.HeaderTo: l.To, gomail.HeaderCc: l.CC} {
		if len(list) > 0 {
			m.SetAddrHeaderFromMailAddress(header, addressesOf(list)...)
		}
	}
	m.Subject(l.Subject)
	m.SetDateWithValue(l.Date)
	m.SetMessageIDWithValue(l.MessageID)
	if l.InReplyTo != "" {
		m.SetGenHeader(gomail.HeaderInReplyTo, "<"+l.InReplyTo+">")
	}
	if len(l.References) > 0 {
		m.SetGenHeader(gomail.HeaderReferences, "<"+strings.Join(l.References, "> <")+">")
	}
	if l.ForwardOf != "" {
		m.SetGenHeader("X-Forwarded-Message-Id", "<"+l.ForwardOf+">")
	}
	if l.Automatic {
		m.SetGenHeader("Auto-Submitted", "auto-generated")
	}
	m.SetBodyString(gomail.TypeTextPlain, strings.ReplaceAll(l.Text, "\n", "\r\n"))
	for _, f := range files {
		err := m.AttachReader(f.Name, bytes.NewReader(f.Content), gomail.WithFileContentType(gomail.ContentType(f.Type)))
		if err != nil {
			return nil, fmt.Errorf("compose: %w", err)
		}
	}
	var b bytes.Buffer
	if _, err := m.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("compose: %w", err)
	}
	return b.Bytes(), nil
}

// boundaryOf is the boundary of the letter's parts, which stands in none of them.
func boundaryOf(l mail.Letter) string {
	sum := sha256.Sum256([]byte(l.Key + l.MessageID + l.Text))
	return "convene" + hex.EncodeToString(sum[:16])
}

func addressOf(a mail.Address) *netmail.Address {
	return &netmail.Address{Name: a.Name, Address: a.Email}
}

func addressesOf(list []mail.Address) (all []*netmail.Address) {
	for _, a := range list {
		all = append(all, addressOf(a))
	}
	return all
}
