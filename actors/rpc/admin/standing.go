package admin

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Standing is how a node stands among the others, and its validator on chain.
type Standing struct {
	Follows    bool // it has no voting key
	Registered bool // its voting key is a validator's
	Status     string
	Member     bool // of the present set
	Missed     int  // votes of the Counted blocks
	Counted    int
	Lately     int // votes of the Recent blocks
	Recent     int
	// JailedUntil is a height, 0 for never.
	JailedUntil uint64
	Unreached   int     // validators that are not connected
	Unpaid      bool    // it cannot pay for its duties, or not send them
	Balance     float64 // of the account that pays, in CBY
	Behind      uint64  // blocks below what others claim, if the newest one here is old
	Rate        float64 // blocks a second the chain grows by here
	Age         time.Duration
	Lacking     uint64        // first block that needs native code this program is without; 0: it has all there is
	ClockOff    time.Duration // this machine's clock is ahead of those of most validators; below 0: behind
	ClocksOff   int           // other validators whose clocks are ahead of this one's
	Signer      *Signer       // nil where the voting key is in this process
}

// Signer is how the process stands that holds the voting key.
type Signer struct {
	Up     bool
	Signed uint64            // questions that were answered with signatures
	Failed map[string]uint64 // that were not, by reason
	Last   time.Duration     // that the newest answer took
}

// Stand adds the numbers of how the node stands.
func (m *Metrics) Stand(look func() Standing) { m.registry.MustRegister(standingCollector{look}) }

type standingCollector struct{ look func() Standing }

var (
	descStatus   = describe("validator", "status", "1 for the status on chain of the validator whose voting key this node has.", "status")
	descMember   = describe("validator", "member", "1 when this node's validator is in the present set.")
	descMissed   = describe("validator", "missed_votes", "Votes this node's validator missed, of those counted; beyond 500 it is jailed.")
	descCounted  = describe("validator", "counted_blocks", "Blocks of the epoch whose votes are counted, 1000 at most.")
	descLately   = describe("validator", "missed_lately", "Votes it missed of the newest 64 counted blocks.")
	descJailed   = describe("validator", "jailed_until_height", "Height at which the jail period ends; 0: it was never jailed.")
	descUnpaid   = describe("validator", "duties_unpaid", "1 when it cannot pay for, or not send, its part in key ceremonies and evidence.")
	descBalance  = describe("validator", "balance_cby", "What the account that pays for its duties has.")
	descMissing  = describe("p2p", "validators_missing", "Validators of the epoch this node is not connected to.")
	descBehind   = describe("sync", "blocks_behind", "Blocks below what other nodes claim to have.")
	descRate     = describe("sync", "blocks_per_second", "Blocks a second that become final here.")
	descAge      = describe("consensus", "block_age_seconds", "Age of the newest final block by this machine's clock.")
	descLacking  = describe("upgrade", "lacking_height", "First block that needs native code of a system actor which this program does not have; 0: none.")
	descClockOff = describe("clock", "validators_offset_seconds",
		"How far this machine's clock is ahead of those of most validators, by their proposals; negative: behind; 0 where they agree.")
	descClocks   = describe("clock", "validators_ahead", "Other validators whose proposals are ahead of this machine's clock, where most are not.")
	descSignerUp = describe("signer", "up", "1 when the remote signer answered the newest question with a signature that verifies.")
	descSigned   = describe("signer", "signed_total", "Questions the remote signer answered with signatures.")
	descUnsigned = describe("signer", "failed_total", "Questions it did not answer with signatures, by reason.", "reason")
	descSigning  = describe("signer", "answer_seconds", "How long its newest answer took.")
	standingDesc = []*prometheus.Desc{
		descStatus, descMember, descMissed, descCounted, descLately, descJailed, descUnpaid, descBalance, descMissing, descBehind, descRate, descAge,
		descLacking, descClockOff, descClocks,
		descSignerUp, descSigned, descUnsigned, descSigning,
	}
)

// statuses are those of stake.Status in words, for which a series is shown.
var statuses = []string{"pending", "active", "exiting", "jailed", "unbonding"}

// Describe implements prometheus.Collector.
func (c standingCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range standingDesc {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (c standingCollector) Collect(to chan<- prometheus.Metric) {
	s := c.look()
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	gauge(descBehind, float64(s.Behind))
	gauge(descRate, s.Rate)
	gauge(descAge, s.Age.Seconds())
	gauge(descLacking, float64(s.Lacking))
	gauge(descClockOff, s.ClockOff.Seconds())
	gauge(descClocks, float64(s.ClocksOff))
	if s.Follows {
		return
	}
	if x := s.Signer; x != nil {
		gauge(descSignerUp, truth(x.Up))
		gauge(descSigning, x.Last.Seconds())
		to <- prometheus.MustNewConstMetric(descSigned, prometheus.CounterValue, float64(x.Signed))
		for reason, n := range x.Failed { // order-free: a series each
			to <- prometheus.MustNewConstMetric(descUnsigned, prometheus.CounterValue, float64(n), reason)
		}
	}
	gauge(descMissing, float64(s.Unreached))
	gauge(descBalance, s.Balance)
	gauge(descUnpaid, truth(s.Unpaid))
	for _, status := range statuses {
		gauge(descStatus, truth(s.Registered && s.Status == status), status)
	}
	gauge(descMember, truth(s.Member))
	gauge(descMissed, float64(s.Missed))
	gauge(descCounted, float64(s.Counted))
	gauge(descLately, float64(s.Lately))
	gauge(descJailed, float64(s.JailedUntil))
}
