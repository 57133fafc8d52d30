package relay

import (
	"bytes"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/store"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/mutual"
)

// What is brought and not committed takes an eighth of the capacity for a volume, to the byte, and half of it for all. What is committed counts no more, nor
// does what was given back, nor what nobody committed in the time of an orphan.
//
// Spec: storage-cbfs §3.3 (PutShard), §8 (ORPHAN_SHARD_TTL).
func TestRoomForWhatIsBrought(t *testing.T) {
	disk, err := store.Open(t.TempDir(), 1_600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = disk.Close() })
	now := time.Unix(1_000, 0)
	d := NewResponder(&Responder{Store: disk, Now: func() time.Time { return now }})
	volume := func(n byte) digest.Hash { return digest.Hash{n} }
	claim := func(n byte, size int, want bool) {
		t.Helper()
		if (d.claim(volume(n), size) != nil) != want {
			t.Errorf("volume %d claims %d bytes: %v", n, size, !want)
		}
	}
	claim(1, 201, false)
	for n := range byte(4) {
		claim(n, 199, true)
		claim(n, 2, false)
		claim(n, 1, true)
	}
	claim(5, 1, false)
	d.unclaim(volume(0), 1)
	claim(5, 2, false)
	claim(5, 1, true)
	d.Settled(volume(1))
	claim(5, 199, true)
	claim(1, 1, true)
	now = now.Add(OrphanAge)
	claim(6, 200, false)
	claim(2, 1, false)
	now = now.Add(1)
	claim(2, 200, true)
	claim(6, 200, true)
	if d.all != 400 || len(d.pending) != 2 {
		t.Errorf("%d bytes of %d volumes", d.all, len(d.pending))
	}
}

// What is taken back is room for what is brought next; what was settled meanwhile, or is another volume's, stays and counts on.
//
// Spec: storage-cbfs §3.3 (DeleteShard).
func TestRoomOfWhatIsTakenBack(t *testing.T) {
	disk, err := store.Open(t.TempDir(), 1_600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = disk.Close() })
	d := NewResponder(&Responder{Store: disk, Now: time.Now})
	mine, theirs := &reach.Volume{ID: digest.Hash{1}}, &reach.Volume{ID: digest.Hash{2}}
	for _, v := range []*reach.Volume{mine, theirs} {
		v.Slots = []reach.Slot{{}} // of the relay with the zero address
	}
	put := func(v *reach.Volume, n byte, want protocol.Status) digest.Hash {
		t.Helper()
		a := d.put(t.Context(), &mutual.Peer{}, &protocol.Request{Data: bytes.Repeat([]byte{n}, 150)}, v)
		if a.Status != want {
			t.Fatalf("chunk %d: %v, want %v", n, a.Status, want)
		}
		return append(a.Hashes, digest.Hash{})[0]
	}
	back := func(v *reach.Volume, root digest.Hash, want protocol.Status) {
		t.Helper()
		if a := d.takeBack(&protocol.Request{Volume: v.ID, Hashes: []digest.Hash{root}}); a.Status != want {
			t.Fatalf("taken back: %v, want %v", a.Status, want)
		}
	}
	first := put(mine, 1, protocol.Ok)
	put(mine, 2, protocol.ErrCapacity)
	back(theirs, first, protocol.ErrConflict)
	put(mine, 2, protocol.ErrCapacity)
	back(mine, first, protocol.Ok)
	back(mine, first, protocol.Ok) // it is not here
	second := put(mine, 2, protocol.Ok)
	d.Settled(mine.ID)
	back(mine, second, protocol.ErrConflict)
	third := put(mine, 3, protocol.Ok)
	back(mine, second, protocol.ErrConflict)
	put(mine, 4, protocol.ErrCapacity)
	back(mine, third, protocol.Ok)
	if u := disk.Usage(); u.Bytes != 150 || u.Chunks != 1 || d.all != 0 {
		t.Errorf("%+v, and %d bytes that were not committed", u, d.all)
	}
}
