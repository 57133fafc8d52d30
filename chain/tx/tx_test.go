package tx

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

func u64(v uint64) *uint64 { return &v }

// samples has one instruction of every built opcode, with options present and
// absent.
func samples() []Instruction {
	addr := account.Address{7, 8, 9}
	g := params.Genesis()
	return []Instruction{
		&Transfer{To: addr, Amount: 1<<64 - 1},
		&FundActor{Actor: addr, Amount: 5},
		&UpgradeActor{Actor: addr, Code: []byte("x = 1\n"), Manifest: []byte{1}},
		&UpgradeActor{Actor: addr, Code: []byte{}},
		&Deploy{Code: []byte("x = 1\n"), Salt: []byte{1}, InitHandler: []byte("init"), InitPayload: []byte("{}"), Manifest: []byte{}},
		&Deploy{Code: []byte{}, Salt: []byte{}},
		&Execute{To: addr, Amount: 3, Handler: []byte("go"), Payload: []byte("{}")},
		&TimerSchedule{Actor: addr, Height: 300, Handler: []byte("h"), Payload: []byte{}, CyclesPerFire: u64(300), ExpiresAt: u64(0)},
		&TimerSchedule{Actor: addr, Height: 1, Handler: []byte{}, Payload: []byte{1}},
		&CancelTimer{TimerID: digest.Hash{1}},
		&ExtendTimer{TimerID: digest.Hash{2}, ExpiresAt: 500},
		&UpdateTimerConfig{Config: g.Timer},
		&ActivateTimerMarket{Height: 1 << 40},
		&CreateAccount{Address: account.Address{7}, Amount: 1 << 60},
		&UpdateBasefeeConfig{Config: g.Basefee},
		&UpdateLaneFeeMultipliers{Multipliers: params.LaneMultipliers{System: 1, Timer: 2, Runner: 1_000_000, User: 1_500_000}},
		&UpdateEntitlementConfig{Config: g.Entitlements},
		&UpdateEntitlementConfig{Config: params.EntitlementConfig{WindowBlocks: 7, RequireManifest: true, Deprecated: []params.Deprecation{
			{ID: "accel.gpu", From: 3, Until: 10}, {ID: "storage.kv", From: 4, Until: 11},
		}}},
		&SystemDkg{Log: []byte{1, 2, 3}},
		&ValidatorRegister{Key: sig.BLSPublicKey{1}, Possession: sig.BLSSignature{2}, Stake: 1<<64 - 1},
		&ValidatorAddStake{Amount: 7},
		&ValidatorExit{},
		&ValidatorExit{Amount: u64(300)},
		&ValidatorWithdraw{},
		&ValidatorUnjail{},
		&SubmitMisbehaviour{Evidence: []byte{4, 5}},
	}
}

// Spec: WP §2.5 (Instruction is [category, sub_type, body]).
func TestInstructionRoundTrip(t *testing.T) {
	seen := map[Opcode]bool{}
	for _, in := range samples() {
		seen[in.Opcode()] = true
		raw := EncodeInstruction(in)
		if raw[0] != byte(in.Opcode().Category()) || raw[1] != in.Opcode().SubType() {
			t.Errorf("%v: opcode bytes %x", in.Opcode(), raw[:2])
		}
		back, err := DecodeInstruction(raw)
		if err != nil || !reflect.DeepEqual(back, in) {
			t.Errorf("%v: %+v decodes to %+v, %v", in.Opcode(), in, back, err)
		}
		if in.check() != nil {
			t.Errorf("%v: %v", in.Opcode(), in.check())
		}
		for cut := range raw {
			if _, err := DecodeInstruction(raw[:cut]); !errors.Is(err, ErrMalformed) {
				t.Errorf("%v cut at %d: %v", in.Opcode(), cut, err)
			}
		}
	}
	for _, e := range Table() {
		if e.Built != seen[e.Opcode] {
			t.Errorf("%s: built %v, sample %v", e.Name, e.Built, seen[e.Opcode])
		}
		r := codec.NewReader(make([]byte, 200))
		if in := decodeBody(e.Opcode, r); (in != nil) != e.Built {
			t.Errorf("%s: built %v, decodes to %T", e.Name, e.Built, in)
		} else if in != nil && e.Lane != in.Lane() {
			t.Errorf("%s: lane %v in the table, %v", e.Name, e.Lane, in.Lane())
		}
	}
}

// Every opcode of the two byte space is built, a named gap, or unknown.
// Spec: WP §2.5 (unknown discriminants); runner-marketplace §3.
func TestEveryOpcodeIsAccountedFor(t *testing.T) {
	table := Table()
	for i := 1; i < len(table); i++ {
		if table[i-1].Opcode >= table[i].Opcode {
			t.Errorf("%s and %s: not ascending", table[i-1].Name, table[i].Name)
		}
	}
	gaps := 0
	for c := range 5 {
		for s := range 256 {
			raw := append([]byte{byte(c), byte(s)}, make([]byte, 64)...)
			_, err := DecodeInstruction(raw)
			e, listed := Lookup(Op(Category(c), uint8(s)))
			var gap *Unsupported
			switch {
			case listed && e.Built:
				if errors.Is(err, ErrUnsupported) || errors.Is(err, ErrUnknownInstruction) {
					t.Errorf("%s: %v", e.Name, err)
				}
			case listed:
				gaps++
				if !errors.As(err, &gap) || gap.Name != e.Name || gap.Chapter == "" || !errors.Is(err, ErrUnsupported) {
					t.Errorf("%s: %v", e.Name, err)
				}
			case c < int(categoryCount):
				if !errors.Is(err, ErrUnknownInstruction) {
					t.Errorf("%d %d: %v", c, s, err)
				}
			default:
				if !errors.Is(err, ErrMalformed) || !errors.Is(err, codec.ErrEnum) {
					t.Errorf("category %d: %v", c, err)
				}
			}
		}
	}
	if gaps+len(samplesByOpcode()) != len(table) {
		t.Errorf("%d gaps and %d built of %d", gaps, len(samplesByOpcode()), len(table))
	}
}

func samplesByOpcode() map[Opcode]bool {
	m := map[Opcode]bool{}
	for _, in := range samples() {
		m[in.Opcode()] = true
	}
	return m
}

// Spec: WP §17.2, §17.4.
func TestIntrinsicCosts(t *testing.T) {
	for _, c := range []struct {
		in            Instruction
		cycles, cells uint64
	}{
		{&Transfer{}, 21_000, 0},
		{&ValidatorRegister{}, 29_000, 144}, // + a signature check of 8,000; key and proof
		{&ValidatorExit{}, 21_000, 0},
		{&SubmitMisbehaviour{Evidence: make([]byte, 400)}, 37_000, 400}, // + two signature checks
		{&SystemDkg{Log: make([]byte, 450)}, 61_000, 450},               // + a check for each 100 bytes begun
		{&Deploy{Code: make([]byte, 1000)}, 100_000, 1000},
		{&Deploy{Code: make([]byte, 10), InitHandler: []byte("init"), InitPayload: []byte("{}"), Manifest: make([]byte, 5)}, 100_000, 21},
		{&Execute{Handler: []byte("go"), Payload: make([]byte, 98)}, 21_000, 100},
		{&TimerSchedule{}, 5_000, 64},
		{&FundActor{}, 21_000, 0},
		{&CancelTimer{}, 21_000, 0},
	} {
		if got := c.in.Intrinsic(); uint64(got.Cycles) != c.cycles || uint64(got.Cells) != c.cells {
			t.Errorf("%T: %+v", c.in, got)
		}
	}
	tr := &Tx{Instruction: &Transfer{}, Metadata: make([]byte, 7), AdditionalSigners: make([]Signer, 2)}
	if got := tr.Intrinsic(); got.Cycles != 21_000+20_000 || got.Cells != 7+170 {
		t.Errorf("metadata and signers: %+v", got)
	}
}

// Spec: WP §6.3, §17.9 (storage manifest anchors travel in the Runner lane).
func TestLanes(t *testing.T) {
	anchor := &Execute{To: account.System(account.StorageManager), Handler: []byte("commit_manifest")}
	if anchor.Lane() != params.LaneRunner {
		t.Error("an anchor travels in", anchor.Lane())
	}
	anchor.Handler = []byte("commit_manifests")
	if anchor.Lane() != params.LaneUser {
		t.Error("another method travels in", anchor.Lane())
	}
	if l := (&CancelTimer{}).Lane(); l != params.LaneSystem {
		t.Error("governed instruction travels in", l)
	}
}

// full is a transaction with every optional part an outside sender may use.
func full(t testing.TB) (*Tx, []*sig.PrivateKey) {
	keys := []*sig.PrivateKey{testKey(t, 1), testKey(t, 2), testKey(t, 3)}
	tr := &Tx{
		ChainID: 1, Nonce: 9, Instruction: &Execute{To: account.Address{1}, Amount: 4, Handler: []byte("h"), Payload: []byte("p")},
		CyclesLimit: 500_000, CellsLimit: 500_000, MaxFeePerCycle: 20_000, MaxFeePerCell: 15_000,
		MaxPriorityFeePerCycle: 3, MaxPriorityFeePerCell: 4, From: keys[0].Address(), Metadata: []byte("note"),
	}
	for _, k := range keys[1:] {
		tr.AdditionalSigners = append(tr.AdditionalSigners, Signer{Address: k.Address()})
	}
	if tr.AdditionalSigners[0].Address.Compare(tr.AdditionalSigners[1].Address) > 0 {
		s := tr.AdditionalSigners
		s[0], s[1] = s[1], s[0]
		keys[1], keys[2] = keys[2], keys[1]
	}
	sign(tr, keys)
	return tr, keys
}

func sign(tr *Tx, keys []*sig.PrivateKey) {
	hash := tr.SigningHash()
	tr.Signature = keys[0].Sign(hash)
	for i := range tr.AdditionalSigners {
		tr.AdditionalSigners[i].Signature = keys[i+1].Sign(hash)
	}
}

// Spec: WP §2.5 (canonical, strict); §2.2 (f).
func TestDecodeIsStrict(t *testing.T) {
	tr, _ := full(t)
	raw := tr.Encode()
	back, err := Decode(raw)
	if err != nil || !reflect.DeepEqual(back, tr) {
		t.Fatalf("%+v, %v", back, err)
	}
	for cut := range raw {
		if _, err := Decode(raw[:cut]); !errors.Is(err, ErrMalformed) {
			t.Fatalf("cut at %d: %v", cut, err)
		}
	}
	if _, err := Decode(append(bytes.Clone(raw), 0)); !errors.Is(err, codec.ErrTrailing) {
		t.Errorf("trailing byte: %v", err)
	}
	simple := appendixA().Encode()
	for name, edit := range map[string]struct {
		at    int
		bytes []byte
		class error
	}{
		"chain id not minimal": {0, []byte{0xaa, 0x00}, codec.ErrVarint},
		"access list present":  {62, []byte{1}, codec.ErrInvalid},
		"access list tag":      {62, []byte{2}, codec.ErrBool},
		"origin tag":           {64, []byte{2}, codec.ErrBool},
		"category":             {2, []byte{4}, codec.ErrEnum},
	} {
		bad := append(bytes.Clone(simple[:edit.at]), edit.bytes...)
		bad = append(bad, simple[edit.at+1:]...)
		if _, err := Decode(bad); !errors.Is(err, ErrMalformed) || !errors.Is(err, edit.class) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Spec: WP §12.1 (max_tx_size).
func TestSizeLimit(t *testing.T) {
	tr := appendixA()
	empty := len(tr.Encode())
	tr.Metadata = make([]byte, params.MaxTxBytes-empty-2) // the length prefix grows by two
	if n := len(tr.Encode()); n != params.MaxTxBytes {
		t.Fatalf("%d bytes", n)
	}
	if _, err := Decode(tr.Encode()); err != nil {
		t.Errorf("128 KiB: %v", err)
	}
	tr.Metadata = append(tr.Metadata, 0)
	if _, err := Decode(tr.Encode()); !errors.Is(err, ErrTooLarge) {
		t.Errorf("one byte more: %v", err)
	}
	if _, err := Verify(tr, 42, sig.Default()); !errors.Is(err, ErrTooLarge) {
		t.Errorf("one byte more, not encoded: %v", err)
	}
}

// Spec: WP §2.2 (a, c to e), §2.1; commonware §0.
func TestVerifyRefusals(t *testing.T) {
	for _, c := range []struct {
		name  string
		edit  func(*Tx)
		again bool // sign after the edit
		class *Reject
	}{
		{"valid", func(*Tx) {}, true, nil},
		{"other chain", func(x *Tx) { x.ChainID = 2 }, true, ErrWrongChain},
		{"origin hash", func(x *Tx) { x.OriginTxHash = &digest.Hash{} }, true, ErrDeferred},
		{"origin cycles", func(x *Tx) { x.OriginRemainingCycles = u64(0) }, true, ErrDeferred},
		{"origin cells", func(x *Tx) { x.OriginRemainingCells = u64(0) }, true, ErrDeferred},
		{"changed after signing", func(x *Tx) { x.Nonce++ }, false, ErrSignature},
		{"somebody else's from", func(x *Tx) { x.From[0] ^= 1 }, true, ErrSignature},
		{"no signature", func(x *Tx) { x.Signature = sig.Signature{} }, false, ErrSignature},
		{"v of 28", func(x *Tx) { x.Signature[64] += 27 }, false, ErrSignature},
		{"missing additional signature", func(x *Tx) { x.AdditionalSigners[1].Signature = sig.Signature{} }, false, ErrMissingSigner},
		{"swapped additional signatures", func(x *Tx) {
			s := x.AdditionalSigners
			s[0].Signature, s[1].Signature = s[1].Signature, s[0].Signature
		}, false, ErrMissingSigner},
		{"descending signers", func(x *Tx) {
			s := x.AdditionalSigners
			s[0], s[1] = s[1], s[0]
		}, false, ErrSigners},
		{"duplicate signer", func(x *Tx) { x.AdditionalSigners[1] = x.AdditionalSigners[0] }, false, ErrSigners},
		{"cycles limit at the lane's budget", func(x *Tx) { x.CyclesLimit = params.LaneUserCycles }, true, nil},
		{"cycles limit above it", func(x *Tx) { x.CyclesLimit = params.LaneUserCycles + 1 }, true, ErrLimits},
		{"cells limit at the maximum", func(x *Tx) { x.CellsLimit = params.MaxTxCells }, true, nil},
		{"cells limit above it", func(x *Tx) { x.CellsLimit = params.MaxTxCells + 1 }, true, ErrLimits},
		{"cycles limit at the intrinsic cost", func(x *Tx) { x.CyclesLimit = 21_000 + 2*10_000 }, true, nil},
		{"cycles limit below it", func(x *Tx) { x.CyclesLimit = 21_000 + 2*10_000 - 1 }, true, ErrCycles},
		{"cells limit at the intrinsic cost", func(x *Tx) { x.CellsLimit = 2 + 4 + 2*85 }, true, nil},
		{"cells limit below it", func(x *Tx) { x.CellsLimit = 2 + 4 + 2*85 - 1 }, true, ErrCells},
		{"fee overflow", func(x *Tx) { x.MaxFeePerCycle = 1<<64 - 1 }, true, ErrOverflow},
		{"fee sum overflow", func(x *Tx) { x.MaxFeePerCycle, x.MaxFeePerCell = 1<<45, 1<<45 }, true, ErrOverflow},
		{"value overflow", func(x *Tx) { x.Instruction = &Transfer{Amount: 1<<64 - 1} }, true, ErrOverflow},
		{"init payload without handler", func(x *Tx) { x.Instruction = &Deploy{InitPayload: []byte{}} }, true, ErrInstruction},
		{"impossible parameters", func(x *Tx) { x.Instruction = &UpdateBasefeeConfig{} }, true, ErrInstruction},
	} {
		tr, keys := full(t)
		c.edit(tr)
		if c.again {
			sign(tr, keys)
		}
		v, err := Verify(tr, 1, sig.Default())
		if c.class == nil {
			if err != nil || v.Tx() != tr || v.Hash() != tr.SigningHash() || v.Size() != len(tr.Encode()) {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		class, ok := ClassOf(err)
		if !ok || class != c.class || !errors.Is(err, c.class) || v.Tx() != nil {
			t.Errorf("%s: %v, want %v", c.name, err, c.class)
		}
	}
}

// Spec: WP §2.1 (origin fields); scheduler-timers §10.
func TestVerifyDeferred(t *testing.T) {
	make := func() *Tx {
		tr := appendixA()
		tr.OriginTxHash, tr.OriginRemainingCycles, tr.OriginRemainingCells = &digest.Hash{1}, u64(1000), u64(0)
		return tr
	}
	raw := make().Encode()
	origin := "01" + digest.Hash.Hex(digest.Hash{1}) + "01e807" + "0100"
	if got := fmt.Sprintf("%x", raw[64:64+33+3+2]); got != origin {
		t.Errorf("origin fields %s", got)
	}
	if _, err := VerifyDeferred(mustDecode(t, raw), 42); err != nil {
		t.Error(err)
	}
	for name, edit := range map[string]func(*Tx){
		"partial origin": func(x *Tx) { x.OriginRemainingCells = nil },
		"no origin":      func(x *Tx) { x.OriginTxHash, x.OriginRemainingCycles, x.OriginRemainingCells = nil, nil, nil },
		"signed":         func(x *Tx) { x.Signature[0] = 1 },
		"cosigned":       func(x *Tx) { x.AdditionalSigners = []Signer{{}} },
	} {
		tr := make()
		edit(tr)
		if _, err := VerifyDeferred(tr, 42); !errors.Is(err, ErrDeferred) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Verify(make(), 42, sig.Default()); !errors.Is(err, ErrDeferred) {
		t.Errorf("from outside: %v", err)
	}
}

// Spec: WP §2.2 (b), §2.3, §6.3; governance-staking B10.
func TestAdmit(t *testing.T) {
	floor := params.GenesisBasefees()
	tr, keys := full(t)
	v, err := Verify(tr, 1, sig.Default())
	if err != nil {
		t.Fatal(err)
	}
	need := unit.Amount(500_000*20_000 + 500_000*15_000 + 4)
	if v.MaxCost() != need {
		t.Fatalf("maximum cost %d, want %d", v.MaxCost(), need)
	}
	enough := account.Account{Balance: need, Nonce: 9}
	lane := params.Genesis()
	lane.Lanes.User = 1_500_000
	narrow := params.Genesis()
	narrow.Limits.MaxTxBytes = uint64(v.Size()) - 1
	dear := params.Genesis()
	dear.Lanes.User = 1_500_001
	for _, c := range []struct {
		name   string
		sender account.Account
		p      *params.Params
		fees   params.Basefees
		class  *Reject
	}{
		{"exactly enough", enough, params.Genesis(), floor, nil},
		{"governed size limit", enough, narrow, floor, ErrTooLarge},
		{"one short", account.Account{Balance: need - 1, Nonce: 9}, params.Genesis(), floor, ErrFunds},
		{"value not covered", account.Account{Balance: 3, Nonce: 9}, params.Genesis(), floor, ErrValue},
		{"nonce used", account.Account{Balance: need, Nonce: 10}, params.Genesis(), floor, ErrNonce},
		{"nonce gap", account.Account{Balance: need, Nonce: 8}, params.Genesis(), floor, ErrNonce},
		{"actor sends", account.Account{Balance: need, Nonce: 9, Kind: account.Actor}, params.Genesis(), floor, ErrSender},
		{"basefee at the maximum", enough, params.Genesis(), params.Basefees{Cycle: 20_000, Cell: 15_000}, nil},
		{"cycle basefee above", enough, params.Genesis(), params.Basefees{Cycle: 20_001, Cell: 15_000}, ErrBelowBasefee},
		{"cell basefee above", enough, params.Genesis(), params.Basefees{Cycle: 20_000, Cell: 15_001}, ErrBelowBasefee},
		{"lane multiplier 1.5", enough, lane, floor, nil},
		{"lane multiplier above", enough, dear, floor, ErrBelowBasefee},
	} {
		err := v.Admit(&c.sender, c.p, c.fees)
		class, _ := ClassOf(err)
		if class != c.class {
			t.Errorf("%s: %v, want %v", c.name, err, c.class)
		}
	}
	var nonce *NonceError
	if err := v.Admit(&account.Account{Balance: need, Nonce: 8}, params.Genesis(), floor); !errors.As(err, &nonce) || !nonce.Gap() {
		t.Errorf("gap: %v", err)
	}

	tr.Instruction = &CancelTimer{}
	sign(tr, keys)
	if v, err = Verify(tr, 1, sig.Default()); err != nil {
		t.Fatal(err)
	}
	if err := v.Admit(&enough, params.Genesis(), floor); !errors.Is(err, ErrNotPrivileged) {
		t.Errorf("governed instruction from a stranger: %v", err)
	}
	local := params.Genesis()
	local.Administrators = []account.Address{tr.From}
	if err := v.Admit(&enough, local, floor); err != nil {
		t.Errorf("governed instruction from an administrator: %v", err)
	}
}

// The numbers are part of the node's interface. Spec: node-rpc-cli §2.2.
func TestRejectCodes(t *testing.T) {
	for class, code := range map[*Reject]Code{
		ErrSignature: 1001, ErrNonce: 1002, ErrValue: 1003, ErrFunds: 1004, ErrCycles: 1005, ErrCells: 1006,
		ErrOverflow: 1007, ErrBelowBasefee: 1008, ErrMissingSigner: 1009, ErrNotPrivileged: 1230, ErrUnjustified: 1502,
	} {
		if class.Code != code || class.Slug() != fmt.Sprintf("E%d", code) {
			t.Errorf("%s has code %d", class.Name, class.Code)
		}
	}
	if ErrWrongChain.Name != "E_TX_WRONG_CHAIN_ID" {
		t.Error(ErrWrongChain.Name)
	}
	if _, ok := ClassOf(errors.New("disk on fire")); ok {
		t.Error("a failure is no reject")
	}
}

// Spec: WP §2.5.
func FuzzDecode(f *testing.F) {
	tr, _ := full(f)
	f.Add(tr.Encode())
	f.Add(appendixA().Encode())
	for _, in := range samples() {
		x := appendixA()
		x.Instruction = in
		x.OriginTxHash = &digest.Hash{1}
		f.Add(x.Encode())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tr, err := Decode(data)
		if err != nil {
			if _, classed := ClassOf(err); !classed {
				t.Errorf("%x: unclassed %v", data, err)
			}
			return
		}
		if !bytes.Equal(tr.Encode(), data) {
			t.Errorf("%x encodes to %x", data, tr.Encode())
		}
		if len(tr.AppendUnsigned(nil)) != len(data) {
			t.Errorf("%x: the signing pre-image has another length", data)
		}
	})
}

func FuzzDecodeInstruction(f *testing.F) {
	for _, in := range samples() {
		f.Add(EncodeInstruction(in))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if in, err := DecodeInstruction(data); err == nil && !bytes.Equal(EncodeInstruction(in), data) {
			t.Errorf("%x encodes to %x", data, EncodeInstruction(in))
		}
	})
}

// A decoder allocates no more than a small multiple of its input.
func TestDecodeAllocatesLittle(t *testing.T) {
	head := appendixA().Encode()
	head = head[:len(head)-1]
	bomb := binary.AppendUvarint(bytes.Clone(head), 1500) // 1,500 signers and none of them
	if n := testing.AllocsPerRun(100, func() { _, _ = Decode(bomb) }); n > 12 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkTransfer(b *testing.B) {
	tr := appendixA()
	tr.Signature = testKey(b, 0x11).Sign(tr.SigningHash())
	raw := tr.Encode()
	b.Run("op=decode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Decode(raw); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("op=verify", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Verify(tr, 42, sig.Default()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("op=hash", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			tr.SigningHash()
		}
	})
}
