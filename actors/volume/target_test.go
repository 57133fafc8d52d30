package volume

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/volume/page"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
)

// A link leads to a path of at most 512 bytes. A longer one is refused before anything is sent, and where it comes into a page all the same, the page is
// neither sent nor committed: a volume of several pages is read afterwards as before.
//
// Spec: storage-cbfs §2.1 (512 bytes), §2.4 (read rule).
func TestTargetsOfLinks(t *testing.T) {
	w := NewWired(t, 6)
	for _, private := range []bool{false, true} {
		t.Run(fmt.Sprint("private ", private), func(t *testing.T) {
			id, c := w.create(fmt.Sprint("many-", private), private, 2, 2), w.client(ann)
			w.Fill(c, id, 5_000)
			link := func(size int) []Change {
				return []Change{file("a", []byte("bytes")), {Path: "folder0003/link", Kind: cbfs.Symlink, Target: strings.Repeat("t", size)}}
			}
			must(t, c.Apply(t.Context(), id, link(cbfs.MaxPathBytes)[1:]))
			heard := w.Hear()
			if err := c.Apply(t.Context(), id, link(cbfs.MaxPathBytes+1)); !errors.Is(err, cbfs.ErrPath) || !strings.Contains(err.Error(), "folder0003/link") {
				t.Error(err)
			}
			if sent, _ := heard(); sent > 0 {
				t.Errorf("%d bytes are sent", sent)
			}
			s, err := c.Open(t.Context(), id)
			must(t, err)
			right, err := c.credit(s.Volume, true)
			must(t, err)
			if _, err := newUploader(s, nil).commit(t.Context(), link(cbfs.MaxPathBytes + 1)[1:], nil, right); !errors.Is(err, page.ErrForm) {
				t.Errorf("a page of it: %v", err)
			}
			must(t, c.Apply(t.Context(), id, link(cbfs.MaxPathBytes)[:1]))
			fresh := w.client(ann)
			s, err = fresh.Open(t.Context(), id)
			must(t, err)
			count := 0
			for _, err := range s.Entries(t.Context(), "") {
				must(t, err)
				count++
			}
			if count != 5_000+50+2 || len(s.tree.first.Pages) < 2 {
				t.Errorf("%d entries in %d pages", count, len(s.tree.first.Pages))
			}
			if e, err := s.Find(t.Context(), "folder0003/link"); err != nil || len(e.Target) != cbfs.MaxPathBytes {
				t.Error(err)
			}
			var got bytes.Buffer
			if err := s.Read(t.Context(), "a", &got); err != nil || got.String() != "bytes" {
				t.Errorf("%q %v", got.String(), err)
			}
		})
	}
}
