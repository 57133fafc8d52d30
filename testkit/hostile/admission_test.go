package hostile

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// TestForged refuses what no signature can make valid. Spec: WP §2.2 (a, c to f), §12.1.
func TestForged(t *testing.T) {
	seed := digest.Keccak256([]byte("forger"))
	key, err := sig.ParsePrivateKey(seed[:])
	if err != nil {
		t.Fatal(err)
	}
	zero := uint64(0)
	for name, c := range map[string]struct {
		change func(x *tx.Tx)
		want   error
	}{
		"nothing":               {func(x *tx.Tx) {}, nil},
		"another chain":         {func(x *tx.Tx) { x.ChainID++ }, tx.ErrWrongChain},
		"no cycles":             {func(x *tx.Tx) { x.CyclesLimit = 20_999 }, tx.ErrCycles},
		"no cells":              {func(x *tx.Tx) { x.Metadata = make([]byte, 100) }, tx.ErrCells},
		"cycles of two blocks":  {func(x *tx.Tx) { x.CyclesLimit = params.MaxTxCycles + 1 }, tx.ErrLimits},
		"cells of two blocks":   {func(x *tx.Tx) { x.CellsLimit = params.MaxTxCells + 1 }, tx.ErrLimits},
		"overflow of fees":      {func(x *tx.Tx) { x.MaxFeePerCycle = 1<<64 - 1 }, tx.ErrOverflow},
		"overflow of the value": {func(x *tx.Tx) { x.Instruction = &tx.Transfer{Amount: 1<<64 - 1} }, tx.ErrOverflow},
		"origin hash":           {func(x *tx.Tx) { x.OriginTxHash = &digest.Hash{} }, tx.ErrDeferred},
		"origin cycles":         {func(x *tx.Tx) { x.OriginRemainingCycles = &zero }, tx.ErrDeferred},
		"origin cells":          {func(x *tx.Tx) { x.OriginRemainingCells = &zero }, tx.ErrDeferred},
		"somebody else":         {func(x *tx.Tx) { x.From[0] ^= 1 }, tx.ErrSignature},
		"signers out of order": {func(x *tx.Tx) {
			x.AdditionalSigners = make([]tx.Signer, 2)
			x.CyclesLimit = 100_000
			x.CellsLimit = 1000
		}, tx.ErrSigners},
		"signer who did not": {func(x *tx.Tx) {
			x.AdditionalSigners = make([]tx.Signer, 1)
			x.CyclesLimit = 100_000
			x.CellsLimit = 1000
		}, tx.ErrMissingSigner},
		"too large": {func(x *tx.Tx) { x.Metadata = make([]byte, params.MaxTxBytes) }, tx.ErrTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			x := &tx.Tx{
				ChainID: testkit.ChainID, Instruction: &tx.Transfer{Amount: 1}, CyclesLimit: 21_000, MaxFeePerCycle: 20_000, MaxFeePerCell: 20_000,
				From: key.Address(),
			}
			c.change(x)
			x.Signature = key.Sign(x.SigningHash())
			if _, err := tx.Verify(x, testkit.ChainID, sig.Default()); !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", name, err, c.want)
			}
		})
	}
}

// TestTransactionBytes decodes every prefix and every changed byte of a transaction with a typed answer. Spec: WP §2.5.
func TestTransactionBytes(t *testing.T) {
	x := &tx.Tx{ChainID: 1, Instruction: &tx.Execute{Handler: []byte("h"), Payload: []byte("\xff\xfe")}, AdditionalSigners: make([]tx.Signer, 1)}
	good := x.Encode()
	check := func(data []byte) {
		if _, err := tx.Decode(data); err != nil {
			if _, ok := tx.ClassOf(err); !ok {
				t.Errorf("%x: %v has no class", data, err)
			}
		}
	}
	for i := range good {
		if _, err := tx.Decode(good[:i]); err == nil {
			t.Errorf("%d bytes of %d decode", i, len(good))
		}
		check(good[:i])
		for _, b := range []byte{0, 1, 0x7f, 0x80, 0xff} {
			changed := append([]byte(nil), good...)
			changed[i] = b
			check(changed)
		}
	}
	if _, err := tx.Decode(append(good, 0)); !errors.Is(err, tx.ErrMalformed) {
		t.Errorf("a byte too many: %v", err)
	}
}

// TestSources deploys what is no program. Spec: sdk §3.8; WP §2.2 (f).
func TestSources(t *testing.T) {
	r := newRanch(t)
	for name, source := range map[string]string{
		"unparsable":      "def attack(:\n",
		"deep brackets":   strings.Repeat("(", 50_000),
		"deep unary":      "x = " + strings.Repeat("-", 50_000) + "1",
		"deep not":        "x = " + strings.Repeat("not ", 10_000) + "1",
		"deep indent":     deepBlocks(300),
		"deep attributes": "x = a" + strings.Repeat(".b", 20_000),
		"deep calls":      "x = a" + strings.Repeat("()", 20_000),
		"deep power":      "x = " + strings.Repeat("2**", 20_000) + "2",
		"deep lambda":     "x = " + strings.Repeat("lambda: ", 5_000) + "1",
		"deep ternary":    "x = " + strings.Repeat("1 if 1 else ", 5_000) + "1",
		"deep f-string":   `x = f"{f'{f"{1}"}'}"`,
		"huge literal":    "x = 1" + strings.Repeat("0", 60_000),
		"huge hex":        "x = 0x" + strings.Repeat("f", 60_000),
		"folded power":    "x = 2 ** 2 ** 2 ** 2 ** 2 ** 2",
		"folded string":   "x = 'x' * 10 ** 10",
		"unknown escape":  "x = '\\N{NO SUCH NAME}'",
		"elif chain":      "if 1: pass\n" + strings.Repeat("elif 1: pass\n", 8_000) + "1 +",
	} {
		t.Run(name, func(t *testing.T) {
			r.t = t
			x := r.attacker.TryDeploy(source, nil)
			if x.Status == block.Success {
				x = r.attack(*x.Created, "attack", "")
			}
			if x.Status != block.Faulted {
				t.Error(testkit.Describe(x))
			}
			t.Log(testkit.Describe(x))
			r.goesOn()
		})
	}
	for name, source := range map[string]string{"empty": "", "one comment": "# nothing\n", "many names": strings.Repeat("a = 1\n", 15_000)} {
		t.Run(name, func(t *testing.T) {
			x := r.attacker.TryDeploy(source, nil)
			t.Log(name, testkit.Describe(x))
			if x.Status == block.Success {
				if y := r.attack(*x.Created, "attack", "\xff\xfe"); y.Status != block.Faulted || y.Fault.Code != 1206 {
					t.Errorf("%s: %s", name, testkit.Describe(y))
				}
			}
		})
	}
	for raw, want := range map[string]block.Status{
		"x = '\xff'\n": block.Faulted, "x = 1\x00\n": block.Faulted, "x = 1\r\n": block.Success, "x = 'e\u0301'\n": block.Success,
	} {
		t.Run(raw, func(t *testing.T) {
			x := r.attacker.Do(&tx.Deploy{Code: []byte(raw)}, testkit.DeployCycles, testkit.DeployCells)
			if x.Status != want || (x.Created != nil) != (want == block.Success) {
				t.Errorf("%q: %s", raw, testkit.Describe(x))
				return
			}
			if want == block.Success { // what is stored is the canonical form
				canonical, err := pvm.CanonicalSource([]byte(raw))
				if hash := r.chain.Record(*x.Created).CodeHash; err != nil || hash != digest.Keccak256(canonical) {
					t.Errorf("%q is stored as it came: %v", raw, err)
				}
			}
		})
	}
	r.goesOn()
}

func deepBlocks(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "if 1:\n")
	}
	return b.String() + strings.Repeat(" ", n) + "pass\n"
}

// echo keeps what it can of a turn for the next one.
const echo = `
import json, cowboy_sdk
from pvm_host import get_sender

class Shared:
    seen = 0
kept = []

def touch(payload, default=[]):
    Shared.seen += 1
    kept.append(1)
    default.append(1)
    touch.mark = getattr(touch, "mark", 0) + 1
    for module in (json, cowboy_sdk):
        try:
            module.planted = getattr(module, "planted", 0) + 1
            kept.append(module.planted)
        except Exception:
            pass
    try:
        cowboy_sdk.Address.planted = getattr(cowboy_sdk.Address, "planted", 0) + 1
    except Exception:
        pass
    return b"%d %d %d %d %d" % (Shared.seen, len(kept), len(default), touch.mark, getattr(cowboy_sdk.Address, "planted", 0))

def size(payload):
    return b"%d" % len(payload)
`

// TestTurnsShareNothing shows that what a turn does to classes, modules and defaults is gone in the next one, in the same actor and in
// another of the same code. Spec: sdk §3; WP §3.2.
func TestTurnsShareNothing(t *testing.T) {
	r := newRanch(t)
	one, two := r.attacker.Deploy(echo, nil), r.owner.Deploy(echo, nil)
	first := r.attacker.Call(one, "touch", "")
	for _, actor := range []account.Address{one, two, one} {
		if got := r.owner.Call(actor, "touch", ""); got != first {
			t.Errorf("%q, the first turn gave %q", got, first)
		}
	}
	for _, payload := range []string{"", "\xff\xfe\x00", strings.Repeat("\x80", 100_000)} {
		if got, want := r.attacker.Call(one, "size", payload), len(payload); got != strconv.Itoa(want) {
			t.Errorf("a payload of %d bytes: %s", want, got)
		}
	}
	for _, handler := range []string{"", "\xff", "_size", "__init__", "get_sender", "Shared", "kept", "json", strings.Repeat("x", 256)} {
		if x := r.attack(one, handler, "x"); x.Status != block.Faulted || x.Fault.Code != 1206 {
			t.Errorf("handler %q: %s", handler, testkit.Describe(x))
		}
	}
	r.goesOn()
}
