package stream

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Escrow is the coin that is held for receipts of SealRequests, in base units, which no account has.
func Escrow(r state.Reader) (unit.Amount, error) {
	n, err := state.Number(r, at(tagEscrow))
	return unit.Amount(n), err
}

// hold adds to what is held.
func (m *Manager) hold(amount unit.Amount) error {
	sum, err := Escrow(m.State)
	if err != nil {
		return err
	}
	if sum, err = sum.Add(amount); err != nil {
		return err
	}
	state.SetCount(m.State, at(tagEscrow), uint64(sum))
	return nil
}

// unhold takes from what is held.
func (m *Manager) unhold(amount unit.Amount) error {
	sum, err := Escrow(m.State)
	if err != nil {
		return err
	}
	if sum, err = sum.Sub(amount); err != nil {
		return err
	}
	state.SetCount(m.State, at(tagEscrow), uint64(sum))
	return nil
}

// asked is what a publisher's committee takes for one request. Reject: ErrTarget for fees that no account can have.
func (m *Manager) asked(publisher account.Address) (fee, sum unit.Amount, quorum uint64, err error) {
	if m.Price == nil {
		return 0, 0, 0, nil
	}
	if fee, quorum, err = m.Price(publisher); err != nil {
		return 0, 0, 0, err
	}
	if sum, err = fee.Mul(quorum); err != nil {
		return 0, 0, 0, ErrTarget
	}
	return fee, sum, quorum, nil
}

// bought are the SealRequests of a purchase, none for a beneficiary without keys, which raises them later, and what the publisher pays for them of its part. A
// request whose epochs bring the publisher less than the committee takes is raised unpaid.
func (m *Manager) bought(c *Config, r *Receipt) (list []*Request, held unit.Amount, err error) {
	k, err := LoadKeys(m.State, r.Beneficiary)
	if err != nil || k == nil || len(k.Active) == 0 {
		return nil, 0, err
	}
	fee, sum, quorum, err := m.asked(c.Owner)
	if err != nil {
		return nil, 0, err
	}
	room := MaxOpen - len(k.open(m.Height))
	for from := r.From; len(list) < MaxRaised; {
		to := from + min(r.To-from, MaxSealed-1)
		q := m.request(c, r.Stream, r.Beneficiary, k, from, to)
		if quorum > 0 && room > 0 && c.Fee*unit.Amount(to+1-from) >= sum { // a part of what is paid
			q.Fee, q.Quorum, held, room = fee, quorum, held+sum, room-1
		}
		if list = append(list, q); to == r.To {
			break
		}
		from = to + 1
	}
	return list, held, nil
}

// request is a SealRequest for the newest key of an account.
func (m *Manager) request(c *Config, stream digest.Hash, beneficiary account.Address, k *Keys, from, to uint64) *Request {
	return &Request{
		Stream: stream, Beneficiary: beneficiary, From: from, To: to, Key: k.Active[len(k.Active)-1].Number, Generation: k.Generation, Emitted: m.Height,
		Until: m.Height + unit.Height(max(c.EpochBlocks, LeastOpen)),
	}
}

// raise writes a new SealRequest.
func (m *Manager) raise(q *Request) error {
	n, err := state.Number(m.State, at(tagRequest))
	if err != nil {
		return err
	}
	state.SetNumber(m.State, at(tagRequest), n+1)
	m.State.Set(requestKey(n), q.Append(nil))
	m.State.Set(askedKey(q.Beneficiary, n), []byte{})
	if q.Quorum > 0 {
		m.State.Set(openKey(q.Until, n), []byte{})
		if err := m.opened(q.Beneficiary, func(list []Opened) []Opened { return append(list, Opened{n, q.Until}) }); err != nil {
			return err
		}
	}
	m.Emit(TopicSeal, q.Append(codec.AppendUint(nil, n)))
	return nil
}

// open are the requests of an account that are paid for and have not expired.
func (k *Keys) open(now unit.Height) []Opened {
	return slices.DeleteFunc(slices.Clone(k.Open), func(x Opened) bool { return now > x.Until })
}

// opened changes the list of an account's requests that are paid for and open.
func (m *Manager) opened(of account.Address, change func(list []Opened) []Opened) error {
	k, err := LoadKeys(m.State, of)
	if err != nil || k == nil {
		return err
	}
	k.Open = change(k.open(m.Height))
	m.State.Set(at(tagKeys, of[:]), k.Append(nil))
	return nil
}

// closed takes a request out of what proxies are asked for.
func (m *Manager) closed(n uint64, q *Request) error {
	if q.Quorum == 0 {
		return nil
	}
	m.State.Delete(openKey(q.Until, n))
	return m.opened(q.Beneficiary, func(list []Opened) []Opened {
		return slices.DeleteFunc(list, func(x Opened) bool { return x.Number == n })
	})
}

// LoadRequest reads a SealRequest and tells its state in a block; nil where there is none.
//
// Spec: gateway-payments-streams §E.2 (Emitted, then Sealed or Expired; a new generation voids open ones).
func LoadRequest(r state.Reader, n uint64, now unit.Height) (*Request, Status, error) {
	q, err := state.Find(r, requestKey(n), decodeRequest)
	if err != nil || q == nil {
		return nil, 0, err
	}
	k, err := LoadKeys(r, q.Beneficiary)
	switch {
	case err != nil:
		return nil, 0, err
	case q.Sealed():
		return q, Sealed, nil
	case k == nil || k.Generation != q.Generation:
		return q, Void, nil
	case now > q.Until:
		return q, Expired, nil
	}
	return q, Emitted, nil
}

// Seal raises a SealRequest for epochs that the asking account has bought. It pays the committee. Gives the request's number. Rejects: ErrManaged, ErrSpan,
// ErrEntitled, ErrRevoked, ErrCommittee, ErrOpen, ErrFunds.
//
// Spec: gateway-payments-streams §E.1 (SealRequest), §E.2.
func (m *Manager) Seal(by account.Address, stream digest.Hash, from, to uint64) (uint64, error) {
	c, err := LoadConfig(m.State, stream)
	if err != nil {
		return 0, err
	}
	if from > to || to-from >= MaxSealed {
		return 0, ErrSpan
	}
	a, err := LoadAccess(m.State, stream, by)
	if err != nil {
		return 0, err
	}
	if from < a.First || to >= a.End {
		return 0, ErrEntitled
	}
	k, err := LoadKeys(m.State, by)
	if err != nil {
		return 0, err
	}
	if k == nil || len(k.Active) == 0 {
		return 0, ErrRevoked
	}
	q := m.request(c, stream, by, k, from, to)
	if err := m.prepay(c, q, 0); err != nil {
		return 0, err
	}
	n, err := state.Number(m.State, at(tagRequest))
	if err != nil {
		return 0, err
	}
	return n, m.raise(q)
}

// prepay has whoever asks pay for a request, but for what is held for it already. The account has keys. Rejects: ErrCommittee, ErrOpen, ErrFunds, ErrTarget.
func (m *Manager) prepay(c *Config, q *Request, held unit.Amount) (err error) {
	fee, _, quorum, err := m.asked(c.Owner)
	if err != nil {
		return err
	}
	if quorum == 0 {
		return ErrCommittee
	}
	k, err := LoadKeys(m.State, q.Beneficiary)
	if err != nil {
		return err
	}
	if len(k.open(m.Height)) >= MaxOpen {
		return ErrOpen
	}
	if q.Fee, q.Quorum = max(fee, q.Fee), quorum; q.Fee == 0 {
		return nil
	}
	sum, err := q.Fee.Mul(quorum)
	if err != nil {
		return ErrTarget
	}
	missing, err := sum.Sub(min(held, sum))
	if err != nil || missing == 0 {
		return err
	}
	if err := m.Spend(missing); err != nil {
		return err
	}
	return m.hold(missing)
}

// Again raises a request once more, for the account it is for and its newest key. One that the committee let expire costs nothing, and receipts that there are
// count; a void one costs what receipts of it were paid, and one that was sealed, or that nobody paid for, costs what the committee takes. Rejects: ErrRequest
// for one that is open and paid for, ErrOwner, ErrRevoked, ErrOpen, ErrFunds.
//
// Spec: gateway-payments-streams §E.2 (emitted again free of charge on request).
func (m *Manager) Again(by account.Address, n uint64) error {
	q, status, err := LoadRequest(m.State, n, m.Height)
	switch {
	case err != nil:
		return err
	case q == nil:
		return ErrRequest
	case q.Beneficiary != by:
		return ErrOwner
	case status == Emitted && q.Quorum > 0:
		return ErrRequest
	}
	c, err := LoadConfig(m.State, q.Stream)
	if err != nil {
		return err
	}
	k, err := LoadKeys(m.State, by)
	if err != nil {
		return err
	}
	if k == nil || len(k.Active) == 0 {
		return ErrRevoked
	}
	next := m.request(c, q.Stream, by, k, q.From, q.To)
	if err := m.renew(c, q, next, status); err != nil {
		return err
	}
	m.State.Delete(requestKey(n))
	m.State.Delete(askedKey(by, n))
	if err := m.closed(n, q); err != nil {
		return err
	}
	m.Emit(TopicExpired, codec.AppendUint(nil, n))
	return m.raise(next)
}

// renew passes on to the next request what was paid for the one before it, and has the rest paid. Where there is no committee a request is raised for nothing.
func (m *Manager) renew(c *Config, q, next *Request, status Status) error {
	if status == Expired && q.Quorum > 0 {
		k, err := LoadKeys(m.State, q.Beneficiary)
		if err == nil && len(k.open(m.Height)) >= MaxOpen {
			err = ErrOpen
		}
		next.Fee, next.Quorum, next.Receipts = q.Fee, q.Quorum, q.Receipts
		return err
	}
	held := q.Held()
	if held > 0 {
		next.Fee = q.Fee
	}
	err := m.prepay(c, next, held)
	if !errors.Is(err, ErrCommittee) {
		return err
	}
	if status == Emitted {
		return ErrRequest
	}
	return nil
}

// Answered notes that a member of the committee has answered an open request, which pays its operator. 0x04 alone says so, and has looked at the proof. With as
// many as it takes the request is sealed. Rejects: ErrRequest, for one too that nobody pays for, or that this proxy has answered.
//
// Spec: gateway-payments-streams §E.2; secrets-cbss §11.
func (m *Manager) Answered(n uint64, proxy digest.Hash, operator account.Address) error {
	q, status, err := LoadRequest(m.State, n, m.Height)
	if err != nil {
		return err
	}
	if q == nil || status != Emitted || q.Quorum == 0 || slices.Contains(q.Receipts, proxy) {
		return ErrRequest
	}
	q.Receipts = append(q.Receipts, proxy)
	if err := m.unhold(q.Fee); err != nil {
		return err
	}
	if err := m.credit(operator, q.Fee); err != nil {
		return err
	}
	m.State.Set(requestKey(n), q.Append(nil))
	if !q.Sealed() {
		return nil
	}
	m.Emit(TopicSealed, codec.AppendUint(nil, n))
	return m.closed(n, q)
}

// Open lists the numbers of requests that are paid for and open, the first to expire first, at most limit.
func Open(r state.Reader, now unit.Height, limit int) (list []uint64, err error) {
	prefix := at(tagOpen)
	from := binary.BigEndian.AppendUint64(slices.Clone(prefix), uint64(now))
	err = r.Scan(prefix, from, limit, func(key, _ []byte) bool {
		list = append(list, binary.BigEndian.Uint64(key[len(prefix)+8:]))
		return true
	})
	return list, err
}

// RequestsOf gives the numbers of an account's SealRequests from one on, ascending and at most limit, and the number to go on with, 0 at the end.
func RequestsOf(r state.Reader, of account.Address, from uint64, limit int) (list []uint64, next uint64, err error) {
	prefix := at(tagAsked, of[:])
	var after []byte
	if from > 0 {
		after = askedKey(of, from-1)
	}
	err = r.Scan(prefix, after, limit+1, func(key, _ []byte) bool {
		list = append(list, binary.BigEndian.Uint64(key[len(prefix):]))
		return true
	})
	if err == nil && len(list) > limit {
		list, next = list[:limit], list[limit]
	}
	return list, next, err
}

// Requests gives the numbers of SealRequests from one on, ascending: what remains of at most limit numbers, and the number to go on with, 0 at the end.
func Requests(r state.Reader, from uint64, limit int) (list []uint64, next uint64, err error) {
	n, err := state.Number(r, at(tagRequest))
	if err != nil || from >= n {
		return nil, 0, err
	}
	end := min(n, from+uint64(limit))
	for ; from < end; from++ {
		if _, ok, err := r.Lookup(requestKey(from)); err != nil {
			return nil, 0, err
		} else if ok {
			list = append(list, from)
		}
	}
	if end == n {
		end = 0
	}
	return list, end, nil
}
