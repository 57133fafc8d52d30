package explorer

import (
	"bytes"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

//go:embed page/*.html
var pageFiles embed.FS

//go:embed static
var staticFiles embed.FS

// Path is where the explorer lives.
const Path = "/explorer/"

// pageRows is the most rows a list shows.
const pageRows = 50

type site struct {
	source   Source
	client   func(remote string) netip.Addr
	blocks   *summaries
	programs programs
	lives    lives
	pages    map[string]*template.Template
}

// New gives the explorer's pages, to be mounted at Path. client says whom an address and port count for.
func New(source Source, client func(remote string) netip.Addr) http.Handler {
	s := &site{source: source, client: client, blocks: &summaries{source: source, kept: map[uint64]summary{}}, pages: map[string]*template.Template{}}
	layout := template.Must(template.New("layout.html").Funcs(functions).ParseFS(pageFiles, "page/layout.html", "page/parts.html"))
	names, err := fs.Glob(pageFiles, "page/*.html")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		base := strings.TrimSuffix(strings.TrimPrefix(name, "page/"), ".html")
		if base != "layout" && base != "parts" {
			s.pages[base] = template.Must(template.Must(layout.Clone()).ParseFS(pageFiles, name))
		}
	}
	mux := http.NewServeMux()
	static, err := fs.Sub(staticFiles, "static")
	if err != nil {
		panic(err)
	}
	mux.Handle("GET "+Path+"static/", http.StripPrefix(Path+"static/", cached(static, http.FileServerFS(static))))
	for pattern, page := range map[string]func(*http.Request) (view, error){
		"{$}":                    s.overview,
		"blocks":                 s.blockList,
		"block/{id}":             s.block,
		"tx/{hash}":              s.transaction,
		"account/{addr}":         s.account,
		"actors":                 s.actors,
		"account/{addr}/cycles":  s.lineCosts,
		"activity":               s.activity,
		"coins":                  s.coins,
		"wall":                   s.wall,
		"timers":                 s.timers,
		"tokens":                 s.tokens,
		"token/{id}":             s.token,
		"validators":             s.validators,
		"parameters":             s.parameters,
		"parameters/{key}":       s.parameter,
		"proposals":              s.proposals,
		"proposal/{id}":          s.proposal,
		"tree":                   s.tree,
		"runners":                s.runners,
		"runner/{addr}":          s.runner,
		"job/{id}":               s.job,
		"storage":                s.storage,
		"volume/{hash}":          s.volume,
		"relay/{addr}":           s.relay,
		"retention/{hash}":       s.retention,
		"proxies":                s.proxies,
		"account/{addr}/secrets": s.secrets,
		"names":                  s.names,
		"banks":                  s.banks,
		"session/{hash}":         s.session,
		"stream/{hash}":          s.stream,
		"{rest...}":              func(*http.Request) (view, error) { return view{}, errUnknown },
	} {
		mux.HandleFunc("GET "+Path+pattern, s.serve(page))
	}
	for other, page := range map[string]string{"actor/": "account/", "address/": "account/", "transaction/": "tx/", "blocks/": "block/"} { // of other explorers
		mux.HandleFunc("GET "+Path+other+"{id}", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, Path+page+url.PathEscape(r.PathValue("id")), http.StatusMovedPermanently)
		})
	}
	mux.HandleFunc("GET "+Path+"search", s.search)
	mux.HandleFunc("GET "+Path+"live", s.live)
	mux.HandleFunc("GET "+Path+"causal/{hash}", s.causal)
	return mux
}

// cached lets a browser keep a file for a minute, and for as long as it is the same if it asks. Scripts that import each other would otherwise be of
// different nodes for a while after an upgrade.
func cached(files fs.FS, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if text, err := fs.ReadFile(files, r.URL.Path); err == nil {
			sum := digest.Keccak256(text)
			w.Header().Set("ETag", `"`+hex.EncodeToString(sum[:8])+`"`)
		}
		w.Header().Set("Cache-Control", "public, max-age=60")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		next.ServeHTTP(w, r)
	})
}

// view is a page and what it shows.
type view struct {
	Page    string // template
	Title   string
	Active  string   // entry of the navigation
	Live    bool     // whether it changes with every block
	Wide    bool     // whether it takes the whole width
	Scripts []string // modules of the page
	Head    head
	Data    any
}

// head is what every page shows.
type head struct {
	Height, Committed, ChainID uint64
	Version                    string
	Ready                      bool
	Reasons                    []string
}

var (
	errUnknown = errors.New("there is no such page")
	errAddress = errors.New("an address is 40 hexadecimal digits")
	errHash    = errors.New("a hash is 64 hexadecimal digits")
	errHeight  = errors.New("a height is a decimal number")
	errNothing = errors.New("nothing is known by that name")
)

func (s *site) head() head {
	health, height, ready := s.source.Health(), s.source.Height(), s.source.Ready()
	return head{Height: height.Height, Committed: height.Committed, ChainID: health.ChainID, Version: health.Version, Ready: ready.Ready, Reasons: ready.Reason}
}

func (s *site) serve(page func(*http.Request) (view, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		status := http.StatusOK
		v, err := page(r)
		if err != nil {
			status = http.StatusNotFound
			var refused interface{ HTTPStatus() int }
			switch {
			case errors.As(err, &refused):
				status = refused.HTTPStatus()
			case !errors.Is(err, errUnknown) && !errors.Is(err, errAddress) && !errors.Is(err, errHash) && !errors.Is(err, errHeight) &&
				!errors.Is(err, errNothing):
				status = http.StatusInternalServerError
			}
			v = view{Page: "missing", Title: "Not found", Data: err.Error()}
		}
		s.render(w, status, v)
	}
}

func (s *site) render(w http.ResponseWriter, status int, v view) {
	v.Head = s.head()
	var b bytes.Buffer
	if err := s.pages[v.Page].Execute(&b, v); err != nil {
		http.Error(w, fmt.Sprintf("the page could not be drawn: %v", err), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; "+
		"base-uri 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Content-Length", strconv.Itoa(b.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
}
