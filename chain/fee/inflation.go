package fee

import (
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Year returns the inflation year of a block, counted from one: heights 1…params.BlocksPerYear are year 1. Height 0, the
// genesis, belongs to no year.
func Year(height unit.Height) uint64 {
	if height == 0 {
		return 0
	}
	return (uint64(height)-1)/params.BlocksPerYear + 1
}

// Inflation returns the amount the block at height creates and the supply record that goes with it, before the block's burns.
//
// The year's amount is its rate × the supply at the year's first block, rounded down; block i of n of the year creates
// floor(annual×(i+1)/n) − floor(annual×i/n) of it, so a year creates its amount to the base unit. Inflation that would not fit
// 64 bits is not created.
//
// Spec: WP §8.2, "The State Transition Function" (mint rewards).
func Inflation(s Supply, height unit.Height) (unit.Amount, Supply, error) {
	if height == 0 {
		return 0, s, nil
	}
	index := (uint64(height) - 1) % params.BlocksPerYear
	if index == 0 {
		total, err := s.Total()
		if err != nil {
			return 0, s, err
		}
		s.YearBase = total
	}
	annual, err := s.YearBase.MulDiv(params.InflationBPS(Year(height)), params.BasisPoints)
	if err != nil {
		return 0, s, err
	}
	before, err := annual.MulDiv(index, params.BlocksPerYear)
	if err != nil {
		return 0, s, err
	}
	after, err := annual.MulDiv(index+1, params.BlocksPerYear)
	if err != nil {
		return 0, s, err
	}
	minted, err := s.Mint(after - before)
	if err != nil {
		return 0, s, nil // the supply is at its 64-bit bound: the schedule stops rather than the chain
	}
	return after - before, minted, nil
}
