package budget

import (
	"fmt"
	"sync/atomic"
)

// Purpose is what a share of the memory is for.
type Purpose uint8

// The purposes.
const (
	Execution   Purpose = iota // blocks in execution, Python heaps, the index of the state, the runtime: what is left
	Pool                       // waiting transactions
	Submissions                // transactions on their way into the pool
	Frames                     // frames of peers that wait for a subsystem
	Peers                      // flow control windows, frames that are being read, frames that wait to be sent
	Candidates                 // proposed blocks that nobody asked for
	Finals                     // final blocks that wait for the disk
	Catchup                    // blocks that were fetched and are not on disk
	Programs                   // compiled Python programs
	Proofs                     // nodes of the state's tree that proofs read
	Clients                    // connections of clients, bodies of their requests, and answers
	Pages                      // blocks and receipts that clients asked for last
	Runners                    // connections of runners, their frames, and assignments on their way
	Purposes                   // their number
)

const (
	mib = 1 << 20
	// Least is the smallest budget a node can work in.
	Least = 256 * mib
	// Usual is the budget where nobody says anything and the machine does not either.
	Usual = 2048 * mib
	// Most is the largest budget that is chosen for a machine; an operator may allow more.
	Most = 8192 * mib
	// Decoded is how many bytes of the heap a byte of encoded transactions takes once they are decoded, their encoding included: a transfer of 142 bytes, the
	// smallest there is, takes 432 beside them.
	Decoded = 5
)

// share is a row of the table.
type share struct {
	name     string
	perMille int64
	floor    int64 // what the purpose needs to work at all
	ceiling  int64 // what more of does not help
}

// table is the one place that says who gets how much.
var table = [Purposes]share{
	Execution:   {"execution", 0, 48 * mib, 0},
	Pool:        {"pool", 65, 16 * mib, 192 * mib},
	Submissions: {"submissions", 45, 10 * mib, 96 * mib},
	Frames:      {"frames", 85, 20 * mib, 256 * mib},     // one of 9 MiB must find room beside others
	Peers:       {"peers", 125, 40 * mib, 512 * mib},     // half of it for frames: 15 MiB for strangers and one block beside them
	Candidates:  {"candidates", 85, 21 * mib, 384 * mib}, // one block of 4 MiB, decoded
	Finals:      {"finals", 30, 8 * mib, 384 * mib},      // one may always wait
	Catchup:     {"catchup", 60, 40 * mib, 480 * mib},    // one answer of 8 MiB, decoded
	Programs:    {"programs", 60, 24 * mib, 256 * mib},   // what one block loads at worst, of ordinary sources
	Proofs:      {"proofs", 25, 4 * mib, 256 * mib},
	Clients:     {"clients", 45, 10 * mib, 128 * mib},
	Pages:       {"pages", 15, 4 * mib, 32 * mib},
	Runners:     {"runners", 8, 2 * mib, 64 * mib}, // half of it for windows of 128 KiB
}

// String is the name of a purpose, as the metrics show it.
func (p Purpose) String() string {
	if p >= Purposes {
		return fmt.Sprintf("purpose(%d)", uint8(p))
	}
	return table[p].name
}

// TooLittleError says that a node cannot work in so little memory.
type TooLittleError struct{ Have int64 }

// Error implements error.
func (e *TooLittleError) Error() string {
	return fmt.Sprintf("a node needs a memory budget of at least %d MiB, not %d", Least/mib, e.Have/mib)
}

// Budget is a divided budget. Its accounts may be used by any goroutine.
type Budget struct {
	Total    int64
	accounts [Purposes]Account
}

// Divide gives each purpose its share of a total in bytes, or a *TooLittleError.
func Divide(total int64) (*Budget, error) {
	if total < Least {
		return nil, &TooLittleError{total}
	}
	b := &Budget{Total: total}
	left := total
	for p := Execution + 1; p < Purposes; p++ {
		s := &table[p]
		b.accounts[p].limit = min(max(total/1000*s.perMille, s.floor), s.ceiling)
		left -= b.accounts[p].limit
	}
	b.accounts[Execution].limit = left
	return b, nil
}

// Of gives a purpose's account.
func (b *Budget) Of(p Purpose) *Account { return &b.accounts[p] }

// Machine is the budget for a machine with so much memory, of which nobody else takes more than half; 0 if that is not known.
func Machine(memory int64) int64 {
	if memory <= 0 {
		return Usual
	}
	return min(max(memory/2, Least), Most)
}

// Account is a share of the memory and what is used of it. It may be used by any goroutine; the zero Account has room for nothing.
type Account struct {
	limit int64
	used  atomic.Int64
}

// NewAccount is an account that stands for itself, outside any budget.
func NewAccount(limit int64) *Account { return &Account{limit: limit} }

// Limit is the share in bytes.
func (a *Account) Limit() int64 { return a.limit }

// Used is how much of it is taken.
func (a *Account) Used() int64 { return a.used.Load() }

// Take takes n bytes, or reports that there is no room and takes nothing.
func (a *Account) Take(n int64) bool { return a.TakeBelow(n, a.limit) }

// TakeBelow is Take for somebody who may fill the account only up to a bound, so that room is left for others.
func (a *Account) TakeBelow(n, bound int64) bool {
	for {
		used := a.used.Load()
		if n > min(bound, a.limit)-used {
			return false
		}
		if a.used.CompareAndSwap(used, used+n) {
			return true
		}
	}
}

// Give gives n bytes back.
func (a *Account) Give(n int64) { a.used.Add(-n) }

// Add counts n bytes more, or less if n is negative, of something that has a bound of its own.
func (a *Account) Add(n int64) { a.used.Add(n) }

// Set says how much is used, for whoever counts by itself.
func (a *Account) Set(n int64) { a.used.Store(n) }
