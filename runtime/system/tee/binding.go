package tee

import (
	"encoding/hex"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
)

// Names of the handlers about bindings.
const (
	HandlerAsk    = "begin_binding"          // gives the nonce of a proof
	HandlerBind   = "bind_measurements"      // sets the sender's binding
	HandlerRenew  = "renew_binding"          // has it count for another 604,800 blocks
	HandlerUnbind = "unbind_measurements"    // ends it
	HandlerShow   = "get_binding"            // a runner's
	keyBytes      = account.AddressSize + 64 // of the state, at most, for an entry
	askBytes      = digest.Size + 9
)

const anyWay = chapter.ByMessage | chapter.ByExecute | chapter.ByCall

// handlers are the methods about what runners are bound to. A nonce and a binding are of whoever asks, a registered runner.
//
// Spec: tee §2.3, §8 (4: the module answers at 0x05).
func handlers() []chapter.Handler {
	return []chapter.Handler{
		{Name: HandlerAsk, Ways: anyWay, Run: ask},
		{Name: HandlerBind, Ways: anyWay, Run: bind},
		{Name: HandlerRenew, Ways: anyWay, Run: renew},
		{Name: HandlerUnbind, Ways: anyWay, Run: unbind},
		{Name: HandlerShow, Ways: anyWay, Reads: true, Run: show},
	}
}

// keeps takes the price of entries that are read, and of so many bytes that are written under one key.
func keeps(e *chapter.Env, reads, bytes int) error {
	c := e.Costs()
	if bytes == 0 {
		return e.Charge(unit.Cycles(reads)*c.StorageRead, 0)
	}
	return e.Charge(unit.Cycles(reads)*c.StorageRead+2*c.StorageWrite, unit.Cells(bytes+keyBytes)*c.CellsPerByteWritten)
}

// declared is what the sender declared. Reject: runner.ErrUnknown.
func declared(e *chapter.Env) (*runner.Declaration, error) {
	if _, known, err := runner.Load(e.State, e.Sender); err != nil {
		return nil, err
	} else if !known {
		return nil, runner.ErrUnknown
	}
	return runner.LoadOffer(e.State, e.Sender)
}

// ask answers the nonce, of 32 bytes.
func ask(e *chapter.Env, r chapter.Request) ([]byte, error) {
	if _, err := e.Named(r); err != nil {
		return nil, err
	}
	if err := keeps(e, 2, askBytes); err != nil {
		return nil, err
	}
	if _, err := declared(e); err != nil {
		return nil, err
	}
	nonce := tee.Ask(e.State, e.Sender, e.Block.Beacon, e.Block.Height)
	return chapter.Plain(nonce[:])
}

// bind reads a binding and its proof, tee.Evidence of the binding's hash by the key of one of its measurements, and sets it.
func bind(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r,
		chapter.Parameter{Name: "cpu_tee_type", Kind: chapter.Text}, chapter.Parameter{Name: "allowed_cpu_measurements", Kind: chapter.Value},
		chapter.Parameter{Name: "allowed_gpu", Kind: chapter.Value}, chapter.Parameter{Name: "service_pubkey", Kind: chapter.Hash | chapter.Optional},
		chapter.Parameter{Name: "service_scheme", Kind: chapter.Text | chapter.Optional}, chapter.Parameter{Name: "proof", Kind: chapter.Bytes},
	)
	if err != nil {
		return nil, err
	}
	b := &tee.Binding{Service: a.Hash(3)}
	if b.Type, err = tee.ParseType(a.Text(0)); err != nil {
		return nil, err
	}
	if b.Scheme, err = tee.ParseScheme(a.Text(4)); err != nil {
		return nil, err
	}
	for i, to := range []*[]digest.Hash{&b.Measurements, &b.Accelerators} {
		list, ok := hashes(a.Value(1 + i))
		if !ok {
			return nil, tee.ErrBound
		}
		*to = list
	}
	proof, err := tee.DecodeEvidence(a.Bytes(5))
	if err != nil {
		return nil, err
	}
	if err := keeps(e, 3+len(b.Measurements), len(b.Encode())); err != nil {
		return nil, err
	}
	if err := e.Charge(b.Type.Cost(), 0); err != nil {
		return nil, err
	}
	d, err := declared(e)
	if err != nil {
		return nil, err
	}
	if err := b.Bind(e.State, e.Sender, d.Capabilities.TEESupport, &proof, e.Block.Height); err != nil {
		return nil, err
	}
	return nil, bound(e, b)
}

func bound(e *chapter.Env, b *tee.Binding) error {
	return e.Emit(TopicBound, codec.AppendUint(codec.AppendFixed(nil, e.Sender[:]), uint64(b.Expires)))
}

// hashes reads a list of hashes, octets or hexadecimal digits; nothing is an empty one.
func hashes(v any) (list []digest.Hash, ok bool) {
	all, is := v.([]any)
	if v != nil && !is || len(all) > tee.MaxListed {
		return nil, false
	}
	for _, one := range all {
		raw, _ := one.([]byte)
		if text, is := one.(string); is {
			raw, _ = hex.DecodeString(strings.TrimPrefix(text, "0x"))
		}
		if len(raw) != digest.Size {
			return nil, false
		}
		list = append(list, digest.Hash(raw))
	}
	return list, true
}

// renew takes a proof of the same binding, with a new nonce.
func renew(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, chapter.Parameter{Name: "proof", Kind: chapter.Bytes})
	if err != nil {
		return nil, err
	}
	proof, err := tee.DecodeEvidence(a.Bytes(0))
	if err != nil {
		return nil, err
	}
	if err := keeps(e, 3, tee.MaxBinding); err != nil {
		return nil, err
	}
	if err := e.Charge(proof.Type.Cost(), 0); err != nil {
		return nil, err
	}
	b, err := tee.Renew(e.State, e.Sender, &proof, e.Block.Height)
	if err != nil {
		return nil, err
	}
	return nil, bound(e, b)
}

func unbind(e *chapter.Env, r chapter.Request) ([]byte, error) {
	if _, err := e.Named(r); err != nil {
		return nil, err
	}
	c := e.Costs()
	if err := e.Charge(c.StorageRead+2*c.StorageDelete, 0); err != nil {
		return nil, err
	}
	ok, err := tee.Unbind(e.State, e.Sender)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, tee.ErrUnbound
	}
	return nil, e.Emit(TopicUnbound, codec.AppendFixed(nil, e.Sender[:]))
}

// show answers the binding that a runner has set, by the names of the text; None for none.
//
// Spec: tee §2.3.
func show(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, chapter.Parameter{Name: "runner", Kind: chapter.Address})
	if err != nil {
		return nil, err
	}
	if err := keeps(e, 1+tee.MaxListed, 0); err != nil {
		return nil, err
	}
	b, err := tee.LoadBinding(e.State, a.Address(0))
	if err != nil {
		return nil, err
	}
	if b == nil {
		return chapter.Plain(nil)
	}
	status, err := b.Status(e.State, e.Block.Height)
	if err != nil {
		return nil, err
	}
	listed := func(all []digest.Hash) []any {
		list := make([]any, len(all))
		for i := range all {
			list[i] = all[i][:]
		}
		return list
	}
	return chapter.Plain(cbor.Map{
		{Key: "cpu_tee_type", Value: b.Type.String()}, {Key: "allowed_cpu_measurements", Value: listed(b.Measurements)},
		{Key: "allowed_gpu", Value: listed(b.Accelerators)}, {Key: "service_pubkey", Value: b.Service[:]},
		{Key: "service_scheme", Value: b.Scheme.String()}, {Key: "bound_at", Value: uint64(b.Bound)}, {Key: "expires_at", Value: uint64(b.Expires)},
		{Key: "status", Value: status.String()},
	})
}
