package api

import (
	"embed"
	"io/fs"
	"net/http"
	"path"

	"github.com/labstack/echo/v4"

	"convene/pkg/fault"
)

// static are the pages and what they load. They load nothing from anywhere else.
//
//go:embed static
var static embed.FS

const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func (s *Server) pageRoutes() {
	s.echo.GET("/", page("index.html"))
	s.echo.GET("/docs", page("docs.html"))
	s.echo.GET("/static/:name", func(c echo.Context) error { return page(c.Param("name"))(c) })
	s.echo.GET("/openapi.json", func(c echo.Context) error {
		return c.Blob(http.StatusOK, "application/json", s.document)
	})
}

func page(name string) echo.HandlerFunc {
	return func(c echo.Context) error {
		content, err := fs.ReadFile(static, path.Join("static", path.Base(name)))
		if err != nil {
			return fault.New(fault.NotFound, "There is no such file.").Because(err)
		}
		c.Response().Header().Set("Content-Security-Policy", contentPolicy)
		c.Response().Header().Set("Cache-Control", "no-cache")
		return c.Blob(http.StatusOK, contentType(name), content)
	}
}

// contentType does not ask the machine's own tables, which differ.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	default:
		return "text/html; charset=utf-8"
	}
}
