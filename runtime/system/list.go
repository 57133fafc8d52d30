package system

import (
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/protocol"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/system/bank"
	"github.com/cowboyinc/cowboy-go/runtime/system/container"
	"github.com/cowboyinc/cowboy-go/runtime/system/develop"
	"github.com/cowboyinc/cowboy-go/runtime/system/entitle"
	"github.com/cowboyinc/cowboy-go/runtime/system/event"
	"github.com/cowboyinc/cowboy-go/runtime/system/gateway"
	"github.com/cowboyinc/cowboy-go/runtime/system/govern"
	"github.com/cowboyinc/cowboy-go/runtime/system/job"
	"github.com/cowboyinc/cowboy-go/runtime/system/payment"
	"github.com/cowboyinc/cowboy-go/runtime/system/relay"
	"github.com/cowboyinc/cowboy-go/runtime/system/rent"
	"github.com/cowboyinc/cowboy-go/runtime/system/route"
	"github.com/cowboyinc/cowboy-go/runtime/system/secret"
	"github.com/cowboyinc/cowboy-go/runtime/system/session"
	"github.com/cowboyinc/cowboy-go/runtime/system/staking"
	"github.com/cowboyinc/cowboy-go/runtime/system/stream"
	"github.com/cowboyinc/cowboy-go/runtime/system/tee"
	"github.com/cowboyinc/cowboy-go/runtime/system/timers"
	"github.com/cowboyinc/cowboy-go/runtime/system/token"
	"github.com/cowboyinc/cowboy-go/runtime/system/treasury"
	"github.com/cowboyinc/cowboy-go/runtime/system/volume"
)

// chapters are all chapters of the newest version, in the order of their block ends. It never changes.
var chapters = index(newest(every))

// every is every chapter in every edition, in the order of their block ends. It never changes.
var every = joined(append([]*chapter.Chapter{
	job.New(),
	entitle.New(),
	govern.New(),
	timers.New(),
	staking.New(),
	develop.New(),
	secret.New(),
	tee.New(),
	token.New(),
	treasury.New(),
	volume.New(),
	relay.New(),
	session.New(),
	stream.New(),
	route.New(),
	gateway.New(),
	container.New(),
	payment.New(),
	bank.New(),
	event.New(),
	rent.New(),
}, extra()...))

// joined shows the chapters to those that look at all others.
func joined(all []*chapter.Chapter) []*chapter.Chapter {
	for _, c := range all {
		if c.Join != nil {
			c.Join(newest(all))
		}
	}
	return all
}

// lists are those of the versions this program knows. It never changes.
var lists = func() [][]*chapter.Chapter {
	var all [][]*chapter.Chapter
	for _, v := range protocol.All().Versions() {
		all = append(all, index(of(v)).all)
	}
	return all
}()

// under is the chapters of a version. One that this program does not list is of a test, or has native editions that governance gave system actors: its
// chapters are looked up each time.
func under(v *protocol.Version) []*chapter.Chapter {
	if known := protocol.All().Versions(); int(v.Number) <= len(known) && known[v.Number-1] == v {
		return lists[v.Number-1]
	}
	return of(v)
}

// runs reports whether a version runs a chapter in its edition.
func runs(v *protocol.Version, c *chapter.Chapter) bool {
	n, ok := v.Edition(c.Name)
	return ok && n == max(c.Edition, 1)
}

// tasks are who executes each opcode and answers each request, in every edition. It never changes.
var tasks = func() (t struct {
	runs   map[tx.Opcode][]run
	answer map[request][]answer
}) {
	t.runs, t.answer = map[tx.Opcode][]run{}, map[request][]answer{}
	for _, c := range every {
		for _, in := range c.Instructions {
			t.runs[in.Opcode] = append(t.runs[in.Opcode], run{c, in.Run})
		}
		for i := range c.Handlers {
			for _, home := range c.Homes {
				at := request{home, c.Handlers[i].Name}
				t.answer[at] = append(t.answer[at], answer{c, &c.Handlers[i]})
			}
		}
	}
	return t
}()

// runOf finds who executes an opcode under a version.
func runOf(v *protocol.Version, op tx.Opcode) (run, bool) {
	for _, x := range tasks.runs[op] {
		if runs(v, x.chapter) {
			return x, true
		}
	}
	return run{}, false
}

// handlerOf finds who answers a request at an address under a version.
func handlerOf(v *protocol.Version, addr account.Address, name string) (answer, bool) {
	for _, n := range []string{name, ""} {
		for _, a := range tasks.answer[request{addr[account.AddressSize-1], n}] {
			if runs(v, a.chapter) {
				return a, true
			}
		}
	}
	return answer{}, false
}

// SyscallOf is a syscall of a chapter in the edition that a version runs.
func SyscallOf(v *protocol.Version, name tx.Chapter, call string) (*chapter.Chapter, *chapter.Syscall) {
	for _, c := range every {
		if c.Name != name || !runs(v, c) {
			continue
		}
		for i := range c.Syscalls {
			if c.Syscalls[i].Name == call {
				return c, &c.Syscalls[i]
			}
		}
	}
	return nil, nil
}

// of is the chapters of a version. One that does not run is absent: its addresses and syscalls are there and say so.
func of(v *protocol.Version) []*chapter.Chapter {
	var all []*chapter.Chapter
	for _, c := range newest(every) {
		n, ok := v.Edition(c.Name)
		if !ok {
			all = append(all, absent(c.Name, nil, c.Homes...))
			continue
		}
		at := slices.IndexFunc(every, func(e *chapter.Chapter) bool { return e.Name == c.Name && max(e.Edition, 1) == n })
		if at < 0 {
			panic(fmt.Sprintf("system: version %d runs edition %d of %s, which there is not", v.Number, n, c.Name))
		}
		all = append(all, every[at])
	}
	return all
}

// newest is the last edition of each chapter.
func newest(all []*chapter.Chapter) []*chapter.Chapter {
	var list []*chapter.Chapter
	for _, c := range all {
		at := slices.IndexFunc(list, func(e *chapter.Chapter) bool { return e.Name == c.Name })
		if at < 0 {
			list = append(list, c)
		} else if list[at].Edition < c.Edition {
			list[at] = c
		}
	}
	return list
}

// absent is a chapter that is not built: its name, its addresses, and what it will offer to Python.
func absent(name tx.Chapter, calls []chapter.Syscall, homes ...byte) *chapter.Chapter {
	return &chapter.Chapter{Name: name, Homes: homes, Syscalls: calls}
}

// list is the chapters with what is looked up in them.
type list struct {
	all    []*chapter.Chapter
	name   map[tx.Chapter]*chapter.Chapter
	runs   map[tx.Opcode]run
	answer map[request]answer
}

// run is who executes an opcode.
type run struct {
	chapter *chapter.Chapter
	run     func(e *chapter.Env, in tx.Instruction) ([]byte, error)
}

// request is a handler's name at an address.
type request struct {
	home byte
	name string
}

// answer is who answers a request.
type answer struct {
	chapter *chapter.Chapter
	handler *chapter.Handler
}

// index joins the chapters. That two claim one name, opcode, or handler of an address is a mistake in the source.
func index(all []*chapter.Chapter) *list {
	l := &list{all, map[tx.Chapter]*chapter.Chapter{}, map[tx.Opcode]run{}, map[request]answer{}}
	for _, c := range all {
		if l.name[c.Name] != nil {
			panic("system: two chapters are called " + string(c.Name))
		}
		l.name[c.Name] = c
		for _, in := range c.Instructions {
			if _, taken := l.runs[in.Opcode]; taken {
				panic("system: two chapters execute " + in.Opcode.String())
			}
			l.runs[in.Opcode] = run{c, in.Run}
		}
		for i := range c.Handlers {
			for _, home := range c.Homes {
				at := request{home, c.Handlers[i].Name}
				if _, taken := l.answer[at]; taken {
					panic("system: two chapters answer " + at.name)
				}
				l.answer[at] = answer{c, &c.Handlers[i]}
			}
		}
	}
	return l
}

// Chapters lists all chapters in their newest editions, those that are not built too, in the order of their block ends. The caller owns the slice and
// modifies no chapter.
func Chapters() []*chapter.Chapter { return slices.Clone(chapters.all) }

// at is the chapter an address is known by, and nil for an address nobody has.
func (l *list) at(addr account.Address) *chapter.Chapter {
	for _, c := range l.all {
		if slices.Contains(c.Homes, addr[account.AddressSize-1]) {
			return c
		}
	}
	return nil
}

// Entry is a reserved address, the chapter that is responsible for it, and whether any chapter answers there.
type Entry struct {
	Address account.Address
	Name    string
	Chapter tx.Chapter
	Built   bool
}

// Table lists the reserved addresses in ascending order. The caller owns the slice.
//
// Spec: WP §9.
func Table() []Entry {
	list := account.SystemTable()
	table := make([]Entry, len(list))
	for i, e := range list {
		addr := account.System(e.Number)
		table[i] = Entry{Address: addr, Name: e.Name, Chapter: chapters.at(addr).Name}
		for _, c := range chapters.all {
			if c.Built() && slices.Contains(c.Homes, e.Number) {
				table[i].Built = true
			}
		}
	}
	return table
}
