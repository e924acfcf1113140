package offline

import "strings"

// neverNames are no names even with a capital letter.
var neverNames = wordSet(`i i'm i'd i'll i've we we'd we'll us our you your he she they them it its the a an this
	that these those and or but if let's let can could would should will shall please hi hello hey thanks thank monday
	tuesday wednesday thursday friday saturday sunday january february july september october november december today
	tomorrow tonight morning afternoon evening weekend week month year everyone everybody someone somebody anyone
	anybody all both people team family friends folks guys crew group colleagues coworkers clients parents kids in-laws
	meeting event calendar appointment schedule me my mine myself who whom whoever ok okay yes no not maybe sure google
	date reservation party night gathering sf ok q1 q2 q3 q4 eta asap rsvp am pm`)

// stopWords are no names, venues or wishes in small letters.
var stopWords = wordSet(`a about above actually after again all almost along already also although always am an and
	another any anybody anyone anything are around as ask at available away back be because been before being best
	better between both briefly but by call can cannot could day days dinner do does doing done down during each early
	else enough even ever every everyone everybody family few fine first fit for free friend friends from fun get
	getting give go going good got great group guys had half has have having he her here him his how i if in instead
	into is it its just keep kids kind last late later let like little long look lot make many maybe me meet might min
	mine minutes more most much my need never new next nice no none not nothing now of off on once one only or other our
	out outdoor outside over own people perhaps place please plus possible pretty probably quick quiet quite rather
	really right same say see she short should since so some somebody someone something sometime soon still such sure
	team than thanks that the their them then there these they thing things think this those though time to today
	together too under until up us use usual very via want was way we week well were what when where whether which while
	who why will with without won't work works would yes yet you your yourself colleagues coworkers clients parents
	folks crew team's everyone's two three four five six seven eight nine ten somewhere someplace anywhere extra added
	travel time's lots plenty either`)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}
