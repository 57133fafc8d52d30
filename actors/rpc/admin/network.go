package admin

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/cowboyinc/cowboy-go/net/transport"
)

// Network is the node's place among its peers, as peers.Handle tells it.
type Network interface {
	Peers() []transport.Peer
	// Tallies gives the counters of every channel; ok is false while there are none.
	Tallies() (tallies [transport.ChannelCount]transport.Tally, ok bool)
}

// Watch adds the network's numbers: peers and bytes by channel under the names CometBFT has for them.
func (m *Metrics) Watch(n Network) { m.registry.MustRegister(networkCollector{n}) }

// networkCollector reads the network at every scrape.
type networkCollector struct{ network Network }

var (
	descPeers     = describe("p2p", "peers", "Connected peers.")
	descReceived  = describe("p2p", "message_receive_bytes_total", "Bytes of frames received.", "chID")
	descSent      = describe("p2p", "message_send_bytes_total", "Bytes of frames queued for peers.", "chID")
	descDropped   = describe("p2p", "frames_shed_total", "Frames dropped because a queue was full.", "chID", "direction")
	descThrottled = describe("p2p", "throttled_total", "Times a peer was held back by its budget.", "chID")
)

// Describe implements prometheus.Collector.
func (c networkCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{descPeers, descReceived, descSent, descDropped, descThrottled} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (c networkCollector) Collect(to chan<- prometheus.Metric) {
	to <- prometheus.MustNewConstMetric(descPeers, prometheus.GaugeValue, float64(len(c.network.Peers())))
	tallies, ok := c.network.Tallies()
	if !ok {
		return
	}
	count := func(d *prometheus.Desc, v uint64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(v), labels...)
	}
	for i, t := range tallies {
		name := transport.Channel(i).String()
		count(descReceived, t.ReceivedBytes, name)
		count(descSent, t.SentBytes, name)
		count(descDropped, t.ShedIn, name, "in")
		count(descDropped, t.ShedOut, name, "out")
		count(descThrottled, t.Throttled, name)
	}
}
