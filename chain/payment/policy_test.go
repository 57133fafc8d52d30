package payment

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Spec: gateway-payments-streams §F (path_pattern).
func TestMatches(t *testing.T) {
	for pattern, x := range map[string]struct{ yes, no []string }{
		"/":         {[]string{"/"}, []string{"", "/a", "//"}},
		"/a":        {[]string{"/a"}, []string{"/a/", "/A", "/ab", "/", "a"}},
		"/a/*":      {[]string{"/a/b", "/a/*"}, []string{"/a", "/a/", "/a/b/c", "/b/a"}},
		"/a/**":     {[]string{"/a", "/a/", "/a/b", "/a/b/c"}, []string{"/", "/ab", "/b/a"}},
		"/**":       {[]string{"/", "/a", "/a/b/c"}, []string{""}},
		"/*/price":  {[]string{"/hay/price"}, []string{"/price", "//price", "/hay/price/x", "/hay/oats"}},
		"/v1/*/x/*": {[]string{"/v1/a/x/b"}, []string{"/v1/a/x", "/v1/a/y/b", "/v1/a/x/b/c"}},
	} {
		for i, path := range append(x.yes, x.no...) {
			t.Run(pattern+" "+path, func(t *testing.T) {
				if got := Matches(pattern, path); got != (i < len(x.yes)) {
					t.Error(got)
				}
			})
		}
	}
	if Matches("/**", "/"+strings.Repeat("a", MaxPathBytes)) || !Matches("/**", "/"+strings.Repeat("a", MaxPathBytes-1)) {
		t.Error("the bound of paths")
	}
}

// A slash more is no way around a price: actors' routes do not see it.
//
// Spec: gateway-payments-streams §F (path_pattern).
func TestSlashesCostTheSame(t *testing.T) {
	p := Policy{Prices: []Price{{Pattern: "/hay/*", Amount: unit.Wide(7)}, {Pattern: "/oats/", Amount: unit.Wide(8)}}}
	for path, want := range map[string]uint64{
		"/hay/1": 7, "/hay/1/": 7, "//hay/1": 7, "///hay/1//": 7, "/hay//1": 0, "/hay/": 0, "/oats": 8, "/oats/": 8, "/": 0, "/HAY/1": 0,
	} {
		t.Run(path, func(t *testing.T) {
			x := p.PriceOf("GET", path)
			if (x != nil) != (want != 0) || x != nil && x.Amount != unit.Wide(want) {
				t.Errorf("%+v, want %d", x, want)
			}
		})
	}
}

func sample() Policy {
	return Policy{
		Enabled: true, Treasury: account.Address{1}, Assets: []Asset{{}},
		Prices: []Price{
			{Pattern: "/free", Mode: Free, Amount: unit.Wide(5)}, {Pattern: "/v1/*", Methods: []string{"GET"}, Amount: unit.Wide(10)},
			{Pattern: "/gift", Mode: ActorFunded, Amount: unit.Wide(10)}, {Pattern: "/**", Methods: []string{"POST"}, Amount: unit.Wide(20)},
		},
		Budget: &Budget{RatePerSecond: 2, DailyCap: unit.Wide(100)}, Epoch: &Epoch{Fee: unit.Wide(1), Blocks: DefaultEpoch, Min: 1, Max: 3},
		Pass: &Pass{Min: 1, Max: MaxCredits, Credit: unit.Wide(9), Expiry: PassExpiry},
	}
}

// The bounds of a policy, at them and one beyond.
//
// Spec: gateway-payments-streams §F.
func TestPolicyBounds(t *testing.T) {
	for name, x := range map[string]struct {
		change func(p *Policy)
		want   error
	}{
		"sample":             {func(*Policy) {}, nil},
		"100 prices":         {func(p *Policy) { p.Prices = many(100) }, nil},
		"101 prices":         {func(p *Policy) { p.Prices = many(101) }, ErrPrices},
		"10 assets":          {func(p *Policy) { p.Assets = make([]Asset, 10) }, nil},
		"11 assets":          {func(p *Policy) { p.Assets = make([]Asset, 11) }, ErrAssets},
		"a price in another": {func(p *Policy) { p.Prices[1].Asset = Asset{1} }, ErrAssets},
		"the longest epoch":  {func(p *Policy) { p.Epoch.Blocks = 2_592_000 }, nil},
		"a longer one":       {func(p *Policy) { p.Epoch.Blocks = 2_592_001 }, ErrBounds},
		"none at least":      {func(p *Policy) { p.Epoch.Min = 0 }, ErrBounds},
		"fewer than least":   {func(p *Policy) { p.Epoch.Min = 4 }, ErrBounds},
		"too many credits":   {func(p *Policy) { p.Pass.Max = 1_000_001 }, ErrBounds},
		"free credits":       {func(p *Policy) { p.Pass.Credit = unit.Uint128{} }, ErrBounds},
		"too long a pass":    {func(p *Policy) { p.Pass.Expiry = 31_536_001 }, ErrBounds},
		"no treasury":        {func(p *Policy) { p.Treasury = account.Address{} }, ErrBounds},
		"no such mode":       {func(p *Policy) { p.Mode = 3 }, ErrBounds},
		"a lower method":     {func(p *Policy) { p.Prices[1].Methods[0] = "get" }, ErrPrices},
		"no slash":           {func(p *Policy) { p.Prices[1].Pattern = "a" }, ErrPattern},
		"stars in the midst": {func(p *Policy) { p.Prices[1].Pattern = "/**/a" }, ErrPattern},
		"half a segment":     {func(p *Policy) { p.Prices[1].Pattern = "/a*" }, ErrPattern},
		"256 bytes":          {func(p *Policy) { p.Prices[1].Pattern = "/" + strings.Repeat("a", 255) }, nil},
		"257 bytes":          {func(p *Policy) { p.Prices[1].Pattern = "/" + strings.Repeat("a", 256) }, ErrPattern},
	} {
		t.Run(name, func(t *testing.T) {
			p := sample()
			x.change(&p)
			if err := p.Check(); !errors.Is(err, x.want) {
				t.Errorf("%v, want %v", err, x.want)
			}
		})
	}
}

func many(n int) []Price {
	list := make([]Price, n)
	for i := range list {
		list[i] = Price{Pattern: fmt.Sprint("/", i)}
	}
	return list
}

// What becomes of a request: each way of the chain, with what comes before it absent, at its limit and one beyond.
//
// Spec: gateway-payments-streams §F (free, subscription, pass, budget, payment of the request, 402).
func TestDecide(t *testing.T) {
	until := unit.Height(50)
	has := func(change func(r *Request)) Request {
		r := Request{Method: "GET", Path: "/v1/hay", Now: 50}
		change(&r)
		return r
	}
	gift := func(change func(r *Request)) Request {
		r := Request{Method: "GET", Path: "/gift", Now: 50, Budget: unit.Wide(10), Today: unit.Wide(90), Seconds: 1}
		change(&r)
		return r
	}
	for name, x := range map[string]struct {
		request Request
		want    Verdict
		amount  uint64
	}{
		"a price of nobody's":   {has(func(r *Request) { r.Path = "/other" }), ByFree, 0},
		"another method's":      {has(func(r *Request) { r.Method = "POST" }), Required, 20},
		"free":                  {has(func(r *Request) { r.Path = "/free" }), ByFree, 5},
		"nothing":               {has(func(*Request) {}), Required, 10},
		"subscribed":            {has(func(r *Request) { r.Subscribed, r.Credits, r.Paid = &until, 1, true }), BySubscription, 10},
		"subscribed till now":   {has(func(r *Request) { r.Subscribed, r.Now = &until, 51 }), Required, 10},
		"a pass":                {has(func(r *Request) { r.Credits, r.Expires, r.Paid = 1, 50, true }), ByPass, 10},
		"an expired pass":       {has(func(r *Request) { r.Credits, r.Expires = 1, 49 }), Required, 10},
		"an empty pass":         {has(func(r *Request) { r.Expires = 50 }), Required, 10},
		"a budget not for this": {has(func(r *Request) { r.Budget = unit.Wide(1_000) }), Required, 10},
		"paid":                  {has(func(r *Request) { r.Paid = true }), ByPayment, 10},
		"budget":                {gift(func(r *Request) { r.Paid = true }), ByBudget, 10},
		"one unit too few":      {gift(func(r *Request) { r.Budget = unit.Wide(9) }), Unavailable, 10},
		"one over the day":      {gift(func(r *Request) { r.Today = unit.Wide(91) }), Unavailable, 10},
		"a third in the second": {gift(func(r *Request) { r.Seconds = 2 }), Unavailable, 10},
		"paid in its stead":     {gift(func(r *Request) { r.Seconds, r.Paid = 2, true }), ByPayment, 10},
		"a pass before it":      {gift(func(r *Request) { r.Credits, r.Expires = 1, 50 }), ByPass, 10},
	} {
		t.Run(name, func(t *testing.T) {
			p := sample()
			p.Budget.Unavailable = true
			got := Decide(&p, &x.request)
			if got.Verdict != x.want || (got.Price == nil) != (x.amount == 0) || got.Price != nil && got.Price.Amount != unit.Wide(x.amount) {
				t.Errorf("%+v, want %v", got, x.want)
			}
			p.Budget.Unavailable = false
			if got := Decide(&p, &x.request); x.want == Unavailable && got.Verdict != Required {
				t.Errorf("%+v, want 402", got)
			}
			p.Enabled = false
			if got := Decide(&p, &x.request); got.Verdict != ByFree {
				t.Errorf("%+v of a policy that is switched off", got)
			}
		})
	}
}

// The protocol's part, against arithmetic on integers of any size.
//
// Spec: gateway-payments-streams §F (500 basis points, rounded down).
func TestFee(t *testing.T) {
	for _, n := range []unit.Uint128{{}, unit.Wide(19), unit.Wide(20), unit.Wide(39), {Hi: 1}, {Hi: 19, Lo: 7}, {Hi: 1<<64 - 1, Lo: 1<<64 - 1}} {
		t.Run(n.String(), func(t *testing.T) {
			want := n.Int()
			want.Mul(want, unit.Wide(500).Int()).Div(want, unit.Wide(10_000).Int())
			if got := Fee(n); got.Int().Cmp(want) != 0 {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}
