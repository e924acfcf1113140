package fault

import "fmt"

// Guard turns a panic of do into an error, so that a broken adapter fails its turn and not the server.
func Guard(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return do()
}
