package gateway

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"testing"

	"golang.org/x/crypto/sha3"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
)

// A query reaches the handler that the actor's manifest of routes names, with the parts of the path; a command says its path, for the chain looks the handler
// up; what no route fits is for "http.request".
//
// Spec: gateway-payments-streams §B; storage-cbfs §3.2 (102); sdk §19.2 (path_params).
func TestRoutes(t *testing.T) {
	w := newWorld()
	w.routes.Dynamic = []wire.DynamicRoute{
		{Method: "GET", Path: "/items/{id}", Handler: "item", Priority: 5}, {Method: "ANY", Path: "/all/*rest", Handler: "all", Priority: 5},
		{Method: "GET", Path: "/items/{id}", Handler: "special", Priority: 6},
	}
	w.query = func(e cbor.Map, q *Question) (cbor.Map, error) {
		params, _ := e.Lookup("path_params")
		return cbor.Map{{Key: "status", Value: 200}, {Key: "body", Value: fmt.Sprint(q.Handler, " ", params)}}, nil
	}
	s := open(t, w, nil)
	for name, c := range map[string]struct {
		method, path, body string
		status, sent       int
	}{
		"a route":          {"GET", "/items/7", "special [{id 7}]", 200, 0},
		"the rest":         {"GET", "/all/a/b", "all [{rest a/b}]", 200, 0},
		"the head":         {"HEAD", "/items/7", "", 200, 0},
		"another method":   {"POST", "/items/7", "", 202, 1},
		"no route":         {"GET", "/other", "http.request <nil>", 200, 0},
		"the gateway's":    {"GET", "/_cowboy/other", "", 404, 0},
		"a path in digits": {"GET", "/items/%37", "special [{id 7}]", 200, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w.sent = nil
			x, body := call(t, s, c.method, host, c.path, "")
			if x.StatusCode != c.status || c.body != "" && body != c.body || len(w.sent) != c.sent {
				t.Errorf("%d %q, %d sent; want %+v", x.StatusCode, body, len(w.sent), c)
			}
		})
	}
}

// shelf is volumes in memory.
type shelf map[string]*File

func (s shelf) Open(_ context.Context, actor account.Address, volume, name string) (*File, error) {
	f, ok := s[volume+":"+name]
	switch {
	case !ok || actor != page:
		return nil, &Refused{Status: http.StatusNotFound}
	case volume == "deleted":
		return nil, &Refused{Status: 503, Name: "VOLUME_DELETED"}
	case volume == "collected":
		return nil, &Refused{Status: 410, Name: "VOLUME_GC"}
	}
	_, err := f.Seek(0, io.SeekStart)
	return f, err
}

// text is a file in memory.
type text struct{ *bytes.Reader }

func (text) Close() error { return nil }

func fileOf(content []byte) *File {
	return &File{ReadSeekCloser: text{bytes.NewReader(content)}, Size: int64(len(content)), Hash: sha3.Sum256(content), Root: [32]byte{9}}
}

// Files of volumes: whole, in ranges, known to the client already, and what becomes of volumes that are over; answers as RFC 9110 has them.
//
// Spec: gateway-payments-streams §B (static hosting); storage-cbfs §4 (statuses); RFC 9110 §13.1.2, §14.2, §15.3.7.
func TestStatic(t *testing.T) {
	w := newWorld()
	for _, volume := range []string{"site", "late", "deleted", "collected"} {
		w.routes.Static = append(w.routes.Static, wire.StaticRoute{Path: "/" + volume, Volume: volume})
	}
	files := shelf{
		"site:index.html": fileOf([]byte("<p>0123456789")), "site:a/b.css": fileOf([]byte("p{}")), "site:raw": fileOf([]byte("raw")),
		"late:x": fileOf([]byte("x")), "deleted:x": fileOf(nil), "collected:x": fileOf(nil), "site:large": fileOf([]byte("x")), "site:full": fileOf(nil),
	}
	files["late:x"].Grace, files["site:raw"].Type = true, "text/x-own"
	files["site:full"].Size, files["site:large"].Size = 10<<20, 10<<20+1
	s := open(t, w, func(d *Door) { d.Files = files })
	etag := fmt.Sprintf(`"%x"`, sha3.Sum256([]byte("<p>0123456789")))
	for name, c := range map[string]struct {
		method, path string
		headers      []string
		status       int
		body         string
		says         string
	}{
		"the place itself":      {"GET", "/site", nil, 200, "<p>0123456789", "Etag:" + etag},
		"with a slash":          {"GET", "/site/", nil, 200, "<p>0123456789", "Content-Type:text/html; charset=utf-8"},
		"a file":                {"GET", "/site/a/b.css", nil, 200, "p{}", "Content-Type:text/css; charset=utf-8"},
		"its age":               {"GET", "/site/a/b.css", nil, 200, "p{}", "Cache-Control:public, max-age=60"},
		"a type of its own":     {"GET", "/site/raw", nil, 200, "raw", "Content-Type:text/x-own"},
		"the head":              {"HEAD", "/site/", nil, 200, "", "Content-Length:13"},
		"the root":              {"GET", "/site/", nil, 200, "<p>0123456789", "X-Cowboy-Manifest-Root:0x09" + fmt.Sprintf("%062d", 0)},
		"a range":               {"GET", "/site/", []string{"Range", "bytes=3-5"}, 206, "012", "Content-Range:bytes 3-5/13"},
		"the end":               {"GET", "/site/", []string{"Range", "bytes=-2"}, 206, "89", "Content-Range:bytes 11-12/13"},
		"a range of nothing":    {"GET", "/site/", []string{"Range", "bytes=13-"}, 416, "", "Content-Range:bytes */13"},
		"known":                 {"GET", "/site/", []string{"If-None-Match", etag}, 304, "", "Etag:" + etag},
		"known in another form": {"GET", "/site/", []string{"If-None-Match", `"x"`}, 200, "<p>0123456789", ""},
		"a range of another":    {"GET", "/site/", []string{"Range", "bytes=3-5", "If-Range", `"x"`}, 200, "<p>0123456789", ""},
		"not as expected":       {"GET", "/site/", []string{"If-Match", `"x"`}, 412, "", ""},
		"missing":               {"GET", "/site/none", nil, 404, "", "X-Cowboy-Error:NOT_FOUND"},
		"above it":              {"GET", "/site/%2e%2e/secret", nil, 404, "", "X-Cowboy-Error:NOT_FOUND"},
		"in grace":              {"GET", "/late/x", nil, 200, "x", "X-Cowboy-Storage-Status:grace"},
		"deleted":               {"GET", "/deleted/x", nil, 503, "", "X-Cowboy-Error:VOLUME_DELETED"},
		"collected":             {"GET", "/collected/x", nil, 410, "", "X-Cowboy-Error:VOLUME_GC"},
		"10 MiB":                {"HEAD", "/site/full", nil, 200, "", ""},
		"10 MiB and 1":          {"GET", "/site/large", nil, 502, "", "X-Cowboy-Error:INVALID_RESPONSE"},
		"written to":            {"POST", "/site/a", nil, 202, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			x, body := call(t, s, c.method, host, c.path, "", c.headers...)
			if x.StatusCode != c.status || c.body != "" && body != c.body {
				t.Errorf("%d %q, want %d %q", x.StatusCode, body, c.status, c.body)
			}
			if key, value, _ := bytes.Cut([]byte(c.says), []byte(":")); x.Header.Get(string(key)) != string(value) {
				t.Errorf("%s: %q, want %q", key, x.Header.Get(string(key)), value)
			}
		})
	}
	if x, _ := call(t, open(t, w, nil), "GET", host, "/site/", ""); x.StatusCode != 503 || x.Header.Get(errorHeader) != errVolume {
		t.Errorf("without volumes: %d", x.StatusCode)
	}
}
