package block

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const testChain = 1

// offer describes a signed test transaction; zero fields take defaults.
type offer struct {
	key      byte
	nonce    uint64
	to       byte
	cycles   unit.Cycles // limit
	maxFee   uint64      // per cycle
	tip      uint64      // per cycle
	in       tx.Instruction
	metadata int
}

func key(t testing.TB, b byte) *sig.PrivateKey {
	t.Helper()
	k, err := sig.ParsePrivateKey(bytes.Repeat([]byte{b}, 32))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func (o offer) sign(t testing.TB) tx.Verified {
	t.Helper()
	k := key(t, o.key)
	if o.in == nil {
		o.in = &tx.Transfer{To: account.Address{o.to}, Amount: 1}
	}
	if o.cycles == 0 {
		o.cycles = 21_000
	}
	if o.maxFee == 0 {
		o.maxFee = 100_000
	}
	x := &tx.Tx{
		ChainID: testChain, Nonce: o.nonce, Instruction: o.in, CyclesLimit: o.cycles, CellsLimit: 200_000,
		MaxFeePerCycle: o.maxFee, MaxFeePerCell: 100_000, MaxPriorityFeePerCycle: o.tip, From: k.Address(),
		Metadata: make([]byte, o.metadata),
	}
	x.Signature = k.Sign(x.SigningHash())
	v, err := tx.Verify(x, testChain, sig.Default())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func limits(t testing.TB) Limits {
	t.Helper()
	l, err := NewLimits(params.Genesis(), params.GenesisBasefees(), 0)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func header() *Header {
	voters := sig.NewSigners(5)
	for i := range 4 {
		voters.Add(i)
	}
	late := sig.NewSigners(5)
	late.Add(4)
	return &Header{
		ParentVotes: &sig.Votes{Signers: voters, Aggregate: sig.BLSSignature{10}},
		LateVotes:   []sig.LateVotes{{Height: 298, Kind: sig.Finalization, Votes: sig.Votes{Signers: late, Aggregate: sig.BLSSignature{11}}}},
		Version:     params.ProtocolVersion, ChainID: 1, Height: 300, Epoch: 0, View: 301, ParentView: 299, ParentHash: digest.Hash{1},
		TimestampMs: 1_781_136_000_000, ProposerIndex: 2, Proposer: account.Address{3},
		ParentSeed: &sig.Seed{Round: sig.Round{View: 300}, Signature: sig.BLSSignature{4}},
		VRFProof:   sig.BLSSignature{5}, VRFOutput: digest.Hash{6}, TxRoot: digest.Hash{7}, ReceiptRoot: digest.Hash{8},
		StateRoot: digest.Hash{9}, CycleBasefee: 10_000, CellBasefee: 10_001, CyclesUsed: 1, CellsUsed: 2, TxCount: 3,
	}
}

// Spec: WP §2.5; commonware §3.7 (the header binds its rounds).
func TestHeaderEncoding(t *testing.T) {
	h := header()
	back, err := DecodeHeader(h.Encode())
	if err != nil || !reflect.DeepEqual(back, h) || back.Hash() != digest.Keccak256(h.Encode()) {
		t.Errorf("%+v, %v", back, err)
	}
	none := *h
	none.ParentSeed, none.ParentVotes, none.LateVotes = nil, nil, nil
	if back, err := DecodeHeader(none.Encode()); err != nil || back.ParentSeed != nil || back.ParentVotes != nil || back.LateVotes != nil {
		t.Errorf("without seed and votes: %v", err)
	}
	many := *h
	many.ParentVotes = &sig.Votes{Signers: sig.NewSigners(sig.MaxVoters + 1)}
	if _, err := DecodeHeader(many.Encode()); !errors.Is(err, codec.ErrLength) {
		t.Errorf("votes of too many: %v", err)
	}
	// An entry is at least a byte of height, one of kind, eight of length and 96 of signature; 3,072 bytes are 28 of those and 104 bytes.
	for count, want := range map[int]error{28: nil, 29: codec.ErrLength} {
		t.Run(fmt.Sprint(count), func(t *testing.T) {
			many := *h
			many.LateVotes = make([]sig.LateVotes, count)
			if _, err := DecodeHeader(many.Encode()); !errors.Is(err, want) {
				t.Errorf("%d late votes: %v", count, err)
			}
		})
	}
	strange := *h
	strange.LateVotes = []sig.LateVotes{{Height: 298, Kind: sig.Finalization + 1}}
	if _, err := DecodeHeader(strange.Encode()); !errors.Is(err, codec.ErrEnum) {
		t.Errorf("late votes of another kind: %v", err)
	}
	raw := h.Encode()
	for cut := range raw {
		if _, err := DecodeHeader(raw[:cut]); !errors.Is(err, codec.ErrShort) {
			t.Fatalf("cut at %d: %v", cut, err)
		}
	}
	if _, err := DecodeHeader(append(raw, 0)); !errors.Is(err, codec.ErrTrailing) {
		t.Error(err)
	}
	// Every field is part of the identity.
	value := reflect.ValueOf(h).Elem()
	for i := range value.NumField() {
		changed := *header()
		f := reflect.ValueOf(&changed).Elem().Field(i)
		switch f.Kind() {
		case reflect.Uint64, reflect.Uint32:
			f.SetUint(f.Uint() + 1)
		case reflect.Array:
			f.Index(0).SetUint(f.Index(0).Uint() ^ 0xff)
		case reflect.Pointer, reflect.Slice:
			f.SetZero()
		}
		if changed.Hash() == h.Hash() {
			t.Errorf("%s is not part of the hash", value.Type().Field(i).Name)
		}
	}
}

func sampleBlock(t testing.TB) *Block {
	b := &Block{Header: *header()}
	for i := range byte(3) {
		b.Txs = append(b.Txs, offer{key: i + 1, metadata: int(i)}.sign(t).Tx())
	}
	return b
}

// Spec: WP §2.5.
func TestBlockEncoding(t *testing.T) {
	b := sampleBlock(t)
	raw := b.Encode()
	back, err := Decode(raw)
	if err != nil || !bytes.Equal(back.Encode(), raw) || len(back.Txs) != 3 || back.Hash() != b.Header.Hash() {
		t.Fatalf("%v", err)
	}
	empty := &Block{Header: *header()}
	if back, err := Decode(empty.Encode()); err != nil || back.Txs != nil {
		t.Errorf("empty block: %v", err)
	}
	if _, err := Decode(make([]byte, params.MaxBlockBytes+1)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too large: %v", err)
	}
	many := codec.AppendLen(header().Encode(), params.MaxBlockTxs+1)
	if _, err := Decode(append(many, make([]byte, 200_000)...)); !errors.Is(err, codec.ErrLength) {
		t.Errorf("1,001 transactions: %v", err)
	}
	// The smallest transaction is above the bound the length check uses.
	smallest := (&tx.Tx{Instruction: &tx.UpdateLaneFeeMultipliers{}}).Encode()
	if len(smallest) < minTxSize {
		t.Errorf("a transaction of %d bytes", len(smallest))
	}
}

func receipt() *Receipt {
	created := account.Address{9}
	return &Receipt{
		Kind: Deferred, ID: digest.Hash{1}, Cause: digest.Hash{2}, Sender: account.Address{3}, Target: account.Address{4},
		Status: Faulted, Fault: Fault{Code: 1201, Text: "out of cycles"}, Value: 1 << 50, CyclesUsed: 300, CellsUsed: 1, FeeBurned: 1 << 40, FeeTipped: 5,
		Events:     []Event{{Actor: account.Address{4}, Topic: []byte("T"), Data: []byte("{}")}, {Actor: account.Address{5}}},
		ReturnData: []byte("ok"), Created: &created,
	}
}

// Spec: WP §2.5; commonware §6.
func TestReceipt(t *testing.T) {
	x := receipt()
	back, err := DecodeReceipt(x.Encode())
	want := receipt()
	want.Fault.Text = ""
	if err != nil || !reflect.DeepEqual(back, want) {
		t.Errorf("%+v, %v", back, err)
	}
	if kept, err := DecodeRecord(x.AppendRecord(nil)); err != nil || !reflect.DeepEqual(kept, x) {
		t.Errorf("kept as %+v, %v", kept, err)
	}
	if want.Hash() != x.Hash() {
		t.Error("the text of a fault is part of the hash")
	}
	want.Fault.Code++
	if want.Hash() == x.Hash() {
		t.Error("the code of a fault is not part of the hash")
	}
	if got := ReceiptRoot([]*Receipt{x, want}); got != digest.MerkleRoot([]digest.Hash{x.Hash(), want.Hash()}) {
		t.Errorf("root %v", got)
	}
	if ReceiptRoot(nil) != digest.MerkleRoot(nil) {
		t.Error("root of no receipts")
	}
	for name, edit := range map[string]func([]byte){
		"kind":   func(b []byte) { b[0] = byte(kindCount) },
		"status": func(b []byte) { b[1+32+32+20+20] = byte(statusCount) },
	} {
		t.Run(name, func(t *testing.T) {
			raw := x.Encode()
			edit(raw)
			if _, err := DecodeReceipt(raw); !errors.Is(err, codec.ErrEnum) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

func FuzzDecodeHeader(f *testing.F) {
	f.Add(header().Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		if h, err := DecodeHeader(data); err == nil && !bytes.Equal(h.Encode(), data) {
			t.Errorf("%x encodes to %x", data, h.Encode())
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add(sampleBlock(f).Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		if b, err := Decode(data); err == nil && !bytes.Equal(b.Encode(), data) {
			t.Errorf("%x encodes to %x", data, b.Encode())
		}
	})
}

func FuzzDecodeReceipt(f *testing.F) {
	f.Add(receipt().Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		if x, err := DecodeReceipt(data); err == nil && !bytes.Equal(x.Encode(), data) {
			t.Errorf("%x encodes to %x", data, x.Encode())
		}
	})
}
