package maildir

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"convene/pkg/mail"
)

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

// add writes a mail beside the mailbox, and moves it in when it is whole.
func (b *box) add(unique string, content []byte, s mail.State) (id string, err error) {
	at, err := mail.ReadDate(bytes.NewReader(content))
	if err != nil {
		return "", err
	}
	dir, err := b.dirFor(s.Folder)
	if err != nil {
		return "", err
	}
	e := entry{id: strconv.FormatInt(max(at.Unix(), 0), 10) + "." + unique, dir: filepath.Join(dir, "new")}
	if flags := e.flagsFor(s); flags != "" {
		e.flags, e.dir = flags, filepath.Join(dir, "cur")
	}
	const private = 0o700
	for _, sub := range []string{filepath.Join(dir, "tmp"), e.dir} {
		if err := os.MkdirAll(filepath.Join(b.dir, sub), private); err != nil {
			return "", err
		}
	}
	file, err := os.CreateTemp(filepath.Join(b.dir, dir, "tmp"), e.id+".")
	if err != nil {
		return "", err
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(file.Name(), b.path(e))
	}
	if err != nil {
		return "", errors.Join(err, os.Remove(file.Name()))
	}
	return e.id, nil
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
	const private = 0o700
	dir := dirOf(mail.Folder(f.Title()))
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
