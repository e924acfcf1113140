package api

import _ "embed"

// The guides of this package, which a server shows at /docs: the API and the stream, and the protocols of other makers.
var (
	//go:embed README.md
	README string
	//go:embed protocols.md
	Protocols string
)
