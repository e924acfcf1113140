package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"time"

	"convene/pkg/eval"
	"convene/pkg/llm/offline"
	"convene/pkg/meet"
	"convene/stages"
)

// evalCommand runs stages 1 to 3 on labelled sentences. Each line of a file is an item {id, utterance, context?,
// reference_time?, timezone?}; each printed line is a result {id, intent, confidence, template, …}, in the order of the
// items. Of an item that expects a route it is {id, route, family, confidence, requiresPlan}. A summary goes to
// standard error. The defaults of an item are the current time and UTC.
type evalCommand struct {
	settings `embed:"" group:"shared"`

	Files   []string `arg:"" type:"existingfile" help:"Files of items, a JSON object a line: id, utterance, reference_time, timezone."`
	Workers int      `default:"4" help:"How many items are read at the same time."`
}

// Run reads all items, runs the stages on them and prints the results.
func (c *evalCommand) Run(ctx context.Context, std streams) error {
	items, err := readItems(c.Files, c.clock()())
	if err != nil {
		return err
	}
	logger, err := c.logger(std.err)
	if err != nil {
		return err
	}
	model, err := c.model(logger) //nolint:contextcheck // a model connects to nothing before it is asked
	if err != nil {
		return err
	}
	evaluator, err := stages.NewEvaluator(model)
	if err != nil {
		return err
	}
	reader := eval.Evaluator{Reader: evaluator}
	if !c.OpenAI.configured() {
		reader.Beyond = beyond
	}
	results := reader.All(ctx, items, max(1, min(c.Workers, 8*runtime.NumCPU())))
	out := bufio.NewWriter(std.out)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for _, r := range results {
		if err := encoder.Encode(r); err != nil {
			return fmt.Errorf("print results: %w", err)
		}
	}
	if summary := eval.Summarize(items, results); summary.Items > 0 {
		fmt.Fprintln(std.err, summary)
	}
	return out.Flush()
}

// readItems reads the items of the files.
func readItems(files []string, now time.Time) (all []eval.Item, err error) {
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			return nil, misuse{err}
		}
		items, err := eval.Decode(file, now)
		file.Close()
		if err != nil {
			return nil, misuse{fmt.Errorf("%s: %w", name, err)}
		}
		all = append(all, items...)
	}
	return all, nil
}

// beyond is what the built-in rules know beyond the stages' questions.
func beyond(message string, talk meet.Conversation) eval.Finer {
	before := offline.Talk{HasEvent: talk.Search != nil, Turns: exchanges(talk.History)}
	understood, routing := offline.Understand(message, before), offline.Route(message, before)
	return eval.Finer{
		Intent: string(understood.Intent), Confidence: understood.Confidence, Title: understood.Title,
		Route: routing.Route, Family: routing.Family,
	}
}
