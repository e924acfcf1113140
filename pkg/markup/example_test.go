package markup_test

import (
	"fmt"

	"convene/pkg/markup"
)

// Markdown stays, and what could do harm does not.
func ExampleRender() {
	fmt.Println(markup.Render("**Coffee** with <b>Al</b>, [x](javascript:alert(1))"))
	// Output: <p><strong>Coffee</strong> with &lt;b&gt;Al&lt;/b&gt;, x</p>
}
