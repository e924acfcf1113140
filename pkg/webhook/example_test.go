package webhook

import (
	"fmt"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// A receiver needs no code of ours: any library of the Standard Webhooks specification checks the signature of a body
// with the secret that its owner was given, and refuses another body.
func Example_signature() {
	key, body := newKey(), []byte(`{"type":"event.confirmed"}`)
	headers, err := sign([]Key{key}, "msg_1", time.Now(), body)
	if err != nil {
		fmt.Println(err)
		return
	}
	receiver, err := standard.NewWebhook(key.Reveal())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(receiver.Verify(body, headers))
	fmt.Println(receiver.Verify([]byte(`{"type":"event.cancelled"}`), headers))
	// Output:
	// <nil>
	// unable to verify payload, err: no matching signature found
}
