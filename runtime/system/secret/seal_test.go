package secret_test

import (
	"bytes"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/stream"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	systemsecret "github.com/cowboyinc/cowboy-go/runtime/system/secret"
	systemstream "github.com/cowboyinc/cowboy-go/runtime/system/stream"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// ask is an Execute transaction for the manager of streams.
func (w *town) ask(handler string, list ...any) *tx.Execute {
	w.t.Helper()
	data, err := cbor.Append(nil, list)
	if err != nil {
		w.t.Fatal(err)
	}
	return &tx.Execute{To: stream.Home(), Handler: []byte(handler), Payload: data}
}

// sealReceipt is what the operator of the proxy at a place sends of a SealRequest.
func (w *town) sealReceipt(n uint64, in *tx.RotateCommittee, place int) (*testkit.Account, *tx.Execute) {
	w.t.Helper()
	q, _, err := stream.LoadRequest(w.State(), n, w.Height())
	if err != nil || q == nil {
		w.t.Fatalf("no request %d: %v", n, err)
	}
	proxy := in.Generation().Committee[place]
	to := cbss.StreamIdentity(chainID, w.ann.Address(), in.Master, q.Stream, q.From)
	b, err := cbss.Blind(cbss.Sign(w.shares[place], to), w.shares[place].Public(), w.number(), w.number(), secret.SealContext(chainID, n, q, proxy))
	if err != nil {
		w.t.Fatal(err)
	}
	receipt, err := systemsecret.Receipt(n, 1, b)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.operators[w.place(proxy)], receipt
}

// A publisher with a release key sells epochs, and its committee seals them, on a whole chain: what each call answers, every code, and who has which coins. In
// every block all coins are accounted for.
//
// Spec: secrets-cbss §5, §7, §9, §11; gateway-payments-streams §E.2.
func TestSealingOnAChain(t *testing.T) {
	w := newTown(t)
	for n, o := range w.operators {
		w.ids = append(w.ids, digest.Hash(w.must(o, &tx.RegisterCbssProxy{
			PublicKey: w.keys[n].Compressed(), HPKE: [32]byte{1}, NetworkAddr: []byte("127.0.0.1:9601"), Stake: 10_000 * unit.CBY,
		})))
	}
	w.AdvanceTo(w.Height() + 100) // they have soaked
	w.must(w.ann, &tx.RequestAccountDkg{Account: w.ann.Address()})
	w.Mine()
	key := w.rotation(secret.AccountScope(w.ann.Address()))
	w.must(w.operators[0], key)

	till := w.Account("till")
	ann, bob, treasury := w.ann.Address(), w.bob.Address(), till.Address()
	id := stream.ID(ann, []byte("paper"))
	w.must(w.ann, w.ask("configure_stream", []byte("paper"), uint64(2*unit.CBY), 500, treasury[:], 1_000_000, 1))
	w.must(w.bob, w.ask("register_account_key", bytes.Repeat([]byte{7}, 32)))
	before := w.balance(till)
	w.must(w.bob, w.ask("acquire_epoch_access", id[:], bob[:], bob[:], 2))
	if got := w.balance(till) - before; got != 2*unit.CBY { // three epochs of 2, less four receipts of 1
		t.Errorf("the publisher has got %d", got)
	}
	operator, first := w.sealReceipt(0, key, 0)
	w.refused(w.bob, first, systemsecret.FaultProxy)
	other, _ := w.sealReceipt(0, key, 1)
	w.refused(other, first, systemsecret.FaultPartial)
	for name, payload := range map[string][]byte{"nothing": nil, "a list": {0x80}, "cut": first.Payload[:100]} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			w.refused(operator, &tx.Execute{To: secret.Home(), Handler: first.Handler, Payload: payload}, drain.FaultInput)
		})
	}
	w.t = t
	w.must(operator, first)
	w.refused(operator, first, systemsecret.FaultRecorded)
	for place := 1; place < 4; place++ {
		w.must(w.sealReceipt(0, key, place))
	}
	last, late := w.sealReceipt(0, key, 4)
	w.refused(last, late, systemsecret.FaultSealRequest)
	if w.told(secret.TopicSealReceipt) != 4 || len(w.Events(stream.Home(), stream.TopicSealed)) != 1 {
		t.Errorf("%d receipts, %d sealed", w.told(secret.TopicSealReceipt), len(w.Events(stream.Home(), stream.TopicSealed)))
	}

	// For a new key the reader pays four fees; of one epoch alone the publisher gets too little to pay.
	w.must(w.bob, w.ask("register_account_key", bytes.Repeat([]byte{8}, 32)))
	w.refused(w.bob, w.ask("request_seal", id[:], 1, 3), systemstream.FaultEntitled)
	w.must(w.bob, w.ask("request_seal", id[:], 1, 2))
	if held, err := stream.Escrow(w.State()); err != nil || held != 4*unit.CBY {
		t.Errorf("%d are held: %v", held, err)
	}
	w.must(w.bob, w.ask("acquire_epoch_access", id[:], bob[:], bob[:], 3))
	operator, unpaid := w.sealReceipt(2, key, 0)
	w.refused(operator, unpaid, systemsecret.FaultSealUnpaid)
	w.must(w.bob, w.ask("request_seal_again", 2))
	w.must(w.sealReceipt(3, key, 0))
	if held, err := stream.Escrow(w.State()); err != nil || held != 7*unit.CBY {
		t.Errorf("%d are held: %v", held, err)
	}
	if a, err := account.Load(w.State(), stream.Home()); err != nil || a.Balance != 0 {
		t.Errorf("0x0D itself has %d: %v", a.Balance, err)
	}
}
