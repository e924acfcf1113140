package main

import (
	"fmt"
	"convene/pkg/mail"
)

func main() {
	all, err := readExamples("test.txt")
	fmt.Println(err, measure(all, func(e example) mail.Verdict { return e.reader.Judge(e.message) }))
}
