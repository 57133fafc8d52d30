package fleet

import (
	"context"
	"errors"
	"math"
	"net/http"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy-runner/operate"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/runtime/system/job"
)

const (
	stake    = 10_000 * unit.CBY
	purse    = 100 * unit.CBY // for what a runner sends; it is filled up when half of it is gone
	again    = 20 * time.Second
	looksFor = 30 // polls between two looks at the registration and the purse
)

// sending are the limits of a registration and of a transfer.
var sending = tx.Cost{Cycles: 100_000, Cells: 60_000}

var (
	errUnfunded     = errors.New("the runner's coins are on their way")
	errUnregistered = errors.New("the runner's registration is on its way")
)

// declaration is what the runners of a development network offer and ask for.
func declaration(key *sig.PrivateKey) *tx.RunnerRegister {
	names := func(list ...string) (all []runner.Name) {
		for _, one := range list {
			all = append(all, runner.Name{Name: one})
		}
		return all
	}
	types := []string{"http", "llm"}
	for _, tool := range toolNames {
		types = append(types, "mcp_"+Tools+"_"+tool)
	}
	return &tx.RunnerRegister{
		PublicKey: key.Compressed(), Stake: stake,
		RateCard: runner.RateCard{
			LLMInputToken: 20_000, LLMOutputToken: 30_000, HTTPRequestBase: 40_000_000, MCPCallBase: 40_000_000, MaxJobValue: 1_000 * unit.CBY,
			SupportedMCPServers: names(Tools),
		},
		Capabilities: runner.Capabilities{JobTypes: names(types...), HTTPDomains: names("*"), MaxConcurrentJobs: places},
	}
}

// attestation is what the runners of a development network provide to actors whose manifests require something, for as long as there are blocks.
//
// Spec: ENT §3.4, §5.1.
func attestation(key *sig.PrivateKey) (*tx.Execute, error) {
	m, err := entitle.Parse([]byte(`[{"id":"http.fetch","params":{"allowlist_domains":["*"]}},{"id":"oracle.llm"}]`))
	if err != nil {
		return nil, err
	}
	a := entitle.Attestation{Runner: key.Address(), Capabilities: *m, ValidUntil: math.MaxInt64}
	return &tx.Execute{To: runner.Home(), Handler: []byte(job.HandlerAttest), Payload: a.Sign(key).Encode()}, nil
}

// enrolment brings a runner onto the chain and keeps it there. It is asked by one goroutine, before each poll.
type enrolment struct {
	node   *api.Client
	chain  *operate.Client
	faucet *operate.Client
	key    *sig.PrivateKey

	polls    int       // since the last look at a runner that is registered; 0 for a look
	asked    time.Time // for coins
	declared time.Time // to the registry
	attested time.Time // likewise
}

// enrol gives nil for a runner that is registered. One that is not is funded, registers itself and signs what it provides, in as many polls as the chain takes.
func (e *enrolment) enrol(ctx context.Context) error {
	if e.polls > 0 {
		e.polls = (e.polls + 1) % looksFor
		return nil
	}
	address := e.key.Address().String()
	var registered wire.Runner
	err := e.node.Read(ctx, "/runner/"+address, &registered)
	var status *api.StatusError
	missing := errors.As(err, &status) && status.Status == http.StatusNotFound
	if err != nil && !missing {
		return err
	}
	account, err := e.node.Account(ctx, address)
	if err != nil {
		return err
	}
	wanted := purse / 2
	if missing {
		wanted += stake
	}
	poor := account.Balance < uint64(wanted)
	switch { // what was sent shows on the chain, or did not come
	case poor && time.Since(e.asked) > again:
		if err := e.faucet.Send(ctx, &tx.Transfer{To: e.key.Address(), Amount: wanted + purse/2}, sending); err != nil {
			return err
		}
		e.asked = time.Now()
	case !poor && missing && time.Since(e.declared) > again:
		if err := e.chain.Send(ctx, declaration(e.key), sending); err != nil {
			return err
		}
		e.declared = time.Now()
	case !missing && registered.Attestation == nil && time.Since(e.attested) > again:
		in, err := attestation(e.key)
		if err != nil {
			return err
		}
		if err := e.chain.Send(ctx, in, sending); err != nil {
			return err
		}
		e.attested = time.Now()
	}
	switch {
	case !missing:
		if registered.Attestation != nil {
			e.polls = 1
		}
		return nil
	case poor:
		return errUnfunded
	}
	return errUnregistered
}
