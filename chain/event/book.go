package event

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Topics of the chapter's events, all of 0x1D. The data of each begins with a subscription's identity, but for those of emits; numbers are UInt.
const (
	TopicSubscribed   = "event.subscribed"   // emitter(20) ‖ subscriber(20) ‖ gas ‖ bid
	TopicBid          = "event.bid"          // bid after it
	TopicToppedUp     = "event.topped_up"    // gas after it
	TopicUnsubscribed = "event.unsubscribed" // why(1): 0 its subscriber, 1 its emitter, 2 no gas ‖ back to the subscriber
	TopicFired        = "event.fired"        // code of the fault, 0 for none ‖ gas used
	TopicDeferred     = "event.deferred"     // topic_id(32) ‖ emit ‖ subscriptions left to later blocks
	TopicRefused      = "event.refused"      // topic_id(32) ‖ code: a limit keeps an emit from its hooks
)

// Why a subscription went.
const (
	bySubscriber byte = iota
	byEmitter
	byEmit
)

// Fire is what a subscription's hook used.
type Fire struct {
	ID   digest.Hash
	Gas  uint64
	Code uint16 // of the fault, 0 for none
}

// Book is the subscriptions during one turn. Methods that return a reject may have written before they found it: the caller undoes them.
type Book struct {
	State  state.Store
	Height unit.Height                      // of the block
	Rates  params.Basefees                  // of the User lane, base units per cycle and cell
	Used   func(id digest.Hash) uint64      // gas that hooks have used in this turn and that is not taken yet
	Spend  func(amount unit.Amount) error   // takes coins from whoever asks
	Bill   func(addr account.Address) error // has an actor pay its rent before its balance grows
	Burn   func(amount unit.Amount)
	Emit   func(topic string, data []byte)
}

func (b *Book) tell(topic string, id digest.Hash, middle []byte, numbers ...uint64) {
	data := append(append([]byte(nil), id[:]...), middle...)
	for _, n := range numbers {
		data = codec.AppendUint(data, n)
	}
	b.Emit(topic, data)
}

// Terms are what an actor subscribes with.
type Terms struct {
	Emitter        account.Address
	Topic, Handler []byte
	Gas            uint64
	Bid            unit.Amount
}

// price is what cycles or cells cost.
func price(n, rate uint64) (unit.Amount, error) {
	amount, err := unit.Amount(n).Mul(rate)
	if err != nil {
		return 0, ErrOverflow
	}
	return amount, nil
}

// sumOf adds amounts.
func sumOf(list ...unit.Amount) (sum unit.Amount, err error) {
	for _, a := range list {
		if sum, err = sum.Add(a); err != nil {
			return 0, ErrOverflow
		}
	}
	return sum, nil
}

// Subscribe makes a subscription. Rejects: ErrTopic, ErrHandler, ErrPrepaid, ErrEmitter, ErrFull, ErrOverflow, and those of Spend.
//
// Spec: gateway-payments-streams §H.2 (subscribe_event).
func (b *Book) Subscribe(by account.Address, t Terms) (id digest.Hash, err error) {
	switch {
	case len(t.Topic) == 0 || len(t.Topic) > MaxTopic:
		return id, ErrTopic
	case len(t.Handler) == 0 || len(t.Handler) > params.MaxHandlerBytes || t.Handler[0] == '_':
		return id, ErrHandler
	case t.Gas < MinPrepaid:
		return id, ErrPrepaid
	}
	emitter, err := account.Load(b.State, t.Emitter)
	if err != nil {
		return id, err
	}
	if emitter.Kind != account.Actor {
		return id, ErrEmitter
	}
	topic := TopicID(t.Emitter, t.Topic)
	n, err := Count(b.State, topic)
	if err != nil {
		return id, err
	}
	if n >= PerTopic {
		return id, ErrFull
	}
	s := &Subscription{
		Emitter: t.Emitter, Topic: t.Topic, Subscriber: by, Handler: t.Handler, Prepaid: t.Gas, Gas: t.Gas, Bid: t.Bid, Since: b.Height,
	}
	fee, err := b.charge(s)
	if err != nil {
		return id, err
	}
	c, err := LoadCounters(b.State)
	if err != nil {
		return id, err
	}
	id = digest.Keccak256([]byte("cowboy-event-subscription:"), binary.BigEndian.AppendUint64(nil, c.Subscribed))
	c.Subscribed++
	c.Held += s.Paid + s.Bond // of balances, which together fit
	c.save(b.State)
	b.Burn(fee + t.Bid)
	setCount(b.State, topic, n+1)
	b.State.Set(s.orderKey(id), nil)
	b.State.Set(at(underOf, by[:], id[:]), nil)
	s.save(b.State, id)
	b.tell(TopicSubscribed, id, append(t.Emitter[:], by[:]...), t.Gas, uint64(t.Bid))
	return id, nil
}

// charge takes the whole price of a new subscription from its subscriber, and gives the fee in it.
func (b *Book) charge(s *Subscription) (fee unit.Amount, err error) {
	if s.Paid, err = price(s.Gas, b.Rates.Cycle); err != nil {
		return 0, err
	}
	if fee, err = price(Registration, b.Rates.Cycle); err != nil {
		return 0, err
	}
	if s.Bond, err = price(uint64(bytesReserved+len(s.Topic)+len(s.Handler))*params.CellsPerByteWritten, b.Rates.Cell); err != nil {
		return 0, err
	}
	sum, err := sumOf(s.Paid, fee, s.Bond, s.Bid)
	if err != nil {
		return 0, err
	}
	return fee, b.Spend(sum)
}

// UpdateBid burns more for a better place. Rejects: ErrUnknown, ErrParty, ErrZero, ErrOverflow, and those of Spend.
//
// Spec: gateway-payments-streams §H.2 (update_bid).
func (b *Book) UpdateBid(by account.Address, id digest.Hash, delta unit.Amount) error {
	s, err := Load(b.State, id)
	switch {
	case err != nil:
		return err
	case by != s.Subscriber:
		return ErrParty
	case delta == 0:
		return ErrZero
	}
	bid, err := sumOf(s.Bid, delta)
	if err != nil {
		return err
	}
	if err := b.Spend(delta); err != nil {
		return err
	}
	b.Burn(delta)
	b.State.Delete(s.orderKey(id))
	s.Bid = bid
	b.State.Set(s.orderKey(id), nil)
	s.save(b.State, id)
	b.tell(TopicBid, id, nil, uint64(bid))
	return nil
}

// TopUp adds gas at the price of now. Anybody may. Rejects: ErrUnknown, ErrZero, ErrOverflow, and those of Spend.
//
// Spec: gateway-payments-streams §H.2 (topup_subscription; the price of a prepaid cycle).
func (b *Book) TopUp(id digest.Hash, gas uint64) error {
	s, err := Load(b.State, id)
	switch {
	case err != nil:
		return err
	case gas == 0:
		return ErrZero
	}
	cost, err := price(gas, b.Rates.Cycle)
	if err != nil {
		return err
	}
	if s.Gas+gas < gas || s.Prepaid+gas < gas {
		return ErrOverflow
	}
	if err := b.Spend(cost); err != nil {
		return err
	}
	if s.AddedIn != b.Height {
		s.Added, s.AddedIn = 0, b.Height
	}
	s.Gas, s.Prepaid, s.Added, s.Paid = s.Gas+gas, s.Prepaid+gas, s.Added+gas, s.Paid+cost
	c, err := LoadCounters(b.State)
	if err != nil {
		return err
	}
	c.Held += cost
	c.save(b.State)
	s.save(b.State, id)
	b.tell(TopicToppedUp, id, nil, s.Gas)
	return nil
}

// Unsubscribe ends a subscription for its subscriber or, where forced, for its emitter: what is left goes back to the subscriber. Rejects: ErrUnknown,
// ErrParty.
//
// Spec: gateway-payments-streams §H.2 (unsubscribe_event, force_unsubscribe_event).
func (b *Book) Unsubscribe(by account.Address, id digest.Hash, forced bool) error {
	s, err := Load(b.State, id)
	if err != nil {
		return err
	}
	who, why := s.Subscriber, bySubscriber
	if forced {
		who, why = s.Emitter, byEmitter
	}
	if by != who {
		return ErrParty
	}
	return b.remove(s, id, why)
}

// remove takes a subscription out of every list. What hooks of this turn have used is burned now, since nobody finds the record later.
func (b *Book) remove(s *Subscription, id digest.Hash, why byte) error {
	c, err := LoadCounters(b.State)
	if err != nil {
		return err
	}
	c.Held -= s.Paid + s.Bond
	c.save(b.State)
	burned := s.use(b.Used(id))
	b.Burn(burned)
	topic := TopicID(s.Emitter, s.Topic)
	n, err := Count(b.State, topic)
	if err != nil {
		return err
	}
	setCount(b.State, topic, n-1)
	b.State.Delete(s.orderKey(id))
	b.State.Delete(at(underOf, s.Subscriber[:], id[:]))
	b.State.Delete(subKey(id))
	back := s.Paid + s.Bond
	b.tell(TopicUnsubscribed, id, []byte{why}, uint64(back))
	if err := b.Bill(s.Subscriber); err != nil {
		return err
	}
	return account.Credit(b.State, s.Subscriber, back)
}

// use takes gas out of a subscription and gives its price, which is to be burned.
func (s *Subscription) use(gas uint64) unit.Amount {
	if gas == 0 {
		return 0
	}
	if gas >= s.Gas {
		cost := s.Paid
		s.Gas, s.Paid = 0, 0
		return cost
	}
	cost, err := s.Paid.MulDiv(gas, s.Gas)
	if err != nil { // gas is less than what there is, so that it fits
		return 0
	}
	s.Gas, s.Paid = s.Gas-gas, s.Paid-cost
	return cost
}

// Spend takes what the hooks of a turn have used from their subscriptions, whatever became of the turn, and gives the coins to burn. One that the turn ended
// has paid already.
//
// Spec: gateway-payments-streams §H.2 (a failure still costs its gas).
func Spend(s state.Store, fires []Fire) (burned unit.Amount, err error) {
	for _, f := range fires {
		sub, err := Load(s, f.ID)
		if err == ErrUnknown {
			continue
		}
		if err != nil {
			return 0, err
		}
		cost := sub.use(f.Gas)
		sub.Fires++
		sub.LastOutcome = f.Code
		sub.save(s, f.ID)
		burned += cost // of coins held, which together fit
	}
	if burned == 0 {
		return 0, nil
	}
	c, err := LoadCounters(s)
	if err != nil {
		return 0, err
	}
	c.Held -= burned
	c.save(s)
	return burned, nil
}

// GasOf is the gas that a fire takes for what its hook used: each cell as many cycles as it is worth in this block, rounded up once.
func GasOf(cycles, cells uint64, rates params.Basefees) uint64 {
	more, err := unit.Amount(cells).MulDivCeil(rates.Cell, max(rates.Cycle, 1))
	if err != nil || uint64(more)+cycles < cycles {
		return ^uint64(0)
	}
	return cycles + uint64(more)
}

// CellsFor is how many cells so much gas pays for.
func CellsFor(gas uint64, rates params.Basefees) uint64 {
	cells, err := unit.Amount(gas).MulDiv(rates.Cycle, max(rates.Cell, 1))
	if err != nil {
		return ^uint64(0) >> 2
	}
	return min(uint64(cells), ^uint64(0)>>2)
}
