package outlook

import (
	"context"
	"net/http"
	"slices"

	"convene/pkg/account/graph"
	"convene/pkg/mail"
	"convene/pkg/mail/remote"
)

// attempts are how often a change is made of a mail that others change at the same time.
const attempts = 3

// Apply sets the fields of a mail that differ, and moves it.
func (b *box) Apply(ctx context.Context, a mail.Amendment) (now mail.State, err error) {
	err = b.with(ctx, func(ctx context.Context, s *session) (err error) {
		for range attempts {
			if now, err = s.amend(ctx, a); !graph.IsStatus(err, http.StatusPreconditionFailed, http.StatusConflict) {
				return err
			}
		}
		return err
	})
	return now, err
}

func (s *session) amend(ctx context.Context, a mail.Amendment) (now mail.State, err error) {
	m, now, err := s.standing(ctx, a.ID)
	if err != nil {
		return now, err
	}
	onto, clash := a.On(now)
	if clash {
		return now, mail.Changed()
	}
	to := onto.To
	if to.Same(now) {
		return now, nil
	}
	if err := to.Check(); err != nil {
		return now, err
	}
	if set := differing(now, to); len(set) > 0 {
		if err := s.patch(ctx, m, set); err != nil {
			return now, gone(err)
		}
	}
	if to.Folder != now.Folder {
		if err := s.move(ctx, m, to.Folder); err != nil {
			return now, gone(err)
		}
	}
	return to, nil
}

// differing are the fields in which two states differ, as Graph has them.
func differing(now, to mail.State) map[string]any {
	set := map[string]any{}
	if to.Read != now.Read {
		set["isRead"] = to.Read
	}
	if to.Starred != now.Starred {
		set["flag"] = flagOf(to.Starred)
	}
	labels := slices.Sorted(slices.Values(to.Labels))
	if !slices.Equal(labels, now.Labels) {
		set["categories"] = append([]string{}, labels...)
	}
	return set
}

func flagOf(starred bool) flag {
	if starred {
		return flag{flagged}
	}
	return flag{"notFlagged"}
}

func (s *session) move(ctx context.Context, m *message, to mail.Folder) error {
	id, err := s.folder(ctx, to)
	if err != nil {
		return err
	}
	return s.call(ctx, graph.Request{
		Method: http.MethodPost, Target: path(m.ID) + "/move", Body: map[string]any{"destinationId": id}, Once: true,
	})
}

// Add puts a mail into a folder, and finds the one that is there, or that was just sent.
func (b *box) Add(ctx context.Context, content []byte, state mail.State) (id string, err error) {
	head, err := remote.HeadToAdd(content, state)
	if err != nil {
		return "", err
	}
	if id = b.wasSent(head.MessageID); id != "" && state.Folder == mail.Sent {
		return id, nil
	}
	err = b.with(ctx, func(ctx context.Context, s *session) error {
		there, err := s.called(ctx, mail.Query{
			Folders: []mail.Folder{state.Folder}, MessageIDs: []string{head.MessageID},
		})
		if err != nil {
			return err
		}
		if len(there) > 0 {
			id = there[0].ID
			return nil
		}
		l, err := read(content)
		if err != nil {
			return err
		}
		made, err := s.make(ctx, l, state)
		if err == nil {
			id = made.ID
		}
		return err
	})
	return id, err
}
