package daemon

import (
	"encoding/binary"
	"math"
	"sync"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/rpc/admin"
	"github.com/cowboyinc/cowboy-go/chain/rent"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// rentsEvery is how long what was counted is told again: counting reads a record for each actor in debt.
const rentsEvery = 15 * time.Second

// rents reads how rent stands from the newest final state.
type rents struct {
	tip func() *ledger.Tip

	mu   sync.Mutex
	last admin.Rent
	ok   bool
	made time.Time
}

// look is what metrics read.
func (r *rents) look() (admin.Rent, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	tip := r.tip()
	if tip == nil {
		return admin.Rent{}, false
	}
	if now := time.Now(); r.made.IsZero() || now.Sub(r.made) >= rentsEvery {
		found, err := rentOf(tip.State)
		r.last, r.ok, r.made = found, err == nil, now
	}
	return r.last, r.ok
}

// rentOf reads how rent stands in a state.
func rentOf(s state.Reader) (x admin.Rent, err error) {
	clock, err := rent.At(s)
	if err != nil || clock.Epoch == 0 {
		return x, err
	}
	x = admin.Rent{Began: true, Epoch: clock.Epoch, Unswept: clock.Epoch - clock.Swept, Position: 1, Rate: float64(clock.Rate), Bytes: clock.State}
	if clock.Sweep > clock.Swept {
		x.Position = float64(binary.BigEndian.Uint64(clock.Cursor[:])) / math.MaxUint64
	}
	if x.InDebt, x.Dormant, err = rent.Owing(s, admin.RentMost); err != nil {
		return x, err
	}
	list, err := rent.Evicting(s, admin.RentMost)
	x.Evicting = len(list)
	return x, err
}
