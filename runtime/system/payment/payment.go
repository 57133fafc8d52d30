package payment

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/gateway"
	"github.com/cowboyinc/cowboy-go/chain/payment"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	systemtoken "github.com/cowboyinc/cowboy-go/runtime/system/token"
)

// The codes of faults about payments over HTTP.
//
// Spec: gateway-payments-streams §F.
const (
	FaultPolicy    uint16 = 1881
	FaultFree      uint16 = 1882
	FaultSpent     uint16 = 1883
	FaultOther     uint16 = 1884
	FaultExpired   uint16 = 1885
	FaultSignature uint16 = 1886
	FaultFunds     uint16 = 1887
	FaultBudget    uint16 = 1888
	FaultCredits   uint16 = 1889
	FaultCount     uint16 = 1890
	FaultTreasury  uint16 = 1891
	FaultForm      uint16 = 1892
	FaultAsset     uint16 = 1893
	FaultGateway   uint16 = 1894
	FaultIngress   uint16 = 1895
	FaultDeferred  uint16 = 1896
	FaultToken     uint16 = 1897
)

// New gives the chapter.
//
// Spec: gateway-payments-streams §F; WP §9.
func New() *chapter.Chapter {
	return &chapter.Chapter{
		Name: tx.ChapterPayment, Homes: []byte{account.PaymentGate}, Handlers: handlers(), End: end, Escrow: payment.Escrow,
		Claims: payment.Claims(string(tx.ChapterPayment)), Faults: faults(),
	}
}

func faults() []chapter.Fault {
	const input, missing, forbidden, entitlement = 2, 3, 5, 7
	return []chapter.Fault{
		{Err: payment.ErrPolicy, Code: FaultPolicy, Class: "PaymentPolicyError", Host: missing},
		{Err: payment.ErrFree, Code: FaultFree, Class: "PaymentPolicyError", Host: input},
		{Err: payment.ErrSpent, Code: FaultSpent, Class: "PaymentError", Host: forbidden},
		{Err: payment.ErrOther, Code: FaultOther, Class: "PaymentError", Host: forbidden},
		{Err: payment.ErrExpired, Code: FaultExpired, Class: "PaymentError", Host: forbidden},
		{Err: payment.ErrSignature, Code: FaultSignature, Class: "PaymentError", Host: forbidden},
		{Err: payment.ErrIntent, Code: FaultForm, Class: "InvalidInputError", Host: input},
		{Err: payment.ErrFunds, Code: FaultFunds, Class: "PaymentFundsError", Host: input},
		{Err: payment.ErrBudget, Code: FaultBudget, Class: "PaymentFundsError", Host: input},
		{Err: payment.ErrCredits, Code: FaultCredits, Class: "PaymentFundsError", Host: input},
		{Err: payment.ErrCount, Code: FaultCount, Class: "InvalidInputError", Host: input},
		{Err: payment.ErrTreasury, Code: FaultTreasury, Class: "EntitlementMissingError", Host: entitlement},
		{Err: payment.ErrCoins, Code: FaultAsset, Class: "InvalidInputError", Host: input},
		{Err: payment.ErrToken, Code: FaultToken, Class: "PaymentTokenError", Host: forbidden},
		{Err: payment.ErrAssets, Code: FaultAsset, Class: "InvalidInputError", Host: input},
		{Err: payment.ErrForm, Code: FaultForm, Class: "InvalidInputError", Host: input},
		{Err: payment.ErrPrices, Code: FaultForm, Class: "InvalidInputError", Host: input},
		{Err: payment.ErrPattern, Code: FaultForm, Class: "InvalidInputError", Host: input},
		{Err: payment.ErrBounds, Code: FaultForm, Class: "InvalidInputError", Host: input},
		{Err: gateway.ErrUnauthorized, Code: FaultGateway, Class: "PermissionDeniedError", Host: forbidden},
		{Err: gateway.ErrIngress, Code: FaultIngress, Class: "EntitlementMissingError", Host: entitlement},
		{Err: unit.ErrOverflow, Code: drain.FaultInput, Class: "InvalidInputError", Host: input},
	}
}

// bookOf is the book as an execution sees it. Events are in the price of what causes them.
func bookOf(e *chapter.Env) *payment.Book {
	return &payment.Book{
		State: e.State, ChainID: e.Block.ChainID, Height: e.Block.Height, Seconds: e.Block.TimestampMs / 1_000, Recover: sig.Default(), Bill: e.Bill,
		Free: e.Block.Rent.Spendable, MayHold: func(a account.Address) (bool, error) { return mayHold(e.State, a) },
		Emit: func(topic string, data []byte) {
			e.Effects.Events = append(e.Effects.Events, block.Event{Actor: e.Self, Topic: []byte(topic), Data: data})
		},
		Tokens: systemtoken.Registry(e),
	}
}

// end forgets what is over, a bounded piece of it.
func end(b *chapter.Boundary) error {
	book := &payment.Book{
		State: b.State, ChainID: b.Block.ChainID, Height: b.Header.Height, Seconds: b.Block.TimestampMs / 1_000, Recover: sig.Default(), Bill: b.Bill,
		MayHold: func(a account.Address) (bool, error) { return mayHold(b.State, a) }, Emit: b.Emit,
		Tokens: &token.Registry{State: b.State, ChainID: b.Block.ChainID, Height: b.Header.Height, Emit: func(topic string, data []byte) {
			b.Events = append(b.Events, block.Event{Actor: token.Home(), Topic: []byte(topic), Data: data})
		}},
	}
	_, err := book.Sweep(payment.SweepPerBlock)
	return err
}

func mayHold(s state.Reader, addr account.Address) (bool, error) {
	a, err := account.Load(s, addr)
	if err != nil {
		return false, err
	}
	return entitle.MayHold(s, addr, a.Kind)
}
