package admin

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/supervision"
)

const namespace = "cowboy"

// Metrics are the node's numbers.
type Metrics struct {
	registry *prometheus.Registry

	blocks, transactions, burned, tipped prometheus.Counter
	executions, coins                    *prometheus.CounterVec
	supply                               prometheus.Gauge
	interval                             prometheus.Histogram
	size, numTxs, cycles, cells, missing prometheus.Gauge

	slows *Slows // nil: nobody counts them

	last uint64 // timestamp of the block before, in ms; of Observe only
}

// NewMetrics registers the numbers of a node. Spec: node-rpc-cli §2.1 (health and metrics).
func NewMetrics(source Source, version string) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry()}
	counter := func(subsystem, name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Namespace: namespace, Subsystem: subsystem, Name: name, Help: help})
	}
	gauge := func(subsystem, name, help string) prometheus.Gauge {
		return prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Subsystem: subsystem, Name: name, Help: help})
	}
	m.blocks = counter("consensus", "blocks_total", "Blocks finalized since the start.")
	m.transactions = counter("consensus", "total_txs", "Transactions in blocks finalized since the start.")
	m.numTxs = gauge("consensus", "num_txs", "Transactions in the newest final block.")
	m.size = gauge("consensus", "block_size_bytes", "Size of the newest final block.")
	m.missing = gauge("consensus", "missing_validators", "Validators whose votes for its parent the newest final block that tells of votes does not have.")
	m.interval = prometheus.NewHistogram(prometheus.HistogramOpts{
		Namespace: namespace, Subsystem: "consensus", Name: "block_interval_seconds",
		Help: "Time between a block and its parent.", Buckets: prometheus.ExponentialBuckets(0.0125, 2, 12),
	})
	m.cycles = gauge("block", "cycles", "Cycles used by the newest final block.")
	m.cells = gauge("block", "cells", "Cells used by the newest final block.")
	m.burned = counter("fee", "burned_total", "Fees burned since the start, in base units.")
	m.tipped = counter("fee", "tipped_total", "Fees paid to proposers since the start, in base units.")
	m.executions = prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: namespace, Name: "executions_total", Help: "Executions since the start by kind and outcome.",
	}, []string{"kind", "status"})
	m.coins = prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: namespace, Subsystem: "coins", Name: "total",
		Help: "Coins since the start, in base units, by what became of them: minted, burned by cause, in and out of pots, paid.",
	}, []string{"kind", "label"})
	m.supply = gauge("coins", "supply", "Coins there are after the newest final block, in base units.")
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Namespace: namespace, Name: "build_info", Help: "1, with the version of the node.", ConstLabels: prometheus.Labels{"version": version},
	})
	build.Set(1)
	m.registry.MustRegister(
		m.blocks, m.transactions, m.numTxs, m.size, m.missing, m.interval, m.cycles, m.cells, m.burned, m.tipped, m.executions, m.coins, m.supply, build,
		nodeCollector{source}, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

// Observe counts a final block of the given size in bytes. It must be called for every block in turn, from one goroutine at a time.
func (m *Metrics) Observe(h *block.Header, txs, size int, receipts []*block.Receipt) {
	m.blocks.Inc()
	m.transactions.Add(float64(txs))
	m.numTxs.Set(float64(txs))
	m.size.Set(float64(size))
	m.cycles.Set(float64(h.CyclesUsed))
	m.cells.Set(float64(h.CellsUsed))
	if v := h.ParentVotes; v != nil {
		m.missing.Set(float64(v.Signers.Len() - v.Signers.Size()))
	}
	if m.last > 0 && h.TimestampMs >= m.last {
		m.interval.Observe(float64(h.TimestampMs-m.last) / 1_000)
	}
	m.last = h.TimestampMs
	for _, x := range receipts {
		m.burned.Add(float64(x.FeeBurned))
		m.tipped.Add(float64(x.FeeTipped))
		m.executions.WithLabelValues(x.Kind.String(), x.Status.String()).Inc()
	}
}

// ObserveFlows counts what became of a final block's coins, where that is known.
func (m *Metrics) ObserveFlows(s *flow.Sheet) {
	if s == nil {
		return
	}
	m.supply.Set(float64(s.Supply))
	for _, l := range s.Lines {
		m.coins.WithLabelValues(l.Kind.String(), l.Label).Add(float64(l.Amount))
	}
}

// nodeCollector reads the node at every scrape.
type nodeCollector struct{ source Source }

func describe(subsystem, name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(prometheus.BuildFQName(namespace, subsystem, name), help, labels, nil)
}

var (
	descHeight    = describe("consensus", "height", "Height of the newest final block.")
	descCommitted = describe("consensus", "committed_height", "Height of the newest block with a certificate.")
	descMempool   = describe("mempool", "size", "Transactions waiting in the lanes.")
	descReady     = describe("", "ready", "1 when the node serves final state and takes transactions.")
	descBasefee   = describe("fee", "basefee", "Basefee of the next block in base units.", "meter")
	descLane      = describe("fee", "lane_basefee", "Basefee of the next block in a lane, in base units.", "lane", "meter")
	descUp        = describe("subsystem", "up", "1 when the subsystem runs.", "path")
	descRestarts  = describe("subsystem", "restarts_total", "Restarts of the subsystem.", "path")
	descFailures  = describe("subsystem", "failures_total", "Failures of the subsystem.", "path")
	descDepth     = describe("inbox", "depth", "Commands waiting in the inbox.", "path")
	descPeak      = describe("inbox", "peak", "Most commands that ever waited in the inbox.", "path")
	descCapacity  = describe("inbox", "capacity", "Commands the inbox takes.", "path")
	descHandled   = describe("inbox", "handled_total", "Commands handled.", "path")
	descShed      = describe("inbox", "shed_total", "Commands refused because the inbox was full.", "path")
	descDead      = describe("inbox", "dead_total", "Commands that nobody was there to handle.", "path")
)

// Describe implements prometheus.Collector.
func (c nodeCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		descHeight, descCommitted, descMempool, descReady, descBasefee, descLane, descUp, descRestarts, descFailures, descDepth,
		descPeak, descCapacity, descHandled, descShed, descDead,
	} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (c nodeCollector) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	counter := func(d *prometheus.Desc, v uint64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(v), labels...)
	}
	height := c.source.Height()
	gauge(descHeight, float64(height.Height))
	gauge(descCommitted, float64(height.Committed))
	gauge(descMempool, float64(c.source.Health().MempoolTransactionCount))
	gauge(descReady, truth(c.source.Ready().Ready))
	fees := c.source.Basefee()
	gauge(descBasefee, float64(fees.CycleBasefee), "cycle")
	gauge(descBasefee, float64(fees.CellBasefee), "cell")
	for lane, fee := range fees.Lanes { // order-free: the registry sorts
		gauge(descLane, float64(fee.CycleBasefee), lane, "cycle")
		gauge(descLane, float64(fee.CellBasefee), lane, "cell")
	}
	walk(c.source.Tree(), func(s supervision.Status) {
		gauge(descUp, truth(s.State == supervision.Running.String()), s.Path)
		counter(descRestarts, s.Restarts, s.Path)
		counter(descFailures, s.Failures, s.Path)
		if in := s.Inbox; in != nil {
			gauge(descDepth, float64(in.Depth), s.Path)
			gauge(descPeak, float64(in.Peak), s.Path)
			gauge(descCapacity, float64(in.Capacity), s.Path)
			counter(descHandled, in.Handled, s.Path)
			counter(descShed, in.Shed, s.Path)
			counter(descDead, in.Dead, s.Path)
		}
	})
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
