package chapter

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Chapter is a chapter of the specification as the node runs it. What it does not have is nil; a chapter that is not built has a name, its addresses and
// the names of its syscalls alone. It is immutable.
type Chapter struct {
	Name tx.Chapter
	// Edition tells chapters of one name apart, of which a version of the protocol runs one; 0 is the first, 1.
	Edition uint32
	Homes   []byte // last bytes of the system actors it answers for; others may answer at the same ones

	// Instructions are those the chapter executes.
	Instructions []Instruction
	// Handlers answer at Homes by name.
	Handlers []Handler
	// Syscalls are members of pvm_host.
	Syscalls []Syscall

	// Ended is told how a message ended that one of Homes sent. It rejects nothing: what it writes was paid for when the message was sent, or is paid from
	// what the delivery has left.
	Ended func(e *Ended) error

	// Begin and End run before the first and after the last turn of every block.
	Begin, End func(b *Boundary) error
	// Domain separates the identities of the receipts that hold the events of Begin and End; "" is one made of the name.
	Domain string

	// Migrate takes over what the edition before it keeps, where governance upgrades to it with a migration. It leaves no message, timer or held item.
	Migrate func(e *Env) error

	// Escrow is the coin the chapter holds for others and no account has, in base units, read from a total the chapter keeps.
	Escrow func(r state.Reader) (unit.Amount, error)
	// Found writes what the chapter has at height 0.
	Found func(s state.Store)
	// Faults are the rejects of Run, Handlers and Syscalls; any other error is a failure of this machine.
	Faults []Fault
	// Claims are the ranges of state keys the chapter keeps its records in.
	Claims []account.Claim
	// Params are the governed parameters that the chapter alone reads.
	Params []Param
	// Join tells the chapter of all chapters, once, when the list of them is made.
	Join func(all []*Chapter)
}

// Built reports whether the chapter does anything.
func (c *Chapter) Built() bool {
	for _, s := range c.Syscalls {
		if s.Run != nil {
			return true
		}
	}
	return len(c.Instructions) > 0 || len(c.Handlers) > 0 || c.Begin != nil || c.End != nil
}

// Instruction executes the instructions of one opcode. What Run returns is the receipt's return data.
type Instruction struct {
	Opcode tx.Opcode
	Run    func(e *Env, in tx.Instruction) ([]byte, error)
}

// On makes an Instruction of a function over the type of its body.
func On[T tx.Instruction](run func(e *Env, in T) ([]byte, error)) Instruction {
	var none T
	return Instruction{none.Opcode(), func(e *Env, in tx.Instruction) ([]byte, error) { return run(e, in.(T)) }}
}

// Ways says how a handler may be reached.
type Ways uint8

// The ways.
const (
	ByMessage Ways = 1 << iota // a message of an actor
	ByExecute                  // an Execute transaction
	ByCall                     // a synchronous call of an actor
)

// Handler answers at the chapter's addresses.
type Handler struct {
	Name string // "" answers whatever no other handler of the address does
	Ways Ways
	// Coins says that it takes coins; they are on the address's balance when Run begins.
	Coins bool
	// Reads says that it writes nothing and causes nothing, so that a read-only call may use it.
	Reads bool
	Run   func(e *Env, r Request) ([]byte, error)
}

// Request is what a handler is asked.
type Request struct {
	Handler    string
	Data       []byte
	Structured bool // Data is canonical CBOR, and so is the answer to a call
}

// Syscall is a function of pvm_host.
type Syscall struct {
	Name string
	Sig  string // parameters as Python writes them, with defaults: "token_id, to, amount"
	Args []Kind // of the parameters, in order
	// Reads says that it writes nothing and causes nothing, so that a read-only handler may use it.
	Reads bool
	// Run gives nil, bool, int64, uint64, []byte, string, unit.Uint128, account.Address, digest.Hash, []any or cbor.Map; nil is None. Nil for
	// a chapter that is not built.
	Run func(e *Env, a Args) (any, error)
}

// Unbound is the Sig of a syscall that takes whatever it is given, and has no Run.
const Unbound = "…"

// Kind is what an argument of a syscall or a handler is in Python.
type Kind uint8

// The kinds. Each may be followed by Optional.
const (
	Bytes   Kind = iota // bytes-like, or str as UTF-8
	Text                // str
	Number              // int from 0 to 2^64-1
	Coins               // Number, and no bool
	Wide                // int from 0 to 2^128-1, and no bool
	Truth               // anything, by its truth
	Address             // 20 bytes, 40 hexadecimal digits, or an object with to_bytes
	Value               // anything CBOR can hold
	Hash                // 32 bytes, or 64 hexadecimal digits; of handlers alone
)

// Optional marks a kind whose argument may be missing or None: Args.Has then says no.
const Optional Kind = 0x80

// Param is a governed parameter group.
type Param struct {
	Key     string // of governance: "system:gov:param:…"
	Default []byte // canonical; what a state without the key has
	// Tier is the least of a proposal that changes it, 0 to params.GovernanceTiers−1. Spec: governance-staking B3, B9.
	Tier uint8
	// Check gives an error for bytes that are no value of it; nil takes any.
	Check func(value []byte) error
}
