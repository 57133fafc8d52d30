package market

import (
	"math/big"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The price of a container is shared out as the container's own split says: 89 %, 10 % and 1 % as the document has it, until governance says otherwise. The
// main split is not asked for it, and other kinds do not ask the container's.
//
// Spec: gateway-payments-streams §I (system:container_settlement_config).
func TestContainersHaveASplitOfTheirOwn(t *testing.T) {
	w := newWorld(t, 1)
	w.Params.Settlement = params.Split{RunnerBPS: 4_000, BurnBPS: 3_000, TreasuryBPS: 3_000}
	is := func(kind job.Kind, want params.Split) {
		t.Helper()
		if got, err := w.splitOf(kind); err != nil || got != want {
			t.Errorf("kind %d: %+v, %v, want %+v", kind, got, err, want)
		}
	}
	is(job.LLM, w.Params.Settlement)
	is(job.Container, params.Split{RunnerBPS: 8_900, BurnBPS: 1_000, TreasuryBPS: 100})
	own := params.Split{RunnerBPS: 5_000, BurnBPS: 4_000, TreasuryBPS: 1_000}
	w.State.Set(params.StateKey("system:container_settlement_config"), own.Append(nil))
	is(job.LLM, w.Params.Settlement)
	is(job.Container, own)
	w.State.Set(params.StateKey("system:container_settlement_config"), []byte{1})
	if got, err := w.splitOf(job.Container); err == nil {
		t.Errorf("%+v of bytes that are no split", got)
	}
}

// A container costs cpu/1000 × s × compute_second + memory/1024 × s × memory_mb, as exact fractions have it, each of the two rounded down; beyond what an
// amount holds it has no price.
//
// Spec: runner-marketplace §2.9 (price).
func TestPriceOfAContainer(t *testing.T) {
	const most = ^uint64(0)
	part := func(rate unit.Amount, units, seconds uint64, per int64) *big.Int {
		product := new(big.Rat).SetFrac(new(big.Int).SetUint64(units), big.NewInt(per))
		product.Mul(product, new(big.Rat).SetInt(new(big.Int).SetUint64(seconds)))
		product.Mul(product, new(big.Rat).SetInt(new(big.Int).SetUint64(uint64(rate))))
		return new(big.Int).Quo(product.Num(), product.Denom())
	}
	for name, c := range map[string]struct {
		cpu, memory    uint32
		seconds        uint64
		second, memfee unit.Amount
		ok             bool
	}{
		"a core for a second":      {1_000, 0, 1, 7, 0, true},
		"a GiB for a second":       {1_000, 1_024, 1, 0, 7, true},
		"the class small":          {1_000, 512, 300, 1_000, 900, true},
		"two cores are twice":      {2_000, 512, 300, 1_000, 900, true},
		"parts of both":            {333, 77, 13, 1_001, 1_003, true},
		"of nothing":               {0, 0, 0, 1, 1, true},
		"the largest rates":        {1_000, 0, 1, ^unit.Amount(0), 0, true},
		"a rate too large":         {1_001, 0, 1, ^unit.Amount(0), 0, false},
		"their sum is too large":   {1_000, 1_024, 1, ^unit.Amount(0), 1, false},
		"a time that no hour has":  {16_000, 0, most, 1, 0, false},
		"a time of a core's whole": {1, 0, most, 1, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := &job.Spec{Kind: job.Container, Runtime: &job.Runtime{CPUMilli: c.cpu}}
			card := &runner.RateCard{ComputeSecond: c.second, MemoryMB: c.memfee, HTTPRequestBase: 9, MCPCallBase: 9, LLMInputToken: 9, LLMOutputToken: 9}
			got, ok := Cost(s, Usage{InputTokens: 5, OutputTokens: 5, WallTimeSeconds: c.seconds, MemoryMB: c.memory}, card)
			want := part(c.second, uint64(c.cpu), c.seconds, 1_000)
			want.Add(want, part(c.memfee, uint64(c.memory), c.seconds, 1_024))
			if ok != c.ok || ok && new(big.Int).SetUint64(uint64(got)).Cmp(want) != 0 {
				t.Errorf("%d %v, want %s %v", got, ok, want, c.ok)
			}
		})
	}
}

// A container's bill can be disputed for 300 blocks before it is paid, or longer where the job says so, unless a trusted environment vouches for it; other jobs
// are paid for as they say.
//
// Spec: runner-marketplace §2.1, §2.9, §11 (billing dispute window).
func TestBillsAreDisputable(t *testing.T) {
	for name, c := range map[string]struct {
		kind     job.Kind
		trusted  bool
		asked    uint64
		disputed uint64
	}{
		"a container":              {job.Container, false, 75, 300},
		"one that says nothing":    {job.Container, false, 0, 300},
		"a block more":             {job.Container, false, 301, 301},
		"of a trusted environment": {job.Container, true, 75, 75},
		"a model":                  {job.LLM, false, 75, 75},
		"a page":                   {job.HTTP, true, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := &job.Spec{Kind: c.kind, Verification: job.Verification{TEERequired: c.trusted, DisputeBlocks: c.asked}}
			if got := disputable(s); got != c.disputed {
				t.Errorf("%d blocks, want %d", got, c.disputed)
			}
		})
	}
}
