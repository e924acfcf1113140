package ground

import (
	"regexp"
	"strings"
)

// eachTask is a message that asks for several tasks in one sentence, with a sentence for each of them: "add a few
// tasks: call the plumber tomorrow, order paint by friday". Any other message stays as it is.
func eachTask(m Message) string {
	for _, way := range tasksListed {
		at := way.form.FindStringSubmatch(m.Text)
		if at == nil {
			continue
		}
		titles := pieces(andToDo.ReplaceAllString(at[1], ", $1"))
		if len(titles) == 1 {
			titles = lastJoin.Split(at[1], -1)
		}
		if len(titles) > 1 {
			return way.becomes + strings.Join(titles, ". "+way.becomes)
		}
	}
	if begins := taskAsked.FindString(m.Text); begins != "" {
		return begins + taskToo.ReplaceAllString(m.Text[len(begins):], ". $1")
	}
	return m.Text
}

// tasksListed ask for several tasks that are listed behind a colon, and become the order for one of them.
var tasksListed = []rewording{
	{regexp.MustCompile(`(?i)^\s*(?:(?:hey|hi|so|ok|please|can you|could you|i need you to)[, ]+)*` +
		`(?:add|create|make|note down|set up)(?: me)? (?:(?:a|the|these|some|my|few|couple of|several|following|new|more|` +
		`two|three|four|five|\d) ?)+(?:tasks|to-?dos)(?: for me| to my list)?\s*:\s*(.+?)[\s.!]*$`), "add a task to "},
	{regexp.MustCompile(`(?i)^\s*(?:(?:oye|hola|por favor|puedes)[, ]+)*` +
		`(?:añade|añadir|agrega|crea|crear|apunta|pon)(?:me)? ` +
		`(?:(?:unas|varias|estas|algunas|las|siguientes|nuevas|dos|tres|cuatro|cinco|\d) ?)+(?:tareas)\s*:\s*(.+?)[\s.!]*$`),
		"añade una tarea para "},
	{regexp.MustCompile(`^\s*(?:(?:היי|אוקיי|בבקשה|אפשר)[, ]+)*` +
		`ו?(?:תוסי[ףפ]י?|הוס(?:ף|יפי)|להוסיף|תיצו?רי?|תרשמי?)(?: לי)? ` +
		`(?:(?:כמה|את|שתי|שלוש|ארבע|חמש|\d) ?)*ה?(?:משימות|מטלות)(?: האלה| הבאות| חדשות)?\s*:\s*(.+?)[\s.!]*$`),
		"תוסיף משימה "},
}

var (
	// andToDo joins what is to be done to what is before it, in Hebrew.
	andToDo = regexp.MustCompile(`,?\s+ו(ל\p{L}{3,})`)
	// taskAsked begins a message that asks for a task, and taskToo is another such order in the same sentence.
	taskAsked = regexp.MustCompile(`(?i)^\s*(?:(?:please|can you|could you|ok|por favor|בבקשה)[, ]+)*` +
		`(?:` + orderTask + `)`)
	taskToo = regexp.MustCompile(`(?i)(?:\s*[,;]\s*(?:and |y |ו)?|\s+and\s+|\s+y\s+|\s+ו)` +
		`(?:also |también |גם )?(` + orderTask + `)`)
)

// orderTask asks for one task.
const orderTask = `(?:add|create|make) (?:a|another) (?:task|to-?do)\b|` +
	`(?:añade|agrega|crea|apunta)(?:me)? (?:una|otra) tarea\b|(?:תוסי[ףפ]י?|תיצו?רי?)(?: לי)?(?: עוד)? משימה(?:$|\s)`
