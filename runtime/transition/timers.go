package transition

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// timers are the due timers of a block, in the order they get their turn.
type timers struct {
	config timer.Config
	none   bool // nothing was due when the block began, and nothing it schedules is
	due    []timer.Entry

	// In the fee-market phase:
	market     *timer.Market // nil in the FIFO phase
	fairness   *timer.Fairness
	ranked     bool // due holds everything, in order of worth
	given      int  // of due, to the drain
	fires      map[account.Address]uint64
	priorities []uint64
}

func (q *timers) open(overlay *state.Overlay, p *params.Params, height unit.Height) error {
	*q = timers{config: timer.Effective(p, height)}
	if !timer.Active(p, height) {
		return nil
	}
	market, err := timer.LoadMarket(overlay)
	if err != nil {
		return err
	}
	q.market, q.fires = &market, map[account.Address]uint64{}
	q.fairness, err = timer.LoadFairness(overlay)
	return err
}

// load gives the drain its next timers: by age in the FIFO phase, by worth in the fee-market phase.
//
// Spec: scheduler-timers §6, §9.2.
func (q *timers) load(s *State, limit int) ([]drain.Item, bool, error) {
	if q.none {
		return nil, false, nil
	}
	if q.market != nil {
		return q.loadRanked(s, limit)
	}
	var last *timer.Entry
	if n := len(q.due); n > 0 {
		last = &q.due[n-1]
	}
	found, err := timer.Due(s.overlay, s.header.Height, last, limit)
	if err != nil {
		return nil, false, err
	}
	items := make([]drain.Item, 0, len(found))
	for _, entry := range found {
		t, ok, err := timer.Load(s.overlay, entry.ID)
		if err != nil {
			return nil, false, err
		}
		items = append(items, q.item(len(q.due), entry, &t, ok))
		q.due = append(q.due, entry)
	}
	return items, len(found) == limit, nil
}

func (q *timers) item(place int, entry timer.Entry, t *timer.Timer, ok bool) drain.Item {
	item := drain.Item{Place: uint64(place), Actor: entry.Owner, Lane: params.LaneTimer}
	if ok {
		item.Actor, item.Limit = t.Target, t.Limit(q.config).Cycles
	}
	return item
}

// worth is a due timer with its rank.
type worth struct {
	entry  timer.Entry
	item   drain.Item
	leaves bool // it expired or was skipped too often: it goes first, and only leaves
	hi, lo uint64
}

// rank orders everything due by score, highest first, ties by identifier. Timers whose maximum is below the lane's basefee are left
// out and stay.
//
// Spec: WP §5.1b; scheduler-timers §9.2.
func (q *timers) rank(s *State) ([]worth, error) {
	var list []worth
	var last *timer.Entry
	for seen := 0; seen < timer.ExaminedPerBlock; {
		found, err := timer.Due(s.overlay, s.header.Height, last, drain.Batch)
		if err != nil {
			return nil, err
		}
		for i := range found {
			t, ok, err := timer.Load(s.overlay, found[i].ID)
			if err != nil {
				return nil, err
			}
			if !ok {
				continue
			}
			w := worth{entry: found[i], item: q.item(0, found[i], &t, true)}
			if exit, _ := timer.Judge(&t, fee.Use{}, fee.Price{}, s.header.Height, 0); exit != timer.Fire {
				w.leaves = true
				list = append(list, w)
				continue
			}
			priority, eligible := q.market.Priority(&t)
			if !eligible {
				continue
			}
			sum, err := timer.Sum(s.overlay, t.Owner)
			if err != nil {
				return nil, err
			}
			w.hi, w.lo = q.fairness.Score(priority, sum)
			list = append(list, w)
		}
		if len(found) < drain.Batch {
			break
		}
		seen, last = seen+len(found), &found[len(found)-1]
	}
	slices.SortFunc(list, func(a, b worth) int {
		if a.leaves != b.leaves {
			return map[bool]int{true: -1, false: 1}[a.leaves]
		}
		return cmp.Or(cmp.Compare(b.hi, a.hi), cmp.Compare(b.lo, a.lo), bytes.Compare(a.entry.ID[:], b.entry.ID[:]))
	})
	return list, nil
}

func (q *timers) loadRanked(s *State, limit int) ([]drain.Item, bool, error) {
	if !q.ranked {
		q.ranked = true
		list, err := q.rank(s)
		if err != nil {
			return nil, false, err
		}
		for _, w := range list {
			q.due = append(q.due, w.entry)
		}
	}
	var items []drain.Item
	for ; q.given < len(q.due) && len(items) < limit; q.given++ {
		t, ok, err := timer.Load(s.overlay, q.due[q.given].ID)
		if err != nil {
			return nil, false, err
		}
		items = append(items, q.item(q.given, q.due[q.given], &t, ok))
	}
	return items, q.given < len(q.due), nil
}

// price is what a fire of t pays: the lane's price, and in the fee-market phase the lane basefee and the priority on top. ok is false
// when the timer does not bid enough and waits.
func (q *timers) price(t *timer.Timer, lane fee.Rates) (p fee.Price, priority uint64, ok bool, err error) {
	if q.market == nil {
		return timer.Price(lane), 0, true, nil
	}
	if priority, ok = q.market.Priority(t); !ok {
		return p, 0, false, nil
	}
	p, err = q.market.Price(lane, priority)
	return p, priority, true, err
}

// fire examines one due timer: it leaves or it runs.
//
// Spec: WP §5.1a, §5.1b; scheduler-timers §6, §7, §9.2.
func (s *State) fire(e drain.Deliver) error {
	entry := s.timers.due[e.Item.Place]
	t, ok, err := timer.Load(s.overlay, entry.ID)
	if err != nil {
		return err
	}
	if !ok || t.Height != entry.Height || t.Seq != entry.Seq { // cancelled by an earlier turn of this block
		s.dropped(e.Turn)
		return nil
	}
	price, priority, bids, err := s.timers.price(&t, s.lanes[params.LaneTimer])
	if err != nil {
		return err
	}
	payer, err := s.loadAccount(t.Payer)
	if err != nil {
		return err
	}
	limit := t.Limit(s.timers.config)
	exit, cost := timer.Judge(&t, limit, price, s.header.Height, payer.Balance)
	if exit != timer.Fire {
		return s.retire(e, &t, exit, cost, payer.Balance)
	}
	if !bids { // an expired one leaves above; this one waits
		s.dropped(e.Turn)
		return nil
	}
	payer.Balance -= cost
	s.saveAccount(t.Payer, &payer)
	if err := timer.Take(s.overlay, s.header.Height, &t); err != nil {
		return err
	}
	if s.timers.market != nil {
		s.timers.fires[t.Owner]++
		s.timers.priorities = append(s.timers.priorities, priority)
	}
	s.running = &running{
		turn: &drain.Turn{
			Number: e.Turn, Kind: block.Timer, Target: t.Target, Sender: t.Owner, ID: t.ID, Nonce: t.Seq,
			Origin: timer.Origin(t.ID, s.header.Height), Limit: limit, Block: s.block, Overlay: s.overlay,
			Payload: drain.Payload{Handler: t.Handler, Data: t.Payload, Structured: t.Structured},
		},
		number: e.Turn, mark: s.overlay.Mark(), limit: limit, price: price, payer: t.Payer,
		bid:     fee.Bid{Max: price.Max, Tip: price.Tip},
		receipt: &block.Receipt{Kind: block.Timer, ID: t.ID, Sender: t.Owner, Target: t.Target},
	}
	return nil
}

// retire removes a timer that does not fire, if the cleanup lane has cycles left; otherwise the timer stays for a later block.
//
// Spec: scheduler-timers §6.5, §7, §8.
func (s *State) retire(e drain.Deliver, t *timer.Timer, exit timer.Exit, cost, balance unit.Amount) error {
	defer s.dropped(e.Turn)
	if s.gcLeft < params.TimerGCCyclesPerRemoval {
		return nil
	}
	s.gcLeft -= params.TimerGCCyclesPerRemoval
	if err := timer.Remove(s.overlay, t); err != nil {
		return err
	}
	event := block.Event{Actor: t.Owner}
	fault := block.Fault{}
	switch exit {
	case timer.Expired:
		event.Topic, event.Data = []byte(timer.TopicExpired), timer.EventExpired(t, s.header.Height)
		fault = block.Fault{Code: drain.FaultTimerExpired, Text: "timer expired"}
	case timer.DeadLetter:
		event.Topic, event.Data = []byte(timer.TopicDead), timer.EventDead(t, s.header.Height)
		fault = block.Fault{Code: drain.FaultTimerDead, Text: "timer was skipped too often"}
	default:
		event.Topic, event.Data = []byte(timer.TopicUnfunded), timer.EventUnfunded(t, cost, balance)
		fault = block.Fault{Code: drain.FaultTimerUnfunded, Text: "fee payer cannot pay for the fire"}
	}
	s.record(&block.Receipt{
		Kind: block.Timer, ID: t.ID, Sender: t.Owner, Target: t.Target, Status: block.Dropped, Fault: fault,
		Events: []block.Event{event},
	})
	return nil
}

// close moves the lane's market and the fairness window past the block.
//
// Spec: WP §5.1b; scheduler-timers §9.1, §9.3.
func (q *timers) close(s *State) error {
	if q.market == nil {
		return nil
	}
	next, err := q.market.Next(s.drain.Used(params.LaneTimer), q.priorities)
	if err != nil {
		return err
	}
	next.Save(s.overlay)
	owners := make([]timer.Fires, 0, len(q.fires))
	for owner, count := range q.fires { // order-free: sorted below
		owners = append(owners, timer.Fires{Owner: owner, Count: count})
	}
	slices.SortFunc(owners, func(a, b timer.Fires) int { return a.Owner.Compare(b.Owner) })
	return q.fairness.Advance(s.overlay, s.header.Height, owners)
}
