package relay

import (
	"context"
	"crypto/ed25519"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/store"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/mutual"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// shared is the chain of a volume of which two relays hold a slot each. It counts how often the volume is read.
type shared struct {
	Chain
	key     ed25519.PrivateKey
	version uint64
	read    int
}

func (p *shared) Volume(_ context.Context, id digest.Hash) (*reach.Volume, error) {
	if p.read++; id != vol {
		return nil, reach.ErrUnknown
	}
	return &reach.Volume{ID: id, Version: p.version, Slots: []reach.Slot{{Relay: other}, {Relay: me}}}, nil
}

func (p *shared) Relay(_ context.Context, owner account.Address) (*reach.Relay, error) {
	if owner != other {
		return nil, reach.ErrUnknown
	}
	return &reach.Relay{Owner: other, Node: digest.Hash{2}, Key: digest.Hash(p.key.Public().(ed25519.PublicKey))}, nil
}

// A word of another relay that a placement has changed costs one look at the chain at most, and only what the chain says is heard of. A word that is not signed
// by that relay, for this one and just now, costs none.
//
// Spec: storage-cbfs §3.3 (PeerPlacementUpdate).
func TestHintsAreNotBelieved(t *testing.T) {
	now := time.Unix(1_000, 0)
	c := &shared{key: ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)), version: 4}
	var hinted []uint64
	d := NewResponder(&Responder{
		Self: me, Node: digest.Hash{1}, Directory: reach.NewDirectory(c, func() time.Time { return now }), Now: func() time.Time { return now },
		Hinted: func(volume digest.Hash, version uint64) { hinted = append(hinted, version) },
	})
	from, nobody, evicted := &mutual.Peer{}, &mutual.Peer{}, &mutual.Peer{}
	from.Note.Store(other)
	evicted.Note.Store(third)
	tell := func(who *mutual.Peer, version uint64, change func(q *protocol.Request)) protocol.Status {
		q := &protocol.Request{Op: protocol.PeerPlacementUpdate, Volume: vol, Version: version, Offset: uint64(now.UnixMilli())}
		h := protocol.UpdateHash(digest.Hash{2}, digest.Hash{1}, q)
		q.Certificate = ed25519.Sign(c.key, h[:])
		if change != nil {
			change(q)
		}
		return d.answer(t.Context(), who, q, nil).Status
	}
	again := func(q *protocol.Request, to byte) {
		h := protocol.UpdateHash(digest.Hash{2}, digest.Hash{to}, q)
		q.Certificate = ed25519.Sign(c.key, h[:])
	}
	for name, one := range map[string]struct {
		who    *mutual.Peer
		change func(q *protocol.Request)
		want   protocol.Status
	}{
		"a stranger's":        {nobody, nil, protocol.ErrAuth},
		"one's who is gone":   {evicted, nil, protocol.ErrAuth},
		"not signed":          {from, func(q *protocol.Request) { q.Certificate = nil }, protocol.ErrInvalid},
		"another signature":   {from, func(q *protocol.Request) { q.Certificate[9] ^= 1 }, protocol.ErrAuth},
		"another version":     {from, func(q *protocol.Request) { q.Version++ }, protocol.ErrAuth},
		"another volume":      {from, func(q *protocol.Request) { q.Volume[0]++ }, protocol.ErrAuth},
		"for another relay":   {from, func(q *protocol.Request) { again(q, 3) }, protocol.ErrAuth},
		"of a minute ago":     {from, func(q *protocol.Request) { q.Offset -= protocol.PeerSkewMs + 1; again(q, 1) }, protocol.ErrAuth},
		"of a minute hence":   {from, func(q *protocol.Request) { q.Offset += protocol.PeerSkewMs + 1; again(q, 1) }, protocol.ErrAuth},
		"of no time there is": {from, func(q *protocol.Request) { q.Offset = 1<<64 - 1; again(q, 1) }, protocol.ErrAuth},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tell(one.who, 5, one.change); got != one.want || c.read != 0 || hinted != nil {
				t.Errorf("%v, want %v; %d looks, %v", got, one.want, c.read, hinted)
			}
		})
	}
	expected := func(looks int, heard ...uint64) {
		t.Helper()
		if c.read != looks || len(hinted) != len(heard) || len(heard) > 0 && hinted[len(heard)-1] != heard[len(heard)-1] {
			t.Fatalf("%d looks and %v, want %d and %v", c.read, hinted, looks, heard)
		}
	}
	say := func(version uint64) {
		t.Helper()
		if got := tell(from, version, nil); got != protocol.Ok {
			t.Fatal(got)
		}
	}
	say(4)
	expected(1, 4)
	now = now.Add(2 * time.Second)
	say(4) // known
	expected(1, 4, 4)
	c.version = 5
	say(9)
	expected(2, 4, 4) // the chain does not say so
	say(9)
	expected(2, 4, 4) // and is not asked again in the same second
	now = now.Add(2 * time.Second)
	c.version = 6
	say(6)
	expected(3, 4, 4, 6)
	for _, edge := range []uint64{uint64(now.UnixMilli()) - protocol.PeerSkewMs, uint64(now.UnixMilli()) + protocol.PeerSkewMs} {
		if got := tell(from, 6, func(q *protocol.Request) { q.Offset = edge; again(q, 1) }); got != protocol.Ok {
			t.Errorf("a minute off: %v", got)
		}
	}
}

// A hint of what the last poll did not see has the chain looked at once before the next poll is due, however many there are.
//
// Spec: storage-cbfs §3.3 (PeerPlacementUpdate).
func TestOnePollForHints(t *testing.T) {
	disk, err := store.Open(t.TempDir(), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = disk.Close() })
	clock := supervision.NewVirtualClock(time.Unix(1_000, 0))
	k := &Keeper{Handle: NewHandle(), Self: me, Store: disk, Every: time.Minute, Clock: clock, state: newState(me)}
	polls := func() int { return k.Handle.courier.Tally().Depth }
	k.hinted(hint{vol, 4}) // before the first poll
	k.poll()
	k.heard(heard{sight: sight{me: &reach.Relay{Status: "unstaking"}}})
	if polls() != 1 || clock.Pending() != 1 {
		t.Fatalf("%d polls, %d to come", polls(), clock.Pending())
	}
	k.hinted(hint{vol, 4})
	if polls() != 2 || clock.Pending() != 0 {
		t.Fatalf("%d polls, %d to come", polls(), clock.Pending())
	}
	k.hinted(hint{vol, 5}) // while it is under way
	k.heard(heard{sight: seen(9, root, nil)})
	k.hinted(hint{vol, 5}) // once more
	if polls() != 2 {
		t.Errorf("%d polls", polls())
	}
	k.early = false // as when the next one is due
	k.hinted(hint{vol, 4})
	if polls() != 2 {
		t.Errorf("%d polls, for what is known", polls())
	}
	k.hinted(hint{vol, 5})
	if polls() != 3 {
		t.Errorf("%d polls", polls())
	}
}
