package api

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"convene/pkg/fault"
	"convene/pkg/widget"
)

// contentPolicy lets a page load what this server has, and nothing else: no inline code, no inline style.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func (s *Server) pageRoutes() {
	s.show("/", page("index.html"))
	s.show("/docs", page("docs.html"))
	s.show("/static/{name}", func(c echo.Context) error { return page(c.Param("name"))(c) })
	s.show("/widget.js", widgetScript)
	s.show("/openapi.json", func(c echo.Context) error {
		return c.Blob(http.StatusOK, "application/json", s.document)
	})
}

// show lets anybody see what is at the path, or ask with HEAD whether it is there.
func (s *Server) show(path string, h echo.HandlerFunc) {
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		s.route(method, path).access = byAnybody
		s.echo.Add(method, pathParameter.ReplaceAllString(path, ":$1"), h)
	}
}

func page(name string) echo.HandlerFunc {
	return func(c echo.Context) error {
		content, ok := widget.Page(name)
		if !ok {
			return fault.New(fault.NotFound, "There is no such file.")
		}
		c.Response().Header().Set("Content-Security-Policy", contentPolicy)
		return unlessKnown(c, contentType(name), content)
	}
}

// packed is the widget's script, compressed once.
var packed = sync.OnceValues(func() ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(widget.Script()); err != nil {
		return nil, err
	}
	err = w.Close() // writes the rest
	return b.Bytes(), err
})

// widgetScript answers any site: the script is the same for all of them and holds nothing of anybody.
func widgetScript(c echo.Context) error {
	h := c.Response().Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Vary", "Accept-Encoding")
	content := widget.Script()
	if small, err := packed(); err == nil && strings.Contains(c.Request().Header.Get("Accept-Encoding"), "gzip") {
		content = small
		h.Set("Content-Encoding", "gzip")
	}
	return unlessKnown(c, contentType("widget.js"), content)
}

// unlessKnown sends content, or only that it is still what the client has.
func unlessKnown(c echo.Context, kind string, content []byte) error {
	sum := sha256.Sum256(content)
	tag := `"` + hex.EncodeToString(sum[:12]) + `"`
	c.Response().Header().Set("Cache-Control", "no-cache")
	c.Response().Header().Set("Etag", tag)
	if strings.Contains(c.Request().Header.Get("If-None-Match"), tag) {
		return c.NoContent(http.StatusNotModified)
	}
	return c.Blob(http.StatusOK, kind, content)
}

// contentType does not ask the machine's own tables, which differ.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".ts":
		return "application/typescript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	default:
		return "text/html; charset=utf-8"
	}
}
