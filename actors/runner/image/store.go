package image

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// Bounds of an image and of a store.
const (
	MaxBytes      = params.ContainerImageBytes // compressed, and unpacked where nobody says less
	MaxEntries    = 500_000                    // of all layers
	maxLayers     = 128
	maxManifest   = 4 << 20
	MaxKept       = 16
	pullWithin    = 300 * time.Second // Spec: runner-marketplace §2.9
	rootDir       = "rootfs"
	configFile    = "config.json"
	unfinishedDir = "unfinished-"
)

var (
	// ErrAbsent reports an image that no layout has, where no registry is asked.
	ErrAbsent = errors.New("image: not in any layout of this runner")
	// ErrDigest reports bytes that are not those of the digest.
	ErrDigest = errors.New("image: the bytes are not those of the digest")
	// ErrForm reports an image that cannot be one.
	ErrForm = errors.New("image: no image for this machine")
)

// Ref names an image.
type Ref struct {
	Registry, Repository string
	Digest               digest.Hash // sha256 of its manifest, or of an index of manifests
}

// Image is one on disk. Root is its file system, which nobody writes to.
type Image struct {
	Root   string
	Config v1.Config
}

// Store keeps images in a directory, those used last. One process uses a directory at a time.
type Store struct {
	Dir       string
	Layouts   []string          // directories of OCI layouts, which are looked at first
	Transport http.RoundTripper // to registries; nil asks none
	MaxBytes  int64             // of an image that is unpacked; 0 for MaxBytes
	Kept      int               // images; 0 for MaxKept

	entries int // of an image
	turn    chan struct{}
	used    map[string]int
}

// NewStore gives the store of a directory. What an earlier process did not finish is removed.
func NewStore(s Store) (*Store, error) {
	s.entries, s.turn, s.used = MaxEntries, make(chan struct{}, 1), map[string]int{}
	s.MaxBytes, s.Kept = cmp.Or(s.MaxBytes, MaxBytes), cmp.Or(s.Kept, MaxKept)
	if err := os.MkdirAll(s.Dir, 0o711); err != nil {
		return nil, err
	}
	left, err := filepath.Glob(filepath.Join(s.Dir, unfinishedDir+"*"))
	for _, path := range left {
		err = errors.Join(err, os.RemoveAll(path))
	}
	return &s, err
}

// Open gives an image, which stays until release is called. Errors: ErrAbsent, ErrDigest, ErrForm, ErrPath, ErrKind, ErrLarge; any other is of the network or
// the disk, and may pass.
func (s *Store) Open(ctx context.Context, ref Ref) (image *Image, release func(), err error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	key := hex.EncodeToString(ref.Digest[:])
	at := filepath.Join(s.Dir, key)
	config, err := os.ReadFile(filepath.Join(at, configFile))
	if errors.Is(err, fs.ErrNotExist) {
		if err = s.fetch(ctx, ref, at); err == nil {
			config, err = os.ReadFile(filepath.Join(at, configFile))
		}
	}
	if err != nil {
		return nil, nil, err
	}
	image = &Image{Root: filepath.Join(at, rootDir)}
	if err := json.Unmarshal(config, &image.Config); err != nil {
		return nil, nil, err
	}
	now := time.Now()
	err = os.Chtimes(at, now, now)
	s.used[key]++
	err = errors.Join(err, s.trim())
	return image, func() {
		s.turn <- struct{}{}
		s.used[key]--
		<-s.turn
	}, err
}

// Hosts sees to it that an image has the file of hosts, for runtimes to put another one over. What is there is not touched.
func (i *Image) Hosts() error {
	root, err := os.OpenRoot(i.Root)
	if err != nil {
		return err
	}
	defer root.Close()
	at, err := follow(root, "etc", true, true)
	if err != nil {
		return err
	}
	name := path.Join(at, "hosts")
	if _, err := root.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := root.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o644) // which another container may do at the same time
	if err != nil {
		return err
	}
	return f.Close()
}

// trim removes images that are not in use, those not used for longest first, until no more are there than may be.
func (s *Store) trim() error {
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return err
	}
	type kept struct {
		name string
		at   time.Time
	}
	var list []kept
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.IsDir() {
			list = append(list, kept{e.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(list, func(a, b kept) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.name, b.name)) })
	for _, one := range list[:max(len(list)-s.Kept, 0)] {
		if s.used[one.name] == 0 {
			err = errors.Join(err, os.RemoveAll(filepath.Join(s.Dir, one.name)))
		}
	}
	return err
}
