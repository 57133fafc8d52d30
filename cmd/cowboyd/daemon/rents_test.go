package daemon

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/admin"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/rent"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// A sweep in the middle of the addresses is half done; without one everybody is billed; before the first epoch there is nothing to tell.
//
// Spec: rent §6 (sweep).
func TestRentOf(t *testing.T) {
	empty := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	if x, err := rentOf(empty); err != nil || x.Began {
		t.Errorf("%+v, %v", x, err)
	}
	terms := make([]rent.Terms, 3)
	for name, c := range map[string]struct {
		clock rent.Clock
		want  admin.Rent
	}{
		"half": {rent.Clock{Epoch: 7, Swept: 4, Terms: terms, Sweep: 6, Cursor: account.Address{0x80}, Rate: 5, State: 9},
			admin.Rent{Began: true, Epoch: 7, Unswept: 3, Position: 0.5, Rate: 5, Bytes: 9}},
		"none": {rent.Clock{Epoch: 7, Swept: 7, Sweep: 7, Rate: 5}, admin.Rent{Began: true, Epoch: 7, Position: 1, Rate: 5}},
	} {
		t.Run(name, func(t *testing.T) {
			s := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
			c.clock.Save(s)
			if x, err := rentOf(s); err != nil || x != c.want {
				t.Errorf("%+v, %v; want %+v", x, err, c.want)
			}
		})
	}
}
