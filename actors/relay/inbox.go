package relay

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Commands of the keeper.
type (
	due   struct{} // the next poll
	heard struct { // what a poll saw
		sight sight
		err   error
	}
	over struct { // an act is over
		act act
		by  int // of the menders; -1 for the courier
		err error
	}
	rotten struct{ volume digest.Hash }
	hint   struct { // the chain has this version of a volume's placement
		volume  digest.Hash
		version uint64
	}
	status struct{ reply chan Status }
)

// Abandoned implements supervision.Abandoner.
func (s status) Abandoned(error) { close(s.reply) }

// errand is the command of a worker: an act, or a poll.
type errand struct {
	act  act
	poll bool
	by   int // of the menders; -1 for the courier
	from *supervision.Inbox
}

// Abandoned implements supervision.Abandoner: what came to nothing is done again.
func (e errand) Abandoned(cause error) {
	if e.poll {
		e.from.Reply(heard{err: cause})
		return
	}
	e.from.Reply(over{e.act, e.by, cause})
}

// Status is what a relay says of itself.
type Status struct {
	Height   uint64 `json:"height"`
	Status   string `json:"status"` // on the chain
	Slots    int    `json:"slots"`
	Whole    int    `json:"whole"` // slots that were found whole
	UnderWay int    `json:"under_way"`
	Bytes    uint64 `json:"bytes"`
	Capacity uint64 `json:"capacity"`
	Chunks   uint64 `json:"chunks"`
	Rotten   uint64 `json:"rotten"`
}

// menders is how many slots are mended at a time: what one waits for, a table or the disk, holds up no other one.
const menders = 4

// Handle is how others reach a relay's keeper, over its restarts.
type Handle struct {
	keeper, courier *supervision.Inbox
	menders         [menders]*supervision.Inbox
}

// NewHandle gives the handle of a relay that is to be started.
func NewHandle() *Handle {
	h := &Handle{keeper: supervision.NewInbox("keeper", 4_096), courier: supervision.NewInbox("courier", 4_096)}
	for i := range h.menders {
		h.menders[i] = supervision.NewInbox(fmt.Sprint("mender", i+1), 16)
	}
	return h
}

// Rotten says that a chunk of a volume is gone or not what it was.
func (h *Handle) Rotten(volume digest.Hash) { h.keeper.Send(rotten{volume}) }

// Hinted says that the chain has a version of the placement of a volume.
func (h *Handle) Hinted(volume digest.Hash, version uint64) { h.keeper.Send(hint{volume, version}) }

// Status gives what the keeper says; false where it does not answer.
func (h *Handle) Status() (Status, bool) {
	s := status{make(chan Status, 1)}
	if h.keeper.Send(s) != supervision.Accepted {
		return Status{}, false
	}
	v, ok := <-s.reply
	return v, ok
}
