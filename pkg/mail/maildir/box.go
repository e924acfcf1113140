package maildir

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
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
	// dates are those of all mails that are there; heads and texts are of those that were read lately.
	dates map[string]time.Time
	heads kept[mail.Mail]
	texts kept[mail.Message]
}

func newBox(dir string) *box {
	const head = 1 << 10
	return &box{
		dir: dir, dates: map[string]time.Time{},
		heads: kept[mail.Mail]{most: 16 << 20, sizeOf: func(mail.Mail) int { return head }},
		texts: kept[mail.Message]{most: 48 << 20, sizeOf: func(m mail.Message) int {
			return head + len(m.Text) + len(m.Quoted)
		}},
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

// scan are the files of all folders. While it looks, a file may be renamed from one directory to another: directories
// of new mail are looked into first, so that none is missed, and each id counts once.
func (b *box) scan() (map[string]entry, error) {
	places, err := b.folders()
	if err != nil {
		return nil, err
	}
	entries := map[string]entry{}
	for _, sub := range []string{"new", "cur"} {
		for _, at := range places {
			if err := b.read(entry{dir: filepath.Join(at.dir, sub), folder: at.folder}, entries); err != nil {
				return nil, err
			}
		}
	}
	return entries, nil
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

// move returns what renames a mail's file so that it says the state. It fails with fs.ErrNotExist if another program
// was faster.
func (b *box) move(e entry, to mail.State) func() error {
	return func() error {
		after := entry{id: e.id, flags: e.flagsFor(to), dir: filepath.Join(filepath.Dir(e.dir), "cur")}
		if to.Folder != e.state().Folder {
			dir, err := b.dirFor(to.Folder)
			if err != nil {
				return err
			}
			after.dir = filepath.Join(dir, "cur")
		}
		if _, err := os.Lstat(b.path(after)); err == nil && b.path(after) != b.path(e) {
			return mail.Changed() // another file of this name, which would be lost
		}
		return os.Rename(b.path(e), b.path(after))
	}
}

// titles are what folders with a purpose are called that have to be made.
var titles = map[mail.Folder]mail.Folder{
	mail.Sent: "Sent", mail.Drafts: "Drafts", mail.Archive: "Archive", mail.Trash: "Trash", mail.Junk: "Junk",
}

// dirFor is the directory of a folder, which is made if it is not there.
func (b *box) dirFor(f mail.Folder) (string, error) {
	places, err := b.folders()
	if err != nil {
		return "", err
	}
	if i := slices.IndexFunc(places, func(p place) bool { return p.folder == f }); i >= 0 {
		return places[i].dir, nil
	}
	if title, ok := titles[f]; ok {
		f = title
	}
	const private = 0o700
	dir := dirOf(f)
	for _, sub := range []string{"tmp", "new", "cur"} {
		if err := os.MkdirAll(filepath.Join(b.dir, dir, sub), private); err != nil {
			return "", err
		}
	}
	mark, err := os.OpenFile(filepath.Join(b.dir, dir, "maildirfolder"), os.O_CREATE|os.O_WRONLY, private)
	if err != nil {
		return "", err
	}
	return dir, mark.Close()
}

// date gives mails their dates.
func (b *box) date(ctx context.Context, entries map[string]entry, mails []mail.Mail) error {
	return sideBySide(ctx, len(mails), func(i int) error {
		id := mails[i].ID
		b.mu.Lock()
		at, known := b.dates[id]
		b.mu.Unlock()
		if !known {
			var err error
			if at, err = b.readDate(id, entries); err != nil {
				return err
			}
			b.mu.Lock()
			b.dates[id] = at
			b.mu.Unlock()
		}
		mails[i].Date = at
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

// page reads the mails of a page.
func (b *box) page(
	ctx context.Context, q mail.Query, entries map[string]entry, all []mail.Mail,
) (page mail.Page, err error) {
	page = mail.Page{Mails: []mail.Mail{}, Total: -1}
	if q.WithoutMail() {
		page.Total = len(all)
	}
	rest := slices.DeleteFunc(slices.Clone(all), func(m mail.Mail) bool { return !q.After.Precedes(m) })
	for len(rest) > 0 && !page.More {
		chunk := rest[:min(len(rest), q.Size()+1)]
		rest = rest[len(chunk):]
		read := make([]*mail.Message, len(chunk))
		if err := sideBySide(ctx, len(chunk), func(i int) error {
			read[i] = b.fit(q, chunk[i], entries)
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
				page.Mails = append(page.Mails, m.Listed())
			}
		}
	}
	if q.After == nil && !page.More {
		page.Total = len(page.Mails)
	}
	return page, nil
}

// fit is a mail as its file says; nil if the query does not mean it. Only the file of one that it may mean is read
// further than its header.
func (b *box) fit(q mail.Query, listed mail.Mail, entries map[string]entry) *mail.Message {
	if !q.WithoutMail() {
		of := q
		of.Words, of.Attachment = nil, nil
		if !of.Fits(b.head(listed.ID, entries).Standing(listed), nil) {
			return nil
		}
	}
	whole := b.glance(listed.ID, entries)
	whole.Mail = whole.Standing(listed)
	if !q.Fits(whole.Mail, whole.Whole) {
		return nil
	}
	return &whole
}

// head is what a mail's header says; nothing if it cannot be read.
func (b *box) head(id string, entries map[string]entry) mail.Mail {
	return remember(b, &b.heads, id, entries, mail.ReadHead)
}

// glance is a mail as its file says; nothing if it cannot be read.
func (b *box) glance(id string, entries map[string]entry) mail.Message {
	return remember(b, &b.texts, id, entries, mail.Glance)
}

// remember is what was read of a mail, lately or now.
func remember[V any](
	b *box, in *kept[V], id string, entries map[string]entry, read func(io.Reader) (V, error),
) V {
	b.mu.Lock()
	v, known := in.get(id)
	b.mu.Unlock()
	if known {
		return v
	}
	file, err := b.open(id, entries)
	if err != nil {
		return v
	}
	defer file.Close()
	if v, err = read(file); err == nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		in.put(id, v)
	}
	return v
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
