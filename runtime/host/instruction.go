package host

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// instruction executes the instructions of one opcode of chapter "actor", on the turn's own meter. created is the address of an actor that is new.
type instruction struct {
	opcode tx.Opcode
	run    func(h *Host, w *work, meter *object.Meter, in tx.Instruction) (created *account.Address, data []byte, end *ending)
}

// instructions are those of chapter "actor" that need the Python machine and no system actor. The chapter's others move coins or call a handler.
var instructions = [...]instruction{on((*Host).deploy), on((*Host).upgrade)}

// on makes an instruction of a method over the type of its body.
func on[T tx.Instruction](run func(h *Host, w *work, meter *object.Meter, in T) (*account.Address, []byte, *ending)) instruction {
	var none T
	return instruction{none.Opcode(), func(h *Host, w *work, meter *object.Meter, in tx.Instruction) (*account.Address, []byte, *ending) {
		return run(h, w, meter, in.(T))
	}}
}

// perform executes what a turn carries: an instruction of chapter "actor", or a call of its target.
func (h *Host) perform(w *work, meter *object.Meter) (created *account.Address, data []byte, end *ending) {
	if in := w.turn.Payload.Instruction; in != nil {
		for i := range instructions {
			if instructions[i].opcode == in.Opcode() {
				return instructions[i].run(h, w, meter, in)
			}
		}
	}
	data, end = h.top(w, meter)
	return nil, data, end
}
