package admin

import (
	"github.com/prometheus/client_golang/prometheus"
)

// Rent is how the chain's rent stands at the newest final block.
type Rent struct {
	Began    bool    // the first epoch of rent has begun
	Epoch    uint64  // the present one
	Unswept  uint64  // epochs that not every actor has been billed for
	Position float64 // of the sweep under way among all addresses, from 0 to 1; 1 when none is
	Rate     float64 // of a byte and an epoch, in base units
	Bytes    uint64  // that all actors hold, as the last sweep found them
	InDebt   int     // actors that owe rent; RentMost where it is as many or more
	Dormant  int     // of the same records: actors that were evicted
	Evicting int     // evictions under way; RentMost likewise
}

// RentMost is how many actors are looked at for a count.
const RentMost = 10_000

// Rents adds the numbers of rent. ok is false where they cannot be read at present.
func (m *Metrics) Rents(look func() (r Rent, ok bool)) { m.registry.MustRegister(rentCollector{look}) }

type rentCollector struct{ look func() (Rent, bool) }

var (
	descRentEpoch    = describe("rent", "epoch", "The epoch of rent.")
	descRentUnswept  = describe("rent", "epochs_unswept", "Epochs that have ended and that not every actor has been billed for yet.")
	descRentPosition = describe("rent", "sweep_position", "How far the sweep is among all addresses, from 0 to 1; 1 when none is under way.")
	descRentRate     = describe("rent", "rate", "Rent of a byte and an epoch, in base units.")
	descRentBytes    = describe("rent", "state_bytes", "Bytes that all actors hold, as the last sweep found them.")
	descRentDebt     = describe("rent", "actors_in_debt", "Actors that owe rent, 10000 at most.")
	descRentDormant  = describe("rent", "actors_dormant", "Actors that were evicted and not restored, 10000 at most.")
	descRentEvicting = describe("rent", "evictions_pending", "Actors whose storage is being removed, 10000 at most.")
)

// Describe implements prometheus.Collector.
func (c rentCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		descRentEpoch, descRentUnswept, descRentPosition, descRentRate, descRentBytes, descRentDebt, descRentDormant, descRentEvicting,
	} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (c rentCollector) Collect(to chan<- prometheus.Metric) {
	r, ok := c.look()
	if !ok || !r.Began {
		return
	}
	gauge := func(d *prometheus.Desc, v float64) { to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v) }
	gauge(descRentEpoch, float64(r.Epoch))
	gauge(descRentUnswept, float64(r.Unswept))
	gauge(descRentPosition, r.Position)
	gauge(descRentRate, r.Rate)
	gauge(descRentBytes, float64(r.Bytes))
	gauge(descRentDebt, float64(r.InDebt))
	gauge(descRentDormant, float64(r.Dormant))
	gauge(descRentEvicting, float64(r.Evicting))
}
