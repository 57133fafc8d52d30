package runner

import (
	"bytes"
	"maps"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// Rules of handing over and of excuses, in blocks, bytes and coins.
const (
	// aggregatorBlocks is how long, from the block on in which reveals are first taken, a runner leaves its reveal to the aggregator.
	aggregatorBlocks = 10
	// excuseBlocks is how long, from that block on, somebody else with the runner's key has to reveal what this journal does not know.
	excuseBlocks = params.RevealWindowBlocks / 2
	// costMost is what one posting may cost: more is no price.
	costMost = 1_000 * unit.CBY
	// heldMost bounds what is kept of others' reveals, in bytes.
	heldMost = 16 << 20
)

// Collecting is what a runner does for others where it is their committee's aggregator.
type Collecting struct {
	// Loss is what the posting of others' reveals may cost for one job beyond the bonus that the job can bring.
	Loss unit.Amount
}

// other is what another of the committee handed over.
type other struct {
	reveal *verify.Reveal
	cost   unit.Amount
	said   bool   // in the journal: it is sent
	sent   uint64 // the height at which it was sent last; 0 for not by this instance
}

// hand is what became of a reveal that an aggregator was to post. It is of one attempt.
type hand struct {
	to    account.Address
	by    uint64 // the attempt's deadline of reveals
	asked bool   // the aggregator is, or has promised
	since uint64 // the height from which on the runner posts itself; 0: not yet
}

// handing is a reveal on its way to an aggregator.
type handing struct {
	id     digest.Hash
	to     account.Address
	by     uint64
	reveal *verify.Reveal
}

// offer is a reveal that another runner hands over, and what posting it may cost.
type offer struct {
	id     digest.Hash
	reveal *verify.Reveal
	cost   unit.Amount
}

// takeOther applies a record about another of the committee.
func (e *entry) takeOther(r *record) error {
	o := e.others[r.from]
	switch {
	case (r.what == wasHanded) != (o == nil):
		return errRecord
	case r.what == isPosting:
		o.said = true
		return nil
	}
	if e.others == nil {
		e.others = map[account.Address]*other{}
	}
	e.others[r.from] = &other{reveal: &verify.Reveal{Runner: r.from, Output: r.body, Salt: verify.Salt(r.sign), Proof: r.sign}, cost: r.cost}
	return nil
}

// givers are those who handed something over, ascending.
func (e *entry) givers() []account.Address {
	return slices.SortedFunc(maps.Keys(e.others), account.Address.Compare)
}

// neededOthers appends the records that make what others handed over.
func (e *entry) neededOthers(id digest.Hash, list []record) []record {
	for _, from := range e.givers() {
		o := e.others[from]
		list = append(list, record{what: wasHanded, id: id, from: from, body: o.reveal.Output, sign: o.reveal.Proof, cost: o.cost})
		if o.said {
			list = append(list, record{what: isPosting, id: id, from: from})
		}
	}
	return list
}

// handsOver has the aggregator post what is to be revealed, and reports whether that may still come to something. It does not where this runner is the
// aggregator or has revealed itself, where the aggregator has declined or does not answer, and when it has had its time.
//
// Spec: runner-marketplace §4.6, §5; CIP-2 §8 (collect).
func (d *state) handsOver(id digest.Hash, e *entry) bool {
	a, h := e.at, &e.hand
	if h.to != a.Aggregator || h.by != a.Deadline {
		before := e.said[isRevealing-isCommitting] && *h == hand{} // by an earlier instance, perhaps in this attempt
		if *h = (hand{to: a.Aggregator, by: a.Deadline}); before {
			h.since = max(d.height, 1)
		}
	}
	nobody := !d.hands || a.Aggregator == account.Address{} || a.Aggregator == d.key.Address() || alone(e.spec)
	if h.since == 0 && (nobody || d.height+params.RevealWindowBlocks >= a.Deadline+aggregatorBlocks) {
		h.since = max(d.height, 1)
	}
	if h.since > 0 {
		return false
	}
	if !h.asked {
		h.asked = true
		reveal := *e.result
		reveal.Runner = d.key.Address()
		d.acts = append(d.acts, &handing{id, h.to, h.by, &reveal})
	}
	return true
}

// handed is told what an aggregator says; Declined where it says nothing.
func (d *state) handed(act *handing, says Reply) {
	e := d.open[act.id]
	if e == nil || e.hand.to != act.to || e.hand.by != act.by || e.hand.since > 0 {
		return
	}
	switch says {
	case Promised:
	case Early:
		e.hand.asked = false
	default:
		e.hand.since = max(d.height, 1)
		d.advance(act.id, e)
	}
}

// offered decides on a reveal that another runner hands over. What is promised is in the journal. Nothing is posted at a loss that the operator has not
// allowed, nothing that the chain would refuse, and nothing is held back for what it says: the chain judges.
//
// Spec: WP §5.3; CIP-2 §8 (collect, reveal); runner-marketplace §4.6, §5.
func (d *state) offered(o *offer) (Reply, string) {
	e := d.open[o.id]
	switch {
	case d.collects == nil || e == nil:
		return Declined, "no such job is open here"
	case e.at == nil:
		return Early, "the chain was not asked yet"
	}
	a := e.at
	at := slices.IndexFunc(a.Others, func(m Member) bool { return m.Runner == o.reveal.Runner })
	kept := e.others[o.reveal.Runner]
	switch {
	case a.Aggregator != d.key.Address():
		return Declined, "another is the aggregator"
	case at < 0:
		return Declined, "not of the committee"
	case a.Stage == Working:
		// Only its runner knows what is committed to, so nobody else has this one poll.
		d.hurried = d.hurried || a.Others[at].Commitment == verify.Commitment(o.reveal.Output, o.reveal.Salt)
		return Early, "reveals are not taken yet"
	case a.Stage != Revealing || d.height >= a.Deadline || a.Others[at].Revealed || !a.Committed || e.result == nil:
		return Declined, "it is too late, or the aggregator has no part in the job"
	case kept != nil && bytes.Equal(kept.reveal.Output, o.reveal.Output) && kept.reveal.Proof == o.reveal.Proof:
		return Promised, ""
	case kept != nil:
		return Declined, "another was handed over"
	}
	spec, err := job.Decode(e.spec)
	if err != nil || spec.Verification.TEERequired {
		return Declined, "evidence of a trusted environment is its runner's to post"
	}
	if _, err := o.reveal.Open(sig.Default(), o.id, a.Others[at].Commitment); err != nil {
		return Declined, err.Error()
	}
	spent, held := o.cost, len(o.reveal.Output)
	for _, k := range e.others { // order-free: added up
		spent += min(k.cost, costMost)
	}
	for _, one := range d.open { // order-free: added up
		for _, k := range one.others { // order-free: added up
			held += len(k.reveal.Output)
		}
	}
	bonus, err := spec.MaxPrice.MulDiv(uint64(params.Genesis().Aggregator.BonusBPS), params.BasisPoints)
	if err != nil || o.cost > costMost || spent > bonus+d.collects.Loss {
		return Declined, "it would cost more than the bonus brings"
	}
	if held > heldMost {
		return Declined, "full"
	}
	d.note(record{what: wasHanded, id: o.id, from: o.reveal.Runner, body: o.reveal.Output, sign: o.reveal.Proof, cost: o.cost})
	d.kept++
	d.tell = append(d.tell, Event{What: "promised", Job: o.id, Text: "to post the reveal of " + o.reveal.Runner.String()})
	d.post(o.id, e)
	return Promised, ""
}

// post sends what others handed over and the chain does not show; again if it does not show after some blocks. What an earlier instance sent has as long.
func (d *state) post(id digest.Hash, e *entry) {
	if e.at == nil || e.at.Stage != Revealing || d.height > e.at.Deadline || e.at.Aggregator != d.key.Address() {
		return
	}
	for _, from := range e.givers() {
		o := e.others[from]
		at := slices.IndexFunc(e.at.Others, func(m Member) bool { return m.Runner == from && !m.Revealed })
		if at < 0 || e.at.Others[at].Commitment != verify.Commitment(o.reveal.Output, o.reveal.Salt) {
			continue
		}
		if o.said && o.sent == 0 {
			o.sent = max(d.height, 1)
		}
		if o.sent > 0 && d.height < o.sent+resendAfter {
			continue
		}
		if !o.said {
			d.note(record{what: isPosting, id: id, from: from})
		}
		o.sent = max(d.height, 1)
		d.acts = append(d.acts, revealing{id, o.reveal})
	}
}

// unposted is told that no node took what another handed over: it is sent again with the next poll.
func (d *state) unposted(id digest.Hash, from account.Address) {
	if e := d.open[id]; e != nil && e.others[from] != nil {
		e.others[from].said, e.others[from].sent = false, 0
	}
}

// unable reports whether the chain has a commitment of this runner to something that the journal does not have.
func (e *entry) unable() bool {
	a := e.at
	if !a.Committed || a.Revealed {
		return false
	}
	return e.result == nil || a.Commitment != (digest.Hash{}) && a.Commitment != verify.Commitment(e.result.Output, e.result.Salt)
}

// excuse says on the chain, in the second half of the time for reveals, that this runner cannot reveal what it committed itself to: then nobody else with its
// key has. It is said once, and again if it does not show.
//
// Spec: runner-marketplace §3 (97), §8.1.
func (d *state) excuse(id digest.Hash, e *entry, signal verify.Crash) {
	a := e.at
	if a.Stage != Revealing || a.Crashed || d.height > a.Deadline || d.height+excuseBlocks < a.Deadline {
		return
	}
	if e.excusing && e.excused == 0 {
		e.excused = max(d.height, 1)
	}
	if e.excused > 0 && d.height < e.excused+resendAfter {
		return
	}
	if !e.excusing {
		d.note(record{what: isExcusing, id: id})
	}
	e.excused = max(d.height, 1)
	d.acts = append(d.acts, crashing{id, signal})
	d.tell = append(d.tell, Event{What: "crashed", Job: id, Text: "what it is committed to cannot be revealed; the chain is told so: " + signal.String()})
}

// unproven reports whether a reveal that needs evidence of a trusted environment was sent more than once and is not taken.
//
// Spec: runner-marketplace §8.1 (TEEAttestationLost).
func (d *state) unproven(e *entry) bool {
	spec, err := job.Decode(e.spec)
	return err == nil && spec.Verification.TEERequired && e.hand.since > 0 && d.height >= e.hand.since+2*resendAfter
}

// unexcused is told that no node took an excuse: it is sent again with the next poll.
func (d *state) unexcused(id digest.Hash) {
	if e := d.open[id]; e != nil {
		e.excusing, e.excused = false, 0
	}
}
