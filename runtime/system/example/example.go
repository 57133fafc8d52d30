//go:build examplechapter

package example

import (
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// Topics of the chapter's events.
const (
	TopicPledged = "example.pledged" // address, UInt amount
	TopicOpened  = "example.opened"  // UInt all pledges, where there are some
	TopicBlock   = "example.block"   // UInt pledges of the block
)

// ErrNothing reports a pledge of nothing.
var ErrNothing = errors.New("example: a pledge of nothing")

const (
	nameTotal  = "total"
	namePledge = "pledge:"
	sumPledged = "pledged" // coins of a block's turns
)

// minimum is the smallest pledge, in base units.
var minimum = chapter.Param{
	Key: params.KeyGenericPrefix + "example", Default: codec.AppendUint(nil, 1),
}

// New gives the chapter.
func New() *chapter.Chapter {
	home := account.System(tx.ExampleHome)
	return &chapter.Chapter{
		Name: tx.ChapterExample, Homes: []byte{tx.ExampleHome}, Domain: "cowboy-example:",
		Instructions: []chapter.Instruction{chapter.On(pledge)},
		Handlers: []chapter.Handler{
			{Name: "pledged", Ways: chapter.ByCall, Reads: true, Run: askPledged},
			{Name: "raise", Ways: chapter.ByCall, Run: raise},
			{Name: "tell", Ways: chapter.ByMessage | chapter.ByExecute, Run: tell},
		},
		Syscalls: []chapter.Syscall{{
			Name: "example_pledged", Sig: "actor=None", Args: []chapter.Kind{chapter.Address | chapter.Optional}, Reads: true, Run: pledged,
		}},
		Begin: begin, End: end,
		Escrow: func(r state.Reader) (unit.Amount, error) { return total(r) },
		Found:  func(s state.Store) { s.Set(key(nameTotal), codec.AppendUint(nil, 0)) },
		Faults: []chapter.Fault{{Err: ErrNothing, Code: drain.FaultValue, Class: "PledgeError", Host: 2}},
		Params: []chapter.Param{minimum},
		Claims: []account.Claim{
			{Chapter: "example", Holds: "all pledges", Kind: account.KindRecord, Holder: account.One, Address: home, Suffix: nameTotal, Exact: true},
			{Chapter: "example", Holds: "an actor's pledges", Kind: account.KindRecord, Holder: account.One, Address: home, Suffix: namePledge},
		},
	}
}

func key(suffix string) []byte {
	return account.KeyString(account.KindRecord, account.System(tx.ExampleHome), suffix)
}

func keyOf(actor account.Address) []byte { return key(namePledge + string(actor[:])) }

func amountAt(r state.Reader, key []byte) (unit.Amount, error) {
	raw, ok, err := r.Lookup(key)
	if err != nil || !ok {
		return 0, err
	}
	reader := codec.NewReader(raw)
	amount := unit.Amount(reader.Uint())
	return amount, reader.Finish()
}

func total(r state.Reader) (unit.Amount, error) { return amountAt(r, key(nameTotal)) }

// pledge takes the coins, which came to the chapter's address with the instruction, into escrow and tells the actor, whose handler may refuse by raising.
func pledge(e *chapter.Env, in *tx.Pledge) ([]byte, error) {
	least, err := e.Param(&minimum)
	if err != nil {
		return nil, err
	}
	if uint64(in.Amount) < codec.NewReader(least).Uint() {
		return nil, ErrNothing
	}
	if err := account.Debit(e.State, e.Self, in.Amount); err != nil {
		return nil, err
	}
	held, err := amountAt(e.State, keyOf(in.Actor))
	if err != nil {
		return nil, err
	}
	e.State.Set(keyOf(in.Actor), codec.AppendUint(nil, uint64(held+in.Amount)))
	e.Sum(sumPledged, int64(in.Amount))
	if err := e.Emit(TopicPledged, codec.AppendUint(append([]byte(nil), in.Actor[:]...), uint64(in.Amount))); err != nil {
		return nil, err
	}
	args, err := cbor.Append(nil, []any{uint64(in.Amount)})
	if err != nil {
		return nil, err
	}
	answer, err := e.Call(chapter.Call{Target: in.Actor, Handler: "on_pledge", Args: args, Cycles: 100_000})
	var refused *chapter.CallError
	if errors.As(err, &refused) {
		return nil, chapter.Refuse(drain.FaultCall, "the actor refuses the pledge: %s", refused.Text)
	}
	return answer, err
}

// pledged is the syscall: what is pledged in an actor's name, the caller's if none is named.
func pledged(e *chapter.Env, a chapter.Args) (any, error) {
	actor := e.Sender
	if a.Has(0) {
		actor = a.Address(0)
	}
	if err := e.Charge(e.Costs().StorageRead, 0); err != nil {
		return nil, err
	}
	amount, err := amountAt(e.State, keyOf(actor))
	return uint64(amount), err
}

// askPledged is the same for a synchronous call.
func askPledged(e *chapter.Env, _ chapter.Request) ([]byte, error) {
	amount, err := pledged(e, chapter.Args{nil})
	if err != nil {
		return nil, err
	}
	return cbor.Append(nil, amount)
}

// raise writes, emits and then refuses: whatever it did is undone.
func raise(e *chapter.Env, _ chapter.Request) ([]byte, error) {
	e.State.Set(keyOf(e.Sender), codec.AppendUint(nil, 1_000_000))
	if err := e.Emit(TopicPledged, nil); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("asked to raise: %w", ErrNothing)
}

// tell sends the asker a message.
func tell(e *chapter.Env, r chapter.Request) ([]byte, error) {
	_, err := e.Send(mailbox.Message{Sender: e.Self, Target: e.Sender, Payload: r.Data, Depth: e.Turn.Depth + 1})
	return nil, err
}

// begin announces what is pledged.
func begin(b *chapter.Boundary) error {
	held, err := total(b.State)
	if err == nil && held > 0 {
		b.Emit(TopicOpened, codec.AppendUint(nil, uint64(held)))
	}
	return err
}

// end adds what the block's turns pledged to the total, once.
func end(b *chapter.Boundary) error {
	more := b.Sum(sumPledged)
	if more == 0 {
		return nil
	}
	held, err := total(b.State)
	if err != nil {
		return err
	}
	b.State.Set(key(nameTotal), codec.AppendUint(nil, uint64(held)+uint64(more)))
	b.Emit(TopicBlock, codec.AppendUint(nil, uint64(more)))
	return nil
}
