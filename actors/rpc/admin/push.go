package admin

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cowboyinc/cowboy-go/actors/push"
)

// Push adds the numbers of the connections with runners.
func (m *Metrics) Push(status func() *push.Status) { m.registry.MustRegister(pushCollector{status}) }

type pushCollector struct{ status func() *push.Status }

var (
	descRunners     = describe("push", "runners", "Runners connected to this node, by whether they were heard of lately.", "present")
	descWaiting     = describe("push", "waiting", "Assignments that wait for an answer.")
	descPushed      = describe("push", "assignments_total", "Assignments sent to runners since the start.")
	descAnswers     = describe("push", "answers_total", "What runners made of assignments since the start; silent are those not answered in time.", "answer")
	descPushResults = describe("push", "results_total", "Transactions of runners that came over their connections since the start.")
	descPushRefused = describe("push", "ended_total", "Connections of runners that this node refused or ended since the start, by reason.", "reason")
	descDelays      = describe("push", "delays_total", "Assignments since the start, by the blocks since the draw; 3 is three and more.", "blocks")
	descInvitations = describe("push", "endpoints", "Validators whose address for runners is known.")
)

// Describe implements prometheus.Collector.
func (c pushCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		descRunners, descWaiting, descPushed, descAnswers, descPushResults, descPushRefused, descDelays, descInvitations,
	} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (c pushCollector) Collect(to chan<- prometheus.Metric) {
	v := c.status()
	gauge := func(d *prometheus.Desc, n int, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(n), labels...)
	}
	count := func(d *prometheus.Desc, n uint64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(n), labels...)
	}
	gauge(descRunners, v.Present, "true")
	gauge(descRunners, v.Runners-v.Present, "false")
	gauge(descWaiting, v.Waiting)
	gauge(descInvitations, len(v.Invitations))
	count(descPushed, v.Pushed)
	count(descPushResults, v.Results)
	for answer, n := range map[string]uint64{ // order-free: the registry sorts
		"accepted": v.Accepted, "duplicate": v.Duplicate, "rejected": v.Rejected, "silent": v.Silent,
	} {
		count(descAnswers, n, answer)
	}
	for why, n := range v.Refused { // order-free: the registry sorts
		count(descPushRefused, n, why.String())
	}
	for blocks, n := range v.Delays {
		count(descDelays, n, strconv.Itoa(blocks))
	}
}
