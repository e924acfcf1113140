package offline_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"convene/pkg/llm/offline"
)

// What a message is for depends on what went before.
func ExampleUnderstand() {
	fmt.Println(offline.Understand("coffee with Al next week", offline.Talk{}).Intent)
	fmt.Println(offline.Understand("make it an hour later", offline.Talk{HasEvent: true}).Intent)
	fmt.Println(offline.Understand("what's on this weekend?", offline.Talk{}).Intent)
	// Output:
	// create
	// edit
	// suggest
}

// The model speaks the wire of the OpenAI API; a client of that API uses it as its transport.
func ExampleModel() {
	client := &http.Client{Transport: offline.New(offline.Options{}).Transport()}
	response, err := client.Post("http://model/v1/chat/completions", "application/json", strings.NewReader(`{
		"model": "convene-offline", "messages": [{"role": "user", "content": "coffee with Al next week"}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	var answer struct {
		Choices []struct{ Message struct{ Content string } }
	}
	err = json.NewDecoder(response.Body).Decode(&answer)
	fmt.Println(answer.Choices[0].Message.Content, err)
	// Output: Let me find a good time for coffee with Al next week. <nil>
}
