package gmail

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	gapi "google.golang.org/api/gmail/v1"
	"google.golang.org/api/googleapi"

	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/mail/remote"
)

// Apply sets labels of a mail.
func (b *box) Apply(ctx context.Context, a mail.Amendment) (now mail.State, err error) {
	if !messageID.MatchString(a.ID) {
		return now, remote.ErrGone
	}
	err = b.with(ctx, func(ctx context.Context, s *session) (err error) {
		now, err = s.amend(ctx, a)
		return err
	})
	return now, err
}

func (s *session) amend(ctx context.Context, a mail.Amendment) (now mail.State, err error) {
	is, err := s.api.Messages.Get(me, a.ID).Format("minimal").Context(ctx).Do()
	if err != nil {
		return now, gone(err)
	}
	now = s.stateOf(a.ID, is.LabelIds)
	onto, clash := a.On(now)
	if clash {
		return now, mail.Changed()
	}
	if onto.To.Same(now) {
		return now, nil
	}
	if err := onto.To.Check(); err != nil {
		return now, err
	}
	if err := s.makeLabels(ctx, onto.To); err != nil {
		return now, err
	}
	add, remove, folder, err := s.relabel(a.ID, is.LabelIds, onto.To)
	if err != nil {
		return now, err
	}
	if err := s.remember(ctx, a.ID, folder, a.Key); err != nil {
		return now, err
	}
	defer s.forget(a.ID)
	if is, err = s.write(ctx, is, add, remove); err != nil {
		return now, gone(err)
	}
	return s.stateOf(a.ID, is.LabelIds), nil
}

// write sets labels. Those of a draft cannot be set, but it can be thrown away and brought back.
func (s *session) write(ctx context.Context, m *gapi.Message, add, remove []string) (*gapi.Message, error) {
	switch {
	case slices.Contains(m.LabelIds, draft) && slices.Contains(add, trash):
		return s.api.Messages.Trash(me, m.Id).Context(ctx).Do()
	case slices.Contains(m.LabelIds, draft) && slices.Contains(remove, trash):
		return s.api.Messages.Untrash(me, m.Id).Context(ctx).Do()
	}
	change := &gapi.ModifyMessageRequest{AddLabelIds: add, RemoveLabelIds: remove}
	return s.api.Messages.Modify(me, m.Id, change).Context(ctx).Do()
}

// makeLabels makes the labels that a state names and that are not there. One that another program makes meanwhile is
// found.
func (s *session) makeLabels(ctx context.Context, to mail.State) error {
	names := slices.Clone(to.Labels)
	if labelOf[to.Folder] == "" && to.Folder != mail.Archive {
		names = append(names, string(to.Folder))
	}
	for _, name := range names {
		if s.labelled(name) != "" {
			continue
		}
		s.mu.Lock()
		s.named = time.Time{}
		s.mu.Unlock()
		made, err := s.api.Labels.Create(me, &gapi.Label{Name: name}).Context(ctx).Do()
		if err == nil {
			s.names[made.Id] = name
			continue
		}
		if statusOf(err) != http.StatusConflict {
			return err
		}
		if s.names, err = s.labels(ctx); err != nil {
			return err
		}
		if s.labelled(name) == "" {
			return fault.Invalid("labels", "%s cannot be a label at Gmail", name)
		}
	}
	return nil
}

// remember keeps which label is the folder of a mail, before the mail gets it: without the label it says nothing.
func (s *session) remember(ctx context.Context, id, label, key string) error {
	if label == "" || s.moved[id] == label {
		return nil
	}
	value, err := json.Marshal(label)
	if err != nil {
		return err
	}
	s.moved[id] = label
	kept, err := s.Moved.Store.Replace(ctx, s.account.Person, id, s.entries[id], s.entries[id].Next(value, key))
	if err == nil && !kept {
		err = mail.Changed()
	}
	return err
}

// Add puts a mail into a folder, and finds the one that is there.
func (b *box) Add(ctx context.Context, content []byte, state mail.State) (id string, err error) {
	head, err := remote.HeadToAdd(content, state)
	if err != nil {
		return "", err
	}
	err = b.with(ctx, func(ctx context.Context, s *session) error {
		if err := s.refresh(ctx); err != nil {
			return err
		}
		there, err := s.find(ctx, mail.Query{Folders: []mail.Folder{state.Folder}, MessageIDs: []string{head.MessageID}})
		if err != nil {
			return err
		}
		if len(there) > 0 {
			id = there[0].ID
			return nil
		}
		id, err = s.add(ctx, content, head.MessageID, state)
		return err
	})
	return id, err
}

func (s *session) add(ctx context.Context, content []byte, messageID string, state mail.State) (string, error) {
	rfc822 := googleapi.ContentType("message/rfc822")
	if state.Folder == mail.Drafts {
		made, err := s.large.Drafts.Create(me, &gapi.Draft{}).
			Media(bytes.NewReader(marked(content, messageID)), rfc822, googleapi.ChunkSize(0)).Context(ctx).Do()
		if err != nil {
			return "", err
		}
		return made.Message.Id, nil
	}
	if err := s.makeLabels(ctx, state); err != nil {
		return "", err
	}
	var labels []string
	if label := labelOf[state.Folder]; label != "" {
		labels = []string{label}
	}
	add, _, folder, err := s.relabel("", labels, state)
	if err != nil {
		return "", err
	}
	made, err := s.large.Messages.Insert(me, &gapi.Message{LabelIds: append(labels, add...)}).
		InternalDateSource("dateHeader").
		Media(bytes.NewReader(content), rfc822, googleapi.ChunkSize(0)).Context(ctx).Do()
	if err != nil {
		return "", err
	}
	return made.Id, s.remember(ctx, made.Id, folder, messageID)
}
