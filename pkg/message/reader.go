package message

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of what a model may write, in runes.
const (
	messageLimit = 4000
	indentLimit  = 3
)

// Reader checks a message while it is written. It is for one message and one goroutine; make it with NewReader.
type Reader struct {
	index knowledge
	rules rules
	// pending is text not yet verified: at most one unfinished word or label.
	pending string
	checked []byte
	// offset counts the verified runes.
	offset int
	err    *Problem

	// lineStart and sentenceStart say what may come next: a list mark, a capital. last is the previous rune.
	lineStart, sentenceStart bool
	last                     rune
	// prefixed says that a Hebrew prefix precedes, to which a fact may be attached.
	prefixed bool
	// languages are those that contain every word so far.
	languages []string
	hebrew    bool
	path      Path
	language  string

	// sentence is the current one so far, and began the state before it. Once it claims something, the rest of it is held
	// until it is known whether it stands; ending is the mark that ends it.
	sentence sentenceHeard
	began    beginning
	held     string
	ending   rune
	// between says that no sentence has begun since the last one, shown that some of this one is in the preview, and cut
	// that the marks and spaces that follow belong to a sentence left out.
	between, shown, cut bool
	left                int
}

// beginning is the state before a sentence, as far as a sentence changes it.
type beginning struct {
	rules     rules
	languages []string
	checked   int
}

// NewReader makes the reader of one message about f and c on the given path.
func NewReader(f *Facts, c Choice, path Path) *Reader {
	f = f.Prepared()
	c = f.within(c)
	languages := []string{english}
	if base := f.says().base; base != english {
		languages = []string{base, english}
	}
	said := f.sentencesOn(path, c)
	return &Reader{
		index:         f.index(said, path),
		rules:         rules{facts: f, choice: c, sentences: said, path: path},
		lineStart:     true,
		sentenceStart: true,
		languages:     languages,
		hebrew:        languages[0] == "he",
		language:      languages[0],
		path:          path,
		sentence:      sentenceHeard{grammars: grammarsOf(languages...)},
		between:       true,
	}
}

// LeftOut is how many sentences were left out because they claim what only code may say.
func (r *Reader) LeftOut() int { return r.left }

// Write reads more of the message. The preview is the newly verified part as plain text; ambiguous text is held back.
// An error is a *Problem, comes as soon as anything unverified was written, and stays.
func (r *Reader) Write(piece string) (preview string, err error) {
	if r.err != nil {
		return "", r.err
	}
	r.pending += piece
	preview = r.advance(false)
	if r.err != nil {
		return preview, r.err
	}
	return preview, nil
}

// Close ends the message and returns it as written, trimmed. It fails if the end of the message is not verified, or if
// the message omits what it must say.
func (r *Reader) Close() (message string, err error) {
	r.advance(true)
	if r.err == nil {
		r.endSentence(0)
		r.refuse(r.rules.endLine())
		r.refuse(r.rules.end())
	}
	if r.err != nil {
		return "", r.err
	}
	return strings.TrimSpace(string(r.checked)), nil
}

// token is the next n bytes of a message, and their plain text.
type token struct {
	n     int
	plain string
	// kind is why the token was refused.
	kind string
	// wait says that the token is not finished.
	wait bool
}

func refused(kind string) token { return token{kind: kind} }
func waiting() token            { return token{wait: true} }

// advance verifies as much as it can.
func (r *Reader) advance(whole bool) string {
	var preview strings.Builder
	for r.err == nil && r.pending != "" {
		now := beginning{r.rules, r.languages, len(r.checked)}
		t := r.next(whole)
		if t.wait {
			break
		}
		if r.refuse(t.kind); r.err != nil {
			break
		}
		if r.between {
			r.began, r.between = now, strings.Trim(r.pending[:t.n], " \n") == ""
		}
		preview.WriteString(r.take(t))
		if r.ending != 0 {
			preview.WriteString(r.endSentence(r.ending))
		}
	}
	return preview.String()
}

// refuse records the first problem, unless kind is empty.
func (r *Reader) refuse(kind string) {
	if kind != "" && r.err == nil {
		r.err = &Problem{Kind: kind, Offset: r.offset}
		r.pending = ""
	}
}

// take consumes a token and returns the part that can be shown at once.
func (r *Reader) take(t token) (preview string) {
	piece := r.pending[:t.n]
	r.pending = r.pending[t.n:]
	r.last, _ = utf8.DecodeLastRuneInString(piece)
	if r.offset += utf8.RuneCountInString(piece); r.offset > messageLimit {
		r.refuse(KindLength)
	}
	if r.cut = r.cut && len(r.sentence.words) == 0 && r.belongsToCut(piece); r.cut {
		return ""
	}
	r.checked = append(r.checked, piece...)
	if len(r.sentence.claims) > 0 {
		r.held += t.plain
		return ""
	}
	r.shown = r.shown || !r.between
	return t.plain
}

// belongsToCut reports whether a piece after a sentence left out belongs to it: more marks at its end, and the space
// before the next.
func (r *Reader) belongsToCut(piece string) bool {
	if piece == "\n" {
		return len(r.checked) == 0 || strings.HasSuffix(string(r.checked), "\n\n")
	}
	return strings.Trim(piece, " "+sentenceEnds+harmlessSigns+string(emojiStyle)) == ""
}

// endSentence ends the sentence with a mark, 0 for none, and returns what can now be shown of it. A sentence that
// claims anything is removed if the text around it can stand without it: a line of a list cannot.
func (r *Reader) endSentence(mark rune) (preview string) {
	s, held, shown := r.sentence, r.held, r.shown
	r.sentence.words, r.sentence.claims = nil, nil
	r.held, r.shown, r.ending, r.between = "", false, 0, true
	if !s.claimsWhen(mark) {
		return held
	}
	heads := len(s.words) > 0 && s.words[len(s.words)-1].text == ":"
	if r.rules.item.open || heads {
		r.refuse(KindClaim)
		return ""
	}
	r.rules, r.languages, r.checked = r.began.rules, r.began.languages, r.checked[:r.began.checked]
	r.cut, r.sentenceStart = true, true
	r.left++
	if mark == '\n' && len(r.checked) > 0 && r.checked[len(r.checked)-1] != '\n' {
		r.checked = append(r.checked, '\n')
		preview = "\n"
	}
	if shown {
		preview = "…" + preview
	}
	return preview
}

// next is the token that pending begins with.
func (r *Reader) next(whole bool) token {
	c, size := utf8.DecodeRuneInString(r.pending)
	switch {
	case c == utf8.RuneError && size < 2:
		if !whole && !utf8.FullRuneInString(r.pending) {
			return waiting()
		}
		return refused(KindControl)
	case c == '\n':
		return r.newline()
	case r.lineStart:
		return r.beginning(whole)
	case isSpace(c):
		return token{n: size, plain: " "}
	case c == '*' || c == '_':
		return r.emphasis(c, whole)
	}
	f, n, wait := r.factHere(c, whole)
	switch {
	case wait:
		return waiting()
	case f != nil:
		return r.fact(f, n, whole)
	}
	switch {
	case unicode.IsLetter(c):
		return r.word(whole)
	case unicode.IsNumber(c):
		return refused(KindTime)
	default:
		return r.mark(c, size, whole)
	}
}

func (r *Reader) newline() token {
	if r.rules.item.open && r.sentence.claimsWhen(0) {
		return refused(KindClaim)
	}
	kind := r.rules.endLine()
	r.ending = '\n'
	r.lineStart, r.sentenceStart = true, true
	return token{n: 1, plain: "\n", kind: kind}
}

// beginning is the start of a line: an indentation too small for a code block, and the mark of a list.
func (r *Reader) beginning(whole bool) token {
	indent := 0
	for indent < len(r.pending) && r.pending[indent] == ' ' {
		indent++
	}
	if indent > indentLimit {
		return refused(KindMarkup)
	}
	rest := r.pending[indent:]
	c, size := utf8.DecodeRuneInString(rest)
	if !whole && (rest == "" || len(rest) == size || !utf8.FullRuneInString(rest)) {
		return waiting()
	}
	r.lineStart = false
	if !strings.ContainsRune("-*+•", c) || !strings.HasPrefix(rest[size:], " ") {
		return token{n: indent, plain: r.pending[:indent]}
	}
	r.rules.item = listItem{open: true}
	return token{n: indent + size + 1, plain: "- "}
}

// factHere is the fact that pending begins with. A fact never begins in the middle of a word.
func (r *Reader) factHere(c rune, whole bool) (f *fact, n int, wait bool) {
	if isWordRune(c) && isWordRune(r.last) && !r.prefixed {
		return nil, 0, false
	}
	return r.index.match(r.pending, whole)
}

// fact is a fact without emphasis. A one-word remark about another option may still be an ordinary word.
func (r *Reader) fact(f *fact, n int, whole bool) token {
	kind := r.admit(f, false)
	if kind == "" {
		return token{n: n, plain: plain(f.text)}
	}
	if kind == KindHint && f.isWord() {
		if t := r.word(whole); t.kind == "" {
			return t
		}
	}
	return refused(kind)
}

// admit asks the rules for a fact and records its effects.
func (r *Reader) admit(f *fact, emphasised bool) (kind string) {
	r.prefixed = false
	if phrase := f.roles[0]; phrase.kind == allowedPhrase && len(f.roles) == 1 {
		r.rules.phrase(f.text)
		kind = r.spoken([]string{phrase.language})
	} else {
		kind = r.rules.admit(f, emphasised)
	}
	if kind != "" {
		return kind
	}
	r.hearFact(f)
	end, _ := utf8.DecodeLastRuneInString(f.text)
	r.sentenceStart = strings.ContainsRune(".!?", end)
	return ""
}

// hearFact adds a fact to the sentence. A ready-made sentence ends the current one.
func (r *Reader) hearFact(f *fact) {
	is := func(kinds ...roleKind) bool {
		return slices.ContainsFunc(f.roles, func(of role) bool { return slices.Contains(kinds, of.kind) })
	}
	switch {
	case is(required, sentence, standing):
		r.ending = '.'
	case is(allowedPhrase):
		for word := range strings.FieldsSeq(f.text) {
			r.sentence.hear(heard{text: word})
		}
	case is(slotRemark, placeRemark, caution):
		r.sentence.hear(heard{mark: true})
	default:
		r.sentence.hear(heard{text: "•", person: is(personName), event: is(title), moment: is(slotLong, slotShort)})
	}
}

// emphasis is a fact between marks of emphasis. Nothing else can be emphasised.
func (r *Reader) emphasis(mark rune, whole bool) token {
	marks := len(r.pending) - len(strings.TrimLeft(r.pending, string(mark)))
	if marks > 3 {
		return refused(KindMarkup)
	}
	rest := r.pending[marks:]
	if rest == "" && !whole {
		return waiting()
	}
	f, n, wait := r.index.match(rest, whole)
	if wait {
		return waiting()
	}
	if f == nil {
		return r.blame(rest, whole)
	}
	shown := plain(f.text)
	if n < len(rest) && strings.IndexByte(".,;:!?", rest[n]) >= 0 {
		shown += rest[n : n+1]
		n++
	}
	closing := strings.Repeat(string(mark), marks)
	tail := rest[n:]
	switch {
	case !whole && len(tail) <= marks && strings.HasPrefix(closing, tail):
		return waiting()
	case !strings.HasPrefix(tail, closing), strings.HasPrefix(tail[marks:], string(mark)):
		return refused(KindMarkup)
	}
	if kind := r.admit(f, true); kind != "" {
		return refused(kind)
	}
	r.sentenceStart = strings.ContainsRune(".!?", firstRune(shown[len(shown)-1:]))
	return token{n: marks + n + marks, plain: shown}
}

// The marks that may stand between words.
const (
	sentenceEnds  = ".!?…:¡¿؟"
	innerMarks    = ",;'’\"“”„«»()-–—־،、。！？"
	harmlessSigns = "☕🎉😊🙂👍✅✨👋🍽🍴🥂"
	// emojiStyle may follow a sign and asks for its colourful form.
	emojiStyle = '\ufe0f'
)

// mark is punctuation or a sign. A dot before a letter would make an address, an exclamation mark before a bracket an
// image.
func (r *Reader) mark(c rune, size int, whole bool) token {
	t := token{n: size, plain: string(c)}
	switch {
	case strings.ContainsRune(harmlessSigns, c), c == emojiStyle && strings.ContainsRune(harmlessSigns, r.last):
		return t
	case c == '[' || c == '@' || c == '/' || c == '\\':
		return refused(KindLink)
	case unicode.IsControl(c), unicode.Is(unicode.Cf, c), unicode.IsSpace(c), unicode.IsMark(c):
		return refused(KindControl)
	case !strings.ContainsRune(sentenceEnds+innerMarks, c):
		return refused(KindMarkup)
	}
	rest := r.pending[size:]
	if !whole && !utf8.FullRuneInString(rest) {
		return waiting()
	}
	next := firstRune(rest)
	if strings.ContainsRune(clauseEnds, c) && len(r.sentence.words) > 0 {
		r.sentence.hear(heard{text: string(c), mark: true})
	}
	switch {
	case c == '!' && next == '[':
		return refused(KindMarkup)
	case strings.ContainsRune(".。:", c) && rest != "" && isWordRune(next):
		return refused(KindLink)
	case strings.ContainsRune(sentenceEnds+"。！？", c):
		r.sentenceStart = true
		if !strings.ContainsRune(clauseEnds, c) {
			r.ending = c
		}
	case strings.ContainsRune("-–—־", c) && r.rules.item.open:
		r.sentenceStart = true
	}
	r.prefixed = false
	return t
}
