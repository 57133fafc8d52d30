package operate

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/proxy"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	runner "github.com/cowboyinc/cowboy-go/cmd/cowboy-runner/operate"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
)

const (
	again    = 20 * time.Second // until what was sent and does not show is sent again
	looksFor = 30               // polls between two looks at the registration
)

var (
	errUnregistered = errors.New("the proxy's registration is on its way")
	errLeft         = errors.New("the proxy was deregistered and has its stake back: it registers again once it is started anew")
	errElsewhere    = errors.New("the proxy is registered with other keys or another address: deregister it, or set both right")
)

// Enrolment brings a proxy onto the chain. It is asked by one goroutine, before each poll.
type Enrolment struct {
	Node    *api.Client
	Chain   *runner.Client // the operator's
	Account account.Address
	Self    *proxy.Identity
	TLS     digest.Hash // SHA-256 of the certificate's key
	Address string      // where others reach the proxy
	Stake   unit.Amount
	// Fund brings an amount to the operator's account; nil where somebody else does.
	Fund func(ctx context.Context, amount unit.Amount) error

	polls          int
	leaving        bool // it was deregistered while this program ran
	asked, claimed time.Time
}

// Enrol gives nil for a proxy that is registered as it is. One that is not registers itself, in as many polls as the chain takes, unless it was deregistered
// meanwhile: the stake that it got back is not staked again.
//
// Spec: secrets-cbss §4 (72).
func (e *Enrolment) Enrol(ctx context.Context) error {
	if e.polls > 0 {
		e.polls = (e.polls + 1) % looksFor
		return nil
	}
	var known wire.Proxy
	err := e.Node.Read(ctx, "/proxy/of/"+e.Account.String(), &known)
	if err != nil && !api.NotFound(err) {
		return err
	}
	missing := err != nil
	e.leaving = e.leaving || known.UnbondAt > 0
	if missing && e.leaving {
		return errLeft
	}
	if !missing && (known.ID != wire.Hash(e.Self.ID) || known.TLS != wire.Hash(e.TLS) || known.NetworkAddr != e.Address) {
		return errElsewhere
	}
	if e.Fund != nil {
		if err := e.fund(ctx, missing); err != nil {
			return err
		}
	}
	if !missing {
		e.polls = 1
		return nil
	}
	if time.Since(e.claimed) > again {
		if err := e.Chain.Send(ctx, e.registration(), tx.Cost{Cycles: 400_000, Cells: 10_000}); err != nil {
			return fmt.Errorf("the proxy cannot register itself: %w", err)
		}
		e.claimed = time.Now()
	}
	return errUnregistered
}

func (e *Enrolment) registration() *tx.RegisterCbssProxy {
	return &tx.RegisterCbssProxy{
		PublicKey: e.Self.Key.Compressed(), HPKE: [32]byte(e.Self.HPKE.PublicKey().Bytes()), TLS: e.TLS, NetworkAddr: []byte(e.Address), Stake: e.Stake,
	}
}

// purse is what an operator's account keeps for what a proxy sends.
const purse = 100 * unit.CBY

func (e *Enrolment) fund(ctx context.Context, missing bool) error {
	own, err := e.Node.Account(ctx, e.Account.String())
	if err != nil {
		return err
	}
	wanted := purse / 2
	if missing {
		wanted += e.Stake
	}
	if own.Balance >= uint64(wanted) {
		return nil
	}
	if time.Since(e.asked) > again {
		if err := e.Fund(ctx, wanted+purse/2); err != nil {
			return err
		}
		e.asked = time.Now()
	}
	if missing {
		return errUnfunded
	}
	return nil
}

var errUnfunded = errors.New("the proxy's coins are on their way")

// command is how an operator registers by hand.
func (e *Enrolment) command() string {
	r := e.registration()
	return fmt.Sprintf("cowboy proxy register --pubkey %x --hpke-pubkey %x --tls-spki %s --network-addr %s --stake %s",
		r.PublicKey[:], r.HPKE[:], hex.EncodeToString(r.TLS[:]), e.Address, e.Stake.CBY())
}
