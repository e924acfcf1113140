package api

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
)

// asset is a file that does not change while the process lives. It is compressed once, when it is first asked for.
type asset struct {
	kind          string
	plain, zipped func() version
}

// version is a file as it is sent. Its ETag is strong (RFC 9110, section 8.8.3): each version has its own.
type version struct {
	content       []byte
	encoding, tag string
}

func newVersion(content []byte, encoding string) version {
	sum := sha256.Sum256(content)
	return version{content, encoding, `"` + hex.EncodeToString(sum[:12]) + `"`}
}

// newAsset returns the file with a content type by its name. content is called once, when the file is first asked for.
func newAsset(name string, content func() []byte) *asset {
	plain := sync.OnceValue(func() version { return newVersion(content(), "") })
	return &asset{contentTypes[path.Ext(name)], plain, sync.OnceValue(func() version {
		var b bytes.Buffer
		w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level exists
		_, _ = w.Write(plain().content)                       // a buffer takes everything
		_ = w.Close()
		return newVersion(b.Bytes(), "gzip")
	})}
}

// serve sends the file, or 304 if the client has it.
func (a *asset) serve(c echo.Context) error {
	v := a.plain()
	if takesGzip(c.Request().Header.Get("Accept-Encoding")) {
		v = a.zipped()
	}
	h := c.Response().Header()
	h.Add("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Type", a.kind)
	h.Set("Etag", v.tag)
	if v.encoding != "" {
		h.Set("Content-Encoding", v.encoding)
		h.Set("Content-Length", strconv.Itoa(len(v.content))) // ServeContent leaves it out with an encoding
	}
	http.ServeContent(c.Response(), c.Request(), "", time.Time{}, bytes.NewReader(v.content))
	return nil
}

// gzipAccepted finds gzip in Accept-Encoding, with its q.
var gzipAccepted = regexp.MustCompile(`(?i)(?:^|,)\s*gzip\s*(?:;\s*q=([0-9.]+)\s*)?(?:,|$)`)

func takesGzip(accepted string) bool {
	found := gzipAccepted.FindStringSubmatch(accepted)
	if found == nil {
		return false
	}
	weight, err := strconv.ParseFloat(found[1], 64)
	return err != nil || weight > 0
}

// contentTypes are by extension. They do not depend on the machine's own tables, unlike mime.TypeByExtension.
var contentTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".json": "application/json", ".svg": "image/svg+xml", ".ts": "application/typescript; charset=utf-8",
}
