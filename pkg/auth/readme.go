package auth

import _ "embed"

// README is the package's guide for users, which a server shows at /docs.
//
//go:embed README.md
var README string
