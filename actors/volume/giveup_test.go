package volume

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// An owner takes back what was brought for a volume and no table names, and its room is free at once; nobody else does. What a commit names or named, and what
// somebody else brought or counts on, stays.
//
// Spec: storage-cbfs §2.5 (runners never delete), §3.3 (DeleteShard), §9.
func TestWhatIsTakenBack(t *testing.T) {
	o := overhear(t, 6)
	c, bob := o.client(ann), o.client(walletOf(201))
	bob.open()
	id := o.create("docs", false, 4, 2)
	o.grant(id, walletOf(201).Address(), cbfs.ReadWrite, "")
	must(t, c.Apply(t.Context(), id, []Change{file("a", random(1, 9_000))}))
	old, err := c.Open(t.Context(), id)
	must(t, err)
	stripe := tableOf(t, old).Stripes[1]
	must(t, c.Apply(t.Context(), id, []Change{{Path: "a", Remove: true}, file("b", random(2, 900))}))
	o.confirmed(id)
	o.whole()
	twin := o.create("twin", false, 4, 2)
	now, err := c.Open(t.Context(), id)
	must(t, err)
	i, number, slot := o.holder(id)
	r, w := o.relayOf(number), o.world
	v, err := w.Volume(t.Context(), twin)
	must(t, err)
	twinSlot := v.Holds(r.Owner)[0]
	ask := func(c *Client, volume digest.Hash, q protocol.Request) (*protocol.Answer, error) {
		v, err := w.Volume(t.Context(), volume)
		must(t, err)
		if q.Volume = volume; c != nil {
			must(t, c.let(v, true)(&q))
			return c.pool.Ask(t.Context(), r, &q)
		}
		pool := &reach.Pool{Key: seedOf(97), Now: o.now, Dial: o.wire.dialer(0)}
		defer pool.Close()
		return pool.Ask(t.Context(), r, &q)
	}
	put := func(c *Client, volume digest.Hash, slot uint8, data string) digest.Hash {
		a, err := ask(c, volume, protocol.Request{Op: protocol.PutShard, Slot: slot, Data: []byte(data)})
		must(t, err)
		return a.Hashes[0]
	}
	o.until("the token is known", func() bool {
		_, err := ask(bob, id, protocol.Request{Op: protocol.HaveShards})
		return err == nil
	})
	have := func(c *Client, volume, root digest.Hash) {
		_, err := ask(c, volume, protocol.Request{Op: protocol.HaveShards, Hashes: []digest.Hash{root}})
		must(t, err)
	}
	another := o.client(ann)
	for name, one := range map[string]struct {
		by     *Client
		volume digest.Hash
		bring  func(data string) digest.Hash
		want   error
	}{
		"what was brought":              {c, id, func(d string) digest.Hash { return put(c, id, slot, d) }, nil},
		"what was brought twice":        {c, id, func(d string) digest.Hash { put(c, id, slot, d); return put(c, id, slot, d) }, nil},
		"by the owner's next client":    {another, id, func(d string) digest.Hash { return put(c, id, slot, d) }, nil},
		"what a runner brought":         {c, id, func(d string) digest.Hash { return put(bob, id, slot, d) }, nil},
		"by a runner":                   {bob, id, func(d string) digest.Hash { return put(bob, id, slot, d) }, protocol.ErrAuth},
		"by a stranger":                 {nil, id, func(d string) digest.Hash { return put(c, id, slot, d) }, protocol.ErrAuth},
		"for another volume":            {c, twin, func(d string) digest.Hash { return put(c, id, slot, d) }, protocol.ErrConflict},
		"another volume brought it too": {c, id, func(d string) digest.Hash { put(c, id, slot, d); return put(c, twin, twinSlot, d) }, protocol.ErrConflict},
		"another client brought it too": {c, id, func(d string) digest.Hash { put(c, id, slot, d); return put(bob, id, slot, d) }, protocol.ErrConflict},
		"another volume counts on it":   {c, id, func(d string) digest.Hash { h := put(c, id, slot, d); have(c, twin, h); return h }, protocol.ErrConflict},
		"another client counts on it":   {c, id, func(d string) digest.Hash { h := put(c, id, slot, d); have(bob, id, h); return h }, protocol.ErrConflict},
		"a chunk of the commit":         {c, id, func(string) digest.Hash { return tableOf(t, now).Stripes[0].Roots[slot] }, protocol.ErrConflict},
		"a chunk of the commit before":  {c, id, func(string) digest.Hash { return stripe.Roots[slot] }, protocol.ErrConflict},
		"a chunk of a commit, brought again": {c, id, func(string) digest.Hash {
			data, err := o.relays[i].store.Get(stripe.Roots[slot])
			must(t, err)
			return put(c, id, slot, string(data))
		}, protocol.ErrConflict},
		"what is not here": {c, id, func(string) digest.Hash { return digest.Hash{5} }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			before := o.relays[i].store.Usage()
			root := one.bring(name)
			a, err := ask(one.by, one.volume, protocol.Request{Op: protocol.DeleteShard, Hashes: []digest.Hash{root}})
			if !errors.Is(err, one.want) || one.want == nil && (err != nil || !bytes.Equal(a.Data, []byte{1})) {
				t.Errorf("%+v %v, want %v", a, err, one.want)
			}
			if after := o.relays[i].store.Usage(); one.want == nil && after != before || one.want != nil && !o.relays[i].store.Has(root) {
				t.Errorf("%+v, before %+v", after, before)
			}
		})
	}
	some := []digest.Hash{put(c, id, slot, "1"), tableOf(t, now).Stripes[0].Roots[slot], put(c, id, slot, "2")}
	a, err := ask(c, id, protocol.Request{Op: protocol.DeleteShard, Hashes: some})
	if !errors.Is(err, protocol.ErrConflict) || !bytes.Equal(a.Data, []byte{5}) {
		t.Errorf("of three chunks: %+v %v", a, err)
	}
	if s, err := c.Open(t.Context(), id); err != nil || s.Read(t.Context(), "b", &bytes.Buffer{}) != nil {
		t.Errorf("what is committed is not read: %v", err)
	}
}

// stored is how much the relays hold.
func (w *world) stored() (bytes uint64) {
	for _, n := range w.relays {
		bytes += n.store.Usage().Bytes
	}
	return bytes
}

// An upload that comes to nothing leaves nothing on relays, unless it may go on: because the chain was told of it, or because the journal of a private volume
// remembers it, until it is given up. A runner's stays until it is collected.
//
// Spec: storage-cbfs §3.1 (two-step commit), §3.3 (DeleteShard).
func TestUploadsThatComeToNothing(t *testing.T) {
	o := overhear(t, 6)
	refused := errors.New("refused")
	for name, x := range map[string]struct{ private, journal, runner, told, stays bool }{
		"of a public volume":                 {},
		"of a private volume":                {private: true},
		"of a public volume with a journal":  {journal: true},
		"of a private volume with a journal": {private: true, journal: true, stays: true},
		"of a runner":                        {runner: true, stays: true},
		"after the chain was told":           {told: true, stays: true},
	} {
		t.Run(name, func(t *testing.T) {
			changes := []Change{file("a", random(uint64(len(name)), 900_000))} // chunks of its own
			id, c := o.create(strings.ReplaceAll(name, " ", "-"), x.private, 4, 2), o.client(ann)
			must(t, c.Apply(t.Context(), id, []Change{file("before", []byte("1"))}))
			o.confirmed(id)
			o.whole()
			if x.runner {
				o.grant(id, walletOf(201).Address(), cbfs.ReadWrite, "")
				c = o.client(walletOf(201))
			}
			if x.journal {
				c.Journal = Journal(t.TempDir())
			}
			before, want := o.stored(), error(ErrRelays)
			if x.told {
				o.refuse, want = func() error { return refused }, refused
				defer func() { o.refuse = nil }()
			} else {
				_, number, _ := o.holder(id)
				c.Least = 6
				o.hear(number, func(q *protocol.Request) *protocol.Answer {
					if q.Op == protocol.PutShard {
						return &protocol.Answer{Status: protocol.ErrCapacity}
					}
					return nil
				})
				defer o.hear(number, nil)
			}
			if err := c.Apply(t.Context(), id, changes); !errors.Is(err, want) {
				t.Fatal(err)
			}
			if after := o.stored(); (after > before) != x.stays || after < before {
				t.Errorf("%d bytes, before %d", after, before)
			}
			if !x.journal {
				return
			}
			if n, err := c.GiveUp(t.Context(), id, changes); err != nil || n != 6 || o.stored() != before {
				t.Errorf("given up: %d chunks, %v, %d bytes, before %d", n, err, o.stored(), before)
			}
			if left, err := os.ReadDir(string(c.Journal)); err != nil && !errors.Is(err, fs.ErrNotExist) || len(left) > 0 {
				t.Errorf("the journal has %v %v", left, err)
			}
		})
	}
	if _, err := o.client(walletOf(202)).GiveUp(t.Context(), o.create("hers", false, 4, 2), nil); !errors.Is(err, ErrToken) {
		t.Errorf("by another account: %v", err)
	}
}
