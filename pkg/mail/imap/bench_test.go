package imap_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"convene/pkg/mail"
	"convene/pkg/mail/imap/dovecottest"
	"convene/pkg/mail/mailtest"
)

// filled is a user whose inbox has n mails, which came an hour after each other, the last of them now.
func filled(tb testing.TB, s *dovecottest.Server, n int, text string) (user string) {
	tb.Helper()
	user = s.User(tb)
	cur := filepath.Join(s.Maildir(user), "cur")
	if err := os.MkdirAll(cur, 0o700); err != nil {
		tb.Fatal(err)
	}
	start := time.Now().Add(-time.Duration(n) * time.Hour)
	for i := range n {
		came := start.Add(time.Duration(i) * time.Hour)
		from := fmt.Sprintf("Person %d <person%d@example.com>", i%97, i%97)
		content := mailtest.Written(i, from, fmt.Sprint("Mail ", i), text).Content
		name := filepath.Join(cur, fmt.Sprintf("%d.M%d.host,S=%d:2,S", came.Unix(), i, len(content)))
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			tb.Fatal(err)
		}
		if err := os.Chtimes(name, came, came); err != nil {
			tb.Fatal(err)
		}
	}
	if err := s.Own(user); err != nil {
		tb.Fatal(err)
	}
	return user
}

// BenchmarkLargeMailbox lists and searches 20,000 mails: the first time that the server is asked, with a connection of
// its own, and later.
func BenchmarkLargeMailbox(b *testing.B) {
	const n = 20_000
	user := filled(b, &full, n, strings.Repeat("The quick brown fox jumps over the lazy dog.\r\n", 40))
	list := func(b *testing.B, p mail.Provider, q mail.Query) {
		b.Helper()
		if _, err := p.List(b.Context(), mailtest.Owner(), q); err != nil {
			b.Fatal(err)
		}
	}
	for name, q := range map[string]mail.Query{
		"first page": {Folders: []mail.Folder{mail.Inbox}, Limit: 50}, "everywhere": {Limit: 50},
		"sender":   {From: []string{"person 13"}, Limit: 50},
		"subject":  {Subject: []string{"Mail", "19000"}, Limit: 50},
		"nobody":   {From: []string{"nobody"}, Limit: 50},
		"words":    {Words: []string{"zebra"}, Limit: 50},
		"attached": {Attachment: new(true), Limit: 50},
	} {
		b.Run(name, func(b *testing.B) {
			began := time.Now()
			p := connected(b, full.Address, user)
			list(b, p, q)
			b.ReportMetric(float64(time.Since(began).Milliseconds()), "ms-first")
			b.ReportAllocs()
			for b.Loop() {
				list(b, p, q)
			}
			var memory runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&memory)
			b.ReportMetric(float64(memory.HeapAlloc)/(1<<20), "MB-kept")
		})
	}
}
