package job

import (
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
)

// HandlerAttest is how a runner says what it provides: an Execute transaction to 0x01, whose data are the attestation's CBOR. It pays for the signature that is
// checked, and a cell for each byte that is kept.
const HandlerAttest = "attest"

// attestations is that handler.
//
// Spec: ENT §3.4, §4, §5; WP §3.5 (price of a signature), §17.4.
func attestations() chapter.Handler {
	run := func(e *chapter.Env, r chapter.Request) ([]byte, error) {
		if e.Self != runner.Home() {
			return nil, chapter.ErrNoHandler
		}
		if err := e.Charge(params.CostVerifySecp256k1, unit.Cells(len(r.Data))); err != nil {
			return nil, err
		}
		return nil, registry(e).Attest(e.Sender, sig.Default(), r.Data)
	}
	return chapter.Handler{Name: HandlerAttest, Ways: chapter.ByExecute, Run: run}
}
