package offline

import "strings"

// expand writes out what English draws together: "what's" is "what is".
func expand(w string) string {
	if full, ok := contractions[w]; ok {
		return full
	}
	if head, ok := strings.CutSuffix(w, "'s"); ok && drawn[head] {
		return head + " is"
	}
	return w
}

var drawn = wordSet(`what when where who how why it that there here he she which`)

var contractions = map[string]string{
	"i'm": "i am", "i'd": "i would", "i've": "i have", "i'll": "i will", "we're": "we are", "we've": "we have",
	"we'd":  "we would",
	"we'll": "we will", "you're": "you are", "don't": "do not", "doesn't": "does not", "didn't": "did not",
	"can't": "can not", "cannot": "can not",
	"won't": "will not", "isn't": "is not", "aren't": "are not", "hasn't": "has not", "haven't": "have not",
	"wanna": "want to", "gonna": "going to",
	"gotta": "have to", "it'll": "it will", "that'll": "that will", "wasn't": "was not", "shouldn't": "should not",
	"thats": "that is", "its": "it is", "whats": "what is", "wheres": "where is", "whens": "when is", "whos": "who is",
	"hows": "how is", "couldn't": "could not",
	"wouldn't": "would not",
}
