package task_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"convene/pkg/task"
)

var now = time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)

// backlog are so many tasks of any effort, priority, age and deadline.
func backlog(r *rand.Rand, n int) []task.Task {
	tasks := make([]task.Task, n)
	for i := range tasks {
		tasks[i] = task.Task{
			ID: strconv.Itoa(i), Title: "Task " + strconv.Itoa(i), Status: task.Backlog,
			Priority:         []task.Priority{"", task.High, task.Medium, task.Low}[r.IntN(4)],
			EstimatedMinutes: r.IntN(25) * 5,
			Created:          now.AddDate(0, 0, -r.IntN(60)).Format(time.RFC3339),
		}
		if r.IntN(2) == 0 {
			tasks[i].Due = now.AddDate(0, 0, r.IntN(30)-5).Format(time.DateOnly)
		}
	}
	return tasks
}

// sums are what a combination is worth.
type sums struct{ minutes, score, count int }

// worth is what a strategy makes most of.
func (s sums) worth(by task.Strategy, minutes, best int) (first, second float64) {
	switch by {
	case task.ByPriority:
		return float64(s.score), float64(s.minutes)
	case task.QuickWins:
		return float64(s.count), float64(s.score)
	case task.Mixed:
		return float64(s.minutes)/float64(minutes) + float64(s.score)/float64(max(1, best)), 0
	default:
		return float64(s.minutes), float64(s.score)
	}
}

// combinations are all that fit.
func combinations(tasks []task.Task, minutes int) []sums {
	all := []sums{{}}
	for _, t := range tasks {
		score := t.Score(now).Total
		for _, s := range all {
			if s.minutes+t.Effort() <= minutes {
				all = append(all, sums{s.minutes + t.Effort(), s.score + score, s.count + 1})
			}
		}
	}
	return all
}

// No combination is better than the one that is found: all of them are tried.
func TestTheBestCombinationIsFound(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 18))
		tasks, minutes := backlog(r, 15-r.IntN(6)), 15+r.IntN(300)
		all, best := combinations(tasks, minutes), 0
		for _, s := range all {
			best = max(best, s.score)
		}
		for _, by := range task.Strategies() {
			got := task.Fit(tasks, minutes, by, now)
			found := sums{got.Minutes, got.Score, len(got.Tasks)}
			if !slices.Contains(all, found) {
				t.Fatalf("seed %d, %s: no tasks have the sums %+v in %d minutes", seed, by, found, minutes)
			}
			first, second := found.worth(by, minutes, best)
			for _, s := range all {
				const same = 1e-9
				if f, then := s.worth(by, minutes, best); f > first+same || f == first && then > second {
					t.Fatalf("seed %d, %s, %d minutes: %+v is better than %+v", seed, by, minutes, s, found)
				}
			}
		}
	}
}

func TestNothingFits(t *testing.T) {
	t.Parallel()
	long := []task.Task{{ID: "1", Title: "Long", EstimatedMinutes: 90}}
	for _, minutes := range []int{-5, 0, 1, 89} {
		for _, by := range task.Strategies() {
			if got := task.Fit(long, minutes, by, now); len(got.Tasks) != 0 || got.Minutes != 0 {
				t.Errorf("%s, %d minutes: %+v", by, minutes, got)
			}
		}
	}
}

// Two hundred tasks for a whole day: at most 5 ms.
func BenchmarkFit(b *testing.B) {
	tasks := backlog(rand.New(rand.NewPCG(1, 18)), 200)
	for _, by := range task.Strategies() {
		b.Run(string(by), func(b *testing.B) {
			for b.Loop() {
				task.Fit(tasks, 8*60, by, now)
			}
		})
	}
}
