package admin

import (
	"fmt"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/actors/proposer"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// slowLines is how many of the latest slow turns are told.
const slowLines = 8

// Slows keeps what took more of a block's time than one turn may, and what broke the machine. It may be used from any goroutine.
type Slows struct {
	mu      sync.Mutex
	turns   map[block.Kind]uint64
	broken  map[block.Kind]uint64
	dropped uint64
	latest  []string // oldest first
}

// Turn counts a slow turn.
func (s *Slows) Turn(x executor.Slow) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turns == nil {
		s.turns = map[block.Kind]uint64{}
	}
	s.turns[x.Kind]++
	how := "took"
	if x.Ended {
		how = "was ended after"
	}
	s.tell(fmt.Sprintf("block %d: %v %v of actor %v %s %v", x.Height, x.Kind, x.ID, x.Actor, how, x.Took.Round(time.Millisecond)))
}

// Break counts a turn that broke the machine.
func (s *Slows) Break(height unit.Height, x executor.Broken) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken == nil {
		s.broken = map[block.Kind]uint64{}
	}
	s.broken[x.Kind]++
	s.tell(fmt.Sprintf("block %d: %v %v of actor %v broke the machine", height, x.Kind, x.ID, x.Actor))
}

// Drop counts a transaction that was dropped because it was slow.
func (s *Slows) Drop(d proposer.Drop) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropped++
	s.tell(fmt.Sprintf("block %d: transaction %v of %v was dropped: alone it took more than %v", d.Height, d.Tx, d.Sender, d.Budget))
}

func (s *Slows) tell(line string) {
	s.latest = append(s.latest, line)
	s.latest = s.latest[max(len(s.latest)-slowLines, 0):]
}

// Lines are the latest ones, oldest first.
func (s *Slows) Lines() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.latest...)
}

// Time adds the numbers of slow and broken turns, and their lines to the list of subsystems.
func (m *Metrics) Time(s *Slows) {
	m.slows = s
	m.registry.MustRegister(slowCollector{s})
}

// slowCollector reads the counts at every scrape.
type slowCollector struct{ slows *Slows }

var (
	descSlow  = describe("block", "slow_turns_total", "Turns that took more than half of the time for building a block since the start, by kind.", "kind")
	descBreak = describe("block", "broken_turns_total", "Turns that broke the machine, twice, as a block was built since the start, by kind.", "kind")
	descDrop  = describe("mempool", "dropped_slow_total", "Transactions dropped since the start because alone in a block they took longer than a block may.")
)

// Describe implements prometheus.Collector.
func (c slowCollector) Describe(to chan<- *prometheus.Desc) {
	to <- descSlow
	to <- descBreak
	to <- descDrop
}

// Collect implements prometheus.Collector.
func (c slowCollector) Collect(to chan<- prometheus.Metric) {
	c.slows.mu.Lock()
	defer c.slows.mu.Unlock()
	for _, kind := range []block.Kind{block.Transaction, block.Message, block.Timer, block.Deferred} {
		to <- prometheus.MustNewConstMetric(descSlow, prometheus.CounterValue, float64(c.slows.turns[kind]), kind.String())
		to <- prometheus.MustNewConstMetric(descBreak, prometheus.CounterValue, float64(c.slows.broken[kind]), kind.String())
	}
	to <- prometheus.MustNewConstMetric(descDrop, prometheus.CounterValue, float64(c.slows.dropped))
}
