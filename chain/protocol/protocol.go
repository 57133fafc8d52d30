package protocol

import (
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Edition is a chapter as a version has it. The first is 1.
type Edition struct {
	Chapter tx.Chapter
	Number  uint32
}

// Version is what holds in a block. It is not modified.
type Version struct {
	Number   uint32
	Rows     *tx.Table
	Costs    *params.Costs
	Chapters []Edition // those that run; nil: the first edition of every chapter of this build
}

// Edition is the edition of a chapter that runs; ok is false for one that does not.
func (v *Version) Edition(name tx.Chapter) (number uint32, ok bool) {
	if v.Chapters == nil {
		return 1, true
	}
	at := slices.IndexFunc(v.Chapters, func(e Edition) bool { return e.Chapter == name })
	if at < 0 {
		return 0, false
	}
	return v.Chapters[at].Number, true
}

// Table is the versions a program knows, from 1 on. It is not modified.
type Table struct{ versions []*Version }

// NewTable makes a table. It panics for versions that are not numbered from 1 without a gap, that ask less for an instruction than tx.All, or move one to
// another lane, chapter or address: a mistake in the source.
func NewTable(list ...*Version) *Table {
	for i, v := range list {
		if v.Number != uint32(i+1) {
			panic(fmt.Sprintf("protocol: version %d stands at place %d", v.Number, i+1))
		}
		for _, r := range v.Rows.Rows() {
			least, ok := tx.All().Of(r.Opcode)
			if !ok || r.Intrinsic.Cycles < least.Intrinsic.Cycles || r.Intrinsic.Cells < least.Intrinsic.Cells {
				panic(fmt.Sprintf("protocol: version %d asks less for %s than tx.All", v.Number, r.Name))
			}
			if r.Lane != least.Lane || r.Chapter != least.Chapter || r.Home != least.Home {
				panic(fmt.Sprintf("protocol: version %d moves %s", v.Number, r.Name))
			}
		}
	}
	return &Table{slices.Clone(list)}
}

// UnknownError says that a chain has reached a version this program does not know. It is a failure of this machine and no verdict on a block.
type UnknownError struct {
	Version uint32
	Height  unit.Height
	Newest  uint32 // that this program knows
}

// Error implements error.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("block %d has version %d of the protocol, this program knows versions up to %d: start a newer one", e.Height, e.Version, e.Newest)
}

// At is the version in force at a height of a chain with these parameters, or an *UnknownError.
func (t *Table) At(p *params.Params, height unit.Height) (*Version, error) {
	n := p.Schedule.At(height)
	if n < 1 || n > uint32(len(t.versions)) {
		return nil, &UnknownError{n, height, uint32(len(t.versions))}
	}
	return t.versions[n-1], nil
}

// Versions lists the versions, in order. The caller owns the slice.
func (t *Table) Versions() []*Version { return slices.Clone(t.versions) }

// First is version 1.
func First() *Version { return all.versions[0] }

// All is the versions this program knows.
func All() *Table { return all }

var all = NewTable(&Version{Number: params.ProtocolVersion, Rows: tx.All(), Costs: params.FirstCosts()})
