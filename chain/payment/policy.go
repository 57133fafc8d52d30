package payment

import (
	"errors"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bounds of a policy.
//
// Spec: gateway-payments-streams §F.
const (
	MaxPrices       = 100
	MaxAssets       = 10
	MaxPatternBytes = 256
	MaxPathBytes    = 2_048
	MaxMethods      = 8
	maxMethodBytes  = 16
	DefaultEpoch    = 86_400    // blocks
	MaxEpoch        = 2_592_000 // blocks
	PassExpiry      = 31_536_000
	MaxCredits      = 1_000_000
	FeeBps          = 500 // of the base amount
)

// The rejects of a policy.
var (
	ErrPrices  = errors.New("payment: a policy has at most 100 prices, each with a path pattern and methods")
	ErrPattern = errors.New("payment: a path pattern begins with a slash; * stands for a segment, ** at its end for all that follow")
	ErrAssets  = errors.New("payment: a policy accepts 1 to 10 assets, and its prices are in those")
	ErrBounds  = errors.New("payment: a number of the policy is beyond what it may be")
)

// Mode is who pays for a request.
type Mode uint8

// The modes.
const (
	ClientPaid Mode = iota
	ActorFunded
	Free
	modes
)

// Asset is what a price is in: a token, or coins where it is zero.
type Asset = digest.Hash

// Price is what requests cost whose path and method it names.
type Price struct {
	Pattern string
	Methods []string // upper case; empty: any
	Mode    Mode
	Amount  unit.Uint128
	Asset   Asset
}

// Budget is what an actor spends on its clients.
type Budget struct {
	RatePerSecond uint32       // 0: no limit
	DailyCap      unit.Uint128 // 0: no limit
	Unavailable   bool         // where the budget does not cover a request: 503 instead of 402
	Refill        unit.Uint128 // coins that come from the actor's balance when too little is left for a request; 0: none. It needs a daily cap
}

// Epoch is what a subscription costs.
type Epoch struct {
	Fee    unit.Uint128
	Blocks uint64
	Min    uint32 // epochs bought at once
	Max    uint32
}

// Pass is how many requests are bought at once, what each costs, and how long they last.
type Pass struct {
	Min, Max uint64       // credits
	Credit   unit.Uint128 // the price of a credit, which pays for one request whatever that costs
	Expiry   uint64       // blocks
}

// Policy is an actor's (PaymentPolicy).
//
// Spec: gateway-payments-streams §F.
type Policy struct {
	Actor    account.Address
	Enabled  bool
	Mode     Mode    // of requests without a price of their own: Free lets them through, any other too, since nothing says what they cost
	Prices   []Price // the first that matches counts
	Budget   *Budget
	Epoch    *Epoch
	Pass     *Pass
	Assets   []Asset
	Treasury account.Address // gets what is paid
}

// Check holds a policy to its bounds. Rejects: ErrPrices, ErrPattern, ErrAssets, ErrBounds.
//
// Spec: gateway-payments-streams §F (100 prices, 10 assets, epochs up to 2,592,000 blocks, 1,000,000 credits).
func (p *Policy) Check() error {
	if len(p.Prices) > MaxPrices {
		return ErrPrices
	}
	if len(p.Assets) > MaxAssets {
		return ErrAssets
	}
	if p.Mode >= modes || p.Treasury.IsZero() {
		return ErrBounds
	}
	for i := range p.Prices {
		x := &p.Prices[i]
		if err := x.check(); err != nil {
			return err
		}
		if !x.Amount.IsZero() && !slices.Contains(p.Assets, x.Asset) {
			return ErrAssets
		}
	}
	if b := p.Budget; b != nil && !b.Refill.IsZero() && b.DailyCap.IsZero() { // else whoever may deduct has all of the actor's coins
		return ErrBounds
	}
	if e := p.Epoch; e != nil && (e.Blocks == 0 || e.Blocks > MaxEpoch || e.Min == 0 || e.Max < e.Min || e.Fee.IsZero()) {
		return ErrBounds
	}
	if c := p.Pass; c != nil && (c.Min == 0 || c.Max < c.Min || c.Max > MaxCredits || c.Credit.IsZero() || c.Expiry == 0 ||
		c.Expiry > PassExpiry) {
		return ErrBounds
	}
	return nil
}

func (x *Price) check() error {
	if len(x.Methods) > MaxMethods || x.Mode >= modes {
		return ErrPrices
	}
	for _, m := range x.Methods {
		if m == "" || len(m) > maxMethodBytes || strings.ToUpper(m) != m {
			return ErrPrices
		}
	}
	if len(x.Pattern) == 0 || len(x.Pattern) > MaxPatternBytes || x.Pattern[0] != '/' {
		return ErrPattern
	}
	segments := strings.Split(x.Pattern[1:], "/")
	for i, s := range segments {
		if strings.Contains(s, "*") && s != "*" && !(s == "**" && i == len(segments)-1) {
			return ErrPattern
		}
	}
	return nil
}

// Matches reports whether a path, without its query, is one of a pattern's: * stands for exactly one segment that is not empty, ** at the end for any number
// of segments. Its work is linear in both. Paths longer than MaxPathBytes are no pattern's.
//
// Spec: gateway-payments-streams §F (path_pattern).
func Matches(pattern, path string) bool {
	if len(path) > MaxPathBytes || path == "" || path[0] != '/' {
		return false
	}
	for {
		want, rest, more := strings.Cut(pattern[1:], "/")
		if want == "**" && !more {
			return true
		}
		have, left, deeper := strings.Cut(path[1:], "/")
		if want != have && !(want == "*" && have != "") {
			return false
		}
		if more && !deeper && rest == "**" {
			return true
		}
		if more != deeper {
			return false
		}
		if !more {
			return true
		}
		pattern, path = "/"+rest, "/"+left
	}
}

// PriceOf is the price of a request; nil where nothing says what it costs. Slashes at the ends of a path change nothing, as they do not for the routes of
// actors: /hay/ costs what /hay does.
func (p *Policy) PriceOf(method, path string) *Price {
	path = "/" + strings.Trim(path, "/")
	for i := range p.Prices {
		x := &p.Prices[i]
		if (len(x.Methods) == 0 || slices.Contains(x.Methods, method)) && Matches("/"+strings.Trim(x.Pattern, "/"), path) {
			return x
		}
	}
	return nil
}
