package market

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/params"
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
