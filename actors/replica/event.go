package replica

import (
	"time"

	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/verifier"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// event is what a state is told. A command of the inbox that says all there is to say is its own event.
type event interface{ event() }

type (
	// begun says that the node starts.
	begun struct{}
	// looked says that something else happened: time has passed.
	looked struct{}

	connected    struct{ peer link.Peer }
	disconnected struct{ peer link.Peer }
	heard        struct {
		from  link.Peer
		frame []byte
	}

	// opened answers open.
	opened struct {
		number    uint64
		anchor    *block.Header
		hash      digest.Hash // of the anchor
		committee *Committee
		// certificates are those of the anchor, and tip those of the durable tip at the start of the node.
		certificates, tip []*sig.Certificate
		journal           contents
	}
	// signed answers signVote, signNewView and signAccusation.
	signed struct{ answer simplex.Event }
	// withheld answers them when no signature is given.
	withheld struct{}

	// The answers of other subsystems. life tells an answer to an earlier instance's question apart.
	proposed struct {
		round  sig.Round
		result *transition.Result // nil: there is no block
	}
	recovered struct {
		life    uint64
		hash    digest.Hash
		results []verifier.Result
	}
	executed struct {
		life     uint64
		hash     digest.Hash
		run      uint64
		executed executor.Executed
	}
	durable struct{ height unit.Height } // a block handed to the ledger is
	ready   struct{}                     // the proposer has started and knows of no question
	hurry   struct{ height unit.Height } // blocks up to a height wait for no interval

	// The deadlines. serial is that of the start they were set by.
	expired struct { // of agreement
		life, serial uint64
		timer        simplex.Timer
		view         uint64
	}
	pacer   struct{ interval time.Duration } // the block interval is another one
	due     struct{ life, serial uint64 }    // the block interval has passed
	overdue struct {                         // a block that was asked for did not come
		life, serial uint64
		hash         digest.Hash
	}
	awake struct{ life, serial uint64 } // time has come for a proposal from the future
)

// contents is what the journal has when an epoch is opened.
type contents struct {
	epoch   uint64 // it is of; a later one than the epoch's keeps its records
	fresh   bool   // there was none when the node started
	records []simplex.Record
	blocks  []journaled
}

func (begun) event()        {}
func (looked) event()       {}
func (connected) event()    {}
func (disconnected) event() {}
func (heard) event()        {}
func (opened) event()       {}
func (signed) event()       {}
func (withheld) event()     {}
func (proposed) event()     {}
func (recovered) event()    {}
func (executed) event()     {}
func (durable) event()      {}
func (ready) event()        {}
func (hurry) event()        {}
func (pacer) event()        {}
func (expired) event()      {}
func (due) event()          {}
func (overdue) event()      {}
func (awake) event()        {}
func (Import) event()       {}
