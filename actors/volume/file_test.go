package volume

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
)

// A file whose bytes are not those that its entry says is read with an error, whoever wrote the entry: its hash or its size is another one's.
//
// Spec: storage-cbfs §2.3 (content_hash, ciphertext_hash, size_bytes).
func TestFilesThatAreOthers(t *testing.T) {
	w := newWorld(t, 6)
	c, data := w.client(ann), random(7, 5_000)
	for name, private := range map[string]bool{"private": true, "public": false} {
		id := w.create(name, private, 4, 2)
		for i, lie := range []func(o *cbfs.Object){
			func(*cbfs.Object) {},
			func(o *cbfs.Object) { o.ContentHash[0]++; o.CiphertextHash[0]++ },
			func(o *cbfs.Object) { o.ContentHash[0]++ },
			func(o *cbfs.Object) { o.Size++ },
		} {
			t.Run(fmt.Sprint(name, i), func(t *testing.T) {
				s, err := c.Open(t.Context(), id)
				must(t, err)
				right, err := c.credit(s.Volume, true)
				must(t, err)
				change := file(fmt.Sprint("a", i), data)
				u := newUploader(s, []Change{change})
				one, err := u.file(t.Context(), &change)
				must(t, err)
				lie(one.object)
				s, err = u.commit(t.Context(), []Change{change}, map[string]*placed{change.Path: one}, right)
				must(t, err)
				var got bytes.Buffer
				err = s.Read(t.Context(), change.Path, &got)
				if lies := i > 0; errors.Is(err, ErrFile) != lies || !lies && (err != nil || !bytes.Equal(got.Bytes(), data)) {
					t.Errorf("%d bytes: %v", got.Len(), err)
				}
			})
		}
	}
}
