package daemon

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/attendant"
	"github.com/cowboyinc/cowboy-go/actors/catchup"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/node"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/actors/rpc"
	"github.com/cowboyinc/cowboy-go/actors/rpc/admin"
	"github.com/cowboyinc/cowboy-go/actors/signer"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/net/transport"
	"github.com/cowboyinc/cowboy-go/runtime/system"
)

// What a node without a quorum, and one that is behind, says first; doctor looks for these words.
const (
	noQuorum   = "no quorum: "
	catchingUp = "catching up: "
)

const (
	// unreachedAfter is how long validators are out of reach before that is told: at an epoch's start all introduce themselves anew.
	unreachedAfter = 30 * time.Second
	// behindBy is how many blocks below what others claim a node is before it is said to be catching up.
	behindBy = 3
	// namesMost bounds the validators that are named in one line.
	namesMost = 8
)

// standing watches how the node stands among the others, and its validator on chain.
type standing struct {
	key       *sig.BLSPublicKey // of the votes; nil: it follows
	payer     account.Address   // pays for duties; zero: nobody
	agreement func() replica.Status
	duties    func() attendant.Status
	sync      func() catchup.Status
	tip       func() *ledger.Tip
	interval  time.Duration
	signing   func() signer.Status // nil where the voting key is here
	serving   *serving

	mu     sync.Mutex
	short  time.Time // since when validators are out of reach; zero: they are not
	pace   pace
	recent outlook
	made   time.Time
}

// standing watches a node and the validator it signs for.
func (s *settings) standing(n *node.Node, v node.Validator) *standing {
	x := &standing{agreement: n.Replica.Status, duties: n.Attendant.Status, sync: n.Catchup.Status, tip: n.Ledger.Tip, interval: s.blockTime}
	x.serving = &s.serving
	if s.signing != nil {
		x.signing = s.signing.Status
	}
	if v.Vote != nil {
		key := v.Vote.PublicKey().Bytes()
		x.key = &key
	}
	if v.Account != nil {
		x.payer = v.Account.Address()
	}
	return x
}

// publish has the interface for clients show the node's standing.
func (s *standing) publish(backend *rpc.Node, n *network) {
	backend.Agreement = s.agreement
	backend.Doubts = s.adds(fetching(s.sync, n.doubts(s.tip, s.interval)))
	backend.Warnings = s.warnings
}

// adds puts what it doubts before what others do.
func (s *standing) adds(others func() []string) func() []string {
	return func() []string {
		r := s.look(time.Now())
		list := r.doubts(s.interval)
		if others != nil {
			list = append(list, others()...)
		}
		return list
	}
}

// warnings are those of now, each with what helps.
func (s *standing) warnings() (list []string) {
	r := s.look(time.Now())
	for _, w := range r.warnings() {
		list = append(list, w.text+"; "+w.do)
	}
	if text := s.serving.expiring(time.Now()); text != "" {
		list = append(list, text+"; renew it: the node reads the new files by itself")
	}
	return list
}

// whois names the validators among the peers, and those that are missing.
func (s *standing) whois() (of map[transport.ID]string, missing []string) {
	r := s.look(time.Now())
	of = map[transport.ID]string{}
	for i, m := range r.agreement.Met {
		if i < len(r.met) {
			of[transport.ID(m.Peer)] = r.met[i]
		}
	}
	return of, r.away
}

// outlook is how the node stands at a moment.
type outlook struct {
	agreement  replica.Status
	duties     attendant.Status
	sync       catchup.Status
	height     unit.Height
	age        time.Duration // of the newest block
	short      time.Duration // that validators are out of reach
	rate       float64       // blocks a second while catching up
	registered bool
	address    account.Address // the validator's
	validator  stake.Validator
	member     bool // of the present set
	turnout    stake.Turnout
	away       []string // validators this node is not connected to
	met        []string // those it is connected to, in the order of agreement.Met
	paid       bool     // somebody pays for duties
	balance    unit.Amount
	signing    signer.Status
	clocks     clocks
	lacking    []*system.LackingError // native code that system actors need and this program is without
}

// standingEvery is how old an outlook may be.
const standingEvery = time.Second

// look gives the outlook of now. It may be called from any goroutine.
func (s *standing) look(now time.Time) outlook {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Sub(s.made) < standingEvery && now.After(s.made) {
		return s.recent
	}
	r := outlook{agreement: s.agreement(), duties: s.duties(), sync: s.sync()}
	if s.signing != nil {
		r.signing = s.signing()
	}
	if unreached(r.agreement) == 0 {
		s.short = time.Time{}
	} else if s.short.IsZero() {
		s.short = now
	}
	if !s.short.IsZero() {
		r.short = now.Sub(s.short)
	}
	if t := s.tip(); t != nil {
		r.height, r.age = t.Header.Height, now.Sub(time.UnixMilli(int64(t.Header.TimestampMs)))
		r.rate = s.pace.at(t.Header.Height, now)
		if err := s.read(&r, t, now); err != nil {
			return s.recent // a state that cannot be read is told by whoever executes on it; or the node is ending
		}
	}
	s.recent, s.made = r, now
	return r
}

// read fills in what the chain says.
func (s *standing) read(r *outlook, t *ledger.Tip, now time.Time) error {
	codes, err := govern.LoadPointers(t.State)
	if err != nil {
		return err
	}
	r.lacking = system.Lacking(codes)
	if s.payer != (account.Address{}) {
		a, err := account.Load(t.State, s.payer)
		if err != nil {
			return err
		}
		r.paid, r.balance = true, a.Balance
	}
	calendar, err := params.LoadCalendar(t.State)
	if err != nil {
		return err
	}
	epoch := calendar.Epoch(t.Header.Height + 1)
	set, err := stake.SetAt(t.State, epoch)
	if err != nil {
		return err
	}
	r.name(set)
	r.clocks = compared(r.agreement, set, now)
	if s.key == nil {
		return nil
	}
	owner, ok, err := stake.Owner(t.State, *s.key)
	if err != nil || !ok {
		return err
	}
	v, ok, err := stake.Load(t.State, owner)
	if err != nil || !ok {
		return err
	}
	r.registered, r.address, r.validator = true, owner, *v
	rank, member := set.Rank(owner)
	if !member {
		return nil
	}
	turnouts, err := stake.Turnouts(t.State, calendar.First(epoch), t.Header.Height, len(set.Members))
	if err != nil {
		return err
	}
	r.member, r.turnout = true, turnouts[rank]
	return nil
}

// name names the members of a set this node is connected to, and the others.
func (r *outlook) name(set *stake.Set) {
	at := r.agreement
	if at.Round.Epoch != set.Epoch || at.Validators != len(set.Members) {
		return // agreement is in another epoch, whose ranks are others
	}
	here := map[uint32]bool{at.Rank: true}
	for _, m := range at.Met {
		here[m.Rank] = true
		r.met = append(r.met, set.Members[m.Rank].Address.String())
	}
	for rank, m := range set.Members {
		if !here[uint32(rank)] {
			r.away = append(r.away, m.Address.String())
		}
	}
}

// warning is what an operator should know, and what helps.
type warning struct{ kind, text, do string }

// warnings are what is wrong with the validator, most urgent first.
func (r *outlook) warnings() (list []warning) {
	who := "validator " + r.address.String()
	for _, l := range r.lacking {
		text := fmt.Sprintf("%v (now block %d)", l, r.height)
		list = append(list, warning{"edition", text, "the node stops before that block, and goes on where a newer program is started"})
	}
	list = append(list, r.clocks.warnings()...)
	if f := r.signing.Failing; f != nil {
		list = append(list, warning{"signer", f.Error(), signerAdvice[f.Failure]})
	}
	switch v := &r.validator; {
	case !r.registered:
	case v.Status == stake.Jailed && r.height < v.JailedUntil:
		times := plural(int(v.Jailings), "time", "times")
		list = append(list, warning{"jailed", fmt.Sprintf("%s is jailed until block %d, now %d; it was jailed %s", who, v.JailedUntil, r.height, times),
			"find out why (missed votes, or two nodes with one key), then `cowboy validator unjail` from that block on"})
	case v.Status == stake.Jailed:
		text := fmt.Sprintf("%s is jailed; its jail period is over since block %d", who, v.JailedUntil)
		list = append(list, warning{"jailed", text, "`cowboy validator unjail`"})
	}
	if t := r.turnout; r.member && r.validator.Status == stake.Active {
		switch {
		case t.Missed > stake.MissedMost/2:
			list = append(list, warning{"missed", fmt.Sprintf("%s missed %d of %d votes; beyond %d it is jailed", who, t.Missed, t.Counted, stake.MissedMost),
				"`cowboyd peers` shows whom this node is connected to, `cowboy validator list` who else misses votes"})
		case t.Recent >= stake.TurnoutBlocks/4 && 2*t.Lately > t.Recent:
			list = append(list, warning{"missed", fmt.Sprintf("%s missed %d of the last %d votes", who, t.Lately, t.Recent),
				"`cowboyd peers` shows whom this node is connected to; look at its clock and its disk as well"})
		}
	}
	if n := unreached(r.agreement); n > 0 && r.short >= unreachedAfter && (r.member || r.registered) {
		text := fmt.Sprintf("not connected to %d of the %d other validators", n, n+r.agreement.Known)
		if len(r.away) > 0 {
			text += ": " + strings.Join(r.away[:min(len(r.away), namesMost)], ", ")
		}
		list = append(list, warning{"reach", text, "compare p2p.peers, p2p.advertise and firewalls with theirs; `cowboyd peers` lists those connected"})
	}
	switch {
	case r.duties.Unpaid:
		list = append(list, warning{"unpaid",
			fmt.Sprintf("%s cannot pay for its part in the key ceremony or for evidence: its account has %s CBY", who, r.balance.CBY()),
			"send coins to the account; without them it has no share in the next epoch's key"})
	case r.duties.Mute && r.duties.Dealer:
		list = append(list, warning{"mute", who + " can post no dealer log: keys/account.json is missing",
			"restore the account's key file"})
	}
	return list
}

// lacks is the first block this program cannot execute for want of native code; 0: it has all there is.
func (r *outlook) lacks() (at uint64) {
	for _, l := range r.lacking {
		if h := uint64(l.Height); at == 0 || h < at {
			at = h
		}
	}
	return at
}

// signerAdvice is what to do about a signer that fails.
var signerAdvice = map[signer.Failure]string{
	signer.Away:     "start `cowboyd signer run` there; compare validator.signer, the firewall and the certificates of both sides",
	signer.Late:     "look at the disk and the load of the signer's machine, and at the network between: a vote that comes later is lost",
	signer.Refused:  "find out who else votes with this key; a node that lost its journal is refused until the next view",
	signer.Wrong:    "stop this node: what answers at validator.signer has another key than the one this validator registered",
	signer.Confused: "compare the versions of both sides; the signer's log says what it made of the question",
}

// doubts are what keeps the node from serving what is new.
func (r *outlook) doubts(interval time.Duration) (list []string) {
	reached := r.agreement.Known
	if r.agreement.Rank != simplex.Observer {
		reached++
	}
	quorum := sig.Quorum(r.agreement.Validators)
	stopped := r.age > max(unsyncedAfter, 5*interval)
	if stopped && r.agreement.Validators > 1 && reached < quorum {
		text := fmt.Sprintf("%s%d of %d validators are here, and %d are needed", noQuorum, reached, r.agreement.Validators, quorum)
		if len(r.away) > 0 {
			text += "; away: " + strings.Join(r.away[:min(len(r.away), namesMost)], ", ")
		}
		list = append(list, text)
	}
	if r.behind(interval) > 0 && !r.sync.Snapshot {
		list = append(list, catchingUp+r.progress())
	}
	return list
}

// behind is how many blocks others claim to have that are not here; 0 for a few, and where the newest block is young: what others claim is not proven.
func (r *outlook) behind(interval time.Duration) uint64 {
	if r.sync.Target <= r.height+behindBy || r.age <= max(unsyncedAfter, 5*interval) {
		return 0
	}
	return uint64(r.sync.Target - r.height)
}

// progress is how far catching up is and how long it may take still.
func (r *outlook) progress() string {
	left := uint64(0)
	if r.sync.Target > r.height {
		left = uint64(r.sync.Target - r.height)
	}
	text := fmt.Sprintf("block %d of %d", r.height, r.sync.Target)
	if r.rate > 0 {
		text += fmt.Sprintf(", %.1f blocks a second, about %s left", r.rate, time.Duration(float64(left)/r.rate*float64(time.Second)).Round(time.Second))
	}
	return text
}

// pace measures how fast the chain grows here.
type pace struct {
	height unit.Height
	since  time.Time
	rate   float64
}

// paceEvery is over how long the rate is taken.
const paceEvery = 5 * time.Second

func (p *pace) at(height unit.Height, now time.Time) float64 {
	if p.since.IsZero() {
		p.height, p.since = height, now
	}
	if span := now.Sub(p.since); span >= paceEvery {
		p.rate = float64(height-p.height) / span.Seconds()
		p.height, p.since = height, now
	}
	return p.rate
}

// Standing gives the outlook as numbers.
func (s *standing) Standing() admin.Standing {
	r := s.look(time.Now())
	x := admin.Standing{
		Follows: s.key == nil, Registered: r.registered, Member: r.member,
		Missed: r.turnout.Missed, Counted: r.turnout.Counted, Lately: r.turnout.Lately, Recent: r.turnout.Recent,
		Unreached: unreached(r.agreement), Unpaid: r.duties.Unpaid || r.duties.Mute && r.duties.Dealer,
		Balance: float64(r.balance) / float64(unit.CBY),
		Lacking: r.lacks(), ClockOff: r.clocks.own, ClocksOff: len(r.clocks.off),
		Behind: r.behind(s.interval), Rate: r.rate, Age: r.age,
	}
	if s.signing != nil {
		x.Signer = &admin.Signer{Up: r.signing.Failing == nil, Signed: r.signing.Signed, Last: r.signing.Last, Failed: map[string]uint64{}}
		for f := range signer.Failures {
			x.Signer.Failed[f.String()] = r.signing.Failed[f]
		}
	}
	if r.registered {
		x.Status, x.JailedUntil = r.validator.Status.String(), uint64(r.validator.JailedUntil)
	}
	return x
}
