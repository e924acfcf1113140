package own_test

import (
	"context"
	"fmt"
	"testing"

	"convene/pkg/meet"
	"convene/pkg/record"
	"convene/pkg/task"
	"convene/pkg/task/own"
	"convene/pkg/task/tasktest"
)

// The tasks of a file are changed as those that were made here are.
func TestConformance(t *testing.T) {
	t.Parallel()
	tasktest.Run(t, func(_ *testing.T, owner meet.Person, tasks ...task.Task) task.Provider {
		return own.Provider{Book: record.Book{Store: &tasktest.Shelf{}, Given: func(person meet.PersonID) record.Values {
			if person != owner.ID {
				return nil
			}
			return tasktest.Values(tasks...)
		}}}
	})
}

func ExampleProvider() {
	ctx, dana := context.Background(), tasktest.Owner()
	tasks := own.Provider{Book: record.Book{Store: &tasktest.Shelf{}}}
	milk := task.Task{ID: "1", Title: "Buy milk", Status: task.Backlog, Due: "2026-11-27"}
	_, err := tasks.Apply(ctx, dana, task.Amendment{Key: "turn-1", To: &milk})
	all, _ := tasks.Tasks(ctx, dana)
	fmt.Println(all[0].Title, all[0].Due, all[0].Provider, err)
	// Output: Buy milk 2026-11-27 convene <nil>
}
