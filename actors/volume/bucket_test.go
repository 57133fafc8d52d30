package volume

import (
	"bytes"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/cowboyinc/cowboy-go/actors/relay/store"
)

// Relays that keep their shards in object stores give what was put, and make a chunk anew that was taken away.
//
// Spec: storage-cbfs §3.3, §4 (self-heal).
func TestRelaysWithObjectStores(t *testing.T) {
	backend := s3mem.New()
	server := httptest.NewServer(gofakes3.New(backend, gofakes3.WithLogger(gofakes3.DiscardLog())).Server())
	defer server.Close()
	must(t, backend.CreateBucket("shards"))
	w := newWorldOver(t, 6, nil, func(number byte, capacity uint64) (*store.Store, error) {
		return store.OpenBucket(store.Bucket{
			Endpoint: strings.TrimPrefix(server.URL, "http://"), Name: "shards", Prefix: fmt.Sprint("relay-", number), Region: "us-east-1", Plain: true,
			Owner: fmt.Sprint(number), Credentials: credentials.NewStaticV4("key", "secret", ""),
		}, capacity)
	})
	c := w.client(ann)
	id, data := w.create("docs", true, 4, 2), random(1, 5<<20+7)
	must(t, c.Apply(t.Context(), id, []Change{file("a", data)}))
	if got, err := read(t.Context(), c, id, "a"); err != nil || !bytes.Equal(got, data) {
		t.Fatal(len(got), err)
	}
	w.confirmed(id)
	objects := func(prefix string) (names []string) {
		list, err := backend.ListBucket("shards", &gofakes3.Prefix{HasPrefix: true, Prefix: prefix}, gofakes3.ListBucketPage{})
		must(t, err)
		for _, one := range list.Contents {
			names = append(names, one.Key)
		}
		return names
	}
	for i, n := range w.relays {
		before := objects(fmt.Sprintf("relay-%d/chunks/", i+1))
		if len(before) == 0 {
			t.Fatal(i)
		}
		_, err := backend.DeleteObject("shards", before[0])
		must(t, err)
		n.handle.Rotten(id)
		w.until("it is made anew", func() bool { return len(objects(fmt.Sprintf("relay-%d/chunks/", i+1))) == len(before) })
	}
	if got, err := read(t.Context(), c, id, "a"); err != nil || !bytes.Equal(got, data) {
		t.Error(len(got), err)
	}
}
