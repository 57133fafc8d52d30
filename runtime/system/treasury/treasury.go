package treasury

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/treasury"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// TopicClaimed announces what was paid of a grant: UInt grant ‖ beneficiary(20) ‖ UInt amount.
const TopicClaimed = "treasury.claimed"

// Names of the handlers. The argument of each is the number of a grant, eight bytes big-endian.
const (
	HandlerClaim = "claim" // pays what is due; returns the amount, eight bytes big-endian
	HandlerDue   = "due"   // the amount that a claim would pay
)

// New gives the chapter.
//
// Spec: WP §8.3.
func New() *chapter.Chapter {
	return &chapter.Chapter{
		Name: tx.ChapterTreasury, Homes: []byte{account.Treasury},
		Handlers: []chapter.Handler{
			{Name: HandlerClaim, Ways: chapter.ByExecute | chapter.ByMessage | chapter.ByCall, Run: claim},
			{Name: HandlerDue, Ways: chapter.ByExecute | chapter.ByCall, Reads: true, Run: due},
		},
		Faults: []chapter.Fault{
			{Err: treasury.ErrNoGrant, Code: drain.FaultMissing, Class: "NotFoundError", Host: 3},
			{Err: treasury.ErrNothing, Code: drain.FaultForbidden, Class: "InvalidInputError", Host: 5},
		},
		Claims: treasury.Claims(),
	}
}

// grantOf reads the argument of a handler.
func grantOf(r chapter.Request) (uint64, error) {
	c := codec.NewReader(r.Data)
	id := c.U64()
	if c.Finish() != nil {
		return 0, chapter.Reject(drain.FaultInput, "InvalidInputError", 2, "the argument is the number of a grant, eight bytes")
	}
	return id, nil
}

// claim costs the reads and writes of a grant and of two accounts.
func claim(e *chapter.Env, r chapter.Request) ([]byte, error) {
	id, err := grantOf(r)
	if err != nil {
		return nil, err
	}
	if err := e.Charge(4*e.Costs().StorageRead+3*e.Costs().StorageWrite, 0); err != nil {
		return nil, err
	}
	g, err := treasury.Load(e.State, id)
	if err != nil {
		return nil, err
	}
	if err := e.Bill(g.To); err != nil {
		return nil, err
	}
	g, paid, err := treasury.Claim(e.State, id, e.Block.Height)
	if err != nil {
		return nil, err
	}
	data := codec.AppendUint(codec.AppendFixed(codec.AppendUint(nil, id), g.To[:]), uint64(paid))
	return codec.AppendU64(nil, uint64(paid)), e.Emit(TopicClaimed, data)
}

func due(e *chapter.Env, r chapter.Request) ([]byte, error) {
	id, err := grantOf(r)
	if err != nil {
		return nil, err
	}
	if err := e.Charge(2*e.Costs().StorageRead, 0); err != nil {
		return nil, err
	}
	_, amount, err := treasury.Due(e.State, id, e.Block.Height)
	return codec.AppendU64(nil, uint64(amount)), err
}
