package secret

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/stream"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
)

// SealReceipt is the handler of 0x04 by which operators of proxies show that they answer a SealRequest.
const SealReceipt = "submit_seal_receipt"

// Receipt is the Execute transaction of a proxy's operator that shows that the proxy answers a SealRequest: the canonical CBOR of
// [number, committee_epoch, sigma(48), share(96), challenge(32), response(32)].
//
// Spec: secrets-cbss §10 (1), §11.
func Receipt(number, epoch uint64, b *cbss.Blinded) (*tx.Execute, error) {
	data, err := cbor.Append(nil, []any{number, epoch, b.Sigma[:], b.Share[:], b.Challenge[:], b.Response[:]})
	return &tx.Execute{To: account.System(account.SecretsManager), Handler: []byte(SealReceipt), Payload: data}, err
}

// ParseReceipt reads the payload of what Receipt gave; false for anything else.
func ParseReceipt(data []byte) (number, epoch uint64, b *cbss.Blinded, ok bool) {
	v, err := cbor.Parse(data)
	list, is := v.([]any)
	if err != nil || !is || len(list) != 6 {
		return 0, 0, nil, false
	}
	b, ok = new(cbss.Blinded), true
	for i, into := range [...]*uint64{&number, &epoch} {
		n, is := list[i].(int64)
		ok = ok && is && n >= 0
		*into = uint64(n)
	}
	for i, into := range [...][]byte{b.Sigma[:], b.Share[:], b.Challenge[:], b.Response[:]} {
		raw, _ := list[2+i].([]byte)
		ok = ok && len(raw) == len(into)
		copy(into, raw)
	}
	return number, epoch, b, ok
}

// seals is the handler of operators' receipts. It costs what a receipt of a release does.
//
// Spec: secrets-cbss §7, §11.
func seals() []chapter.Handler {
	return []chapter.Handler{{Name: SealReceipt, Ways: chapter.ByExecute, Run: func(e *chapter.Env, r chapter.Request) ([]byte, error) {
		if err := e.Charge(params.CostReleaseReceipt, params.ReceiptRecordCells+unit.Cells(len(r.Data))); err != nil {
			return nil, err
		}
		if err := e.Building(r.Data); err != nil {
			return nil, err
		}
		number, epoch, b, ok := ParseReceipt(r.Data)
		if !ok {
			return nil, secret.ErrForm
		}
		s, err := open(e)
		if err != nil {
			return nil, err
		}
		m := &stream.Manager{State: e.State, Height: e.Block.Height, Bill: e.Bill}
		m.Emit = func(topic string, data []byte) { notedBy(e, stream.Home(), topic, data) }
		return nil, s.SealReceipt(m, e.Sender, number, epoch, b)
	}}}
}

// SealPrice is what a publisher's committee takes for a SealRequest, for the manager of streams.
//
// Spec: secrets-cbss §6, §11.
func SealPrice(e *chapter.Env) func(publisher account.Address) (unit.Amount, uint64, error) {
	return func(publisher account.Address) (unit.Amount, uint64, error) {
		s, err := open(e)
		if err != nil {
			return 0, 0, err
		}
		return s.SealPrice(publisher)
	}
}
