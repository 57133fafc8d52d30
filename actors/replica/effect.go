package replica

import (
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// effect is what a state wants done. Effects are performed in order, and the next one only after the one before: what is behind a write has to wait until
// that is durable.
type effect interface{ effect() }

type (
	// send tells peers something, and broadcast all of them.
	send struct {
		to      []link.Peer
		message PeerMessage
	}
	broadcast struct{ message PeerMessage }
	// introduce tells peers which validator this node is.
	introduce struct {
		to   []link.Peer
		rank uint32
	}
	// serve sends a peer a block out of the ledger, if it is there.
	serve struct {
		to   link.Peer
		hash digest.Hash
	}
	// report holds something against a peer that no honest one does.
	report struct {
		peer link.Peer
		why  string
	}

	// write makes records and blocks durable in the journal.
	write struct{ batch batch }
	// forget lets journal and guard forget the views below one.
	forget struct{ view uint64 }
	// settle lets the journal forget the blocks up to a durable height.
	settle struct{ height unit.Height }
	// open opens an epoch whose anchor is durable: its committee, journal and keys. It is answered by opened.
	open struct{ epoch uint64 }

	// signVote, signNewView and signAccusation ask for signatures. Each is answered by signed.
	signVote       struct{ vote *simplex.Vote }
	signNewView    struct{ message *simplex.NewView }
	signAccusation struct{ accusation *simplex.Accusation }
	// prepare lets the keys make ready for a round and for the header proof of a height.
	prepare struct {
		round  sig.Round
		seed   []byte
		height uint64
	}

	// propose asks for a block: the header proof is made over seed first. It is answered by proposed.
	propose struct {
		proposal Proposal
		seed     []byte
	}
	// withdraw takes it back.
	withdraw struct{ round sig.Round }
	// verify asks for the signatures of a block's transactions. It is answered by recovered.
	verify struct {
		hash digest.Hash
		txs  []*tx.Tx
	}
	// execute asks for a block's execution. It is answered by executed.
	execute struct {
		hash   digest.Hash
		run    uint64
		parent transition.Parent // zero: what was asked for before
		header block.Header
		txs    []tx.Verified
	}
	// abandon takes it back.
	abandon struct{ run uint64 }
	// commit hands a final block to the ledger. It is answered by durable.
	commit struct{ final *ledger.Final }
	// seek asks for the final blocks up to a height.
	seek struct{ height unit.Height }

	// start sets a deadline: after the delay its event comes. stop ends the one that a start with the serial set.
	start struct {
		serial uint64
		delay  time.Duration
		event  event
	}
	stop struct{ serial uint64 }

	// What others are told.
	badProposal struct{ proposal *BadProposal }
	accuse      struct{ evidence *simplex.Evidence }
	dispute     struct{ accusation *simplex.Accusation }
	gaveUp      struct{ view simplex.GaveUp }
	entered     struct{} // another view
	relayed     struct{} // a proposal that came from somebody else than its leader
	publish     struct{ status Status }
	occupied    struct { // the encoded bytes held of blocks that nobody asked for, or of final ones
		final bool
		bytes int
	}

	// halt ends the node.
	halt struct{ why error }
)

func (send) effect()           {}
func (broadcast) effect()      {}
func (introduce) effect()      {}
func (serve) effect()          {}
func (report) effect()         {}
func (write) effect()          {}
func (forget) effect()         {}
func (settle) effect()         {}
func (open) effect()           {}
func (signVote) effect()       {}
func (signNewView) effect()    {}
func (signAccusation) effect() {}
func (prepare) effect()        {}
func (propose) effect()        {}
func (withdraw) effect()       {}
func (verify) effect()         {}
func (execute) effect()        {}
func (abandon) effect()        {}
func (commit) effect()         {}
func (seek) effect()           {}
func (start) effect()          {}
func (stop) effect()           {}
func (badProposal) effect()    {}
func (accuse) effect()         {}
func (dispute) effect()        {}
func (gaveUp) effect()         {}
func (entered) effect()        {}
func (relayed) effect()        {}
func (publish) effect()        {}
func (occupied) effect()       {}
func (halt) effect()           {}
