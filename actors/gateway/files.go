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
	Grace bool     // the volume's time is over, and its files are still there
	Age   int      // seconds that a client may keep it without asking again; 0: a minute
}

// static answers with a file of a volume: whole or in ranges, or that the client has it already.
//
// Spec: gateway-payments-streams §B (static hosting); storage-cbfs §4 (statuses), §11 (ETag is the hash of the content); RFC 9110 §13, §14.
func (d *Door) static(w http.ResponseWriter, r *http.Request, actor account.Address, volume, name string) {
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	if path.Clean("/"+name) != "/"+name {
		refuse(w, http.StatusNotFound, errNoSuchPath, "the volume has no such file")
		return
	}
	if d.Files == nil {
		refuse(w, http.StatusServiceUnavailable, errVolume, "this gateway reads no volumes")
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), nodeWithin)
	defer cancel()
	f, err := d.Files.Open(ctx, actor, volume, name)
	var refused *Refused
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

func typeOf(f *File, name string) string {
	if f.Type != "" {
		return f.Type
	}
	if t := mime.TypeByExtension(path.Ext(name)); t != "" {
		return t
	}
	return "application/octet-stream"
}
