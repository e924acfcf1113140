package api

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"convene/pkg/account"
	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/meet"
)

// MailConnector connects mailboxes. Its errors are faults.
type MailConnector interface {
	AddMail(ctx context.Context, person meet.PersonID, login account.MailLogin) (account.Account, error)
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
	Body   string `json:"body" doc:"Its text, without what it quotes of others; of a forwarded mail also what is forwarded."`
	Quoted string `json:"quoted" doc:"What it quotes of others."`
}

// mailAccount is a connected mailbox as its owner sees it.
type mailAccount struct {
	ID        account.ID       `json:"id"`
	Provider  account.Provider `json:"provider" enum:"imap,gmail,outlook"`
	Address   string           `json:"address" doc:"The user name or, at Gmail and Outlook, the address."`
	Server    string           `json:"server,omitempty" doc:"The IMAP server, with its port; left out for Gmail and Outlook."`
	SMTP      string           `json:"smtp,omitempty" doc:"The server that sends mail; left out, an IMAP account sends none, and Gmail and Outlook do it themselves."`
	State     string           `json:"state" enum:"connected,problem"`
	Problem   string           `json:"problem,omitempty" doc:"What the user has to do before the mailbox can be read again."`
	Connected time.Time        `json:"connected"`
}

func mailViewOf(a account.Account) mailAccount {
	is := viewOf(a)
	return mailAccount{is.ID, is.Provider, is.Address, is.Server, a.Outgoing, is.State, is.Problem, is.Connected}
}

type mailAccountOutput struct{ Body mailAccount }

type mailAccountsOutput struct {
	Body struct {
		Accounts []mailAccount `json:"accounts"`
	}
}

// imapRequest is the body that connects a mailbox.
type imapRequest struct {
	_        struct{} `additionalProperties:"false"`
	Server   string   `json:"server" maxLength:"2048" doc:"The IMAP server's address or name." example:"imaps://imap.fastmail.com"`
	SMTP     string   `json:"smtp,omitempty" maxLength:"2048" doc:"The server that sends mail, for the same user name and password. smtp:// begins with STARTTLS." example:"smtps://smtp.fastmail.com"`
	Username string   `json:"username" maxLength:"512"`
	Password string   `json:"password" maxLength:"512" doc:"An app password, if the provider has them. It is stored encrypted and never shown."`
}

func (s *Server) mailRoutes() {
	const base = "/v1/people/{id}/mail"
	if s.cfg.Mail == nil {
		return
	}
	handle(s, s.operation("listMail", http.MethodGet, base, "List a person's own mail").to(withToken), s.ownMail)
	if s.cfg.Calendars.Accounts == nil || s.cfg.MailConnector == nil {
		return
	}
	handle(s, s.operation("listMailAccounts", http.MethodGet, base+"/accounts", "List a person's connected mailboxes").
		to(withToken), s.listMailAccounts)
	handleBody(s, s.operation("connectIMAP", http.MethodPost, base+"/imap", "Connect a mailbox at an IMAP server").
		to(withToken), s.connectIMAP)
	for _, at := range []struct{ provider, product string }{{"google", "Gmail"}, {"microsoft", "Outlook"}} {
		path := "/mail/" + at.provider + "/connect" // "{provider}" would be ambiguous beside accounts/{cid}
		handleBody(s, s.linking("linkToConnect"+at.product, "/v1/people/{id}"+path,
			"Get the address at which a mailbox at "+at.product+" is connected"), s.linkToConnectMail(at.provider, path))
		handle(s, s.connecting("connect"+at.product, "/v1/people/{id}"+path,
			"Connect a mailbox at "+at.product+", in a browser"), s.connectMail(at.provider))
	}
	handle(s, s.operation("disconnectMail", http.MethodDelete, base+"/accounts/{cid}", "Disconnect a mailbox").
		to(withToken), s.disconnectCalendar)
}

func (s *Server) listMailAccounts(ctx context.Context, in *personInput) (*mailAccountsOutput, error) {
	accounts, err := s.accountsOf(ctx, in.ID, func(a account.Account) bool { return a.Provider.KeepsMail() })
	out := &mailAccountsOutput{}
	out.Body.Accounts, _ = first(len(accounts), accounts, mailViewOf)
	return out, err
}

func (s *Server) connectIMAP(ctx context.Context, in *personInput, r imapRequest) (*mailAccountOutput, error) {
	person, err := s.owner(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	login := account.MailLogin{
		ServerLogin: account.ServerLogin{
			Server: strings.TrimSpace(r.Server), Username: strings.TrimSpace(r.Username), Password: r.Password,
		},
		Outgoing: strings.TrimSpace(r.SMTP),
	}
	if err := checkLogin(login.ServerLogin, "imaps://imap.fastmail.com"); err != nil {
		return nil, err
	}
	if len(login.Outgoing) > maxAddress {
		return nil, fault.Invalid("smtp", "is too long")
	}
	added, err := s.cfg.MailConnector.AddMail(ctx, person, login)
	return &mailAccountOutput{mailViewOf(added)}, err
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
	out.Body.Mail, out.Body.More = []ownMail{}, more
	out.Body.Problems = problems(unread, "Some mail could not be read.")
	size := 0
	for _, m := range mails {
		whole, err := s.cfg.Mail.Read(ctx, person, m.ID)
		if err != nil {
			return nil, err
		}
		one := ownMail{m.Listed(), whole.Text, whole.Quoted}
		if whole.ForwardOf != "" && whole.Quoted != "" {
			one.Body, one.Quoted = whole.Whole(), ""
		}
		if size += len(one.Body) + len(one.Quoted); size > mostMailText {
			out.Body.More = true
			break
		}
		out.Body.Mail = append(out.Body.Mail, one)
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
