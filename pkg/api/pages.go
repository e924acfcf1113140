package api

import (
	"net/http"
	"sync"

	"github.com/labstack/echo/v4"

	"convene/pkg/fault"
	"convene/pkg/widget"
)

// contentPolicy lets a page load from this server only, without inline code or style.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func (s *Server) pageRoutes() {
	pages := map[string]*asset{}
	for _, name := range widget.Pages() {
		pages[name] = newAsset(name, func() []byte {
			content, _ := widget.Page(name) // the name comes from there
			return content
		})
	}
	page := func(c echo.Context, name string) error { return servePage(c, pages[name]) }
	s.show("/", func(c echo.Context) error { return page(c, "index.html") })
	s.show("/static/{name}", func(c echo.Context) error { return page(c, c.Param("name")) })
	guides := sync.OnceValues(func() (map[string]*asset, error) { return docsPages(s.cfg.Guides) })
	docs := func(c echo.Context) error {
		found, err := guides()
		if err != nil {
			return err
		}
		return servePage(c, found[c.Param("name")])
	}
	s.show("/docs", docs)
	s.show("/docs/{name}", docs)
	document := sync.OnceValue(s.document)
	s.show("/openapi.json", newAsset("openapi.json", document).serve)
	s.show("/widget.js", shared(newAsset("widget.js", widget.Script)))
	s.show("/client.d.ts", shared(newAsset("client.d.ts", func() []byte { return clientTypes(document()) })))
}

// servePage responds with a page, or with 404 if page is nil.
func servePage(c echo.Context, page *asset) error {
	if page == nil {
		return fault.New(fault.NotFound, "There is no such page.")
	}
	c.Response().Header().Set("Content-Security-Policy", contentPolicy)
	return page.serve(c)
}

// show serves GET and HEAD of a path to everyone.
func (s *Server) show(path string, h echo.HandlerFunc) {
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		s.route(method, path).access = byEveryone
		s.echo.Add(method, pathParameter.ReplaceAllString(path, ":$1"), h)
	}
}

// shared serves pages of every site: the file is the same for all and holds no data.
func shared(a *asset) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Header().Set("Access-Control-Allow-Origin", "*")
		return a.serve(c)
	}
}
