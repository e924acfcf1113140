package main

import (
	"testing"

	"convene/pkg/mail"
)

func TestX(t *testing.T) {
	all, err := readExamples("mails.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, held := parted(all)
	test, _ := readExamples("test.txt")
	judge := func(e example) mail.Verdict { return e.reader.Judge(e.message) }
	t.Log(measure(held, judge))
	t.Log(measure(test, judge)); f, _ := readExamples("fresh.txt"); t.Log(measure(f, judge))
}
