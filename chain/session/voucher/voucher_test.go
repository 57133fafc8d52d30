package voucher

import (
	"encoding/hex"
	"errors"
	"strconv"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

func raw(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func number(t *testing.T, text string) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// recorded reads a voucher of another program's.
func recorded(t *testing.T, x map[string]string) Voucher {
	t.Helper()
	amount, err := unit.ParseUint128(x["cumulative"])
	if err != nil {
		t.Fatal(err)
	}
	return Voucher{
		Session: digest.Hash(raw(t, x["session"])), Cumulative: amount, Nonce: number(t, x["nonce"]),
		Expires: unit.Height(number(t, x["expires"])), Usage: digest.Hash(raw(t, x["usage"])),
	}
}

// Digests and signatures are those of testdata/vectors.py, which has its own hash and curve.
//
// Spec: gateway-payments-streams §D (EIP-712).
func TestVouchersAreSignedAsEIP712HasIt(t *testing.T) {
	var list struct {
		Vouchers []map[string]string `json:"vouchers"`
	}
	if golden.Recorded(t, "testdata/vouchers.json", &list); len(list.Vouchers) != 3 {
		t.Fatal(len(list.Vouchers))
	}
	for _, x := range list.Vouchers {
		t.Run(x["chain_id"], func(t *testing.T) {
			v := recorded(t, x)
			chain := number(t, x["chain_id"])
			if got := v.Digest(chain); got != digest.Hash(raw(t, x["digest"])) {
				t.Errorf("digest %v, want %s", got, x["digest"])
			}
			payer, s := account.Address(raw(t, x["payer"])), sig.Signature(raw(t, x["signature"]))
			key, err := sig.ParsePrivateKey(raw(t, x["secret"]))
			if err != nil || key.Address() != payer {
				t.Fatalf("%v %v", key.Address(), err)
			}
			if !v.SignedBy(payer, chain, s) || !v.SignedBy(payer, chain, key.Sign(v.Digest(chain))) {
				t.Error("a signature of the payer is not taken")
			}
			other := v
			other.Nonce ^= 1
			if v.SignedBy(payer, chain+1, s) || v.SignedBy(account.Address{1}, chain, s) || other.SignedBy(payer, chain, s) ||
				v.SignedBy(payer, chain, sig.Signature{}) {
				t.Error("a signature of something else is taken")
			}
		})
	}
}

// Vouchers that go-ethereum's signer of typed data has signed are taken, and those of testdata/geth.json with one bit more are not. It was made by
// testkit/bench/evm/vouchers.
//
// Spec: gateway-payments-streams §D (EIP-712).
func TestVouchersOfGoEthereum(t *testing.T) {
	var list []map[string]string
	if golden.Recorded(t, "testdata/geth.json", &list); len(list) != 6 {
		t.Fatal(len(list))
	}
	for _, x := range list {
		t.Run(x["chain_id"], func(t *testing.T) {
			v := recorded(t, x)
			chain, payer, s := number(t, x["chain_id"]), account.Address(raw(t, x["payer"])), sig.Signature(raw(t, x["signature"]))
			if got := v.Digest(chain); got != digest.Hash(raw(t, x["digest"])) || !v.SignedBy(payer, chain, s) {
				t.Errorf("digest %v, want %s; signed %v", got, x["digest"], v.SignedBy(payer, chain, s))
			}
			for name, change := range map[string]func(v *Voucher){
				"session": func(v *Voucher) { v.Session[31] ^= 1 }, "amount": func(v *Voucher) { v.Cumulative.Hi ^= 1 },
				"nonce": func(v *Voucher) { v.Nonce ^= 1 }, "expires": func(v *Voucher) { v.Expires ^= 1 }, "usage": func(v *Voucher) { v.Usage[0] ^= 1 },
			} {
				t.Run(name, func(t *testing.T) {
					other := v
					if change(&other); other.SignedBy(payer, chain, s) {
						t.Error("it is taken")
					}
				})
			}
		})
	}
}

// Spec: gateway-payments-streams §D (54: nonce > last, cumulative > spent, ≤ deposit, not expired).
func TestVouchersAreHeldToWhatWasPaid(t *testing.T) {
	paid := Paid{Nonce: 5, Spent: 100, Deposit: 200}
	for name, c := range map[string]struct {
		v    Voucher
		now  unit.Height
		want error
	}{
		"the least more":         {Voucher{Cumulative: unit.Wide(101), Nonce: 6, Expires: 10}, 10, nil},
		"all there is":           {Voucher{Cumulative: unit.Wide(200), Nonce: 1<<64 - 1, Expires: 10}, 9, nil},
		"the same nonce":         {Voucher{Cumulative: unit.Wide(101), Nonce: 5, Expires: 10}, 9, ErrStale},
		"an older nonce":         {Voucher{Cumulative: unit.Wide(101), Nonce: 4, Expires: 10}, 9, ErrStale},
		"the same amount":        {Voucher{Cumulative: unit.Wide(100), Nonce: 6, Expires: 10}, 9, ErrAmount},
		"less":                   {Voucher{Cumulative: unit.Wide(99), Nonce: 6, Expires: 10}, 9, ErrAmount},
		"above the deposit":      {Voucher{Cumulative: unit.Wide(201), Nonce: 6, Expires: 10}, 9, ErrDeposit},
		"more than 64 bits hold": {Voucher{Cumulative: unit.Uint128{Hi: 1, Lo: 150}, Nonce: 6, Expires: 10}, 9, ErrDeposit},
		"expired":                {Voucher{Cumulative: unit.Wide(101), Nonce: 6, Expires: 10}, 11, ErrExpired},
	} {
		t.Run(name, func(t *testing.T) {
			if err := c.v.Check(paid, c.now); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
}

// The payer raises the amount token by token and the runner accepts what raises it enough.
//
// Spec: gateway-payments-streams §D (cumulative vouchers).
func TestARunningVoucher(t *testing.T) {
	secret := digest.Keccak256([]byte("payer"))
	key, err := sig.ParsePrivateKey(secret[:])
	if err != nil {
		t.Fatal(err)
	}
	begin := Running{ChainID: 9, Session: digest.Hash{1}, Payer: key.Address(), Paid: Paid{Deposit: 100}}
	payer, taker := begin, begin
	for n := 1; n <= 10; n++ {
		v, s, err := payer.Raise(key, 10, 50, digest.Hash{byte(n)})
		if err != nil {
			t.Fatal(err)
		}
		if err := taker.Accept(v, s, 10, 50); err != nil || taker != payer {
			t.Fatalf("voucher %d: %v, %+v and %+v", n, err, taker, payer)
		}
	}
	if taker.Paid.Spent != 100 || taker.Newest.Nonce != 10 {
		t.Errorf("%+v", taker)
	}
	if _, _, err := payer.Raise(key, 1, 50, digest.Hash{}); !errors.Is(err, ErrDeposit) {
		t.Errorf("above the deposit: %v", err)
	}
	if _, _, err := payer.Raise(key, ^unit.Amount(0), 50, digest.Hash{}); !errors.Is(err, ErrDeposit) {
		t.Errorf("beyond 64 bits: %v", err)
	}
	fresh := begin
	if _, _, err := fresh.Raise(key, 0, 50, digest.Hash{}); !errors.Is(err, ErrAmount) {
		t.Errorf("by nothing: %v", err)
	}
	v, s, _ := fresh.Raise(key, 10, 50, digest.Hash{})
	other := begin
	other.Session = digest.Hash{2}
	for name, got := range map[string]struct{ err, want error }{
		"too little":      {begin.Accept(v, s, 11, 50), ErrAmount},
		"expired":         {begin.Accept(v, s, 10, 51), ErrExpired},
		"another session": {other.Accept(v, s, 10, 50), ErrSession},
		"not signed":      {begin.Accept(v, sig.Signature{}, 10, 50), ErrSignature},
		"once more":       {taker.Accept(v, s, 1, 50), ErrStale},
	} {
		t.Run(name, func(t *testing.T) {
			if !errors.Is(got.err, got.want) {
				t.Errorf("%v, want %v", got.err, got.want)
			}
		})
	}
}
