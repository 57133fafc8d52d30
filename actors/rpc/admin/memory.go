package admin

import (
	"runtime/metrics"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cowboyinc/cowboy-go/actors/budget"
)

// Divided adds the shares of the node's memory and what is used of each.
func (m *Metrics) Divided(b *budget.Budget) { m.registry.MustRegister(memoryCollector{b}) }

// memoryCollector reads the accounts at every scrape.
type memoryCollector struct{ budget *budget.Budget }

var (
	descShare = describe("memory", "share_bytes", "Bytes of the memory budget a purpose may use.", "of")
	descUsed  = describe("memory", "used_bytes", "Bytes of it that are used; of execution, what the heap holds beside the other purposes.", "of")
)

// Describe implements prometheus.Collector.
func (c memoryCollector) Describe(to chan<- *prometheus.Desc) {
	to <- descShare
	to <- descUsed
}

// Collect implements prometheus.Collector.
func (c memoryCollector) Collect(to chan<- prometheus.Metric) {
	rest := heap()
	for p := budget.Execution + 1; p < budget.Purposes; p++ {
		rest -= c.budget.Of(p).Used()
	}
	c.budget.Of(budget.Execution).Set(max(rest, 0))
	for p := range budget.Purposes {
		to <- prometheus.MustNewConstMetric(descShare, prometheus.GaugeValue, float64(c.budget.Of(p).Limit()), p.String())
		to <- prometheus.MustNewConstMetric(descUsed, prometheus.GaugeValue, float64(c.budget.Of(p).Used()), p.String())
	}
}

// heap is what objects take, the dead ones that were not collected yet included.
func heap() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
