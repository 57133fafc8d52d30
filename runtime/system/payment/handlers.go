package payment

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/gateway"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/payment"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	systemgateway "github.com/cowboyinc/cowboy-go/runtime/system/gateway"
	"github.com/cowboyinc/cowboy-go/runtime/system/route"
)

// Prices of the methods beside reading their arguments.
const (
	writeCycles unit.Cycles = 10_000
	readCycles  unit.Cycles = 200
	recordBytes unit.Cells  = 512 // what a method writes at most beside a policy, with its keys
	priceCycles unit.Cycles = 60  // for each price of a policy that a path is held to, and each of a policy that is read
)

// Prices of what a payment in a token moves beside the record: two transfers at most, and what gives it back.
const (
	tokenCycles = 3 * params.CostTokenTransfer
	tokenCells  = 3 * params.CellsTokenTransfer
)

const anyWay = chapter.ByMessage | chapter.ByExecute | chapter.ByCall

func par(name string, k chapter.Kind) chapter.Parameter {
	return chapter.Parameter{Name: name, Kind: k}
}

// handlers are the methods.
//
// Spec: gateway-payments-streams §F (methods).
func handlers() []chapter.Handler {
	return []chapter.Handler{
		{Name: "set_policy", Ways: anyWay, Run: setPolicy},
		{Name: "get_policy", Ways: anyWay, Reads: true, Run: getPolicy},
		{Name: "deposit_budget", Ways: anyWay, Coins: true, Run: deposit},
		{Name: "withdraw_budget", Ways: anyWay, Run: withdraw},
		{Name: "budget_balance", Ways: anyWay, Reads: true, Run: budget},
		{Name: "purchase_pass", Ways: anyWay, Coins: true, Run: purchase("credits", (*payment.Book).BuyPass)},
		{Name: "pass_balance", Ways: anyWay, Reads: true, Run: pass},
		{Name: "purchase_epoch", Ways: anyWay, Coins: true, Run: purchase("epochs", (*payment.Book).BuyEpochs)},
		{Name: "epoch_status", Ways: anyWay, Reads: true, Run: epoch},
		{Name: "verify_payment", Ways: anyWay, Run: pay((*payment.Book).Verify)},
		{Name: "settle_payment", Ways: anyWay, Run: pay((*payment.Book).Settle)},
		{Name: "deduct_budget", Ways: anyWay, Run: deduct},
		{Name: "payment_status", Ways: anyWay, Reads: true, Run: status},
		{Name: "credit_inbound", Ways: anyWay, Run: func(*chapter.Env, chapter.Request) ([]byte, error) {
			return nil, chapter.Reject(FaultDeferred, "NotAvailableError", 6, "deferred: assets of bridges are not taken yet")
		}},
	}
}

// setPolicy replaces a policy, for an actor that takes requests. What is written is paid for by its size.
//
// Spec: gateway-payments-streams §F (set_policy).
func setPolicy(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, par("actor", chapter.Address), par("enabled", chapter.Value), par("default_mode", chapter.Value), par("price_table", chapter.Value),
		par("budget_config", chapter.Value), par("epoch_config", chapter.Value), par("pass_config", chapter.Value), par("accepted_assets", chapter.Value),
		par("treasury", chapter.Value))
	if err != nil {
		return nil, err
	}
	cells := unit.Cells(len(r.Data)) + recordBytes
	if err := e.Charge(writeCycles+unit.Cycles(len(r.Data))*4, cells*unit.Cells(e.Costs().CellsPerByteWritten)); err != nil {
		return nil, err
	}
	actor, form := a.Address(0), cbor.Map{}
	if err := speaks(e, actor, r.Handler); err != nil {
		return nil, err
	}
	if _, ok, err := entitle.HTTPOf(e.State, actor); err != nil {
		return nil, err
	} else if !ok {
		return nil, gateway.ErrIngress
	}
	for i, name := range []string{"enabled", "default_mode", "price_table", "budget_config", "epoch_config", "pass_config", "accepted_assets", "treasury"} {
		if v := a.Value(i + 1); v != nil {
			form = append(form, cbor.Pair{Key: name, Value: v})
		}
	}
	p, err := payment.PolicyOf(actor, form)
	if err != nil {
		return nil, err
	}
	for _, a := range p.Assets {
		if a.IsZero() {
			continue
		}
		if err := e.Charge(readCycles, 0); err != nil { // the token is looked at
			return nil, err
		}
	}
	return nil, bookOf(e).SetPolicy(p)
}

func speaks(e *chapter.Env, actor account.Address, method string) error {
	ok, err := route.Speaks(e, actor, method)
	if err == nil && !ok {
		err = chapter.Reject(drain.FaultPermission, "PermissionDeniedError", 5, "only the actor, who made it, and who it lets set this")
	}
	return err
}

// policy takes the price of reading an actor's policy, and reads it; nil where there is none.
func policy(e *chapter.Env, actor account.Address) (*payment.Policy, error) {
	if err := e.Charge(readCycles, 0); err != nil {
		return nil, err
	}
	size, err := payment.SizeOfPolicy(e.State, actor)
	if err != nil {
		return nil, err
	}
	cycles := e.Costs().SerializeBase + 2*unit.Cycles(size)*e.Costs().SerializePerByte
	if err := e.Charge(cycles, unit.Cells(uint64(size)/e.Costs().StateReadBytesPerCell)); err != nil {
		return nil, err
	}
	p, err := payment.LoadPolicy(e.State, actor)
	if err != nil || p == nil {
		return nil, err
	}
	return p, e.Charge(priceCycles*unit.Cycles(len(p.Prices)), 0)
}

func getPolicy(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, par("actor", chapter.Address))
	if err != nil {
		return nil, err
	}
	p, err := policy(e, a.Address(0))
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, payment.ErrPolicy
	}
	return chapter.Plain(p.Form())
}

// writes takes the price of a method that looks at an actor's policy and writes.
func writes(e *chapter.Env, actor account.Address) error {
	if err := e.Charge(writeCycles, recordBytes*unit.Cells(e.Costs().CellsPerByteWritten)); err != nil {
		return err
	}
	_, err := policy(e, actor)
	return err
}

// coins takes those that came with the request, and has give tell what is left of them, which goes back.
func coins(e *chapter.Env, give func() (left unit.Amount, err error)) error {
	if err := account.Debit(e.State, e.Self, e.Value); err != nil {
		return err
	}
	left, err := give()
	if err != nil || left == 0 {
		return err
	}
	if err := e.Bill(e.Sender); err != nil {
		return err
	}
	return account.Credit(e.State, e.Sender, left)
}

func deposit(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, par("actor", chapter.Address))
	if err != nil {
		return nil, err
	}
	if err := writes(e, a.Address(0)); err != nil {
		return nil, err
	}
	return nil, coins(e, func() (unit.Amount, error) { return 0, bookOf(e).Deposit(a.Address(0), e.Value) })
}

func withdraw(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, par("actor", chapter.Address), par("amount", chapter.Number))
	if err != nil {
		return nil, err
	}
	if err := writes(e, a.Address(0)); err != nil {
		return nil, err
	}
	if err := speaks(e, a.Address(0), r.Handler); err != nil {
		return nil, err
	}
	return nil, bookOf(e).Withdraw(a.Address(0), e.Sender, unit.Amount(a.Number(1)))
}

func budget(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, par("actor", chapter.Address))
	if err != nil {
		return nil, err
	}
	if err := e.Charge(readCycles, 0); err != nil {
		return nil, err
	}
	f, err := payment.LoadFunds(e.State, a.Address(0))
	if err != nil {
		return nil, err
	}
	if f == nil {
		f = new(payment.Funds)
	}
	f.At(e.Block.Height, e.Block.TimestampMs/1_000)
	return chapter.Plain(cbor.Map{{Key: "balance", Value: uint64(f.Balance)}, {Key: "spent_today", Value: uint64(f.Today)}})
}

// purchase is purchase_pass or purchase_epoch.
func purchase(count string, buy func(b *payment.Book, actor, holder account.Address, n uint64, coins unit.Amount) (unit.Amount, error)) run {
	return func(e *chapter.Env, r chapter.Request) ([]byte, error) {
		a, err := e.Named(r, par("actor", chapter.Address), par(count, chapter.Number))
		if err != nil {
			return nil, err
		}
		if err := writes(e, a.Address(0)); err != nil {
			return nil, err
		}
		return nil, coins(e, func() (unit.Amount, error) { return buy(bookOf(e), a.Address(0), e.Sender, a.Number(1), e.Value) })
	}
}

type run = func(e *chapter.Env, r chapter.Request) ([]byte, error)

func holder(e *chapter.Env, r chapter.Request) (actor, holder account.Address, err error) {
	a, err := e.Named(r, par("actor", chapter.Address), par("holder", chapter.Address))
	if err == nil {
		err = e.Charge(readCycles, 0)
	}
	if err != nil {
		return actor, holder, err
	}
	return a.Address(0), a.Address(1), nil
}

func pass(e *chapter.Env, r chapter.Request) ([]byte, error) {
	actor, who, err := holder(e, r)
	if err != nil {
		return nil, err
	}
	id := payment.PassOf(actor, who)
	c, err := payment.LoadCredits(e.State, id)
	if err != nil {
		return nil, err
	}
	if c == nil || c.Expires < e.Block.Height {
		c = new(payment.Credits)
	}
	return chapter.Plain(cbor.Map{{Key: "pass_id", Value: id[:]}, {Key: "credits", Value: c.Left}, {Key: "expires_at", Value: uint64(c.Expires)}})
}

func epoch(e *chapter.Env, r chapter.Request) ([]byte, error) {
	actor, who, err := holder(e, r)
	if err != nil {
		return nil, err
	}
	until, err := payment.Subscribed(e.State, actor, who)
	if err != nil {
		return nil, err
	}
	last := uint64(0)
	if until != nil && *until >= e.Block.Height {
		last = uint64(*until)
	}
	return chapter.Plain(cbor.Map{{Key: "active", Value: last > 0}, {Key: "active_until", Value: last}})
}

// pay is verify_payment or settle_payment. The signature is paid for, and counts against what a block may check.
//
// Spec: gateway-payments-streams §F (verify_payment, settle_payment).
func pay(do func(*payment.Book, *payment.Payment, *payment.Resource) error) run {
	return func(e *chapter.Env, r chapter.Request) ([]byte, error) {
		a, err := e.Named(r, par("payment", chapter.Bytes), par("actor", chapter.Address), par("method", chapter.Text), par("path", chapter.Text),
			par("rest", chapter.Bytes))
		if err != nil {
			return nil, err
		}
		if err := writes(e, a.Address(1)); err != nil {
			return nil, err
		}
		if err := systemgateway.Active(e); err != nil {
			return nil, err
		}
		p, err := payment.DecodePayment(a.Bytes(0))
		if err != nil {
			return nil, err
		}
		if len(a.Bytes(4)) != digest.Size {
			return nil, payment.ErrIntent
		}
		if e.Turn.Checked+e.Effects.Checked+params.VerifyWeightSecp256k1 > params.VerifyWeightPerBlock {
			return nil, chapter.Refuse(drain.FaultLimit, "this block has checked as many signatures as one may")
		}
		e.Effects.Checked += params.VerifyWeightSecp256k1
		if err := e.Charge(e.Costs().VerifySecp256k1, 0); err != nil {
			return nil, err
		}
		if i := p.Intent; i != nil && !i.Asset.IsZero() { // the registry of tokens is asked, and moves them
			if err := e.Charge(tokenCycles, tokenCells); err != nil {
				return nil, err
			}
		}
		return nil, do(bookOf(e), &p, &payment.Resource{
			Gateway: e.Sender, Actor: a.Address(1), Method: a.Text(2), Path: a.Text(3), Rest: digest.Hash(a.Bytes(4)),
		})
	}
}

func deduct(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, par("actor", chapter.Address), par("method", chapter.Text), par("path", chapter.Text))
	if err != nil {
		return nil, err
	}
	if err := writes(e, a.Address(0)); err != nil {
		return nil, err
	}
	if err := systemgateway.Active(e); err != nil {
		return nil, err
	}
	return nil, bookOf(e).Deduct(e.Sender, a.Address(0), a.Text(1), a.Text(2))
}

func status(e *chapter.Env, r chapter.Request) ([]byte, error) {
	a, err := e.Named(r, par("payer", chapter.Address), par("form", chapter.Number), par("nonce", chapter.Bytes))
	if err != nil {
		return nil, err
	}
	if err := e.Charge(readCycles, 0); err != nil {
		return nil, err
	}
	if len(a.Bytes(2)) != digest.Size || a.Number(1) > uint64(payment.ByAuthorization) {
		return nil, payment.ErrIntent
	}
	x, err := payment.LoadRecord(e.State, payment.Key{Payer: a.Address(0), Form: payment.Form(a.Number(1)), Nonce: digest.Hash(a.Bytes(2))})
	if err != nil {
		return nil, err
	}
	if x == nil {
		return chapter.Plain(cbor.Map{{Key: "status", Value: nil}})
	}
	return chapter.Plain(cbor.Map{
		{Key: "status", Value: x.Status.String()}, {Key: "actor", Value: x.Actor[:]}, {Key: "gateway", Value: x.Gateway[:]},
		{Key: "amount", Value: x.Amount.Int()}, {Key: "asset", Value: payment.AssetText(x.Asset)}, {Key: "expires_at", Value: uint64(x.Expires)},
	})
}
