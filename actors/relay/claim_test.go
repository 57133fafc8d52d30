package relay

import (
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/store"
	"github.com/cowboyinc/cowboy-go/chain/digest"
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
		if d.claim(volume(n), size) != want {
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
