package admin

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// Agreement is the node's part in it, as replica.Handle tells.
type Agreement interface {
	Status() replica.Status
	Counts() replica.Counts
}

// Follow adds the numbers of agreement, under the names CometBFT has for them where it counts the same.
func (m *Metrics) Follow(a Agreement) { m.registry.MustRegister(agreementCollector{a}) }

// agreementCollector reads where agreement stands at every scrape.
type agreementCollector struct{ agreement Agreement }

var (
	descValidators = describe("consensus", "validators", "Validators of the epoch.")
	descRounds     = describe("consensus", "rounds", "Views in a row, before the current one, without a certified block.")
	descViews      = describe("consensus", "views_total", "Views entered since the start.")
	descGivenUp    = describe("consensus", "views_given_up_total", "Views this validator gave up since the start, by cause.", "cause")
	descRelayed    = describe("consensus", "proposals_relayed_total", "Proposals that came from somebody else than their leader since the start.")
	descMet        = describe("p2p", "validators", "Connected peers that proved to be validators of the epoch.")
)

// Describe implements prometheus.Collector.
func (c agreementCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{descValidators, descRounds, descViews, descGivenUp, descRelayed, descMet} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (c agreementCollector) Collect(to chan<- prometheus.Metric) {
	send := func(d *prometheus.Desc, kind prometheus.ValueType, v uint64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, kind, float64(v), labels...)
	}
	status, counts := c.agreement.Status(), c.agreement.Counts()
	send(descValidators, prometheus.GaugeValue, uint64(status.Validators))
	send(descRounds, prometheus.GaugeValue, status.Lost)
	send(descMet, prometheus.GaugeValue, uint64(status.Known))
	send(descViews, prometheus.CounterValue, counts.Views)
	send(descRelayed, prometheus.CounterValue, counts.Relayed)
	for cause := range simplex.Causes {
		send(descGivenUp, prometheus.CounterValue, counts.GivenUp[cause], cause.String())
	}
}
