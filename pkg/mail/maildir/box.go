package maildir

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"convene/pkg/mail"
)

// box is the mailbox in a directory. What it remembers of a mail lasts: files are renamed, and never written again.
type box struct {
	dir string
	mu  sync.Mutex
	// last is the newest scan. It is not changed.
	last scanned
	// dates are those of all mails that are there; heads and texts, which are folded, are of those that were read lately.
	dates map[string]time.Time
	heads kept[head]
	texts kept[string]
}

// head is a mail as its header says or, if it is whole, as it is listed.
type head struct {
	mail.Mail
	whole bool
}

// scanned are the files of all folders, with the times at which their directories had changed before.
type scanned struct {
	entries map[string]entry
	changed map[string]time.Time
	// settled says that no change can have been made at one of those times after the directories were read.
	settled bool
}

func newBox(dir string) *box {
	const base = 1 << 10
	return &box{
		dir: dir, dates: map[string]time.Time{},
		heads: kept[head]{most: 64 << 20, sizeOf: func(h head) int { return base + len(h.Subject) + len(h.Preview) }},
		texts: kept[string]{most: 96 << 20, sizeOf: func(text string) int { return len(text) }},
	}
}

// kept are values by id in two generations, of at most so many bytes together: when the young ones fill half of them,
// they become the old ones. It is not safe for concurrent use.
type kept[V any] struct {
	young, old map[string]V
	size, most int
	sizeOf     func(V) int
}

func (k *kept[V]) get(id string) (v V, ok bool) {
	if v, ok = k.young[id]; !ok {
		v, ok = k.old[id]
	}
	return v, ok
}

func (k *kept[V]) put(id string, v V) {
	if k.size += k.sizeOf(v); k.size > k.most/2 || k.young == nil {
		k.young, k.old, k.size = map[string]V{}, k.young, k.sizeOf(v)
	}
	k.young[id] = v
}

// place is a directory with its folder.
type place struct {
	dir    string
	folder mail.Folder
}

// folders are those that are there, the inbox first.
func (b *box) folders() ([]place, error) {
	places := []place{{".", mail.Inbox}}
	entries, err := os.ReadDir(b.dir)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() && strings.HasPrefix(name, ".") && Is(filepath.Join(b.dir, name)) {
			places = append(places, place{name, mail.FolderCalled(folderOf(name))})
		}
	}
	return places, nil
}

// Is reports whether a directory is a Maildir.
func Is(dir string) bool {
	at, err := os.Stat(filepath.Join(dir, "cur"))
	return err == nil && at.IsDir()
}

// scan are the files of all folders; those of the last scan if no directory has changed. While it looks, a file may be
// renamed from one directory to another: directories
// of new mail are looked into first, so that none is missed, and each id counts once.
func (b *box) scan() (map[string]entry, error) {
	places, err := b.folders()
	if err != nil {
		return nil, err
	}
	now := scanned{entries: map[string]entry{}, changed: map[string]time.Time{}, settled: true}
	const tick = 2 * time.Second // the coarsest times of file systems
	for _, sub := range []string{"new", "cur"} {
		for _, at := range places {
			dir := filepath.Join(at.dir, sub)
			if stat, err := os.Stat(filepath.Join(b.dir, dir)); err == nil {
				now.changed[dir] = stat.ModTime()
				now.settled = now.settled && time.Since(stat.ModTime()) > tick
			}
		}
	}
	b.mu.Lock()
	last := b.last
	b.mu.Unlock()
	if last.settled && maps.Equal(last.changed, now.changed) {
		return last.entries, nil
	}
	for _, sub := range []string{"new", "cur"} {
		for _, at := range places {
			if err := b.read(entry{dir: filepath.Join(at.dir, sub), folder: at.folder}, now.entries); err != nil {
				return nil, err
			}
		}
	}
	b.mu.Lock()
	b.last = now
	b.mu.Unlock()
	return now.entries, nil
}

// read adds the files of a directory to the entries. A reading may miss a file that is renamed during it, so that a
// directory that has changed meanwhile is read again.
func (b *box) read(at entry, entries map[string]entry) error {
	dir := filepath.Join(b.dir, at.dir)
	for range tries {
		before, err := os.Stat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		names, err := namesIn(dir)
		if err != nil {
			return err
		}
		for _, name := range names {
			if !strings.HasPrefix(name, ".") {
				at.id, at.flags, _ = strings.Cut(name, info)
				entries[at.id] = at
			}
		}
		if after, err := os.Stat(dir); err == nil && after.ModTime().Equal(before.ModTime()) {
			return nil
		}
	}
	return nil
}

// namesIn are the names of a directory's files, in no order.
func namesIn(dir string) ([]string, error) {
	file, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	names, err := file.Readdirnames(-1)
	return names, errors.Join(err, file.Close())
}

// find is the file of a mail.
func (b *box) find(id string) (entry, error) {
	entries, err := b.scan()
	if err != nil {
		return entry{}, err
	}
	e, ok := entries[id]
	if !ok {
		return e, fs.ErrNotExist
	}
	return e, nil
}

// open opens the file of a mail, where the entries have it or, if it was renamed meanwhile, where it is.
func (b *box) open(id string, entries map[string]entry) (*os.File, error) {
	e, known := entries[id]
	for range tries {
		if !known {
			var err error
			if e, err = b.find(id); err != nil {
				return nil, err
			}
		}
		file, err := os.Open(b.path(e))
		if !errors.Is(err, fs.ErrNotExist) {
			return file, err
		}
		known = false
	}
	return nil, fs.ErrNotExist
}

func (b *box) path(e entry) string { return filepath.Join(b.dir, e.dir, e.name()) }

// date gives mails their dates.
func (b *box) date(ctx context.Context, entries map[string]entry, mails []candidate) error {
	var unknown []int
	b.mu.Lock()
	for i := range mails {
		at, known := b.dates[mails[i].id]
		if mails[i].date = at; !known {
			unknown = append(unknown, i)
		}
	}
	b.mu.Unlock()
	return sideBySide(ctx, len(unknown), func(i int) error {
		m := &mails[unknown[i]]
		at, err := b.readDate(m.id, entries)
		if err != nil {
			return err
		}
		m.date = at
		b.mu.Lock()
		b.dates[m.id] = at
		b.mu.Unlock()
		return nil
	})
}

// readDate is when a mail was written, as its header says. A mail without a date, and one that was written after it
// came, is of when it came.
func (b *box) readDate(id string, entries map[string]entry) (at time.Time, err error) {
	file, err := b.open(id, entries)
	if err != nil {
		return at, nil
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	const enough, day = 16 << 10, 24 * time.Hour
	came := delivered(id)
	if stat, err := file.Stat(); err == nil && (came.IsZero() || stat.ModTime().Before(came)) {
		came = stat.ModTime()
	}
	at, err = mail.ReadDate(io.LimitReader(file, enough))
	if err != nil || at.IsZero() || at.After(came.Add(day)) {
		return came, nil
	}
	return at, nil
}

// candidate is a mail that a query may mean.
type candidate struct {
	entry
	date   time.Time
	labels []string
}

// mail is what is known of it without its file.
func (c candidate) mail() mail.Mail {
	m := mail.Mail{ID: c.id, Provider: Name, State: c.state(), Date: c.date}
	m.Labels = c.labels
	return m
}

// compare orders candidates as mail.Compare does.
func (c candidate) compare(o candidate) int {
	return cmp.Or(o.date.Compare(c.date), cmp.Compare(c.id, o.id))
}

// page reads the mails of a page. More are read at once the longer nothing is found.
func (b *box) page(
	ctx context.Context, q mail.Query, entries map[string]entry, all []candidate,
) (page mail.Page, err error) {
	page = mail.Page{Mails: []mail.Mail{}, Total: -1}
	if q.WithoutMail() {
		page.Total = len(all)
	}
	const most = 2000
	rest := all
	if q.After != nil {
		rest = all[sort.Search(len(all), func(i int) bool { return q.After.Precedes(all[i].mail()) }):]
	}
	for size := q.Size() + 1; len(rest) > 0 && !page.More; size = min(2*size, most) {
		chunk := rest[:min(len(rest), size)]
		rest = rest[len(chunk):]
		read := make([]*mail.Mail, len(chunk))
		if err := sideBySide(ctx, len(chunk), func(i int) error {
			read[i] = b.fit(q, chunk[i].mail(), entries)
			return nil
		}); err != nil {
			return page, err
		}
		for _, m := range read {
			switch {
			case m == nil:
			case len(page.Mails) == q.Size():
				page.More = true
			default:
				page.Mails = append(page.Mails, *m)
			}
		}
	}
	if q.After == nil && !page.More {
		page.Total = len(page.Mails)
	}
	return page, nil
}

// fit is a mail as it is listed; nil if the query does not mean it. Only the file of one that it may mean is read
// further than its header.
func (b *box) fit(q mail.Query, listed mail.Mail, entries map[string]entry) *mail.Mail {
	text := func() string { return b.text(listed.ID, entries) }
	if !q.WithoutMail() {
		of := q
		of.Attachment = nil
		if !of.Fits(b.head(listed.ID, entries, false).Standing(listed), text) {
			return nil
		}
	}
	m := b.head(listed.ID, entries, true).Standing(listed)
	if !q.Fits(m, text) {
		return nil
	}
	return &m
}

// head is what a mail's header says or, if it is to be whole, how it is listed; nothing if it cannot be read.
func (b *box) head(id string, entries map[string]entry, whole bool) mail.Mail {
	b.mu.Lock()
	h, known := b.heads.get(id)
	b.mu.Unlock()
	if known && (h.whole || !whole) {
		return h.Mail
	}
	if whole {
		return b.glance(id, entries).Mail
	}
	file, err := b.open(id, entries)
	if err != nil {
		return mail.Mail{}
	}
	defer file.Close()
	m, err := mail.ReadHead(file)
	if err == nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.heads.put(id, head{m, false})
	}
	return m
}

// text is what a mail says, folded.
func (b *box) text(id string, entries map[string]entry) string {
	b.mu.Lock()
	text, known := b.texts.get(id)
	b.mu.Unlock()
	if !known {
		text = mail.Folded(b.glance(id, entries))
	}
	return text
}

// glance reads the beginning of a mail; nothing if it cannot be read.
func (b *box) glance(id string, entries map[string]entry) (m mail.Message) {
	file, err := b.open(id, entries)
	if err != nil {
		return m
	}
	defer file.Close()
	if m, err = mail.Glance(file); err != nil {
		return m
	}
	m.Mail = m.Listed()
	text := mail.Folded(m)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.heads.put(id, head{m.Mail, true})
	b.texts.put(id, text)
	return m
}

// sideBySide calls do for each of n, a few at a time.
func sideBySide(ctx context.Context, n int, do func(i int) error) error {
	workers := min(n, 2*runtime.GOMAXPROCS(0))
	var group errgroup.Group
	for w := range workers {
		group.Go(func() error {
			for i := w; i < n; i += workers {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := do(i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}
