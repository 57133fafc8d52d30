package govern_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// Members stand in ascending order, each once: a list has one encoding, and nobody holds two seats.
//
// Spec: WP §2.5; governance-staking B4.
func TestMembersAscend(t *testing.T) {
	seats := make([]account.Address, params.CouncilSeats)
	for i := range seats {
		seats[i] = addr(byte(i + 1))
	}
	swapped, twice := slices.Clone(seats), slices.Clone(seats)
	swapped[0], swapped[1] = swapped[1], swapped[0]
	twice[len(twice)-1] = twice[len(twice)-2]
	for name, x := range map[string]struct {
		list []account.Address
		want error
	}{"ascending": {seats, nil}, "swapped": {swapped, codec.ErrOrder}, "twice": {twice, codec.ErrOrder}} {
		t.Run(name, func(t *testing.T) {
			for _, p := range []govern.Payload{&govern.SetCouncil{Members: x.list}, &govern.SetLabs{Members: x.list[len(x.list)-2:], Threshold: 1}} {
				if _, labs := p.(*govern.SetLabs); labs && name == "swapped" {
					p = &govern.SetLabs{Members: x.list[:2], Threshold: 1}
				}
				if _, err := govern.DecodePayload(govern.EncodePayload(p)); !errors.Is(err, x.want) {
					t.Errorf("%s, %T: %v, want %v", name, p, err, x.want)
				}
			}
		})
	}
}
