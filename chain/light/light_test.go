package light

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

func newcomer(n byte) account.Address { return account.Address{0: 0xaa, 19: n} }

// TestThreeEpochs follows a chain over three changes of its validator set, with members leaving and joining in each, and refuses the old sets' word.
// Spec: WP "Validator Set", §6.1; commonware §3.7, §4.3, §5.6.
func TestThreeEpochs(t *testing.T) {
	w := newWorld(t)
	c, err := New(chainID, w.state, 0)
	if err != nil {
		t.Fatal(err)
	}
	for epoch := range uint64(3) {
		members := w.members(epoch)
		joining, leaving := []account.Address{newcomer(byte(1 + 2*epoch)), newcomer(byte(2 + 2*epoch))}, members[:1]
		from := len(w.blocks)
		shares := w.shares
		w.epoch(epoch, joining, leaving)
		handover, err := NewHandover(w.state, epoch, c.Record())
		if err != nil {
			t.Fatal(err)
		}
		if handover, err = DecodeHandover(handover.Encode()); err != nil {
			t.Fatal(err)
		}
		for i := from; i < len(w.blocks); i++ {
			if err := c.Turn(handover); !errors.Is(err, ErrBoundary) {
				t.Fatalf("turned at height %d: %v", c.Head().Header().Height, err)
			}
			if _, err := c.Follow(w.blocks[i], w.proofs[i]); err != nil {
				t.Fatalf("height %d: %v", w.blocks[i].Height, err)
			}
		}
		if err := c.Turn(handover); err != nil {
			t.Fatal(err)
		}
		want := append(members[1:], joining...)
		slices.SortFunc(want, account.Address.Compare)
		if c.Epoch() != epoch+1 || !slices.Equal(w.members(epoch+1), want) || len(c.Set().Members) != len(want) {
			t.Errorf("epoch %d: %d members", c.Epoch(), len(c.Set().Members))
		}
		// The set before has no say in the new epoch: with its keys and shares it can make no header final.
		set, err := stake.SetAt(w.state, epoch)
		if err != nil {
			t.Fatal(err)
		}
		forged := &block.Header{Version: 1, ChainID: chainID, Height: params.Calendar{}.First(epoch + 1), Epoch: epoch + 1, View: 1}
		posing := *set // in the places of the new set
		posing.Members = append(slices.Clone(set.Members), c.Set().Members...)[:len(want)]
		current := w.shares
		w.shares = shares
		for _, s := range []*stake.Set{set, &posing} {
			if _, err := c.Follow(forged, w.certify(s, forged, sig.Finalization)); !errors.Is(err, ErrCertificate) {
				t.Errorf("epoch %d: the set of epoch %d is believed: %v", epoch+1, s.Epoch, err)
			}
		}
		w.shares = current
	}
	if got := len(c.Set().Members); got != 4+3*1 {
		t.Errorf("%d members in the end", got)
	}
}

// TestCarriedForward: without a ceremony a handover is the epoch's record alone. Spec: commonware §4.3 (failed ceremony).
func TestCarriedForward(t *testing.T) {
	w := newWorld(t)
	c, err := New(chainID, w.state, 0)
	if err != nil {
		t.Fatal(err)
	}
	w.block(1, nil)
	h, _ := w.block(params.Calendar{}.Last(0), nil)
	handover, err := NewHandover(w.state, 0, c.Record())
	if err != nil {
		t.Fatal(err)
	}
	if handover.Set != nil || handover.Sharing != nil {
		t.Error("an unchanged set is handed over")
	}
	// The last block of an epoch may be finalized in a later view.
	if _, err := c.Follow(h, w.later(h, 5)); err != nil {
		t.Fatal(err)
	}
	if err := c.Turn(handover); err != nil || c.Epoch() != 1 {
		t.Error(err)
	}
	if _, err := New(chainID, w.state, 9); !errors.Is(err, stake.ErrNoEpoch) {
		t.Errorf("starting in an epoch that is not there: %v", err)
	}
}

// later certifies a header in a later view than its own.
func (w *world) later(h *block.Header, views uint64) *sig.Certificate {
	set, err := stake.SetAt(w.state, h.Epoch)
	w.must(err)
	c := &sig.Certificate{Kind: sig.Finalization, Signers: sig.NewSigners(len(set.Members))}
	c.Subject = sig.Subject{BlockHash: h.Hash(), Height: uint64(h.Height), Round: sig.Round{Epoch: h.Epoch, View: h.View + views}}
	return w.sign(set, c)
}

// TestForged refuses headers and certificates that do not fit. Spec: WP §6.1; commonware §3.7.
func TestForged(t *testing.T) {
	w := newWorld(t)
	trusted := w.state
	first, firstProof := w.block(1, nil)
	h, certificate := w.block(2, nil)
	set, err := stake.SetAt(w.state, 0)
	if err != nil {
		t.Fatal(err)
	}
	resign := func(edit func(c *sig.Certificate)) *sig.Certificate {
		c := *certificate
		c.Signers = sig.NewSigners(c.Signers.Len())
		for _, m := range certificate.Signers.Members() {
			c.Signers.Add(m)
		}
		edit(&c)
		return &c
	}
	changed := *h
	changed.StateRoot[0]++
	foreign := *h
	foreign.ChainID = 2
	early := *h
	early.Epoch = 1
	late := *h
	late.Height = params.Calendar{}.First(1)
	zero := *h
	zero.Height = 0
	for name, x := range map[string]struct {
		header *block.Header
		proof  *sig.Certificate
		want   error
	}{
		"changed header":     {&changed, certificate, ErrCertificate},
		"changed and voted":  {&changed, resign(func(c *sig.Certificate) { c.Subject.BlockHash = changed.Hash() }), ErrCertificate},
		"another chain":      {&foreign, w.certify(set, &foreign, sig.Finalization), ErrHeader},
		"another epoch":      {&early, certificate, ErrEpoch},
		"height of another":  {&late, w.certify(set, &late, sig.Finalization), ErrEpoch},
		"genesis":            {&zero, w.certify(set, &zero, sig.Finalization), ErrHeader},
		"only notarized":     {h, w.certify(set, h, sig.Notarization), ErrCertificate},
		"nullified":          {h, w.certify(set, h, sig.Nullification), ErrCertificate},
		"of the parent":      {h, firstProof, ErrCertificate},
		"in a later view":    {h, w.later(h, 1), ErrCertificate},
		"below the quorum":   {h, resign(func(c *sig.Certificate) { c.Signers = sig.NewSigners(4); c.Signers.Add(0) }), ErrCertificate},
		"another's name":     {h, resign(func(c *sig.Certificate) { c.Signers.Add(3) }), ErrCertificate},
		"another set's size": {h, resign(func(c *sig.Certificate) { c.Signers = sig.NewSigners(5) }), ErrCertificate},
		"another seed":       {h, resign(func(c *sig.Certificate) { c.Seed = firstProof.Seed }), ErrCertificate},
		"as it is":           {h, certificate, nil},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := New(chainID, trusted, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := c.Follow(x.header, x.proof); !errors.Is(err, x.want) {
				t.Errorf("%s: %v, want %v", name, err, x.want)
			}
			if (c.Head().Header() != nil) != (x.want == nil) {
				t.Errorf("%s: head %v", name, c.Head().Header())
			}
		})
	}
	c, _ := New(chainID, trusted, 0)
	final, err := c.Follow(h, certificate)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Follow(first, firstProof); !errors.Is(err, ErrHeader) {
		t.Errorf("going back: %v", err)
	}
	if got, err := final.Ancestor(first); err != nil || got.Hash() != first.Hash() {
		t.Errorf("the parent: %v", err)
	}
	if _, err := final.Ancestor(&changed); !errors.Is(err, ErrAncestor) {
		t.Errorf("not the parent: %v", err)
	}
	if _, err := (Final{}).Ancestor(); !errors.Is(err, ErrAncestor) {
		t.Errorf("of nothing: %v", err)
	}
}

// TestHandover refuses what does not prove the next set. Spec: commonware §5.6.
func TestHandover(t *testing.T) {
	w := newWorld(t)
	c, err := New(chainID, w.state, 0)
	if err != nil {
		t.Fatal(err)
	}
	w.epoch(0, []account.Address{newcomer(1)}, nil)
	last := len(w.blocks) - 1
	if _, err := c.Follow(w.blocks[last], w.proofs[last]); err != nil {
		t.Fatal(err)
	}
	fresh := func() *Handover {
		h, err := NewHandover(w.state, 0, c.Record())
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	own := fresh().Set.Value
	for name, edit := range map[string]func(h *Handover){
		"no set":            func(h *Handover) { h.Set = nil },
		"no key":            func(h *Handover) { h.Sharing = nil },
		"own set":           func(h *Handover) { h.Set.Value = append(slices.Clone(own[:len(own)-1]), own[len(own)-1]^1) },
		"the key as set":    func(h *Handover) { h.Set = h.Sharing },
		"another record":    func(h *Handover) { h.Record = *h.Set },
		"absent":            func(h *Handover) { h.Record.Present = false },
		"record without it": func(h *Handover) { h.Record.Value = slices.Clone(h.Record.Value); h.Record.Value[0] = 0 },
		"proof cut":         func(h *Handover) { h.Set.Proof = h.Set.Proof[:len(h.Set.Proof)-1] },
	} {
		t.Run(name, func(t *testing.T) {
			h := fresh()
			edit(h)
			if err := c.Turn(h); !errors.Is(err, ErrHandover) || c.Epoch() != 0 {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	if err := c.Turn(fresh()); err != nil || len(c.Set().Members) != 5 {
		t.Error(err)
	}
	if err := c.Turn(fresh()); !errors.Is(err, ErrBoundary) {
		t.Errorf("twice: %v", err)
	}
}

// answered is a chain of one block with an account, an entry of an actor, and five transactions with their receipts.
type answered struct {
	*world
	final               Final
	rich, nobody, actor account.Address
	stored              []byte // the key of what the actor stored
	txs                 []*tx.Tx
	hashes              []digest.Hash
	receipts            []*block.Receipt
}

func answers(t *testing.T) *answered {
	t.Helper()
	w := &answered{world: newWorld(t), rich: newcomer(7), nobody: newcomer(8), actor: newcomer(9)}
	c, err := New(chainID, w.state, 0)
	w.must(err)
	w.stored = account.Key(account.KindStorage, w.actor, []byte("greeting")...)
	for i := range byte(5) {
		x := &tx.Tx{ChainID: chainID, Nonce: uint64(i), Instruction: &tx.Transfer{To: w.rich, Amount: unit.Amount(i)}, From: w.nobody}
		w.txs, w.hashes = append(w.txs, x), append(w.hashes, x.SigningHash())
		w.receipts = append(w.receipts, &block.Receipt{ID: x.SigningHash(), Sender: w.nobody, Target: w.rich, CyclesUsed: unit.Cycles(i)})
	}
	w.block(1, func(g *stake.Registry) {
		a := account.Account{Balance: 42, Nonce: 3}
		g.State.Set(w.rich.Key(), a.Encode())
		g.State.Set(w.stored, []byte("hello"))
		g.State.Set(account.Key(account.KindRecord, w.actor, []byte("kept")...), []byte("record"))
	})
	h := w.blocks[0]
	h.TxRoot, h.TxCount, h.ReceiptRoot = block.TxRoot(w.hashes), uint32(len(w.txs)), block.ReceiptRoot(w.receipts)
	set, err := stake.SetAt(w.state, 0)
	w.must(err)
	w.final, err = c.Follow(h, w.certify(set, h, sig.Finalization))
	w.must(err)
	return w
}

// ask proves an entry of the state.
func (w *answered) ask(key []byte) *Entry {
	e, err := Prove(w.state, key)
	w.must(err)
	return e
}

// TestAnswers verifies accounts and storage of a final block, present and absent, and refuses each when anything is changed.
// Spec: WP §2.5; commonware §5.6, §6.
func TestAnswers(t *testing.T) {
	w := answers(t)
	if a, ok, err := w.final.Account(w.rich, w.ask(w.rich.Key())); err != nil || !ok || a.Balance != 42 || a.Nonce != 3 {
		t.Errorf("account %+v %v %v", a, ok, err)
	}
	if _, ok, err := w.final.Account(w.nobody, w.ask(w.nobody.Key())); err != nil || ok {
		t.Errorf("an absent account: %v %v", ok, err)
	}
	if v, ok, err := w.final.Storage(w.actor, []byte("greeting"), w.ask(w.stored)); err != nil || !ok || string(v) != "hello" {
		t.Errorf("storage %q %v %v", v, ok, err)
	}
	recordKey := func(name string) []byte { return account.Key(account.KindRecord, w.actor, []byte(name)...) }
	if v, ok, err := w.final.Record(w.actor, []byte("kept"), w.ask(recordKey("kept"))); err != nil || !ok || string(v) != "record" {
		t.Errorf("a record %q %v %v", v, ok, err)
	}
	if v, ok, err := w.final.Record(w.actor, []byte("greeting"), w.ask(recordKey("greeting"))); err != nil || ok || v != nil {
		t.Errorf("an absent record %q %v %v", v, ok, err)
	}
	if _, _, err := w.final.Record(w.actor, []byte("greeting"), w.ask(w.stored)); !errors.Is(err, ErrProof) {
		t.Errorf("an entry of storage as a record: %v", err)
	}
	wrong := account.Account{Balance: 43, Nonce: 3}
	for name, x := range map[string]struct {
		addr account.Address
		edit func(e *Entry)
	}{
		"another balance":   {w.rich, func(e *Entry) { e.Value = wrong.Encode() }},
		"another account":   {w.nobody, func(*Entry) {}},
		"denied":            {w.rich, func(e *Entry) { e.Present, e.Value = false, nil }},
		"another's absence": {w.rich, func(e *Entry) { *e = *w.ask(w.nobody.Key()) }},
		"no proof":          {w.rich, func(e *Entry) { e.Proof = nil }},
		"bit of the proof":  {w.rich, func(e *Entry) { e.Proof = slices.Clone(e.Proof); e.Proof[40] ^= 4 }},
	} {
		t.Run(name, func(t *testing.T) {
			e := w.ask(w.rich.Key())
			x.edit(e)
			if _, _, err := w.final.Account(x.addr, e); !errors.Is(err, ErrProof) {
				t.Error(err)
			}
		})
	}
	absent := w.ask(w.nobody.Key())
	absent.Value = []byte{1}
	if _, _, err := w.final.Account(w.nobody, absent); !errors.Is(err, ErrProof) {
		t.Errorf("an absent account with a value: %v", err)
	}
}

// TestTransactionsAndReceipts verifies those of a final block by their places, and refuses any other.
// Spec: WP §2.5; commonware §6.
func TestTransactionsAndReceipts(t *testing.T) {
	w := answers(t)
	for i := range uint32(len(w.txs)) {
		p, err := ProveTransaction(w.hashes, i)
		if err != nil {
			t.Fatal(err)
		}
		q, err := ProveReceipt(w.receipts, i)
		if err != nil {
			t.Fatal(err)
		}
		other := (i + 1) % uint32(len(w.txs))
		for name, x := range map[string]struct {
			err  error
			want error
		}{
			"transaction":                  {w.final.Transaction(w.txs[i], i, p), nil},
			"receipt":                      {w.final.Receipt(w.receipts[i], i, q), nil},
			"transaction elsewhere":        {w.final.Transaction(w.txs[i], other, p), ErrProof},
			"another transaction":          {w.final.Transaction(w.txs[other], i, p), ErrProof},
			"another receipt":              {w.final.Receipt(w.receipts[other], i, q), ErrProof},
			"a receipt among transactions": {w.final.Receipt(w.receipts[i], i, p), ErrProof},
			"nothing final":                {Final{}.Transaction(w.txs[i], i, p), ErrProof},
			"nothing final, receipt":       {Final{}.Receipt(w.receipts[i], i, q), ErrProof},
			"nothing final, state":         {Final{}.Lookup(w.rich.Key(), w.ask(w.rich.Key())), ErrProof},
		} {
			t.Run(fmt.Sprintf("%s %d", name, i), func(t *testing.T) {
				if !errors.Is(x.err, x.want) {
					t.Error(x.err)
				}
			})
		}
		p.LeafCount++
		if err := w.final.Transaction(w.txs[i], i, p); !errors.Is(err, ErrProof) {
			t.Errorf("another count: %v", err)
		}
	}
}

func FuzzDecodeHandover(f *testing.F) {
	w := newWorld(f)
	c, err := New(chainID, w.state, 0)
	if err != nil {
		f.Fatal(err)
	}
	w.epoch(0, []account.Address{newcomer(1)}, nil)
	last := len(w.blocks) - 1
	if _, err := c.Follow(w.blocks[last], w.proofs[last]); err != nil {
		f.Fatal(err)
	}
	h, err := NewHandover(w.state, 0, c.Record())
	if err != nil {
		f.Fatal(err)
	}
	good := h.Encode()
	f.Add(good)
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := DecodeHandover(data)
		if err != nil {
			return
		}
		if !slices.Equal(h.Encode(), data) {
			t.Errorf("%x encodes differently", data)
		}
		client := *c
		if err := client.Turn(h); err == nil && !slices.Equal(data, good) {
			t.Errorf("another handover is believed: %x", data)
		}
	})
}

// BenchmarkLight is what following costs: a header, and an epoch's change.
func BenchmarkLight(b *testing.B) {
	w := newWorld(b)
	trusted := w.state
	w.epoch(0, []account.Address{newcomer(1)}, nil)
	last := len(w.blocks) - 1
	c, err := New(chainID, trusted, 0)
	if err != nil {
		b.Fatal(err)
	}
	handover, err := NewHandover(w.state, 0, c.Record())
	if err != nil {
		b.Fatal(err)
	}
	b.Run(fmt.Sprintf("op=follow/n=%d", 4), func(b *testing.B) {
		for b.Loop() {
			client := *c
			if _, err := client.Follow(w.blocks[last], w.proofs[last]); err != nil {
				b.Fatal(err)
			}
		}
	})
	if _, err := c.Follow(w.blocks[last], w.proofs[last]); err != nil {
		b.Fatal(err)
	}
	b.Run(fmt.Sprintf("op=turn/n=%d", 5), func(b *testing.B) {
		b.ReportMetric(float64(len(handover.Encode())), "bytes")
		for b.Loop() {
			client := *c
			if err := client.Turn(handover); err != nil {
				b.Fatal(err)
			}
		}
	})
}
