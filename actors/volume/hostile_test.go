package volume

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/volume"
)

// grant mints a token of ann's volume.
func (w *world) grant(id digest.Hash, to account.Address, mode cbfs.Mode, prefix string) (token [cbfs.TokenIDSize]byte) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	token, err := w.manager.Grant(ann.Address(), id, digest.Hash{byte(mode) + 1}, volume.Permission{
		Grantee: to, Mode: mode, Prefix: prefix, MaxBytes: 1 << 20, Until: w.manager.Height + 100_000,
	})
	must(w.t, err)
	return token
}

// Whoever is let in holds a token as the chain has it, in its time, for this volume and this right, with the key of the connection. Anything else is
// ErrAuth, and what is no token ErrInvalid.
//
// Spec: storage-cbfs §2.5, §3.3.
func TestWhoIsLetIn(t *testing.T) {
	w := newWorld(t, 6)
	c := w.client(ann)
	id, other := w.create("mine", true, 4, 2), w.create("other", true, 4, 2)
	must(t, c.Apply(t.Context(), id, []Change{file("a", []byte("b"))}))
	bob := walletOf(201)
	token := w.grant(id, bob.Address(), cbfs.ReadOnly, "")
	v, err := w.Volume(t.Context(), id)
	must(t, err)
	r, err := w.Relay(t.Context(), v.Slots[0].Relay)
	must(t, err)
	b := w.client(bob)
	b.open()
	right, err := b.credit(v, false)
	must(t, err)
	if *right.id != token {
		t.Fatal("another token")
	}
	get := func() *protocol.Request {
		return &protocol.Request{Op: protocol.GetShard, Volume: id, Token: right.token, Certificate: right.certificate}
	}
	w.until("the token is known", func() bool { _, err := b.pool.Ask(t.Context(), r, get()); return err == nil })
	changed := func(raw []byte, at int) []byte {
		raw = bytes.Clone(raw)
		raw[at] ^= 1
		return raw
	}
	cert := func(change func(c *cbfs.Certificate)) []byte {
		one := b.certificate()
		change(&one)
		one.Signature = bob.Sign(one.Hash())
		return one.Encode()
	}
	c.open()
	owners, err := c.credit(v, true)
	must(t, err)
	for name, one := range map[string]struct {
		change func(q *protocol.Request)
		status protocol.Status
	}{
		"right":                    {func(*protocol.Request) {}, protocol.Ok},
		"no token":                 {func(q *protocol.Request) { q.Token = nil }, protocol.ErrAuth},
		"a byte of its secret off": {func(q *protocol.Request) { q.Token = changed(q.Token, 20) }, protocol.ErrAuth},
		"its last byte off":        {func(q *protocol.Request) { q.Token = changed(q.Token, len(q.Token)-1) }, protocol.ErrAuth},
		"a byte less":              {func(q *protocol.Request) { q.Token = q.Token[:len(q.Token)-1] }, protocol.ErrInvalid},
		"of no version":            {func(q *protocol.Request) { q.Token = append([]byte{2}, q.Token[1:]...) }, protocol.ErrInvalid},
		"no certificate":           {func(q *protocol.Request) { q.Certificate = nil }, protocol.ErrInvalid},
		"a byte of its signature":  {func(q *protocol.Request) { q.Certificate = changed(q.Certificate, len(q.Certificate)-5) }, protocol.ErrAuth},
		"of another network":       {func(q *protocol.Request) { q.Certificate = cert(func(c *cbfs.Certificate) { c.ChainID++ }) }, protocol.ErrAuth},
		"that is over":             {func(q *protocol.Request) { q.Certificate = cert(func(c *cbfs.Certificate) { c.ExpiresMs = 1 }) }, protocol.ErrAuth},
		"of another key":           {func(q *protocol.Request) { q.Certificate = cert(func(c *cbfs.Certificate) { c.Key[0]++ }) }, protocol.ErrAuth},
		"the owner's, captured":    {func(q *protocol.Request) { q.Token = owners.token }, protocol.ErrAuth},
		"another volume's":         {func(q *protocol.Request) { q.Volume = other }, protocol.ErrAuth},
		"no volume's":              {func(q *protocol.Request) { q.Volume = digest.Hash{1} }, protocol.ErrNotFound},
		"to write":                 {func(q *protocol.Request) { q.Op, q.Data = protocol.PutShard, []byte{1} }, protocol.ErrAuth},
		"a chunk there is none of": {func(q *protocol.Request) { q.Number = 9 }, protocol.ErrNotFound},
		"a root there is none of":  {func(q *protocol.Request) { q.Root = digest.Hash{1} }, protocol.ErrNotFound},
		"a range behind the end":   {func(q *protocol.Request) { q.Offset = 1 << 21 }, protocol.ErrInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			q := get()
			one.change(q)
			a, err := b.pool.Ask(t.Context(), r, q)
			if one.status == protocol.Ok && err == nil && len(a.Data) > 0 {
				return
			}
			if !errors.Is(err, one.status) {
				t.Errorf("%+v %v, want %v", a, err, one.status)
			}
		})
	}
	w.until("it is read with the token", func() bool {
		got, err := read(t.Context(), b, id, "a")
		return err == nil && string(got) == "b"
	})
	if err := b.Apply(t.Context(), id, []Change{file("c", nil)}); !errors.Is(err, ErrToken) {
		t.Error(err)
	}
	w.mu.Lock()
	must(t, w.manager.Revoke(ann.Address(), token))
	w.mu.Unlock()
	w.until("a revoked token lets nobody in", func() bool {
		_, err := b.pool.Ask(t.Context(), r, get())
		return errors.Is(err, protocol.ErrAuth)
	})
}

// A key that its wallet has revoked lets nobody in any more once relays have looked again: neither with the owner's tokens nor with one of the chain. Another
// key of the same wallet goes on.
//
// Spec: storage-cbfs §2.2 (ras:revocation), §2.5 (DelegationCert).
func TestRevokedKeysLetNobodyIn(t *testing.T) {
	w := newWorld(t, 6)
	owner, again := w.client(ann), w.client(ann)
	id, bob := w.create("mine", true, 4, 2), walletOf(201)
	must(t, owner.Apply(t.Context(), id, []Change{file("a", []byte("b"))}))
	w.grant(id, bob.Address(), cbfs.ReadOnly, "")
	v, err := w.Volume(t.Context(), id)
	must(t, err)
	r, err := w.Relay(t.Context(), v.Slots[0].Relay)
	must(t, err)
	granted := w.client(bob)
	asks := func(c *Client) func() error {
		c.open()
		one, err := c.credit(v, false)
		must(t, err)
		return func() error {
			_, err := c.pool.Ask(t.Context(), r, &protocol.Request{Op: protocol.GetShard, Volume: id, Token: one.token, Certificate: one.certificate})
			return err
		}
	}
	owners, others, bobs := asks(owner), asks(again), asks(granted)
	w.until("the owner, her other key and bob are let in", func() bool { return errors.Join(owners(), others(), bobs()) == nil })
	w.mu.Lock()
	must(t, w.manager.RevokeKey(ann.Address(), digest.Hash(owner.wire.Public().(ed25519.PublicKey))))
	must(t, w.manager.RevokeKey(bob.Address(), digest.Hash(granted.wire.Public().(ed25519.PublicKey))))
	w.mu.Unlock()
	w.jump.Add(int64(reach.RefreshAfter))
	for name, ask := range map[string]func() error{"the owner": owners, "bob": bobs} {
		t.Run(name, func(t *testing.T) {
			if err := ask(); !errors.Is(err, protocol.ErrAuth) {
				t.Error(err)
			}
		})
	}
	if err := others(); err != nil {
		t.Errorf("a key that was not revoked: %v", err)
	}
}

// Whoever writes with a token stays below its prefix, and a path with dots is none.
//
// Spec: storage-cbfs §2.1, §2.5.
func TestPrefixAndPaths(t *testing.T) {
	w := newWorld(t, 6)
	id, bob := w.create("docs", false, 4, 2), walletOf(201)
	w.grant(id, bob.Address(), cbfs.ReadWrite, "logs")
	b := w.client(bob)
	must(t, b.Apply(t.Context(), id, []Change{file("logs/a", []byte("1"))}))
	for path, want := range map[string]error{
		"log": ErrToken, "logs2/a": ErrToken, "a": ErrToken, "logs/../a": cbfs.ErrPath, "/logs/a": cbfs.ErrPath, "logs//a": cbfs.ErrPath,
		"logs/.": cbfs.ErrPath,
	} {
		t.Run(path, func(t *testing.T) {
			if err := b.Apply(t.Context(), id, []Change{file(path, nil)}); !errors.Is(err, want) {
				t.Error(err)
			}
		})
	}
	if err := b.Apply(t.Context(), id, []Change{file("logs/a/b", nil)}); !errors.Is(err, cbfs.ErrPath) {
		t.Error(err)
	}
	if err := b.Apply(t.Context(), id, []Change{file("logs/large", make([]byte, 1<<20))}); err == nil {
		t.Error("the volume grows by more than max_bytes")
	}
}

// Relays look at the chain once a second at most, whoever asks: a token that is granted just after such a look is taken all the same, a moment later.
//
// Spec: storage-cbfs §2.5, §3.4.
func TestTokensOfThisMoment(t *testing.T) {
	w := newWorld(t, 6)
	id := w.create("docs", false, 4, 2)
	for n := byte(201); n < 204; n++ {
		who, prefix := walletOf(n), fmt.Sprint("logs", n)
		w.grant(id, who.Address(), cbfs.ReadWrite, prefix)
		must(t, w.client(who).Apply(t.Context(), id, []Change{file(prefix+"/a", []byte("1"))}))
	}
}

// What relays give wrongly is not believed, and mended: one has rotten chunks, one has thrown away what it confirmed. Both answer challenges afterwards.
//
// Spec: storage-cbfs §4 (self-heal), §6.
func TestRottenAndEmptyRelays(t *testing.T) {
	w := newWorld(t, 6)
	c := w.client(ann)
	id, data := w.create("docs", false, 4, 2), random(9, 5<<20)
	must(t, c.Apply(t.Context(), id, []Change{file("a", data)}))
	w.confirmed(id)
	v, err := w.Volume(t.Context(), id)
	must(t, err)
	for _, n := range w.relays {
		slot := v.Holds(n.self)[0]
		if slot > 1 {
			continue
		}
		files, err := filepath.Glob(filepath.Join(n.dir, "chunks", "*", "*"))
		must(t, err)
		for _, name := range files {
			if slot == 0 {
				must(t, os.WriteFile(name, []byte("rotten"), 0o600))
			} else {
				must(t, os.Remove(name))
			}
		}
	}
	reader := w.client(ann) // which reads the manifest too, and waits for slot 0 with each stripe: so it comes upon all that is rotten
	reader.Late = time.Minute
	if got, err := read(t.Context(), reader, id, "a"); err != nil || !bytes.Equal(got, data) {
		t.Error(len(got), err)
	}
	for _, slot := range []uint8{0, 1} {
		w.mu.Lock()
		_, err := w.registry.Challenge(ann.Address(), id, slot, w.registry.Terms.Proof.Bond+w.registry.Terms.Proof.Fee)
		w.mu.Unlock()
		must(t, err)
		w.until("the challenge is answered", func() bool {
			r, err := w.Relay(t.Context(), v.Slots[slot].Relay)
			must(t, err)
			return len(r.Challenges) == 0
		})
	}
	w.until("all chunks are back", func() bool {
		for _, n := range w.relays {
			files, err := filepath.Glob(filepath.Join(n.dir, "chunks", "*", "*"))
			must(t, err)
			for _, name := range files {
				if data, err := chunkIn(name); err != nil || cbfs.ChunkRoot(data).Hex() != filepath.Base(name) {
					return false
				}
			}
			if len(files) != 3 { // of the manifest, and of two stripes
				return false
			}
		}
		return true
	})
}

// A power cut between the two steps loses nothing that was anchored, and whoever puts the same again sends only what is not there.
//
// Spec: storage-cbfs §3.1 (two-step commit).
func TestPowerCutBetweenTheSteps(t *testing.T) {
	w := newWorld(t, 6)
	c := w.client(ann)
	c.Journal = Journal(t.TempDir())
	id, data := w.create("docs", true, 4, 2), random(11, 6<<20)
	must(t, c.Apply(t.Context(), id, []Change{file("a", []byte("before"))}))
	cut := errors.New("the power is cut")
	w.refuse = func() error { return cut }
	if err := c.Apply(t.Context(), id, []Change{file("a", data)}); !errors.Is(err, cut) {
		t.Fatal(err)
	}
	if got, err := read(t.Context(), c, id, "a"); err != nil || string(got) != "before" {
		t.Errorf("%q %v", got, err)
	}
	held := func() (n uint64) {
		for _, one := range w.relays {
			n += one.store.Usage().Chunks
		}
		return n
	}
	w.refuse = nil
	before := held()
	again := w.client(ann)
	again.Journal = c.Journal
	must(t, again.Apply(t.Context(), id, []Change{file("a", data)}))
	if got := held() - before; got != 6 {
		t.Errorf("%d chunks were new, want those of the manifest", got)
	}
	if got, err := read(t.Context(), c, id, "a"); err != nil || !bytes.Equal(got, data) {
		t.Error(len(got), err)
	}
	left, err := os.ReadDir(string(c.Journal))
	if err != nil || len(left) != 0 {
		t.Error(left, err)
	}
}

// Of two that commit at a time both are heard.
//
// Spec: storage-cbfs §3.1.
func TestTwoWriters(t *testing.T) {
	w := newWorld(t, 6)
	id := w.create("docs", false, 4, 2)
	c, other := w.client(ann), w.client(ann)
	first := true
	w.refuse = func() error {
		if first {
			first = false
			w.mu.Unlock()
			defer w.mu.Lock()
			must(t, other.Apply(t.Context(), id, []Change{file("b", []byte("2"))}))
			return ErrConflict
		}
		w.refuse = nil
		return ErrConflict
	}
	must(t, c.Apply(t.Context(), id, []Change{file("a", []byte("1"))}))
	for path, want := range map[string]string{"a": "1", "b": "2"} {
		t.Run(path, func(t *testing.T) {
			if got, err := read(t.Context(), c, id, path); err != nil || string(got) != want {
				t.Errorf("%q %v", got, err)
			}
		})
	}
}

// Whoever says to be a relay has the relay's key, has signed the moment, and holds a slot.
//
// Spec: storage-cbfs §3.3 (RelayHandshake).
func TestRelaysAmongThemselves(t *testing.T) {
	w := newWorld(t, 7)
	c := w.client(ann)
	id := w.create("mine", true, 4, 2)
	must(t, c.Apply(t.Context(), id, []Change{file("a", []byte("b"))}))
	v, err := w.Volume(t.Context(), id)
	must(t, err)
	r, err := w.Relay(t.Context(), v.Slots[0].Relay)
	must(t, err)
	for i, n := range w.relays {
		number := byte(i + 1)
		late := func() time.Time { return time.Now().Add(-31 * time.Second) }
		for name, one := range map[string]struct {
			pool *reach.Pool
			ok   bool
		}{
			"itself":       {&reach.Pool{Key: seedOf(number), Node: digest.Hash{number}, Self: n.self, Now: time.Now}, len(v.Holds(n.self)) > 0},
			"too late":     {&reach.Pool{Key: seedOf(number), Node: digest.Hash{number}, Self: n.self, Now: late}, false},
			"another key":  {&reach.Pool{Key: seedOf(99), Node: digest.Hash{number}, Self: n.self, Now: time.Now}, false},
			"another node": {&reach.Pool{Key: seedOf(number), Node: digest.Hash{98}, Self: n.self, Now: time.Now}, false},
			"nobody":       {&reach.Pool{Key: ed25519.PrivateKey(seedOf(97)), Now: time.Now}, false},
		} {
			t.Run(name, func(t *testing.T) {
				defer one.pool.Close()
				_, err := one.pool.Ask(context.Background(), r, &protocol.Request{Op: protocol.GetShard, Volume: id, Root: v.Root})
				if (err == nil) != one.ok || err != nil && !errors.Is(err, protocol.ErrAuth) {
					t.Errorf("relay %d: %v", number, err)
				}
			})
		}
	}
}

// A public volume is read by whoever asks, its first chunk, a range and a proof of a block, which the chain's own rule takes.
//
// Spec: storage-cbfs §3.3 (GetManifest: no token; ProveShard), §6.
func TestPublicVolumeIsReadByAnybody(t *testing.T) {
	w := newWorld(t, 6)
	c := w.client(ann)
	id := w.create("open", false, 4, 2)
	must(t, c.Apply(t.Context(), id, []Change{file("a", random(4, 3_000))}))
	w.confirmed(id)
	v, err := w.Volume(t.Context(), id)
	must(t, err)
	r, err := w.Relay(t.Context(), v.Slots[2].Relay)
	must(t, err)
	nobody := &reach.Pool{Key: seedOf(96), Now: time.Now}
	defer nobody.Close()
	first, err := nobody.Ask(t.Context(), r, &protocol.Request{Op: protocol.GetManifest, Volume: id})
	must(t, err)
	if first.Total != 2 || first.Version != v.Version || len(first.Hashes) != 1 || first.Hashes[0] != v.Root {
		t.Errorf("%+v", first)
	}
	part, err := nobody.Ask(t.Context(), r, &protocol.Request{Op: protocol.GetShard, Volume: id, Root: v.Root, Slot: 2, Offset: 3, Length: 5})
	if err != nil || !bytes.Equal(part.Data, first.Data[3:8]) || part.Total != uint64(len(first.Data)) {
		t.Errorf("%+v %v", part, err)
	}
	ask := cbfs.Ask{Root: v.Root, Slot: 2, Ordinal: 1, Draw: 77}
	a, err := nobody.Ask(t.Context(), r, &protocol.Request{Op: protocol.ProveShard, Volume: id, Root: v.Root, Slot: 2, Number: 1, Offset: 77})
	must(t, err)
	p, err := cbfs.DecodeProof(a.Data)
	if err != nil || p.Verify(ask) != nil {
		t.Error(err)
	}
	if ask.Ordinal = 0; p.Verify(ask) == nil {
		t.Error("it proves another chunk too")
	}
	put := &protocol.Request{Op: protocol.PutShard, Volume: id, Slot: 2, Data: []byte{1}}
	if _, err := nobody.Ask(t.Context(), r, put); !errors.Is(err, protocol.ErrAuth) {
		t.Error(err)
	}
}

// A slot that is not the relay's, a change that is none or makes another root, one of an older placement or of a base that the relay has not, and a part that
// follows on nothing are refused; nothing of them is kept.
//
// Spec: storage-cbfs §3.3 (PutPlacement, expected_version), §9.
func TestWhatIsNotTaken(t *testing.T) {
	w := newWorld(t, 6)
	c := w.client(ann)
	id := w.create("docs", false, 4, 2)
	c.open()
	v, err := w.Volume(t.Context(), id)
	must(t, err)
	r, err := w.Relay(t.Context(), v.Slots[0].Relay)
	must(t, err)
	table := &protocol.Table{K: 4, M: 2, Stripes: []protocol.Stripe{{Size: 1, Roots: make([]digest.Hash, 6)}}}
	encode := func(k, m uint8, count uint64, list ...protocol.Numbered) []byte {
		return (&protocol.Change{K: k, M: m, Count: count, List: list}).Encode()
	}
	at := func(number uint64, size uint32) protocol.Numbered {
		return protocol.Numbered{Number: number, Stripe: protocol.Stripe{Size: size, Roots: make([]digest.Hash, 6)}}
	}
	raw, root := encode(4, 2, 1, at(0, 1)), table.Root()
	other := &protocol.Table{K: 2, M: 4, Stripes: table.Stripes}
	part := func(root digest.Hash, version, total, offset uint64, data []byte) protocol.Request {
		return protocol.Request{Op: protocol.PutPlacement, Root: root, Version: version, Total: total, Offset: offset, Data: data}
	}
	all := func(data []byte, bases ...digest.Hash) protocol.Request {
		q := part(root, 1, uint64(len(data)), 0, data)
		q.Hashes = bases
		return q
	}
	whole := uint64(len(raw))
	for name, one := range map[string]struct {
		q      protocol.Request
		status protocol.Status
	}{
		"another slot":        {protocol.Request{Op: protocol.PutShard, Slot: 1, Data: []byte{1}}, protocol.ErrInvalid},
		"no slot":             {protocol.Request{Op: protocol.PutShard, Slot: 9, Data: []byte{1}}, protocol.ErrInvalid},
		"an empty chunk":      {protocol.Request{Op: protocol.PutShard}, protocol.ErrInvalid},
		"another root":        {part(digest.Hash{1}, 1, whole, 0, raw), protocol.ErrInvalid},
		"another code":        {part(other.Root(), 1, whole, 0, encode(2, 4, 1, at(0, 1))), protocol.ErrInvalid},
		"a base it has not":   {all(raw, digest.Hash{1}), protocol.ErrNotFound},
		"two bases":           {all(raw, digest.Hash{}, digest.Hash{}), protocol.ErrInvalid},
		"numbers that fall":   {all(encode(4, 2, 2, at(1, 1), at(0, 1))), protocol.ErrInvalid},
		"a number twice":      {all(encode(4, 2, 2, at(0, 1), at(0, 1))), protocol.ErrInvalid},
		"a gap":               {all(encode(4, 2, 3, at(0, 1), at(2, 1))), protocol.ErrInvalid},
		"the last is not in":  {all(encode(4, 2, 2, at(0, 1))), protocol.ErrInvalid},
		"beyond the table":    {all(encode(4, 2, 1, at(0, 1), at(1, 1))), protocol.ErrInvalid},
		"too many stripes":    {all(encode(4, 2, protocol.MaxStripes+1, at(0, 1))), protocol.ErrInvalid},
		"an empty stripe":     {all(encode(4, 2, 1, at(0, 0))), protocol.ErrInvalid},
		"a chunk too large":   {all(encode(4, 2, 1, at(0, cbfs.ChunkBytes+1))), protocol.ErrInvalid},
		"nothing":             {all(encode(4, 2, 0)), protocol.ErrInvalid},
		"another placement":   {part(root, 2, whole, 0, raw), protocol.ErrConflict},
		"a part in the midst": {part(root, 1, 100, 50, raw[:9]), protocol.ErrInvalid},
		"more than its whole": {part(root, 1, 9, 0, raw), protocol.ErrInvalid},
		"a change too large":  {part(root, 1, protocol.MaxChange+1, 0, raw), protocol.ErrInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			q := one.q
			q.Volume = id
			must(t, c.let(v, true)(&q))
			if _, err := c.pool.Ask(t.Context(), r, &q); !errors.Is(err, one.status) {
				t.Errorf("%v, want %v", err, one.status)
			}
		})
	}
	for _, n := range w.relays {
		if u := n.store.Usage(); u.Bytes != 0 {
			t.Errorf("%+v", u)
		}
	}
}
