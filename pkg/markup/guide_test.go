package markup_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/markup"
)

func TestGuide(t *testing.T) {
	t.Parallel()
	link := func(to string) string {
		return strings.TrimPrefix(strings.ReplaceAll(to, "a.md", "/docs/a"), "gone.go")
	}
	title, body, err := markup.Guide("# Keys, and tokens\n\nSee [A](a.md#one), [**no** page](gone.go) and "+
		"<b>.\n\n```sh\na <b>\n```\n\n"+
		"| a | b |\n|---|---|\n| 1 | `x\\|y` |\n", link)
	want := `<h1 id="keys-and-tokens">Keys, and tokens</h1>
<p>See <a href="/docs/a#one">A</a>, <strong>no</strong> page and <!-- raw HTML omitted -->.</p>
<pre tabindex="0"><code class="language-sh">a &lt;b&gt;
</code></pre>
<div class="wide" tabindex="0"><table>
<thead>
<tr>
<th>a</th>
<th>b</th>
</tr>
</thead>
<tbody>
<tr>
<td>1</td>
<td><code>x|y</code></td>
</tr>
</tbody>
</table></div>
`
	if err != nil || title != "Keys, and tokens" {
		t.Errorf("title %q: %v", title, err)
	}
	if diff := cmp.Diff(want, body); diff != "" {
		t.Errorf("Guide (-want +got):\n%s", diff)
	}
}
