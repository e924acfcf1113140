package outlook

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"convene/pkg/account/graph"
	"convene/pkg/fault"
	"convene/pkg/mail"
)

// wellKnown are Graph's names of folders with a purpose, which are the same in every language.
var wellKnown = map[mail.Folder]string{
	mail.Inbox: "inbox", mail.Sent: "sentitems", mail.Drafts: "drafts", mail.Archive: "archive",
	mail.Trash: "deleteditems", mail.Junk: "junkemail",
}

// folder is a mailFolder at Graph.
type folder struct {
	Type     string `json:"@odata.type"`
	ID       string `json:"id"`
	Name     string `json:"displayName"`
	Children int    `json:"childFolderCount"`
}

// tree are the folders of a mailbox: what each is for its owner by its id, and the id of each by that. What lies below
// the trash or the junk is trash or junk.
type tree struct {
	is map[string]mail.Folder
	id map[mail.Folder]string
}

const (
	// readFor is how long the folders of a mailbox are used, unless a mail is in one that is not known.
	readFor = time.Minute
	// mostFolders bounds those that are read.
	mostFolders = 1000
	// atOnce is how many requests Graph takes at once for one mailbox.
	atOnce = 4
)

// folderFields are what is asked for of a folder.
var folderFields = graph.Query{}.With("$select", "id,displayName,childFolderCount").With("$top", "100")

// readFolders reads the folders, if they are not known or are to be read anew.
func (s *session) readFolders(ctx context.Context, anew bool) error {
	s.mu.Lock()
	known, at := s.tree, s.read
	s.mu.Unlock()
	if !anew && time.Since(at) < readFor {
		s.folders = known
		return nil
	}
	purposes, err := s.readPurposes(ctx)
	if err != nil {
		return err
	}
	t := tree{is: maps.Clone(purposes), id: map[mail.Folder]string{}}
	for id, f := range purposes {
		t.id[f] = id
	}
	if err := s.grow(ctx, &t, "/me/mailFolders", "", ""); err != nil {
		return err
	}
	s.folders = t
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tree, s.read = t, time.Now()
	return nil
}

// readPurposes are the folders with a purpose by their ids, which never change. A mailbox may lack one.
func (s *session) readPurposes(ctx context.Context) (purposes map[string]mail.Folder, err error) {
	s.mu.Lock()
	purposes = s.purposes
	s.mu.Unlock()
	if purposes != nil {
		return purposes, nil
	}
	var one sync.Mutex
	purposes = map[string]mail.Folder{}
	group, within := errgroup.WithContext(ctx)
	for is, name := range wellKnown {
		group.Go(func() error {
			f, err := ask[folder](within, s.box, graph.Get("/me/mailFolders/"+name, graph.Query{}.With("$select", "id")))
			if graph.IsStatus(err, http.StatusNotFound) {
				return nil
			}
			if err != nil {
				return err
			}
			one.Lock()
			defer one.Unlock()
			purposes[f.ID] = is
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.purposes = purposes
	return purposes, nil
}

// grow adds the folders of a collection, which lie in a folder with that path, and those below them. Buried is the
// trash or the junk, if they lie there. Search folders have mails of others.
func (s *session) grow(ctx context.Context, t *tree, at, path string, buried mail.Folder) error {
	var found []folder
	_, err := graph.Walk(ctx, s.graph, graph.By(s.account.ID), graph.Get(at, folderFields), func(f *folder) error {
		if !strings.HasSuffix(f.Type, "mailSearchFolder") {
			found = append(found, *f)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, f := range found {
		if len(t.is) >= mostFolders {
			return fault.New(fault.Unavailable, "The mailbox has more than %d folders.", mostFolders)
		}
		is, purpose := t.is[f.ID]
		below := buried
		switch {
		case purpose && (is == mail.Trash || is == mail.Junk):
			below = is
		case buried != "":
			t.is[f.ID] = buried
		case !purpose:
			is = mail.Folder(path + f.Name)
			t.is[f.ID] = is
			if t.id[is] == "" {
				t.id[is] = f.ID
			}
		}
		if f.Children == 0 {
			continue
		}
		if err := s.grow(ctx, t, children(f.ID), path+f.Name+"/", below); err != nil {
			return err
		}
	}
	return nil
}

func children(id string) string { return "/me/mailFolders/" + url.PathEscape(id) + "/childFolders" }

// folder is the id of a folder, which is made if it is not there.
func (s *session) folder(ctx context.Context, is mail.Folder) (id string, err error) {
	if id = s.folders.id[is]; id != "" {
		return id, nil
	}
	if wellKnown[is] != "" {
		return "", fault.New(fault.Unavailable, "The mailbox has no folder %s.", is.Title())
	}
	at, parts := "/me/mailFolders", strings.Split(string(is), "/")
	for i := range parts {
		path := mail.Folder(strings.Join(parts[:i+1], "/"))
		if id = s.folders.id[path]; id == "" {
			if id, err = s.makeFolder(ctx, at, path, parts[i]); err != nil {
				return "", err
			}
		}
		at = children(id)
	}
	return id, nil
}

// makeFolder makes a folder in a collection. One that another program makes meanwhile is found.
func (s *session) makeFolder(ctx context.Context, at string, path mail.Folder, name string) (id string, err error) {
	made, err := ask[folder](ctx, s.box, graph.Request{
		Method: http.MethodPost, Target: at, Body: map[string]any{"displayName": name}, Once: true,
	})
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.read = time.Time{}
		s.folders = tree{is: maps.Clone(s.folders.is), id: maps.Clone(s.folders.id)}
		s.folders.is[made.ID], s.folders.id[path] = path, made.ID
		return made.ID, nil
	}
	if !graph.IsStatus(err, http.StatusConflict) && !graph.Unanswered(err) {
		return "", err
	}
	if failed := s.readFolders(ctx, true); failed != nil {
		return "", failed
	}
	if id = s.folders.id[path]; id == "" {
		return "", err
	}
	return id, nil
}

// Folders are those with a purpose, and the others that are there.
func (b *box) Folders(ctx context.Context) (list []mail.Folder, err error) {
	err = b.with(ctx, func(_ context.Context, s *session) error {
		list = mail.Purposes()
		for _, f := range slices.Sorted(maps.Keys(s.folders.id)) {
			if !slices.Contains(list, f) {
				list = append(list, f)
			}
		}
		return nil
	})
	return list, err
}
