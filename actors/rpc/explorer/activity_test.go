package explorer

import (
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
)

// TestCharts draws by hand: three blocks of 1, 3 and 2, oldest first.
func TestCharts(t *testing.T) {
	blocks := []summary{{Height: 3, Cycles: 2}, {Height: 2, Cycles: 3}, {Height: 1, Cycles: 1}} // newest first
	value := func(b summary) uint64 { return b.Cycles }
	line := lineChart("c", "u", blocks, value)
	if want := `points="0.0,76.0 300.0,4.0 600.0,40.0"`; string(line.Points) != want || line.Low != 1 || line.High != 3 || line.First != 1 || line.Last != 3 ||
		line.Now != 2 {
		t.Errorf("%+v, want %s", line, want)
	}
	bars := barChart("c", "u", blocks, value)
	if want := (bar{X: "200.0", Y: "4.0", H: "76.0", Title: "block 2: 3 u"}); len(bars.Bars) != 3 || bars.Bars[1] != want {
		t.Errorf("%+v, want %+v", bars.Bars, want)
	}
	if !lineChart("c", "u", nil, value).Empty || !barChart("c", "u", nil, value).Empty {
		t.Error("a chart of nothing is not empty")
	}
}

func (f *fake) Sent(account.Address, uint64, uint64) (wire.Logs, error) {
	return wire.Logs{Logs: []wire.Receipt{f.receipt()}}, nil
}
func (f *fake) NewestActors(cursor string, limit uint64) (wire.NewestActors, error) {
	if cursor != "" {
		return wire.NewestActors{TotalCount: 1}, nil
	}
	one := wire.ActorSummary{Address: actorAddress.String(), Creator: account.System(1).String(), CodeHash: "c0de"}
	return wire.NewestActors{Actors: []wire.ActorSummary{one}, TotalCount: 1,
		NextCursor: "7.0"}, nil
}
func (f *fake) Topics(prefix string, _ int) ([]wire.Topic, error) {
	if !strings.HasPrefix(hostile, prefix) {
		return nil, nil
	}
	return []wire.Topic{{Name: hostile, Actor: actorAddress.String(), Height: 3}}, nil
}

// Flows has two blocks: 3 CBY burned for cycles and 1 for rent in the first, 2 for cycles in the second.
func (f *fake) Flows(from, to uint64) (wire.Flows, error) {
	const coin = 1_000_000_000
	return wire.Flows{From: from, To: to, Total: wire.Flow{Burned: map[string]uint64{"cycles": 5 * coin, "rent": coin}}, Entries: []wire.Flow{
		{Height: to - 1, Burned: map[string]uint64{"cycles": 3 * coin, "rent": coin}}, {Height: to, Burned: map[string]uint64{"cycles": 2 * coin}},
	}}, nil
}
func (f *fake) FlowSeries(name string) (wire.Flows, error) {
	if name != wire.SeriesMinutes {
		return wire.Flows{}, missing{}
	}
	return wire.Flows{EachMs: 60_000, Slots: 180, Total: wire.Flow{Minted: map[string]uint64{"inflation": 7}}, Entries: []wire.Flow{
		{Start: 60_000, Minted: map[string]uint64{"inflation": 7}},
	}}, nil
}
func (f *fake) Supply() (wire.Supply, error) {
	return wire.Supply{Height: 9, Total: 77_000_000_000, Held: map[string]uint64{"stake": 5}, Buckets: []wire.Bucket{{Name: "team", Terms: hostile}}}, nil
}

func (f *fake) Series(name string) (wire.Series, error) {
	if name != wire.SeriesMinutes {
		return wire.Series{}, missing{}
	}
	entries := []wire.Activity{{Start: 600_000, Blocks: 10}, {Start: 660_000, Blocks: 20}, {Start: 780_000, Blocks: 5}}
	return wire.Series{EachMs: 60_000, Slots: 180, Entries: entries}, nil
}

// TestWhole writes smallest units as whole tokens, by hand.
func TestWhole(t *testing.T) {
	for _, c := range []struct {
		units    string
		decimals uint8
		want     string
	}{
		{"0", 0, "0"}, {"0", 18, "0"}, {"1", 18, "0.000000000000000001"}, {"1500", 3, "1.5"}, {"1000", 3, "1"}, {"1234567", 0, "1\u202f234\u202f567"},
		{"12345678", 2, "123\u202f456.78"}, {"999", 3, "0.999"}, {"x", 3, "x"}, {"", 3, ""}, {"-1", 0, "-1"},
	} {
		t.Run(c.units, func(t *testing.T) {
			if got := whole(c.units, c.decimals); got != c.want {
				t.Errorf("%s with %d decimals: %q, want %q", c.units, c.decimals, got, c.want)
			}
		})
	}
}
