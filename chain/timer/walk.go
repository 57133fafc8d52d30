package timer

import (
	"container/heap"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Walk visits the timers due in a block in firing order: by height, then insertion. An owner whose timer turned out to be dead has to
// let all others pass before its next one is visited, so a storm of dead timers costs live ones of other owners one visit per
// owner and not one per timer. At most VisitedPerBlock timers are visited.
//
// Timers may leave while the walk goes on; none becomes due.
//
// Spec: WP §5.1a (lane separation); scheduler-timers §6.
type Walk struct {
	from state.Reader
	mend state.Store // where the list of queues is corrected; nil: nowhere
	now  unit.Height
	even bool // an owner lets the others pass after every timer, dead or not

	visited int
	list    []Entry // owners by their first due timer, a stretch of the list
	cursor  *Entry
	over    bool
	seen    map[account.Address]struct{} // owners whose queue the walk has entered
	ready   entries
	later   entries
	last    *Entry
	dead    bool
}

// VisitedPerBlock bounds the timers a block looks at, whatever becomes of them. To keep a live timer of another owner waiting by dead ones takes as
// many owners in front of it; an owner's first timer costs 5,000 cycles at least, so all of them more than the 80,000,000 a block may hold.
const VisitedPerBlock = params.MaxDeferredList

const headBatch = 256

// NewWalk begins a walk over the timers due at now that only looks. With even set every owner gets one visit before any gets a second one.
func NewWalk(r state.Reader, now unit.Height, even bool) *Walk {
	return &Walk{from: r, now: now, even: even, seen: map[account.Address]struct{}{}}
}

// NewRemovingWalk begins the walk of whoever removes timers: it corrects the list of queues as it goes.
func NewRemovingWalk(s state.Store, now unit.Height, even bool) *Walk {
	w := NewWalk(s, now, even)
	w.mend = s
	return w
}

// Skip says that the timer Next returned last is dead.
func (w *Walk) Skip() { w.dead = true }

// Next returns the next due timer; ok is false at the end. The entry's timer may have been cancelled meanwhile.
func (w *Walk) Next() (e Entry, ok bool, err error) {
	if err := w.settle(); err != nil {
		return Entry{}, false, err
	}
	for {
		if w.visited >= VisitedPerBlock {
			return Entry{}, false, nil
		}
		head, found, err := w.head()
		if err != nil {
			return Entry{}, false, err
		}
		if !found && len(w.ready) == 0 {
			w.ready, w.later = w.later, nil
			heap.Init(&w.ready)
		}
		if len(w.ready) > 0 && (!found || w.ready[0].before(&head)) {
			e = heap.Pop(&w.ready).(Entry)
			break
		}
		if !found {
			return Entry{}, false, nil
		}
		if err := w.enter(head.Owner); err != nil {
			return Entry{}, false, err
		}
	}
	w.visited++
	w.last, w.dead = &e, false
	return e, true, nil
}

// enter makes the first timer of the listed owner ready. The list may have the queue at a place whose timer left.
func (w *Walk) enter(owner account.Address) error {
	w.list = w.list[1:]
	w.seen[owner] = struct{}{}
	first, ok, err := follower(w.from, owner, nil)
	if err != nil {
		return err
	}
	if ok && first.Height <= w.now {
		heap.Push(&w.ready, first)
		return nil
	}
	w.visited++
	return w.correct(owner, &first, ok)
}

// correct lists an owner's queue where it begins.
func (w *Walk) correct(owner account.Address, first *Entry, some bool) error {
	switch {
	case w.mend == nil:
		return nil
	case some:
		return list(w.mend, owner, first)
	}
	return list(w.mend, owner, nil)
}

// settle queues the timer behind the last one of the same owner.
func (w *Walk) settle() error {
	last := w.last
	if last == nil {
		return nil
	}
	w.last = nil
	next, ok, err := follower(w.from, last.Owner, last)
	if err != nil {
		return err
	}
	switch {
	case !ok || next.Height > w.now:
		first, some, err := follower(w.from, last.Owner, nil)
		if err != nil {
			return err
		}
		return w.correct(last.Owner, &first, some)
	case w.dead || w.even:
		w.later = append(w.later, next)
	default:
		heap.Push(&w.ready, next)
	}
	return nil
}

// head is the first owner of the list whose queue the walk has not entered.
func (w *Walk) head() (Entry, bool, error) {
	for {
		for len(w.list) > 0 {
			if _, seen := w.seen[w.list[0].Owner]; !seen {
				return w.list[0], true, nil
			}
			w.list = w.list[1:]
		}
		if w.over {
			return Entry{}, false, nil
		}
		var err error
		if w.list, err = heads(w.from, w.now, w.cursor, headBatch); err != nil {
			return Entry{}, false, err
		}
		w.over = len(w.list) < headBatch
		if n := len(w.list); n > 0 {
			w.cursor = &w.list[n-1]
		}
	}
}

// entries is a heap of due timers by their place.
type entries []Entry

func (x entries) Len() int           { return len(x) }
func (x entries) Less(i, j int) bool { return x[i].before(&x[j]) }
func (x entries) Swap(i, j int)      { x[i], x[j] = x[j], x[i] }
func (x *entries) Push(e any)        { *x = append(*x, e.(Entry)) }
func (x *entries) Pop() any {
	last := len(*x) - 1
	e := (*x)[last]
	*x = (*x)[:last]
	return e
}
