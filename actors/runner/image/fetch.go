package image

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/klauspost/compress/zstd"
)

// source gives bytes by their digests, and is trusted with none of them.
type source struct {
	manifest func(v1.Hash) (io.ReadCloser, error)
	blob     func(v1.Hash) (io.ReadCloser, error)
}

// fetch brings an image to a place.
func (s *Store) fetch(ctx context.Context, ref Ref, at string) error {
	ctx, cancel := context.WithTimeout(ctx, pullWithin)
	defer cancel()
	from, err := s.find(ctx, ref)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(s.Dir, unfinishedDir)
	if err != nil {
		return err
	}
	if err = os.Chmod(dir, 0o711); err == nil {
		err = s.bring(ctx, from, v1.Hash{Algorithm: "sha256", Hex: hex.EncodeToString(ref.Digest[:])}, dir)
	}
	if err == nil {
		err = os.Rename(dir, at)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	return nil
}

// find gives the layout that has a digest, or the registry.
func (s *Store) find(ctx context.Context, ref Ref) (*source, error) {
	wanted := v1.Hash{Algorithm: "sha256", Hex: hex.EncodeToString(ref.Digest[:])}
	for _, path := range s.Layouts {
		l, err := layout.FromPath(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		f, err := l.Blob(wanted)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		return &source{l.Blob, l.Blob}, f.Close()
	}
	if s.Transport == nil {
		return nil, fmt.Errorf("%w: %s", ErrAbsent, wanted)
	}
	repository := ref.Repository
	if ref.Registry != "" {
		repository = ref.Registry + "/" + repository
	}
	reference, err := name.NewDigest(repository + "@" + wanted.String())
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrForm, err)
	}
	options := []remote.Option{remote.WithContext(ctx), remote.WithTransport(s.Transport)}
	return &source{func(h v1.Hash) (io.ReadCloser, error) {
		got, err := remote.Get(reference.Context().Digest(h.String()), options...)
		if err != nil {
			return nil, err
		}
		return io.NopCloser(bytes.NewReader(got.Manifest)), nil
	}, func(h v1.Hash) (io.ReadCloser, error) {
		l, err := remote.Layer(reference.Context().Digest(h.String()), options...)
		if err != nil {
			return nil, err
		}
		return l.Compressed()
	}}, nil
}

// small reads what has a digest and few bytes.
func small(open func(v1.Hash) (io.ReadCloser, error), want v1.Hash) ([]byte, error) {
	if want.Algorithm != "sha256" {
		return nil, fmt.Errorf("%w: a digest of %s", ErrForm, want.Algorithm)
	}
	from, err := open(want)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	data, err := io.ReadAll(io.LimitReader(from, maxManifest+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxManifest {
		return nil, fmt.Errorf("%w: %s", ErrLarge, want)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != want.Hex {
		return nil, fmt.Errorf("%w: %s", ErrDigest, want)
	}
	return data, nil
}

// bring verifies an image and unpacks it into a directory.
func (s *Store) bring(ctx context.Context, from *source, want v1.Hash, dir string) error {
	m, err := manifest(from, want)
	if err != nil {
		return err
	}
	raw, err := small(from.blob, m.Config.Digest)
	if err != nil {
		return err
	}
	config, err := v1.ParseConfigFile(bytes.NewReader(raw))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrForm, err)
	}
	if len(m.Layers) != len(config.RootFS.DiffIDs) || config.OS != "linux" || config.Architecture != runtime.GOARCH {
		return fmt.Errorf("%w: %s/%s with %d layers and %d digests of what is in them", ErrForm, config.OS, config.Architecture, len(m.Layers),
			len(config.RootFS.DiffIDs))
	}
	total := int64(0)
	for _, l := range m.Layers {
		if total += max(l.Size, 0); len(m.Layers) > maxLayers || l.Size < 0 || total > MaxBytes {
			return fmt.Errorf("%w: %d layers", ErrLarge, len(m.Layers))
		}
	}
	at := filepath.Join(dir, rootDir)
	if err := os.Mkdir(at, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(at)
	if err != nil {
		return err
	}
	defer root.Close()
	u := &unpacker{root: root, owned: os.Geteuid() == 0, bytes: s.MaxBytes, entries: s.entries}
	for i, l := range m.Layers {
		if err := u.from(ctx, from, l, config.RootFS.DiffIDs[i]); err != nil {
			return fmt.Errorf("layer %d: %w", i, err)
		}
	}
	if err := u.places(); err != nil {
		return err
	}
	kept, err := json.Marshal(config.Config)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, configFile), kept, 0o600)
}

// manifest reads the manifest of a digest; of an index, the one for this machine.
func manifest(from *source, want v1.Hash) (*v1.Manifest, error) {
	raw, err := small(from.manifest, want)
	if err != nil {
		return nil, err
	}
	var list v1.IndexManifest
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrForm, err)
	}
	if list.MediaType.IsIndex() || len(list.Manifests) > 0 {
		for _, one := range list.Manifests {
			if p := one.Platform; one.MediaType.IsImage() && p != nil && p.OS == "linux" && p.Architecture == runtime.GOARCH {
				if raw, err = small(from.manifest, one.Digest); err != nil {
					return nil, err
				}
				return parse(raw)
			}
		}
		return nil, fmt.Errorf("%w: the index has none for linux/%s", ErrForm, runtime.GOARCH)
	}
	return parse(raw)
}

func parse(raw []byte) (*v1.Manifest, error) {
	m, err := v1.ParseManifest(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrForm, err)
	}
	return m, nil
}

// hashed counts and hashes what is read, and ends with the context.
type hashed struct {
	from io.Reader
	sum  hash.Hash
	left int64
	ctx  context.Context
}

// Read implements io.Reader.
func (h *hashed) Read(p []byte) (int, error) {
	if err := h.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := h.from.Read(p)
	if h.left -= int64(n); h.left < 0 {
		return 0, ErrLarge
	}
	h.sum.Write(p[:n])
	return n, err
}

// is holds what was read, and what is still to come, to a digest.
func (h *hashed) is(want v1.Hash) error {
	if _, err := io.Copy(io.Discard, h); err != nil {
		return err
	}
	if want.Algorithm != "sha256" || hex.EncodeToString(h.sum.Sum(nil)) != want.Hex {
		return fmt.Errorf("%w: %s", ErrDigest, want)
	}
	return nil
}

// from unpacks a layer and then holds it to both of its digests.
func (u *unpacker) from(ctx context.Context, from *source, l v1.Descriptor, inside v1.Hash) error {
	blob, err := from.blob(l.Digest)
	if err != nil {
		return err
	}
	defer blob.Close()
	packed := &hashed{blob, sha256.New(), l.Size, ctx}
	plain, end, err := plain(bufio.NewReader(packed))
	if err != nil {
		return err
	}
	defer end()
	// Headers and padding of files are at most 1,536 bytes each beside the data.
	archive := &hashed{plain, sha256.New(), u.bytes + 4<<20 + 1536*int64(u.entries), ctx}
	if err := u.layer(archive); err != nil {
		return err
	}
	return errors.Join(archive.is(inside), packed.is(l.Digest))
}

// plain unpacks what gzip or Zstandard packed.
func plain(from *bufio.Reader) (to io.Reader, end func(), err error) {
	head, err := from.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(from)
		return z, func() {}, err
	case bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(from, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(64<<20), zstd.WithDecoderMaxMemory(128<<20))
		if err != nil {
			return nil, nil, err
		}
		return z, z.Close, nil
	}
	return from, func() {}, nil
}

// places are the directories that are mounted in every container. Runtimes give a file system in memory the permissions of what it covers.
var places = map[string]fs.FileMode{"proc": 0o555, "dev": 0o755, "tmp": 0o777 | fs.ModeSticky, "workspace": 0o777 | fs.ModeSticky}

// places makes the directories that containers are mounted on, where the image has none.
func (u *unpacker) places() error {
	for name, mode := range places { // order-free: each is another
		at, err := follow(u.root, name, true, true)
		if err != nil {
			return err
		}
		if info, err := u.root.Lstat(at); err != nil {
			return err
		} else if !info.IsDir() {
			return fmt.Errorf("%w: /%s is no directory", ErrForm, name)
		}
		if err := u.root.Chmod(at, mode); err != nil {
			return err
		}
		if !u.owned {
			continue
		}
		if err := u.root.Lchown(at, Base, Base); err != nil {
			return err
		}
	}
	return nil
}
