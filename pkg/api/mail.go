package api

import (
	"context"
	"errors"
	"net/http"

	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/meet"
)

// Mail are people's mailboxes. What could be read comes with an error; mail.ErrNotConnected says that there is none.
type Mail interface {
	Folders(ctx context.Context, person meet.Person) ([]mail.Folder, error)
	List(ctx context.Context, person meet.Person, q mail.Query) (mail.Page, error)
	Read(ctx context.Context, person meet.Person, id string) (mail.Message, error)
}

const emailFamily = "email"

// mostMailText bounds the texts of one answer, in bytes.
const mostMailText = 16 << 20

type ownMailInput struct {
	ID     string `path:"id" doc:"The person's id, or their email address."`
	Folder string `query:"folder" doc:"inbox, sent, drafts, archive, trash, junk or the name of another folder; all of them without it." example:"inbox"`
	Limit  int    `query:"limit" minimum:"1" maximum:"10000" default:"100" doc:"How many mails to list at most, the newest first."`
}

type ownMailOutput struct {
	Body struct {
		Mail     []ownMail `json:"mail"`
		More     bool      `json:"more" doc:"There are more mails than limit, or than fit into one answer."`
		Problems []string  `json:"problems" doc:"Why mails may be missing, in words for the user; empty if all could be read."`
	}
}

// ownMail is a mail with its text. Others wrote it.
type ownMail struct {
	mail.Mail
	Body string `json:"body" doc:"The whole text, with what it quotes."`
}

func (s *Server) mailRoutes() {
	if s.cfg.Mail != nil {
		handle(s, s.operation("listMail", http.MethodGet, "/v1/people/{id}/mail", "List a person's own mail").
			to(withToken), s.ownMail)
	}
}

func (s *Server) ownMail(ctx context.Context, in *ownMailInput) (*ownMailOutput, error) {
	if err := MayUse(ctx, emailFamily); err != nil {
		return nil, err
	}
	person, err := s.ownerOf(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	q := mail.Query{Folders: []mail.Folder{mail.FolderCalled(in.Folder)}}
	if in.Folder == "" {
		if q.Folders, err = s.cfg.Mail.Folders(ctx, person); len(q.Folders) == 0 {
			return nil, noMailbox(err)
		}
	}
	mails, more, unread := mail.NewCopy(s.cfg.Mail, person).All(ctx, q, in.Limit)
	if unread != nil && len(mails) == 0 {
		return nil, noMailbox(unread)
	}
	out := &ownMailOutput{}
	out.Body.Mail, out.Body.More, out.Body.Problems = []ownMail{}, more, []string{}
	if unread != nil {
		out.Body.Problems = append(out.Body.Problems, "Some mail could not be read.")
	}
	size := 0
	for _, m := range mails {
		whole, err := s.cfg.Mail.Read(ctx, person, m.ID)
		if err != nil {
			return nil, err
		}
		body := whole.Text
		if whole.Quoted != "" {
			body = whole.Whole()
		}
		if size += len(body); size > mostMailText {
			out.Body.More = true
			break
		}
		out.Body.Mail = append(out.Body.Mail, ownMail{m.Listed(), body})
	}
	return out, nil
}

// noMailbox says that the person has no mailbox; any other error stays.
func noMailbox(err error) error {
	if errors.Is(err, mail.ErrNotConnected) {
		return fault.New(fault.NotFound, "This person has no mailbox here.").Because(err)
	}
	return err
}
