package operate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"
	"golang.org/x/sync/singleflight"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/cowboyinc/cowboy-go/actors/gateway"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/actors/volume"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	chain "github.com/cowboyinc/cowboy-go/chain/volume"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
)

// Bounds of what is read of volumes.
//
// Spec: storage-cbfs §8 (manifest poll); gateway-payments-streams §B (hedge fetch 100 ms, 8 concurrent shards).
const (
	pollAfter    = 6 * time.Second        // that the chain is asked about a volume again
	secondFetch  = 100 * time.Millisecond // that another relay is asked for a chunk besides
	mostChunks   = 8
	keptSites    = 64
	mostMeta     = 64 << 10
	mostAge      = 86_400           // seconds
	fetchWithin  = 60 * time.Second // a file, whoever waits for it
	typesFile    = "_meta/content_types.json"
	cachingFile  = "_meta/cache_config.json"
	corsFile     = "_meta/cors_config.json"
	deletedName  = "VOLUME_DELETED"
	collectName  = "VOLUME_GC"
	statusGrace  = "GRACE_PERIOD"
	visiblePlain = "PUBLIC"
)

// files reads public volumes from their relays for the door. It implements gateway.Files, and is safe for many goroutines.
type files struct {
	node   *api.Client
	client *volume.Client
	cache  *cache
	most   int64 // bytes of a file

	polled *expirable.LRU[string, polled] // what the chain said of a volume
	sites  *lru.Cache[digest.Hash, *site] // what was read of its newest commit
	flight singleflight.Group
}

// polled is an answer of the chain.
type polled struct {
	volume *wire.Volume
	err    error // a *gateway.Refused
}

// snapshot is what is read of a commit: a volume.Snapshot.
type snapshot interface {
	Find(ctx context.Context, path string) (*cbfs.Entry, error)
	Read(ctx context.Context, path string, w io.Writer) error
}

// site is a commit of a volume.
type site struct {
	snapshot
	root    digest.Hash // of the manifest
	version uint64
	types   map[string]string // by path, or by ending
	age     int
	cors    []gateway.CORSRule
}

// reading is a chain that nothing is committed to.
type reading struct{ api.Storage }

// Commit implements volume.Chain.
func (reading) Commit(context.Context, *reach.Volume, *[cbfs.TokenIDSize]byte, chain.Commit) error {
	return volume.ErrToken
}

// openFiles gives a reader of volumes that keeps at most so many bytes of files in a directory; those are gone when it is opened again.
func openFiles(node *api.Client, dir string, kept, most int64) (*files, error) {
	sites, err := lru.New[digest.Hash, *site](keptSites)
	if err != nil {
		return nil, err
	}
	c, err := openCache(dir, kept)
	if err != nil {
		return nil, err
	}
	return &files{
		node: node, client: &volume.Client{Chain: reading{api.Storage{Node: node}}, Now: time.Now, Late: secondFetch, Chunks: mostChunks}, cache: c, most: most,
		polled: expirable.NewLRU[string, polled](keptSites*16, nil, pollAfter), sites: sites,
	}, nil
}

func (f *files) close() { f.client.Close() }

// Open implements gateway.Files.
//
// Spec: storage-cbfs §2.4 (read rule), §4 (statuses), §8, §11; gateway-payments-streams §B (static hosting).
func (f *files) Open(ctx context.Context, actor account.Address, name, file string) (*gateway.File, error) {
	v, err := f.volume(ctx, actor, name)
	if err != nil {
		return nil, err
	}
	s, err := f.site(ctx, v)
	if err != nil {
		return nil, err
	}
	e, err := s.Find(ctx, file)
	if errors.Is(err, volume.ErrPath) || err == nil && e.Kind != cbfs.File {
		return nil, &gateway.Refused{Status: http.StatusNotFound, Text: "the volume has no such file"}
	}
	if err != nil {
		return nil, err
	}
	o := e.Object
	x := &gateway.File{
		Size: int64(o.Size), Hash: o.ContentHash, Root: s.root, Type: typeOf(s.types, file), Grace: v.Status == statusGrace, Age: s.age,
		CORS: s.cors,
	}
	if o.Size > uint64(f.most) {
		return nil, &gateway.Refused{Status: http.StatusBadGateway, Name: "INVALID_RESPONSE", Text: fmt.Sprintf("the file is larger than %d bytes", f.most)}
	}
	if x.ReadSeekCloser, err = f.bytes(ctx, s, e); err != nil {
		return nil, err
	}
	return x, nil
}

// volume asks the chain about a volume of an actor's, once in six blocks. Error: a *gateway.Refused, or that no node answers.
func (f *files) volume(ctx context.Context, actor account.Address, name string) (*wire.Volume, error) {
	key := actor.String() + "/" + name
	if one, ok := f.polled.Get(key); ok {
		return one.volume, one.err
	}
	v := new(wire.Volume)
	err := f.node.Read(ctx, "/volumes/"+actor.String()+"/"+url.PathEscape(name), v)
	var status *api.StatusError
	switch {
	case errors.As(err, &status) && status.Status == http.StatusServiceUnavailable && status.Reply.Message == deletedName:
		err = &gateway.Refused{Status: http.StatusServiceUnavailable, Name: deletedName, Text: "the volume is deleted"}
	case errors.As(err, &status) && status.Status == http.StatusGone:
		err = &gateway.Refused{Status: http.StatusGone, Name: collectName, Text: "the volume is gone"}
	case api.NotFound(err), err == nil && v.Visibility != visiblePlain:
		err = &gateway.Refused{Status: http.StatusNotFound, Text: "the actor has no public volume of this name"}
	case err != nil:
		return nil, err
	}
	f.polled.Add(key, polled{v, err})
	return v, err
}

// site gives the newest commit of a volume, which is read once for all who ask.
func (f *files) site(ctx context.Context, v *wire.Volume) (*site, error) {
	id, err := digest.ParseHash(v.VolumeID)
	if err != nil {
		return nil, err
	}
	if s, ok := f.sites.Get(id); ok && wire.Hash(s.root) == v.ManifestRoot && s.version == v.Version {
		return s, nil
	}
	got, err, _ := f.flight.Do("site "+v.VolumeID, func() (any, error) {
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchWithin)
		defer cancel()
		snapshot, err := f.client.Open(within, id)
		if err != nil {
			return nil, err
		}
		s := &site{snapshot: snapshot, root: snapshot.Volume.Manifest, version: v.Version, types: map[string]string{}}
		var caching struct {
			MaxAge int `json:"max_age"`
		}
		var cors json.RawMessage
		err = errors.Join(
			f.meta(within, s, typesFile, &s.types), f.meta(within, s, cachingFile, &caching), f.meta(within, s, corsFile, &cors),
		)
		if err != nil {
			return nil, err
		}
		s.cors = gateway.ParseCORS(cors)
		s.age = min(max(caching.MaxAge, 0), mostAge)
		f.sites.Add(id, s)
		return s, nil
	})
	if err != nil {
		return nil, err
	}
	return got.(*site), nil
}

// meta reads a file of a volume that is about its files. One that is missing, too long or no JSON says nothing.
//
// Spec: storage-cbfs §11 (_meta).
func (f *files) meta(ctx context.Context, s *site, name string, v any) error {
	e, err := s.Find(ctx, name)
	if err != nil || e.Kind != cbfs.File || e.Object.Size > mostMeta {
		return nil //nolint:nilerr // it says nothing
	}
	r, err := f.bytes(ctx, s, e)
	if err != nil {
		return err
	}
	defer r.Close()
	_ = json.NewDecoder(r).Decode(v)
	return nil
}

// typeOf is what a volume says of a file, by its path or its ending; "" where it says nothing that is a type.
func typeOf(types map[string]string, file string) string {
	for _, key := range [...]string{file, path.Ext(file)} {
		if kind, params, err := mime.ParseMediaType(types[key]); err == nil {
			return mime.FormatMediaType(kind, params)
		}
	}
	return ""
}

// bytes gives the content of a file, from the cache or from relays.
func (f *files) bytes(ctx context.Context, s *site, e *cbfs.Entry) (io.ReadSeekCloser, error) {
	hash := e.Object.ContentHash
	if r, ok := f.cache.open(hash); ok {
		return r, nil
	}
	fetched := f.flight.DoChan("file "+string(hash[:]), func() (any, error) {
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchWithin)
		defer cancel()
		return nil, f.cache.put(hash, int64(e.Object.Size), func(w io.Writer) error { return s.Read(within, e.Path, w) })
	})
	select {
	case x := <-fetched:
		if x.Err != nil {
			return nil, x.Err
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if r, ok := f.cache.open(hash); ok {
		return r, nil
	}
	return nil, os.ErrNotExist // it was thrown out by others at once
}
