package image

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// blobs is an OCI layout that is written by hand: bytes by their digests.
type blobs struct {
	t   *testing.T
	dir string
}

func newBlobs(t *testing.T) *blobs {
	t.Helper()
	b := &blobs{t, t.TempDir()}
	b.write("oci-layout", []byte(`{"imageLayoutVersion": "1.0.0"}`))
	b.write("index.json", []byte(`{"schemaVersion": 2, "manifests": []}`))
	return b
}

func (b *blobs) write(name string, data []byte) {
	b.t.Helper()
	at := filepath.Join(b.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, data, 0o644)); err != nil {
		b.t.Fatal(err)
	}
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(s[:])
}

func (b *blobs) put(data []byte) string {
	b.write("blobs/sha256/"+strings.TrimPrefix(sum(data), "sha256:"), data)
	return sum(data)
}

func (b *blobs) json(v any) (string, int) {
	data, err := json.Marshal(v)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.put(data), len(data)
}

type fields = map[string]any

// image puts an image of layers, packed and what is in them, for an architecture.
func (b *blobs) image(architecture string, packed, inside [][]byte) (string, int) {
	list, ids := []fields{}, []string{}
	for i, data := range packed {
		list = append(list, fields{"mediaType": "application/vnd.oci.image.layer.v1.tar+gzip", "digest": b.put(data), "size": len(data)})
		ids = append(ids, sum(inside[i]))
	}
	config, size := b.json(fields{"os": "linux", "architecture": architecture, "config": fields{"Cmd": []string{"/a"}},
		"rootfs": fields{"type": "layers", "diff_ids": ids}})
	return b.json(fields{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
		"config": fields{"mediaType": "application/vnd.oci.image.config.v1+json", "digest": config, "size": size}, "layers": list})
}

func zipped(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func ref(t *testing.T, text string) Ref {
	t.Helper()
	h, err := digest.ParseHash(strings.TrimPrefix(text, "sha256:"))
	if err != nil {
		t.Fatal(err)
	}
	return Ref{Repository: "images/a", Digest: h}
}

func store(t *testing.T, s Store) *Store {
	t.Helper()
	s.Dir = filepath.Join(t.TempDir(), "images")
	made, err := NewStore(s)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// open gives what an image unpacks to.
func open(t *testing.T, s *Store, r Ref) (string, error) {
	t.Helper()
	i, release, err := s.Open(t.Context(), r)
	if err != nil {
		return "", err
	}
	defer release()
	if len(i.Config.Cmd) != 1 || i.Config.Cmd[0] != "/a" {
		t.Errorf("%+v", i.Config)
	}
	text := told(t, i.Root)
	for name := range places {
		text = strings.TrimSpace(strings.ReplaceAll(" "+text, " "+name+"/", ""))
	}
	return text, nil
}

// An image comes from a layout or a registry, plain or packed in either way, alone or out of an index; the second time from the disk.
//
// Spec: runner-marketplace §2.9 (image by digest).
func TestStore(t *testing.T) {
	b := newBlobs(t)
	first, second := archive(t, item{name: "a", data: "1"}), archive(t, item{name: "b", data: "2"})
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	one, size := b.image(runtime.GOARCH, [][]byte{first, zipped(t, second), z.EncodeAll(second, nil)}, [][]byte{first, second, second})
	other, otherSize := b.image("pdp11", [][]byte{first}, [][]byte{first})
	entry := func(digest string, size int, architecture string) fields {
		return fields{"mediaType": "application/vnd.oci.image.manifest.v1+json", "digest": digest, "size": size,
			"platform": fields{"os": "linux", "architecture": architecture}}
	}
	index, _ := b.json(fields{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json",
		"manifests": []fields{entry(other, otherSize, "pdp11"), entry(one, size, runtime.GOARCH)}})
	foreign, _ := b.json(fields{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json",
		"manifests": []fields{entry(other, otherSize, "pdp11")}})
	server := httptest.NewServer(registryOf(b))
	defer server.Close()
	at, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, digest string
		want         error
	}{{"image", one, nil}, {"index", index, nil}, {"of another machine", other, ErrForm}, {"index of another machine", foreign, ErrForm}} {
		for from, s := range map[string]*Store{
			"layout": store(t, Store{Layouts: []string{newBlobs(t).dir, b.dir}}), "registry": store(t, Store{Transport: http.DefaultTransport}),
		} {
			t.Run(c.name+" of a "+from, func(t *testing.T) {
				r := ref(t, c.digest)
				r.Registry = at.Host
				for range 2 {
					if got, err := open(t, s, r); !errors.Is(err, c.want) || err == nil && got != "a=1 b=2" {
						t.Errorf("%q, %v", got, err)
					}
				}
			})
		}
	}
	if _, err := open(t, store(t, Store{Layouts: []string{b.dir}}), ref(t, sum([]byte("no image")))); !errors.Is(err, ErrAbsent) {
		t.Error(err)
	}
}

// registryOf serves a layout as a registry does. As the OCI distribution specification has it for pulling.
func registryOf(b *blobs) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v2/", func(http.ResponseWriter, *http.Request) {})
	serve := func(w http.ResponseWriter, r *http.Request) {
		data, err := os.ReadFile(filepath.Join(b.dir, "blobs/sha256", strings.TrimPrefix(r.PathValue("digest"), "sha256:")))
		if err != nil {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		var kind struct{ MediaType string }
		if json.Unmarshal(data, &kind) == nil && kind.MediaType != "" {
			w.Header().Set("Content-Type", kind.MediaType)
		}
		_, _ = w.Write(data)
	}
	mux.HandleFunc("GET /v2/images/a/manifests/{digest}", serve)
	mux.HandleFunc("GET /v2/images/a/blobs/{digest}", serve)
	return mux
}

// A byte of any part that is another, or one more or less, is found, and nothing of the image stays.
func TestDigests(t *testing.T) {
	layer := archive(t, item{name: "a", data: "1"})
	b := newBlobs(t)
	one, _ := b.image(runtime.GOARCH, [][]byte{zipped(t, layer)}, [][]byte{layer})
	list, err := filepath.Glob(filepath.Join(b.dir, "blobs/sha256/*"))
	if err != nil || len(list) != 3 {
		t.Fatal(list, err)
	}
	for _, path := range list {
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for name, bad := range map[string][]byte{
			"flipped": append(bytes.Clone(good[:len(good)-5]), append([]byte{good[len(good)-5] ^ 1}, good[len(good)-4:]...)...),
			"cut":     good[:len(good)-1], "longer": append(bytes.Clone(good), ' '), "empty": {},
		} {
			t.Run(name, func(t *testing.T) {
				if err := os.WriteFile(path, bad, 0o644); err != nil {
					t.Fatal(err)
				}
				s := store(t, Store{Layouts: []string{b.dir}})
				if got, err := open(t, s, ref(t, one)); err == nil {
					t.Errorf("it unpacks to %q", got)
				}
				if left, err := os.ReadDir(s.Dir); err != nil || len(left) != 0 {
					t.Errorf("%v, %v", left, err)
				}
			})
		}
		if err := os.WriteFile(path, good, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	wrong, _ := b.image(runtime.GOARCH, [][]byte{zipped(t, layer)}, [][]byte{[]byte("something else")})
	if _, err := open(t, store(t, Store{Layouts: []string{b.dir}}), ref(t, wrong)); !errors.Is(err, ErrDigest) {
		t.Error(err)
	}
}

// What is small when packed and large when unpacked is refused, wherever it hides: in a file, in many, behind the end of the archive.
//
// Spec: CIP-10.
func TestBombs(t *testing.T) {
	large := make([]byte, 3<<20)
	many := []item{}
	for range 300 {
		many = append(many, item{name: "f", data: string(large[:10<<10])})
	}
	end := append(archive(t, item{name: "a", data: "1"}), make([]byte, 32<<20)...)
	for _, c := range []struct {
		name  string
		layer []byte
		want  error
	}{
		{"file", archive(t, item{name: "a", data: string(large)}), ErrLarge}, {"files", archive(t, many...), ErrLarge}, {"behind the end", end, ErrLarge},
		{"sparse", sparse(1 << 40), ErrKind}, {"as much as may be", archive(t, item{name: "a", data: string(large[:1<<20])}), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBlobs(t)
			one, _ := b.image(runtime.GOARCH, [][]byte{zipped(t, c.layer)}, [][]byte{c.layer})
			s := store(t, Store{Layouts: []string{b.dir}, MaxBytes: 1 << 20})
			s.entries = 1000
			if _, err := open(t, s, ref(t, one)); !errors.Is(err, c.want) {
				t.Error(err)
			}
		})
	}
}

// sparse is an archive of a file of so many bytes with nothing in it, in the old form of GNU tar.
func sparse(size int64) []byte {
	h := make([]byte, 512)
	copy(h, "hole")
	octal := func(at, n int, v int64) { copy(h[at:], strings.Repeat("0", n-1-len(oct(v)))+oct(v)) }
	octal(100, 8, 0o644)
	octal(108, 8, 0)
	octal(116, 8, 0)
	octal(124, 12, 0)
	octal(136, 12, 0)
	h[156] = tar.TypeGNUSparse
	copy(h[257:], "ustar  \x00")
	h[483] = 0x80 // the real size, in base 256
	for i := range 8 {
		h[494-i] = byte(size >> (8 * i))
	}
	copy(h[148:], "        ")
	total := int64(0)
	for _, b := range h {
		total += int64(b)
	}
	octal(148, 7, total)
	h[154], h[155] = 0, ' '
	return append(h, make([]byte, 1024)...)
}

func oct(v int64) string {
	if v == 0 {
		return "0"
	}
	text := ""
	for ; v > 0; v >>= 3 {
		text = string(rune('0'+v&7)) + text
	}
	return text
}

// Those used last stay, and those in use whatever their number.
func TestKept(t *testing.T) {
	b := newBlobs(t)
	var refs []Ref
	for _, text := range []string{"1", "2", "3"} {
		layer := archive(t, item{name: "a", data: text})
		one, _ := b.image(runtime.GOARCH, [][]byte{layer}, [][]byte{layer})
		refs = append(refs, ref(t, one))
	}
	s := store(t, Store{Layouts: []string{b.dir}, Kept: 1})
	first, release, err := s.Open(t.Context(), refs[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range refs[1:] {
		if _, err := open(t, s, r); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(first.Root, "a")); err != nil {
			t.Error(err)
		}
	}
	release()
	if _, err := open(t, s, refs[1]); err != nil {
		t.Fatal(err)
	}
	if list, err := os.ReadDir(s.Dir); err != nil || len(list) != 1 || list[0].Name() != hex.EncodeToString(refs[1].Digest[:]) {
		t.Errorf("%v, %v", list, err)
	}
	if err := os.MkdirAll(filepath.Join(s.Dir, unfinishedDir+"1", "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := NewStore(Store{Dir: s.Dir}); err != nil {
		t.Fatal(err)
	}
	if list, err := os.ReadDir(s.Dir); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}
