package proposer

import (
	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// inboxCapacity is ample: the replica has one question out.
const inboxCapacity = 64

type (
	propose struct{ proposal replica.Proposal }
	offered struct {
		round sig.Round
		lane  params.Lane
		txs   []tx.Verified
	}
	late     struct{ round sig.Round }
	withdraw struct{ round sig.Round }
	learn    struct{ report executor.Report }
	built    struct {
		round    sig.Round
		token    *executor.CancelToken // of the build that is answered
		executed executor.Executed
	}
)

// Handle is how the replica asks the proposer.
type Handle struct{ inbox *supervision.Inbox }

// NewHandle makes the handle, with the inbox the tree declares.
func NewHandle() *Handle { return &Handle{supervision.NewInbox("proposer", inboxCapacity)} }

// Inbox is the subsystem's inbox.
func (h *Handle) Inbox() *supervision.Inbox { return h.inbox }

// Withdraw takes a question back: the round it was asked for is over. It is not answered any more.
func (h *Handle) Withdraw(round sig.Round) { h.inbox.Reply(withdraw{round}) }

// Learn tells what the executor saw of a block.
func (h *Handle) Learn(r executor.Report) { h.inbox.Reply(learn{r}) }

// Propose asks for a block.
func (h *Handle) Propose(p replica.Proposal) supervision.Delivery { return h.inbox.Send(propose{p}) }
