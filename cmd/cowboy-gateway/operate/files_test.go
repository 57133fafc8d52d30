package operate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/gateway"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/actors/volume"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

var owner = account.Address{7}

// reader is what reads volumes, of files of at most so many bytes. The node says of every volume that it is public.
func reader(t *testing.T, most int64) *files {
	t.Helper()
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(wire.Volume{
			VolumeID: wire.Hash(digest.Hash{1}), ManifestRoot: wire.Hash(digest.Hash{2}), Visibility: "PUBLIC",
		})
	}))
	t.Cleanup(node.Close)
	f, err := openFiles(openNode(node.URL), t.TempDir(), 1<<30, most)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.close)
	return f
}

// holds has a volume hold one file, whose bytes are in the cache.
func holds(t *testing.T, f *files, name, content string) *site {
	t.Helper()
	hash := digest.Blake3([]byte(content))
	if err := f.cache.put(hash, int64(len(content)), func(w io.Writer) error { _, err := io.WriteString(w, content); return err }); err != nil {
		t.Fatal(err)
	}
	entry := &cbfs.Entry{Path: name, Kind: cbfs.File, Object: &cbfs.Object{Size: uint64(len(content)), ContentHash: hash}}
	s := &site{snapshot: one{entry}, root: digest.Hash{2}}
	f.sites.Add(digest.Hash{1}, s)
	return s
}

// one is a volume of one entry, whose bytes nobody has.
type one struct{ entry *cbfs.Entry }

func (v one) Find(_ context.Context, path string) (*cbfs.Entry, error) {
	if path != v.entry.Path {
		return nil, volume.ErrPath
	}
	return v.entry, nil
}

func (v one) Read(context.Context, string, io.Writer) error { return volume.ErrFile }

// A file is served up to the size that the operator allows.
//
// Spec: storage-cbfs §8 (static response).
func TestSizesOfFiles(t *testing.T) {
	for name, c := range map[string]struct {
		size   int
		status int // 0: it is served
	}{
		"a byte below": {999, 0},
		"at the bound": {1_000, 0},
		"a byte above": {1_001, 502},
	} {
		t.Run(name, func(t *testing.T) {
			f := reader(t, 1_000)
			holds(t, f, "x", strings.Repeat("x", c.size))
			x, err := f.Open(t.Context(), owner, "site", "x")
			var refused *gateway.Refused
			if c.status != 0 {
				if !errors.As(err, &refused) || refused.Status != c.status || refused.Name != "INVALID_RESPONSE" {
					t.Errorf("%v, want %d", err, c.status)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := x.Close(); err != nil || x.Size != int64(c.size) {
				t.Errorf("%d bytes, %v", x.Size, err)
			}
		})
	}
}

// What a volume says of its files is read up to 64 KiB, and says nothing beyond.
//
// Spec: storage-cbfs §11 (_meta).
func TestSizesOfWhatVolumesSay(t *testing.T) {
	for size, want := range map[int]int{64<<10 - 1: 7, 64 << 10: 7, 64<<10 + 1: 0} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			f := reader(t, 1_000)
			text := `{"max_age":7}`
			s := holds(t, f, cachingFile, strings.Repeat(" ", size-len(text))+text)
			var said struct {
				Age int `json:"max_age"`
			}
			if err := f.meta(t.Context(), s, cachingFile, &said); err != nil || said.Age != want {
				t.Errorf("%d %v, want %d", said.Age, err, want)
			}
		})
	}
}

// A cache keeps files up to its bytes, and throws out the one that was used least beyond; it keeps 65,536 of them, and 16 come at a time.
//
// Spec: gateway-payments-streams §B (cache bound).
func TestBoundsOfTheCache(t *testing.T) {
	for most, kept := range map[int64]bool{199: false, 200: true, 201: true} {
		t.Run(fmt.Sprint(most, " bytes"), func(t *testing.T) {
			c, err := openCache(t.TempDir(), most)
			if err != nil {
				t.Fatal(err)
			}
			for n := range byte(2) {
				if err := c.put(digest.Hash{n}, 100, func(io.Writer) error { return nil }); err != nil {
					t.Fatal(err)
				}
			}
			if got := c.files.Contains(digest.Hash{0}); got != kept || !c.files.Contains(digest.Hash{1}) {
				t.Errorf("the first of two files of 100 bytes is kept: %v, want %v", got, kept)
			}
		})
	}
	c, err := openCache(t.TempDir(), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	hash := func(n int) digest.Hash { return digest.Hash{byte(n >> 16), byte(n >> 8), byte(n)} }
	for n := range 65_536 {
		c.files.Add(hash(n), 0)
	}
	first := c.files.Contains(hash(0))
	if c.files.Add(hash(65_536), 0); !first || c.files.Contains(hash(0)) {
		t.Errorf("the first of 65,536 is kept: %v, and of 65,537: %v", first, c.files.Contains(hash(0)))
	}
	if !c.come.TryAcquire(16) {
		t.Fatal("less than sixteen files may come")
	}
	c.come.Release(16)
	came, leave, done := make(chan struct{}), make(chan struct{}), make(chan error)
	for n := range 16 {
		go func() {
			done <- c.put(digest.Hash{31: byte(n)}, 1, func(io.Writer) error {
				came <- struct{}{}
				<-leave
				return context.Canceled
			})
		}()
		<-came
	}
	if c.come.TryAcquire(1) {
		t.Error("a seventeenth file may come")
	}
	close(leave)
	for range 16 {
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}
