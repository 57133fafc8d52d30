package transition

import (
	"bytes"
	"cmp"
	"fmt"
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
	terms timer.Terms
	none  bool // nothing was due when the block began, and nothing it schedules is
	walk  *timer.Walk
	due   []timer.Entry // what the drain was given, by place; in the fee-market phase everything live, in order of score

	// In the fee-market phase:
	fairness   *timer.Fairness
	items      []drain.Item // of due
	given      int          // of items, to the drain
	fires      map[account.Address]uint64
	priorities []uint64
}

func (q *timers) open(overlay *state.Overlay, p *params.Params, fees params.Basefees, height unit.Height) (err error) {
	*q = timers{}
	if q.terms, err = timer.LoadTerms(overlay, p, fees, height); err != nil || q.terms.Market == nil {
		return err
	}
	q.fires = map[account.Address]uint64{}
	q.fairness, err = timer.LoadFairness(overlay)
	return err
}

// load gives the drain its next timers: by age in the FIFO phase, by score in the fee-market phase. What is dead is removed here, as the budget for
// cleaning up allows, and the drain never hears of it, so it takes neither room nor turns from live timers.
//
// Spec: WP §5.1a (lane separation); scheduler-timers §6, §6.5, §9.2.
func (q *timers) load(s *State, limit int) ([]drain.Item, bool, error) {
	if q.none {
		return nil, false, nil
	}
	if q.terms.Market != nil {
		return q.loadRanked(s, limit)
	}
	if q.walk == nil {
		q.walk = timer.NewRemovingWalk(s.overlay, s.header.Height, false)
	}
	entry, v, ok, err := q.next(s)
	if err != nil || !ok {
		return nil, false, err
	}
	q.due = append(q.due, entry)
	return []drain.Item{q.item(len(q.due)-1, &v)}, true, nil
}

// next is the next live timer of the walk.
func (q *timers) next(s *State) (entry timer.Entry, v timer.Verdict, ok bool, err error) {
	for {
		if entry, ok, err = q.walk.Next(); err != nil || !ok {
			return entry, v, false, err
		}
		if v, err = q.terms.Examine(s.overlay, entry); err != nil || v.Exit == timer.Fire {
			return entry, v, err == nil, err
		}
		if !v.Exit.Dead() {
			continue
		}
		q.walk.Skip()
		if err := s.retire(&v); err != nil {
			return entry, v, false, err
		}
	}
}

func (q *timers) item(place int, v *timer.Verdict) drain.Item {
	return drain.Item{Place: uint64(place), Actor: v.Timer.Target, Lane: params.LaneTimer, Limit: v.Limit.Cycles}
}

// scored is a due timer with its score, a 128-bit number.
type scored struct {
	entry  timer.Entry
	item   drain.Item
	hi, lo uint64
}

// rank orders everything live by score, highest first, ties by identifier. Timers whose maximum is below the lane's basefee are left
// out and stay.
//
// Spec: WP §5.1b; scheduler-timers §9.2.
func (q *timers) rank(s *State) ([]scored, error) {
	q.walk = timer.NewRemovingWalk(s.overlay, s.header.Height, true)
	var list []scored
	for {
		entry, v, ok, err := q.next(s)
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		sum, err := timer.Sum(s.overlay, v.Timer.Owner)
		if err != nil {
			return nil, err
		}
		w := scored{entry: entry, item: q.item(0, &v)}
		w.hi, w.lo = q.fairness.Score(v.Priority, sum)
		list = append(list, w)
	}
	slices.SortFunc(list, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.hi, a.hi), cmp.Compare(b.lo, a.lo), bytes.Compare(a.entry.ID[:], b.entry.ID[:]))
	})
	return list, nil
}

func (q *timers) loadRanked(s *State, limit int) ([]drain.Item, bool, error) {
	if q.walk == nil {
		list, err := q.rank(s)
		if err != nil {
			return nil, false, err
		}
		for i, w := range list {
			w.item.Place = uint64(i)
			q.due, q.items = append(q.due, w.entry), append(q.items, w.item)
		}
	}
	items := q.items[q.given:min(len(q.items), q.given+limit)]
	q.given += len(items)
	return items, q.given < len(q.items), nil
}

// fire runs one due timer, or lets it leave: what ran since it was found live may have cancelled it or emptied its payer.
//
// Spec: WP §5.1a, §5.1b; scheduler-timers §6, §7, §9.2.
func (s *State) fire(e drain.Deliver) error {
	entry := s.timers.due[e.Item.Place]
	if err := s.billTimer(entry); err != nil {
		return err
	}
	v, err := s.timers.terms.Examine(s.overlay, entry)
	if err != nil {
		return err
	}
	if v.Exit != timer.Fire {
		if v.Exit.Dead() {
			err = s.retire(&v)
		}
		s.dropped(e.Turn)
		return err
	}
	t := &v.Timer
	card, err := s.payFire(&v)
	if err != nil {
		return err
	}
	if err := timer.Take(s.overlay, s.header.Height, t); err != nil {
		return err
	}
	if s.timers.terms.Market != nil {
		s.timers.fires[t.Owner]++
		s.timers.priorities = append(s.timers.priorities, v.Priority)
	}
	limit := v.Limit
	delivery := s.deliveryCost(limit, t.Payload)
	s.running = &running{
		turn: &drain.Turn{
			Number: e.Turn, Kind: block.Timer, Target: t.Target, Sender: t.Owner, ID: t.ID, Nonce: t.Seq,
			Origin: timer.Origin(t.ID, s.header.Height), Block: s.block, Overlay: s.overlay,
			Payload: drain.Payload{Handler: t.Handler, Data: t.Payload, Structured: t.Structured},
			Limit:   fee.Use{Cycles: limit.Cycles - delivery.Cycles, Cells: limit.Cells},
		},
		number: e.Turn, mark: s.overlay.Mark(), limit: limit, intrinsic: delivery, price: v.Price, payer: t.Payer,
		card: card, fired: &v,
		bid:     fee.Bid{Max: v.Price.Max, Tip: v.Price.Tip},
		receipt: &block.Receipt{Kind: block.Timer, ID: t.ID, Sender: t.Owner, Target: t.Target},
	}
	if turn := s.running.turn; turn.Limit.Cycles == 0 {
		return s.Take(turn.Failed(fee.Use{}, drain.FaultCycles, "the fire's cycles do not go beyond its delivery"))
	}
	return nil
}

// billTimer bills who runs in a timer's fire and who pays for it.
//
// Spec: rent §6.
func (s *State) billTimer(e timer.Entry) error {
	t, ok, err := timer.Load(s.overlay, e.ID)
	if err != nil || !ok {
		return err
	}
	if err := s.bill(t.Target); err != nil || t.Payer == t.Target {
		return err
	}
	return s.bill(t.Payer)
}

// retire removes a timer that does not fire, if the budget for cleaning up has cycles left; otherwise the timer stays for a later block.
//
// Spec: scheduler-timers §6.5, §7, §8.
func (s *State) retire(v *timer.Verdict) error {
	t := &v.Timer
	if s.gcLeft < params.TimerGCCyclesPerRemoval {
		return nil
	}
	s.gcLeft -= params.TimerGCCyclesPerRemoval
	if err := timer.Remove(s.overlay, t); err != nil {
		return err
	}
	event := block.Event{Actor: t.Owner}
	var fault block.Fault
	switch v.Exit {
	case timer.Expired:
		event.Topic, event.Data = []byte(timer.TopicExpired), timer.EventExpired(t, s.header.Height)
		fault = block.Fault{Code: drain.FaultTimerExpired, Text: "timer expired"}
	case timer.DeadLetter:
		event.Topic, event.Data = []byte(timer.TopicDead), timer.EventDead(t, s.header.Height)
		fault = block.Fault{Code: drain.FaultTimerDead, Text: "timer was skipped too often"}
	default:
		event.Topic, event.Data = []byte(timer.TopicUnfunded), timer.EventUnfunded(t, v.Cost, v.Balance)
		text := fmt.Sprintf("the fee payer has to hold %s CBY for the fire, and holds %s", v.Cost.CBY(), v.Balance.CBY())
		fault = block.Fault{Code: drain.FaultTimerUnfunded, Text: text}
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
	if q.terms.Market == nil {
		return nil
	}
	next, err := q.terms.Market.Next(s.drain.Used(params.LaneTimer), q.priorities)
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
