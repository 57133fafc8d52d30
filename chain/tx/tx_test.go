package tx

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

func u64(v uint64) *uint64 { return &v }

// samples has one instruction of every built opcode, with options present and absent.
func samples() []Instruction {
	addr := account.Address{7, 8, 9}
	g := params.Genesis()
	return slices.Concat([]Instruction{
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
		&UpdateRentConfig{Config: g.Rent}, &SettleActorRent{Actor: addr}, &SetActorQuota{Actor: addr, QuotaBytes: 1 << 21}, &PayRent{Actor: addr, Epochs: 30},
		&RestoreActor{Actor: addr, From: 7, Entries: []byte{1, 2, 3}, Proof: []byte{4}, QuotaBytes: u64(1 << 22), PayFrom: 1},
		&RestoreActor{Actor: addr, Entries: []byte{}, Proof: []byte{}},
		&UpdateBasefeeConfig{Config: g.Basefee},
		&UpdateLaneFeeMultipliers{Multipliers: params.LaneMultipliers{System: 1, Timer: 2, Runner: 1_000_000, User: 1_500_000}},
		&UpdateEntitlementConfig{Config: g.Entitlements}, &DeployCode{Code: []byte("x = 1\n")}, split(), exchange(), takeBack(),
		&SubmitProposal{Tier: 3, Title: digest.Hash{1}, Payload: []byte{1, 2}, Deposit: 9, Signatures: make([]byte, 7*65)},
		&CastVote{Proposal: 300, Choice: 2}, &ExecuteProposal{Proposal: 300}, &WithdrawProposal{Proposal: 1},
		&CouncilAct{Act: ActPause, Actor: account.Address{19: 5}, Nonce: 2, Signatures: make([]byte, 65)},
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
		&TokenCreate{Name: []byte("Hay"), Symbol: []byte("HAY"), Decimals: 18, InitialSupply: unit.Uint128{Hi: 1, Lo: 2}},
		&TokenCreate{
			Name: []byte("n"), Symbol: []byte("s"), InitialSupply: unit.Wide(5), MaxSupply: &unit.Uint128{Hi: 3}, TransferHook: &account.Address{4},
			MetadataURI: []byte{},
		},
		&TokenTransfer{TokenID: digest.Hash{1}, To: addr, Amount: unit.Uint128{Hi: 1<<64 - 1, Lo: 1<<64 - 1}},
		&TokenTransferFrom{TokenID: digest.Hash{1}, Owner: account.Address{2}, To: addr, Amount: unit.Wide(300)},
		&TokenApprove{TokenID: digest.Hash{1}, Spender: addr, Amount: unit.Wide(3)},
		&TokenMint{TokenID: digest.Hash{1}, To: addr, Amount: unit.Wide(4)},
		&TokenBurn{TokenID: digest.Hash{1}, Amount: unit.Wide(5)},
		&TokenFreeze{TokenID: digest.Hash{1}, Account: addr},
		&TokenUnfreeze{TokenID: digest.Hash{1}, Account: addr},
		&TokenSetHook{TokenID: digest.Hash{1}, TransferHook: &account.Address{9}},
		&TokenSetHook{TokenID: digest.Hash{1}},
		&TokenTransferOwnership{TokenID: digest.Hash{1}, NewOwner: addr},
		&TokenTransferBatch{},
		&TokenTransferBatch{Transfers: []TokenLeg{{digest.Hash{1}, addr, unit.Wide(6)}, {digest.Hash{2}, account.Address{3}, unit.Uint128{Hi: 7}}}},
		&TokenIncreaseAllowance{TokenID: digest.Hash{1}, Spender: addr, Amount: unit.Wide(7)},
		&TokenDecreaseAllowance{TokenID: digest.Hash{1}, Spender: addr, Amount: unit.Wide(8)},
		&TokenPermit{
			TokenID: digest.Hash{1}, Owner: account.Address{2}, Spender: addr, Value: unit.Wide(9), Deadline: 300, Nonce: 1, Signature: sig.Signature{1},
		},
		&EntitlementGrant{Grantee: addr, Scope: grant.ActorScope(addr), Action: grant.Action{Kind: grant.UseOwnerBalance}, Constraints: grant.Terms{
			ValidFrom: u64(3), ValidUntil: u64(300), MaxUses: 4, MaxAmountPerUse: u64(0), MaxTotalAmount: u64(9), MaxCalls: 2, PerBlocks: 10, Revocable: true,
		}},
		&EntitlementGrant{Grantee: addr, Constraints: grant.Terms{Delegatable: true, DelegationDepthMax: 255}},
		&EntitlementRevoke{ID: digest.Hash{3}},
		&EntitlementDelegate{ID: digest.Hash{4}, Delegatee: addr},
		&CreateRole{
			Name: []byte("operator"), Scopes: []grant.Scope{{}, grant.PoolScope("eu")},
			Actions: []grant.Action{{Kind: grant.RunnerRegister, Value: "0123456789abcdef"}, grant.JoinPool("eu")},
		},
		&AssignRole{Role: digest.Hash{5}, Assignee: addr}, &RevokeRole{Role: digest.Hash{6}, Assignee: addr},
	}, runnerSamples(), jobSamples(), resultSamples(), containerSamples(), ingressSamples(), teeSamples(), relaySamples(),
		bankSamples(), secretSamples(), sessionSamples())
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
		{&SubmitProposal{Payload: make([]byte, 40)}, 21_000, 296},       // + its record, 256
		{&SubmitProposal{Signatures: make([]byte, 7*65)}, 91_000, 711},  // + seven checks of signatures
		{&CastVote{}, 21_000, 64}, {&ExecuteProposal{}, 21_000, 8_192}, {&WithdrawProposal{}, 21_000, 0},
		{&CouncilAct{Signatures: make([]byte, 9*65)}, 111_000, 649}, {&DeployCode{Code: make([]byte, 700)}, 100_000, 700},
		{&Deploy{Code: make([]byte, 1000)}, 100_000, 1000},
		{&Deploy{Code: make([]byte, 10), InitHandler: []byte("init"), InitPayload: []byte("{}"), Manifest: make([]byte, 5)}, 100_000, 21},
		{&Execute{Handler: []byte("go"), Payload: make([]byte, 98)}, 21_000, 100},
		{&TimerSchedule{}, 5_000, 64},
		{&FundActor{}, 21_000, 0},
		{&CancelTimer{}, 21_000, 0}, {&UpgradeSystemActor{}, 21_000, 0},
		{&SettleActorRent{}, 21_000, 0}, {&SetActorQuota{}, 21_000, 0}, {&PayRent{}, 21_000, 0}, {&UpdateRentConfig{}, 21_000, 0},
		{&RestoreActor{Entries: make([]byte, 1000), Proof: make([]byte, 24)}, 21_000, 1024}, // the writes are paid when they are done
		{&TokenTransfer{}, 21_000, 0}, // the call's own price comes with its execution
		{&TokenCreate{Name: make([]byte, 64), Symbol: make([]byte, 16), MetadataURI: make([]byte, 256)}, 21_000, 336},
		{&TokenTransferBatch{Transfers: make([]TokenLeg, 3)}, 21_000, 204}, // of 68 bytes
		{&TokenPermit{}, 21_000, 65},
		{&EntitlementGrant{Scope: grant.PoolScope("eu"), Action: grant.JoinPool("eur")}, 21_000, 5},
		{&CreateRole{Name: []byte("r"), Scopes: []grant.Scope{{}, grant.PoolScope("eu")}, Actions: []grant.Action{grant.JoinPool("eur")}}, 21_000, 6},
		{&EntitlementRevoke{}, 21_000, 0},
	} {
		t.Run(fmt.Sprintf("%T", c.in), func(t *testing.T) {
			if got := CostOf(c.in); uint64(got.Cycles) != c.cycles || uint64(got.Cells) != c.cells {
				t.Errorf("%T: %+v", c.in, got)
			}
		})
	}
	tr := &Tx{Instruction: &Transfer{}, Metadata: make([]byte, 7), AdditionalSigners: make([]Signer, 2)}
	if got := tr.Intrinsic(); got.Cycles != 21_000+20_000 || got.Cells != 7+170 {
		t.Errorf("metadata and signers: %+v", got)
	}
	row, _ := RowOf(OpExecute)
	row.Surcharge = func(in Instruction) Cost { return Cost{500, 2 * calldata(in.(*Execute).Payload)} }
	if got := All().With(row).Intrinsic(&Tx{Instruction: &Execute{Handler: []byte("go"), Payload: make([]byte, 98)}}); got != (Cost{21_500, 196}) {
		t.Errorf("a version with another surcharge: %+v", got)
	}
}

// Spec: WP §6.3, §17.9 (storage manifest anchors travel in the Runner lane).
func TestLanes(t *testing.T) {
	anchor := &Execute{To: account.System(account.StorageManager), Handler: []byte("commit_manifest")}
	if l := LaneOf(anchor); l != params.LaneRunner {
		t.Error("an anchor travels in", l)
	}
	anchor.Handler = []byte("commit_manifests")
	if l := LaneOf(anchor); l != params.LaneUser {
		t.Error("another method travels in", l)
	}
	if l := LaneOf(&CancelTimer{}); l != params.LaneSystem {
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
		t.Run(name, func(t *testing.T) {
			bad := append(bytes.Clone(simple[:edit.at]), edit.bytes...)
			bad = append(bad, simple[edit.at+1:]...)
			if _, err := Decode(bad); !errors.Is(err, ErrMalformed) || !errors.Is(err, edit.class) {
				t.Errorf("%s: %v", name, err)
			}
		})
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
		t.Run(c.name, func(t *testing.T) {
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
				return
			}
			class, ok := ClassOf(err)
			if !ok || class != c.class || !errors.Is(err, c.class) || v.Tx() != nil {
				t.Errorf("%s: %v, want %v", c.name, err, c.class)
			}
		})
	}
}

// The origin fields are in the encoding as Appendix A has them; who uses them is refused, signed or not.
//
// Spec: WP §2.1 (origin fields); scheduler-timers §10.
func TestOriginFields(t *testing.T) {
	tr := appendixA()
	tr.OriginTxHash, tr.OriginRemainingCycles, tr.OriginRemainingCells = &digest.Hash{1}, u64(1000), u64(0)
	raw := tr.Encode()
	origin := "01" + digest.Hash.Hex(digest.Hash{1}) + "01e807" + "0100"
	if got := fmt.Sprintf("%x", raw[64:64+33+3+2]); got != origin {
		t.Errorf("origin fields %s", got)
	}
	for _, signature := range []sig.Signature{{}, {1}} {
		tr.Signature = signature
		if _, err := Verify(mustDecode(t, tr.Encode()), 42, sig.Default()); !errors.Is(err, ErrDeferred) {
			t.Errorf("signed %x: %v", signature[:1], err)
		}
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
		t.Run(c.name, func(t *testing.T) {
			err := v.Admit(&c.sender, c.p, c.fees)
			class, _ := ClassOf(err)
			if class != c.class {
				t.Errorf("%s: %v, want %v", c.name, err, c.class)
			}
		})
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

// Only what says so carries coins: of the instructions of validators those that stake.
//
// Spec: governance-staking A1; WP §2.2 (value).
func TestValues(t *testing.T) {
	for _, c := range []struct {
		in   Instruction
		want unit.Amount
	}{
		{&ValidatorRegister{Stake: 7}, 7}, {&ValidatorAddStake{Amount: 8}, 8}, {&ValidatorExit{}, 0}, {&ValidatorWithdraw{}, 0}, {&ValidatorUnjail{}, 0},
		{&SubmitMisbehaviour{}, 0}, {&SystemDkg{}, 0}, {&SubmitProposal{Deposit: 8}, 8}, {&CastVote{}, 0},
		{&ExecuteProposal{}, 0}, {&WithdrawProposal{}, 0}, {&CouncilAct{}, 0}, {&DeployCode{}, 0}, {&UpgradeSystemActor{}, 0},
		{&Transfer{Amount: 9}, 9}, {&Execute{Amount: 10}, 10}, {&FundActor{Amount: 11}, 11},
	} {
		t.Run(fmt.Sprintf("%T", c.in), func(t *testing.T) {
			if got := ValueOf(c.in); got != c.want {
				t.Errorf("%T carries %d, want %d", c.in, got, c.want)
			}
		})
	}
}
