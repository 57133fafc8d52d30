package gateway

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/route"
)

// place is a file of an actor's public volume, and what is served where it is missing.
type place struct {
	volume, file string
	fallback     string // "": nothing
	status       int    // of the fallback
}

// mounts is the table of routes that an actor's program has published, as the gateway reads it: which requests are for files.
type mounts struct {
	table route.Manifest // the volume of a route to files is the number of its place
	under []place        // whose file is what stands before the file's name
}

// target is what a request is for: a file, where one of the manifest's routes or of the program's mounts leads there, and otherwise a handler. What the
// manifest has no route for is "http.request"'s, which looks it up in the table that the program has published; so does the gateway, for files. A volume
// that ingress.http does not list any more is none.
//
// Spec: storage-cbfs §3.2 (102); sdk §19.3 (target volume; tie-break).
func (d *Door) target(ctx context.Context, actor account.Address, name wire.Name, method, path string) (to route.Match, file *place, err error) {
	to, err = d.addressed(ctx, actor, method, path)
	switch {
	case err != nil:
		return to, nil, err
	case to.Handler == "":
		return to, &place{volume: to.Volume, file: to.File}, nil
	case to.Handler != handlerRequest || len(name.HTTP.Volumes) == 0 || method != http.MethodGet && method != http.MethodHead:
		return to, nil, nil
	}
	m, err := d.table(ctx, actor)
	if err != nil {
		return to, nil, err
	}
	found, ok := m.table.Find(method, path)
	if !ok || found.Handler != "" {
		return to, nil, nil
	}
	n, err := strconv.Atoi(found.Volume)
	if err != nil {
		return to, nil, err
	}
	p := m.under[n]
	p.file = strings.TrimPrefix(p.file+"/"+found.File, "/")
	if !slices.Contains(name.HTTP.Volumes, p.volume) {
		return to, nil, nil
	}
	return to, &p, nil
}

// table reads what an actor's program has published, asking the node at most once a second.
func (d *Door) table(ctx context.Context, actor account.Address) (*mounts, error) {
	if m, ok := d.memory.mounts.Get(actor); ok {
		return m, nil
	}
	ctx, cancel := context.WithTimeout(ctx, nodeWithin)
	defer cancel()
	data, _, err := d.Node.Stored(ctx, actor, routesKey)
	if err != nil {
		return nil, err
	}
	m := mountsOf(data)
	d.memory.mounts.Add(actor, m)
	return m, nil
}

// mountsOf reads the volumes of a table of routes, and the handlers, which may come before them.
func mountsOf(data []byte) *mounts {
	m := new(mounts)
	for _, r := range rowsOf(data) {
		rank, _ := r.fields.Lookup("priority")
		priority, _ := rank.(int64)
		if priority < 0 || priority > 1<<16-1 {
			continue
		}
		switch r.kind {
		case "method":
			m.table.Dynamic = append(m.table.Dynamic, route.Dynamic{
				Method: textOf(r.fields, "verb"), Path: r.path, Handler: textOf(r.target, "name"), Priority: uint32(priority),
			})
		case "volume":
			m.table.Static = append(m.table.Static, route.Static{Path: r.path, Volume: strconv.Itoa(len(m.under)), Priority: uint32(priority)})
			m.under = append(m.under, placeOf(r.target))
		}
	}
	return m
}

// placeOf reads where a volume is mounted from. A fallback lies behind the same prefix as the files.
func placeOf(target cbor.Map) place {
	p := place{volume: textOf(target, "name"), file: strings.Trim(textOf(target, "volume_path_prefix"), "/"), status: http.StatusOK}
	if name := strings.Trim(textOf(target, "fallback"), "/"); name != "" {
		p.fallback = strings.TrimPrefix(p.file+"/"+name, "/")
	}
	given, _ := target.Lookup("fallback_status")
	if status, is := given.(int64); is && status >= http.StatusOK && status <= 599 && status != http.StatusNoContent && status != http.StatusNotModified {
		p.status = int(status)
	}
	return p
}

// answering is a writer whose answer has another status than 200, for the file that stands for one that is missing.
type answering struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (a answering) WriteHeader(code int) {
	if code == http.StatusOK {
		code = a.status
	}
	a.ResponseWriter.WriteHeader(code)
}

// unconditional is a request without what asks for a part of a file, or for one that changed: a fallback with a status of its own is neither.
func unconditional(r *http.Request) *http.Request {
	plain := r.Clone(r.Context())
	for _, name := range []string{"Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"} {
		plain.Header.Del(name)
	}
	return plain
}
