package task

import "time"

// Strategy says which combination of tasks is the best one for some minutes.
type Strategy string

// The strategies: BestFit uses the most minutes, ByPriority has the highest sum of scores, QuickWins the most tasks,
// and Mixed the highest sum of the part of the minutes that are used and the part of the best sum of scores that is
// reached. Of equal combinations the one with the higher sum of scores is better; of ByPriority the one that uses more
// minutes.
const (
	BestFit    Strategy = "best_fit"
	ByPriority Strategy = "priority"
	QuickWins  Strategy = "quick_wins"
	Mixed      Strategy = "mixed"
)

// Strategies are all of them.
func Strategies() []Strategy { return []Strategy{BestFit, ByPriority, QuickWins, Mixed} }

// Combination are tasks that fit into some minutes together.
type Combination struct {
	Strategy Strategy
	// Tasks are in their given order.
	Tasks []Task
	// Minutes is the sum of their efforts, and Score that of their scores.
	Minutes, Score int
}

// MostMinutes bounds the minutes that tasks are fitted into: a week.
const MostMinutes = 7 * 24 * 60

// Fit is the best combination of the tasks for so many minutes. It is exact. A combination is empty if no task fits.
func Fit(tasks []Task, minutes int, by Strategy, now time.Time) Combination {
	minutes = min(minutes, MostMinutes)
	pack := knapsack{room: max(0, minutes)}
	for _, t := range tasks {
		if t.Effort() <= pack.room {
			pack.items = append(pack.items, item{t, t.Effort(), t.Score(now).Total})
		}
	}
	best := 0 // the highest sum of scores
	if by == Mixed {
		for _, i := range pack.chosen(func(i item) value { return value{i.score, 0} }) {
			best += i.score
		}
	}
	c := Combination{Strategy: by, Tasks: []Task{}}
	for _, i := range pack.chosen(func(i item) value {
		switch by {
		case ByPriority:
			return value{i.score, i.minutes}
		case QuickWins:
			return value{1, i.score}
		case Mixed:
			return value{i.minutes*best + i.score*minutes, i.score} // both parts, times minutes and best
		default:
			return value{i.minutes, i.score}
		}
	}) {
		c.Tasks = append(c.Tasks, i.task)
		c.Minutes += i.minutes
		c.Score += i.score
	}
	return c
}

// item is a task to be packed.
type item struct {
	task           Task
	minutes, score int
}

// value is what an item is worth; the second counts between equal firsts.
type value struct{ first, second int }

func (v value) plus(o value) value { return value{v.first + o.first, v.second + o.second} }

func (v value) less(o value) bool {
	return v.first < o.first || v.first == o.first && v.second < o.second
}

// knapsack is the 0-1 knapsack problem with whole minutes, solved by dynamic programming: best[m] is the highest worth
// of the items so far in at most m minutes.
type knapsack struct {
	items []item
	room  int
}

// chosen are the items of the highest worth that fit, in their order.
func (k knapsack) chosen(worth func(item) value) []item {
	all := 0
	for _, i := range k.items {
		all += i.minutes
	}
	room := min(k.room, all)
	best := make([]value, room+1)
	taken := make([]bool, len(k.items)*(room+1))
	for n, i := range k.items {
		is, row := worth(i), taken[n*(room+1):]
		for m := room; m >= i.minutes; m-- {
			if with := best[m-i.minutes].plus(is); best[m].less(with) {
				best[m], row[m] = with, true
			}
		}
	}
	var list []item
	for n, m := len(k.items)-1, room; n >= 0; n-- {
		if taken[n*(room+1)+m] {
			list = append([]item{k.items[n]}, list...)
			m -= k.items[n].minutes
		}
	}
	return list
}
