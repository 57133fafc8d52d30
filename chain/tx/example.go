//go:build examplechapter

package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// ChapterExample is the chapter that shows what a new one needs. It is in builds with the tag examplechapter alone.
const ChapterExample Chapter = "example"

// ExampleHome is the last byte of its address.
const ExampleHome byte = 0x1e

// OpPledge is its opcode.
const OpPledge = Opcode(System)<<8 | 250

var extraRows = chapter(ChapterExample, Row{
	Opcode: OpPledge, Name: "Pledge", Home: ExampleHome, Lane: params.LaneUser, Intrinsic: Cost{Cycles: 30_000},
	body: func() Instruction { return new(Pledge) },
})

// Pledge puts coins into the keeping of the chapter, in an actor's name, and tells the actor.
type Pledge struct {
	Actor  account.Address
	Amount unit.Amount // base units
}

// Opcode implements Instruction.
func (*Pledge) Opcode() Opcode { return OpPledge }

// Fields implements Instruction.
func (p *Pledge) Fields(f *Form) {
	f.Address("actor", &p.Actor)
	f.Amount("amount", &p.Amount)
}

// Value is the amount.
func (p *Pledge) Value() unit.Amount { return p.Amount }
