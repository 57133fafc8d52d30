package gateway

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"io"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
)

// MaxStatic bounds a file that is served, in bytes, and StaticCeiling what an operator may raise that to.
//
// Spec: storage-cbfs §8 (static response).
const (
	MaxStatic     = 10 << 20
	StaticCeiling = 100 << 20
)

// staticFor is for how many seconds a client may keep a file without asking again, where its volume does not say.
const staticFor = 60

// errVolume says that the files of a volume cannot be read here.
const errVolume = "VOLUME_UNAVAILABLE"

// Files reads public volumes.
type Files interface {
	// Open finds a file of an actor's public volume, as of the manifest root that the chain has. A *Refused says why there is none: 404 for no file,
	// 503 VOLUME_DELETED, 410 VOLUME_GC.
	Open(ctx context.Context, actor account.Address, volume, name string) (*File, error)
}

// File is a file of a public volume. Whoever opened it closes it.
type File struct {
	io.ReadSeekCloser
	Size  int64
	Hash  [32]byte // of its content
	Root  [32]byte // of the volume's manifest
	Type  string   // of its content; "": by the ending of its name
	CORS  []CORSRule
	Grace bool // the volume's time is over, and its files are still there
	Age   int  // seconds that a client may keep it without asking again; 0: a minute
}

// static answers with a file of a volume: whole or in ranges, or that the client has it already.
//
// Spec: gateway-payments-streams §B (static hosting); storage-cbfs §4 (statuses), §11 (ETag is the hash of the content); RFC 9110 §13, §14.
func (d *Door) static(w http.ResponseWriter, r *http.Request, actor account.Address, p place) {
	if d.Files == nil {
		refuse(w, http.StatusServiceUnavailable, errVolume, "this gateway reads no volumes")
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), nodeWithin)
	defer cancel()
	f, name, err := d.open(ctx, actor, p.volume, p.file)
	var refused *Refused
	if errors.As(err, &refused) && refused.Name == "" && p.fallback != "" {
		if f, name, err = d.open(ctx, actor, p.volume, p.fallback); err == nil && p.status != http.StatusOK {
			w, r = answering{w, p.status}, unconditional(r)
		}
	}
	switch {
	case errors.As(err, &refused) && refused.Name != "":
		refuse(w, refused.Status, refused.Name, refused.Text)
		return
	case errors.As(err, &refused):
		refuse(w, http.StatusNotFound, errNoSuchPath, "the volume has no such file")
		return
	case err != nil:
		unreachable(w, err)
		return
	}
	defer f.Close()
	if most := cmp.Or(d.MostStatic, MaxStatic); f.Size > most {
		refuse(w, http.StatusBadGateway, errInvalidResponse, "the file is larger than "+strconv.FormatInt(most, 10)+" bytes")
		return
	}
	if allow(w, r, f.CORS, name) {
		return
	}
	h := w.Header()
	h.Set("ETag", `"`+hex.EncodeToString(f.Hash[:])+`"`)
	h.Set("X-Cowboy-Manifest-Root", "0x"+hex.EncodeToString(f.Root[:]))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "public, max-age="+strconv.Itoa(cmp.Or(f.Age, staticFor)))
	h.Set("Content-Type", typeOf(f, name))
	if f.Grace {
		h.Set("X-Cowboy-Storage-Status", "grace")
	}
	http.ServeContent(w, r, name, time.Time{}, f)
}

// open finds a file, or the index of a directory, and gives its name. A *Refused without a name says that there is none.
func (d *Door) open(ctx context.Context, actor account.Address, volume, name string) (*File, string, error) {
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	if path.Clean("/"+name) != "/"+name {
		return nil, name, &Refused{Status: http.StatusNotFound, Text: "the volume has no such file"}
	}
	f, err := d.Files.Open(ctx, actor, volume, name)
	return f, name, err
}

// preflight answers a browser that asks whether a page of another origin may read a file; ok is false where the request is for no file. What is a handler's
// is the actor's to say.
//
// Spec: gateway-payments-streams §B (CORS); Fetch §3.3.
func (d *Door) preflight(w http.ResponseWriter, r *http.Request, actor account.Address, name wire.Name) (ok bool) {
	if r.Header.Get("Origin") == "" || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	_, file, err := d.target(r.Context(), actor, name, http.MethodGet, r.URL.Path)
	if err != nil {
		unreachable(w, err)
		return true
	}
	if file != nil {
		d.static(w, r, actor, *file)
	}
	return file != nil
}

func typeOf(f *File, name string) string {
	if f.Type != "" {
		return f.Type
	}
	if t := mime.TypeByExtension(path.Ext(name)); t != "" {
		return t
	}
	return "application/octet-stream"
}
