package main

import (
	_ "embed"

	"convene/pkg/account"
	"convene/pkg/api"
	"convene/pkg/auth"
	"convene/pkg/mcp"
	"convene/pkg/place"
	"convene/pkg/webhook"
	"convene/pkg/widget"
)

//go:embed README.md
var readme string

// guides are the pages of /docs, in the order in which users need them.
func guides() []api.Guide {
	return []api.Guide{
		{Name: "stream", Source: "pkg/api/README.md", Markdown: api.README},
		{Name: "widget", Source: "pkg/widget/README.md", Markdown: widget.README},
		{Name: "keys", Source: "pkg/auth/README.md", Markdown: auth.README},
		{Name: "clients", Source: "pkg/api/protocols.md", Markdown: api.Protocols},
		{Name: "mcp", Source: "pkg/mcp/README.md", Markdown: mcp.README},
		{Name: "webhooks", Source: "pkg/webhook/README.md", Markdown: webhook.README},
		{Name: "calendars", Source: "pkg/account/README.md", Markdown: account.README},
		{Name: "places", Source: "pkg/place/README.md", Markdown: place.README},
		{Name: "settings", Source: "cmd/convene/README.md", Markdown: readme},
	}
}
