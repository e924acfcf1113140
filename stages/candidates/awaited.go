package candidates

import "convene/pkg/fault"

// Awaited is the result of work that goes on beside its owner, who must Wait for it.
type Awaited[T any] struct {
	done chan struct{}
	// result and err are set when done is closed.
	result T
	err    error
}

// Meanwhile starts to do something. A panic of do becomes an error.
func Meanwhile[T any](do func() (T, error)) *Awaited[T] {
	a := &Awaited[T]{done: make(chan struct{})}
	go func() {
		defer close(a.done)
		a.err = fault.Guard(func() (err error) {
			a.result, err = do()
			return err
		})
	}()
	return a
}

// Wait returns the result when it is there.
func (a *Awaited[T]) Wait() (T, error) {
	<-a.done
	return a.result, a.err
}

// soFar is the result, or the zero value before it is there.
func (a *Awaited[T]) soFar() (result T) {
	select {
	case <-a.done:
		return a.result
	default:
		return result
	}
}
