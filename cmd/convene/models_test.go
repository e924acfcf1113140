package main

import (
	"testing"
	"testing/synctest"
	"time"

	"convene/pkg/fault"
	"convene/pkg/llm"
	"convene/pkg/llm/offline"
)

// What takes the built-in model long is only a processor with much to do: no call is given up before its turn ends.
func TestTheBuiltInModelIsWaitedFor(t *testing.T) {
	t.Parallel()
	for _, stage := range []llm.Stage{llm.Classify, llm.Template, llm.Select, llm.Plan} {
		synctest.Test(t, func(t *testing.T) {
			client, err := builtInClient(offline.New(offline.Options{Latency: 50 * time.Second}), time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			_, err = client.Complete(t.Context(), llm.Request{Stage: stage, Data: "coffee with al"}, nil)
			if fault.CodeOf(err) == fault.ModelUnavailable {
				t.Errorf("%s: %v", stage, err)
			}
		})
	}
}
