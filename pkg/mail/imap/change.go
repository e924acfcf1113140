package imap

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/mail/remote"
)

// tries bounds the attempts at what other programs may change meanwhile.
const tries = 4

// place is where a mail was seen, and in which state.
type place struct {
	folder   folder
	validity uint32
	uid      imap.UID
	// state is set only of a mail that was just found.
	state mail.State
}

// find is where mails are: where they were seen last or, if they are not there any more, in any folder, those that are
// named first. What is not found is not there.
func (b *box) find(s *session, ids []string, before ...mail.Folder) (map[string]place, error) {
	found := map[string]place{}
	rest := map[folder][]imap.UID{}
	for _, id := range ids {
		p, ok := b.placeOf(id)
		if ok && !p.folder.whole && (len(before) == 0 || p.folder.is == before[0]) {
			rest[p.folder] = append(rest[p.folder], p.uid)
		}
	}
	for f, uids := range rest {
		if err := b.look(s, f, uids, ids, found); err != nil {
			return nil, err
		}
	}
	if len(missing(ids, found)) == 0 {
		return found, nil
	}
	all, _, err := s.folders()
	slices.SortStableFunc(all, func(x, y folder) int { return order(before, x.is) - order(before, y.is) })
	for _, f := range slices.Concat(all, all) { // a mail may be moved into a folder that was looked into already
		if err == nil {
			err = b.lookIn(s, f, ids, found)
		}
	}
	return found, err
}

// lookIn looks into a folder for the mails that are not found yet.
func (b *box) lookIn(s *session, f folder, ids []string, found map[string]place) error {
	days := missing(ids, found)
	if len(days) == 0 {
		return nil
	}
	if err := s.open(f.name); isDeleted(err) {
		return nil
	} else if err != nil {
		return err
	}
	uids, err := s.search(either(days, around))
	if err != nil {
		return err
	}
	return b.look(s, f, uids, ids, found)
}

func order(before []mail.Folder, f mail.Folder) int {
	if i := slices.Index(before, f); i >= 0 {
		return i
	}
	return len(before)
}

// around are the mails that came about then: the server's day may begin at another time.
func around(at time.Time) imap.SearchCriteria {
	return imap.SearchCriteria{
		Since: at.UTC().Truncate(day).Add(-day), Before: at.UTC().Truncate(day).Add(2 * day),
		NotFlag: []imap.Flag{imap.FlagDeleted},
	}
}

// missing are the days on which those came that are not found yet.
func missing(ids []string, found map[string]place) (days []time.Time) {
	for _, id := range ids {
		at, ok := cameOf(id)
		at = at.UTC().Truncate(day)
		if _, known := found[id]; ok && !known && !slices.Contains(days, at) {
			days = append(days, at)
		}
	}
	return days
}

// look looks whether mails of a folder have one of the ids.
func (b *box) look(s *session, f folder, uids []imap.UID, ids []string, found map[string]place) error {
	if err := s.open(f.name); isDeleted(err) {
		return nil
	} else if err != nil {
		return err
	}
	options := imap.FetchOptions{Flags: true, BodySection: []*imap.FetchItemBodySection{identity()}}
	return s.fetch(uids, options, func(m *imapclient.FetchMessageBuffer) error {
		id := b.idOf(m)
		if _, known := found[id]; known || !slices.Contains(ids, id) || slices.Contains(m.Flags, imap.FlagDeleted) {
			return nil
		}
		found[id] = place{f, s.selected.validity, m.UID, stateOf(f.is, m.Flags)}
		b.saw(id, f, s.selected.validity, m.UID)
		return nil
	})
}

// Read is a mail and its content; remote.ErrGone if it is not there.
func (b *box) Read(ctx context.Context, id string) (is mail.Mail, raw []byte, err error) {
	err = b.with(ctx, func(s *session) error {
		places, err := b.find(s, []string{id})
		if err != nil {
			return err
		}
		p, ok := places[id]
		if !ok {
			return remote.ErrGone
		}
		if err := s.open(p.folder.name); err != nil {
			return err
		}
		raw = nil
		sections := []*imap.FetchItemBodySection{identity(), content(mail.MostContent)}
		err = s.fetch([]imap.UID{p.uid}, imap.FetchOptions{Flags: true, BodySection: sections},
			func(m *imapclient.FetchMessageBuffer) error {
				whole, err := b.listed(s, p.folder, m)
				is, raw = whole.Mail, section(m, imap.PartSpecifierNone)
				return err
			})
		if err == nil && raw == nil {
			err = remote.ErrGone
		}
		return err
	})
	return is, raw, err
}

// Apply makes a change; remote.ErrGone says that the mail is not there.
func (b *box) Apply(ctx context.Context, a mail.Amendment) (now mail.State, err error) {
	err = b.with(ctx, func(s *session) (err error) {
		now, err = b.amend(s, a)
		return err
	})
	return now, err
}

func (b *box) amend(s *session, a mail.Amendment) (now mail.State, err error) {
	s.changes = true
	for range tries {
		// The mail may have been copied, by an earlier attempt or by others.
		places, err := b.find(s, []string{a.ID}, a.From.Folder, a.To.Folder)
		if err != nil {
			return now, err
		}
		p, ok := places[a.ID]
		if !ok {
			return now, remote.ErrGone
		}
		now = p.state
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
		done, err := b.write(s, p, onto)
		if isExpunged(err) {
			continue
		}
		if done || err != nil {
			return onto.To, err
		}
	}
	return now, mail.Changed()
}

// write writes what an amendment sets. It is not done if another program was faster.
func (b *box) write(s *session, p place, a mail.Amendment) (done bool, err error) {
	if err := s.open(p.folder.name); err != nil || s.selected.validity != p.validity {
		return false, err
	}
	var target folder
	if a.To.Folder != p.folder.is {
		if target, err = s.folder(a.To.Folder); err != nil {
			return false, err
		}
	}
	from, to := flagsOf(a.From), flagsOf(a.To)
	for _, step := range []struct {
		op    imap.StoreFlagsOp
		flags []imap.Flag
	}{{imap.StoreFlagsAdd, without(to, from)}, {imap.StoreFlagsDel, without(from, to)}} {
		if len(step.flags) == 0 {
			continue
		}
		if step.op == imap.StoreFlagsAdd && !s.keeps(step.flags) {
			return false, fault.Invalid("labels", "cannot be kept in this mailbox")
		}
		told, err := s.Store(imap.UIDSetNum(p.uid), &imap.StoreFlags{Op: step.op, Flags: step.flags}, nil).Collect()
		if err != nil || len(told) == 0 {
			return false, err
		}
	}
	if target.name == "" {
		return true, nil
	}
	return b.move(s, a.ID, p, target)
}

func without(flags, others []imap.Flag) []imap.Flag {
	return slices.DeleteFunc(slices.Clone(flags), func(f imap.Flag) bool { return slices.Contains(others, f) })
}

// keeps reports whether the open folder keeps flags.
func (s *session) keeps(flags []imap.Flag) bool {
	lasting := s.selected.lasting
	return slices.Contains(lasting, imap.FlagWildcard) || len(without(flags, lasting)) == 0
}

// move moves a mail out of the folder that is open. Without MOVE (RFC 6851) it is copied, unless an earlier attempt has
// done that, and marked as deleted. What others have marked so is never expunged.
func (b *box) move(s *session, id string, p place, to folder) (done bool, err error) {
	uid := imap.UIDSetNum(p.uid)
	if s.Caps().Has(imap.CapMove) {
		moved, err := s.Move(uid, to.name).Wait()
		if err != nil {
			return false, err
		}
		copies, _ := moved.DestUIDs.(imap.UIDSet) // nil without UIDPLUS
		if len(copies) != 1 || copies[0].Start != copies[0].Stop {
			return false, nil // it is looked for
		}
		b.saw(id, to, moved.UIDValidity, copies[0].Start)
		return true, nil
	}
	there := map[string]place{}
	if err := b.lookIn(s, to, []string{id}, there); err != nil {
		return false, err
	}
	if err := s.open(p.folder.name); err != nil || s.selected.validity != p.validity {
		return false, err
	}
	if len(there) == 0 {
		if _, err := s.Copy(uid, to.name).Wait(); err != nil {
			return false, err
		}
	}
	deleted := &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true, Flags: []imap.Flag{imap.FlagDeleted}}
	if err := s.Store(uid, deleted, nil).Close(); err != nil {
		return false, err
	}
	if s.Caps().Has(imap.CapUIDPlus) {
		err = s.UIDExpunge(uid).Close()
	}
	return false, err // it is looked for
}

// Add puts a mail into a folder, and finds the one that is there.
func (b *box) Add(ctx context.Context, raw []byte, state mail.State) (id string, err error) {
	head, err := remote.HeadToAdd(raw, state)
	if err != nil {
		return "", err
	}
	err = b.with(ctx, func(s *session) error {
		s.changes = true
		f, err := s.folder(state.Folder)
		if err != nil {
			return err
		}
		if id, err = b.added(s, f, head.MessageID); id != "" || err != nil {
			return err
		}
		if err := s.put(f, raw, head.Date, state); err != nil {
			return err
		}
		if id, err = b.added(s, f, head.MessageID); id == "" && err == nil {
			err = errIncomplete
		}
		return err
	})
	return id, err
}

// added is the id of a folder's mail with a Message-ID; empty if there is none.
func (b *box) added(s *session, f folder, messageID string) (id string, err error) {
	if err := s.open(f.name); err != nil {
		return "", err
	}
	uids, err := s.search(criteriaOf(mail.Query{MessageIDs: []string{messageID}}))
	if len(uids) == 0 || err != nil {
		return "", err
	}
	options := imap.FetchOptions{BodySection: []*imap.FetchItemBodySection{identity()}}
	err = s.fetch(uids[:1], options, func(m *imapclient.FetchMessageBuffer) error {
		id = b.idOf(m)
		b.saw(id, f, s.selected.validity, m.UID)
		return nil
	})
	return id, err
}

// put appends a mail to a folder.
func (s *session) put(f folder, raw []byte, at time.Time, state mail.State) error {
	options := &imap.AppendOptions{Flags: flagsOf(state), Time: at}
	if state.Folder == mail.Drafts {
		options.Flags = append(options.Flags, imap.FlagDraft)
	}
	cmd := s.Append(f.name, int64(len(raw)), options)
	_, err := cmd.Write(raw)
	err = errors.Join(err, cmd.Close())
	if _, failed := cmd.Wait(); failed != nil {
		return failed
	}
	return err
}
