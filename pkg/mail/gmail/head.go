package gmail

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	gapi "google.golang.org/api/gmail/v1"

	"convene/pkg/mail"
	"convene/pkg/mail/remote"
	"convene/pkg/meet"
	"convene/pkg/outbound"
)

// head is what a mail says, and its text if that was asked for; ErrGone if the mail is not there.
func (s *session) head(ctx context.Context, id string, how asked) (h head, text string, err error) {
	h, ok := s.known(id)
	switch {
	case !messageID.MatchString(id):
		return h, "", remote.ErrGone
	case ok && !h.stale && !how.labels && (!how.text || h.cut):
		return h, "", nil
	}
	if s.pace.Wait(ctx) != nil { // there is no time for as many
		return h, "", cmp.Or(ctx.Err(), remote.TooMany())
	}
	if !ok || how.text && !h.cut {
		return s.read(ctx, id)
	}
	is, err := s.api.Messages.Get(me, id).Format("minimal").Fields("id", "labelIds").Context(ctx).Do()
	if err != nil {
		return h, "", gone(err)
	}
	h.labels = is.LabelIds
	s.keep(id, h)
	return h, "", nil
}

// read reads a mail for the first time.
func (s *session) read(ctx context.Context, id string) (h head, text string, err error) {
	is, raw, err := raw(ctx, s.api, id)
	if errors.As(err, new(*outbound.TooLargeError)) {
		h, err = s.tooLarge(ctx, id)
	} else if err == nil {
		h, text, err = headOf(is, raw)
	}
	if err != nil {
		return h, "", gone(err)
	}
	s.keep(id, h)
	return h, text, nil
}

// raw is a mail with its content.
func raw(ctx context.Context, api *gapi.UsersService, id string) (*gapi.Message, []byte, error) {
	is, err := api.Messages.Get(me, id).Format("raw").
		Fields("id", "threadId", "labelIds", "internalDate", "raw").Context(ctx).Do()
	if err != nil {
		return nil, nil, err
	}
	content, err := base64.URLEncoding.WithPadding(base64.NoPadding).DecodeString(strings.TrimRight(is.Raw, "="))
	if err == nil && (is.Id != id || len(content) == 0) {
		err = errNotUnderstood
	}
	return is, content, err
}

// headOf is a mail as it is listed, and its text.
func headOf(is *gapi.Message, raw []byte) (h head, text string, err error) {
	whole, err := mail.Glance(bytes.NewReader(raw))
	h = head{Mail: whole.Listed(), cut: whole.Cut, sentAs: sentAs(raw), labels: is.LabelIds, conversation: is.ThreadId}
	h.ID, h.Date, h.Provider = is.Id, time.UnixMilli(is.InternalDate).UTC(), Name
	return h, whole.Whole(), err
}

// ownHeader is the header field in which Convene's mails keep their Message-ID: Gmail puts one of its own in its place.
const ownHeader = "X-Convene-Message-Id"

var ownField = regexp.MustCompile(`(?im)^` + ownHeader + `:[ \t]*<([^<>\s]{1,500})>`)

func sentAs(raw []byte) string {
	top, _, _ := bytes.Cut(bytes.ReplaceAll(raw[:min(len(raw), mail.MostHeader)], []byte("\r\n"), []byte("\n")),
		[]byte("\n\n"))
	if m := ownField.FindSubmatch(top); m != nil {
		return string(m[1])
	}
	return ""
}

// marked is a mail that says its Message-ID in a field that Gmail leaves as it is, too.
func marked(content []byte, messageID string) []byte {
	return append(fmt.Appendf(nil, "%s: <%s>\r\n", ownHeader, messageID), content...)
}

// lastAddress is the sender in a field that was decoded, in which a name may hold anything.
var lastAddress = regexp.MustCompile(`<[^<>]*>\s*$`)

// tooLarge is a mail with too much in it to be listed whole: what its header says.
func (s *session) tooLarge(ctx context.Context, id string) (h head, err error) {
	is, err := s.api.Messages.Get(me, id).Format("metadata").Context(ctx).Do()
	if err != nil {
		return h, err
	}
	if is.Payload == nil {
		return h, errNotUnderstood
	}
	var top bytes.Buffer
	for _, f := range is.Payload.Headers {
		value := strings.Join(strings.Fields(f.Value), " ")
		if strings.EqualFold(f.Name, "From") && lastAddress.MatchString(value) {
			value = lastAddress.FindString(value)
		}
		fmt.Fprintf(&top, "%s: %s\r\n", f.Name, value)
	}
	h, _, err = headOf(is, append(top.Bytes(), "\r\n"...))
	h.cut, h.HasAttachments = true, true
	h.Preview = meet.Caption(meet.Shorten(html.UnescapeString(is.Snippet), 2*meet.MaxText))
	return h, err
}

// gone is remote.ErrGone in place of Gmail's word for it.
func gone(err error) error {
	if statusOf(err) == http.StatusNotFound {
		return remote.ErrGone
	}
	return err
}

// Read is a mail and its content.
func (b *box) Read(ctx context.Context, id string) (m mail.Mail, content []byte, err error) {
	if !messageID.MatchString(id) {
		return m, nil, remote.ErrGone
	}
	err = b.with(ctx, func(ctx context.Context, s *session) error {
		is, whole, err := raw(ctx, s.large, id)
		if err != nil {
			return gone(err)
		}
		h, _, err := headOf(is, whole)
		h.State = s.stateOf(id, h.labels)
		m, content = h.Mail, whole[:min(len(whole), mail.MostContent)]
		return err
	})
	return m, content, err
}

// Folders are those with a purpose, those into which mails were moved, and the labels that can be one.
func (b *box) Folders(ctx context.Context) (list []mail.Folder, err error) {
	err = b.with(ctx, func(_ context.Context, s *session) error {
		list = mail.Purposes()
		var own []mail.Folder
		for _, name := range s.names {
			own = append(own, mail.Folder(name))
		}
		slices.Sort(own)
		list = append(list, own...)
		return nil
	})
	return list, err
}
