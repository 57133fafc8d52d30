package system

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Pot is the coin a chapter holds for others, under the name package flow has for it.
type Pot struct {
	Name string
	Held unit.Amount
}

// Pots lists what each chapter holds for others, in the order of the chapters.
//
// Spec: WP §8.
func Pots(r state.Reader) ([]Pot, error) {
	var list []Pot
	for _, c := range chapters.all {
		if c.Escrow == nil {
			continue
		}
		held, err := c.Escrow(r)
		if err != nil {
			return nil, fmt.Errorf("chapter %s: %w", c.Name, err)
		}
		name := string(c.Name)
		if c.Name == tx.ChapterStake {
			name = flow.Owed
		}
		list = append(list, Pot{name, held})
	}
	return list, nil
}
