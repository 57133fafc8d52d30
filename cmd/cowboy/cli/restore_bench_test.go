package cli

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sort"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/rent"
)

// BenchmarkFetchStorage fetches eight MiB from an archive over loopback, page by page, and holds them against the commitment, as `cowboy actor restore` does
// before it sends anything. Spec: rent §9.
func BenchmarkFetchStorage(b *testing.B) {
	var list []rent.Entry
	for i := range 8 << 20 >> 12 {
		list = append(list, rent.Entry{Key: fmt.Appendf(nil, "key%06d", i), Value: bytes.Repeat([]byte{byte(i)}, 4<<10-9)})
	}
	root := rent.Root(list)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		after, _ := hex.DecodeString(r.URL.Query().Get("cursor"))
		from := sort.Search(len(list), func(i int) bool { return bytes.Compare(list[i].Key, after) > 0 })
		page := wire.StoredEntries{Height: 9, Entries: []wire.StoredEntry{}}
		for size := 0; from < len(list) && size <= 1<<20; from++ {
			size += len(list[from].Key) + len(list[from].Value)
			page.Entries = append(page.Entries, wire.StoredEntry{Key: hex.EncodeToString(list[from].Key), Value: hex.EncodeToString(list[from].Value)})
		}
		if from < len(list) {
			page.Cursor = page.Entries[len(page.Entries)-1].Key
		}
		_ = json.NewEncoder(w).Encode(page)
	}))
	defer server.Close()
	a := &app{rpcURL: server.URL}
	for b.Loop() {
		got, err := a.gather(context.Background(), restoration{}, &wire.Dormant{Height: 10, Entries: uint64(len(list))})
		if err != nil || rent.Root(got) != root {
			b.Fatal(len(got), err)
		}
	}
}
