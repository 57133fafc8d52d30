package treasury

import (
	"errors"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

const month = unit.Height(BlocksPerMonth)

// TestReleasable works the terms out by hand. Months have 2,628,000 blocks: a year of 31,536,000 has twelve. A release of n, n−1, …, 1 over 60 months has
// 1,830 parts, over twelve months 78.
//
// Spec: WP §8.3.
func TestReleasable(t *testing.T) {
	if month*12 != 31_536_000 {
		t.Fatalf("a month of %d blocks", month)
	}
	team := Bucket{Amount: 48_000, CliffMonths: 12, LinearMonths: 48}
	investors := Bucket{Amount: 100_000, UnlockedBPS: 1_000, CliffMonths: 6, LinearMonths: 24}
	foundation := Bucket{Amount: 100_000, UnlockedBPS: 500, LinearMonths: 36, StepMonths: 3}
	validators := Bucket{Amount: 183_000, LinearMonths: 60, Decreasing: true}
	liquidity := Bucket{Amount: 78_000, LinearMonths: 12, Decreasing: true}
	airdrops := Bucket{Amount: 20_000, UnlockedBPS: 5_000, CliffMonths: 6}
	for _, c := range []struct {
		name string
		of   Bucket
		at   unit.Height
		want unit.Amount
	}{
		{"team at genesis", team, 0, 0},
		{"team before the cliff ends", team, 13*month - 1, 0},
		{"team, the first month behind the cliff", team, 13 * month, 1_000},
		{"team, half", team, 36 * month, 24_000},
		{"team, the last block before the end", team, 60*month - 1, 47_000},
		{"team, the end", team, 60 * month, 48_000},
		{"team, long after", team, 1_000 * month, 48_000},
		{"investors at genesis", investors, 0, 10_000},
		{"investors before the first month", investors, 7*month - 1, 10_000},
		{"investors, a month", investors, 7 * month, 13_750}, // 10,000 + 90,000/24
		{"investors, the end", investors, 30 * month, 100_000},
		{"foundation at genesis", foundation, 0, 5_000},
		{"foundation before a quarter", foundation, 3*month - 1, 5_000},
		{"foundation, a quarter", foundation, 3 * month, 12_916}, // 5,000 + 95,000×3/36, down
		{"foundation, five months", foundation, 5 * month, 12_916},
		{"foundation, the end", foundation, 36 * month, 100_000},
		{"validators, a month", validators, month, 6_000}, // 183,000×60/1,830
		{"validators, two months", validators, 2 * month, 11_900},
		{"validators, 59 months", validators, 59 * month, 182_900},
		{"validators, the end", validators, 60 * month, 183_000},
		{"liquidity, a month", liquidity, month, 12_000},
		{"liquidity, half a year", liquidity, 6 * month, 57_000}, // 12+11+10+9+8+7 of 78
		{"airdrops at genesis", airdrops, 0, 10_000},
		{"airdrops before the second", airdrops, 6*month - 1, 10_000},
		{"airdrops, the second", airdrops, 6 * month, 20_000},
		{"by use", Bucket{Amount: 7}, 0, 7},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.of.Releasable(c.at); got != c.want {
				t.Errorf("%d, want %d", got, c.want)
			}
		})
	}
}

// TestReleaseNeverFalls holds what no terms may do: give back, or give more than there is.
func TestReleaseNeverFalls(t *testing.T) {
	for _, b := range []Bucket{
		{Amount: 1<<64 - 1, UnlockedBPS: 3_333, CliffMonths: 5, LinearMonths: 37, StepMonths: 7},
		{Amount: 1<<64 - 1, LinearMonths: MaxMonths, Decreasing: true},
		{Amount: 10, LinearMonths: 60, Decreasing: true, StepMonths: 3},
	} {
		before := unit.Amount(0)
		for m := range unit.Height(MaxMonths + 20) {
			now := b.Releasable(m * month)
			if now < before || now > b.Amount {
				t.Fatalf("%+v: %d after %d in month %d", b, now, before, m)
			}
			before = now
		}
		if before != b.Amount {
			t.Errorf("%+v: %d in the end", b, before)
		}
	}
}

// TestTerms refuses terms that cannot be held to.
func TestTerms(t *testing.T) {
	good := Bucket{Name: "x", Amount: 1}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(b *Bucket){
		"no name":              func(b *Bucket) { b.Name = "" },
		"a long name":          func(b *Bucket) { b.Name = strings.Repeat("x", MaxName+1) },
		"more than the whole":  func(b *Bucket) { b.UnlockedBPS = 10_001 },
		"a cliff for ever":     func(b *Bucket) { b.CliffMonths = MaxMonths + 1 },
		"a release for ever":   func(b *Bucket) { b.LinearMonths = MaxMonths + 1 },
		"steps beyond the end": func(b *Bucket) { b.StepMonths = MaxMonths + 1 },
		"long words":           func(b *Bucket) { b.Terms = strings.Repeat("x", maxTerms+1) },
	} {
		t.Run(name, func(t *testing.T) {
			b := good
			if change(&b); !errors.Is(b.Check(), ErrTerms) {
				t.Error("was taken")
			}
		})
	}
}

// The hash of every record this package encodes: one that changes is a change of protocol.
func TestGoldenRecords(t *testing.T) {
	g := golden.Fill(&Grant{})
	b := golden.Fill(&Bucket{})
	golden.Records(t, map[string][]byte{"Grant": g.Encode(), "Bucket": b.Append(nil)})
	again, err := DecodeGrant(g.Encode())
	if err != nil || again != *g {
		t.Errorf("%+v, %v", again, err)
	}
	whole, err := decodeBucket(b.Name, b.Append(nil))
	if err != nil || whole != *b {
		t.Errorf("%+v, %v", whole, err)
	}
	if _, err := DecodeGrant(codec.AppendUint(g.Encode(), 1)); err == nil {
		t.Error("more than a grant was read")
	}
}
