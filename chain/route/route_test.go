package route

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

func newState() *state.Overlay {
	return state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
}

const ingress = `{"entitlements":[{"id":"ingress.http","params":{"static_volumes":["site"]}}]}`

var (
	ann, bob  = account.Address{1}, account.Address{2}
	shop, bar = account.Address{11}, account.Address{12}
	mute      = account.Address{13} // an actor that declares nothing
)

// world is a state with two actors that take requests and one that does not. Everybody speaks for every actor but for bar, which is bob's alone.
func world(t *testing.T) (*state.Overlay, func(by account.Address, at unit.Height) *Registry) {
	s := newState()
	m, err := entitle.Parse([]byte(ingress))
	if err != nil {
		t.Fatal(err)
	}
	s.Set(entitle.Key(shop), m.Encode())
	s.Set(entitle.Key(bar), m.Encode())
	return s, func(by account.Address, at unit.Height) *Registry {
		return &Registry{State: s, Config: Genesis(), Height: at, By: by, Speaks: func(a account.Address) (bool, error) {
			return a != bar || by == bob, nil
		}}
	}
}

func domain(t *testing.T, text string) Domain {
	t.Helper()
	d, err := ParseDomain(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Fees by length and time. The amounts come from Python's fractions: ceil(Fraction(100*10**9 * premium * blocks, 31536000)).
//
// Spec: gateway-payments-streams §A.3.
func TestFees(t *testing.T) {
	for _, c := range []struct {
		length int
		blocks uint64
		want   unit.Amount
	}{
		{3, 31_536_000, 10_000_000_000_000}, {4, 31_536_000, 2_000_000_000_000}, {5, 31_536_000, 500_000_000_000}, {6, 31_536_000, 100_000_000_000},
		{64, 31_536_000, 100_000_000_000}, {6, 86_400, 273_972_603}, {6, 86_401, 273_975_774}, {3, 86_401, 27_397_577_372},
		{6, 315_360_000, 1_000_000_000_000},
	} {
		t.Run(fmt.Sprint(c.length, " for ", c.blocks), func(t *testing.T) {
			if got, err := Genesis().Fee(strings.Repeat("a", c.length), c.blocks); err != nil || got != c.want {
				t.Errorf("%d %v, want %d", got, err, c.want)
			}
		})
	}
}

// The price of an auction, block by block. The amounts come from Python's fractions: ceil(Fraction(fee * (10*A - 9*k), A)) with A = 604800.
//
// Spec: gateway-payments-streams §A.3 (Dutch auction).
func TestAuctionPrices(t *testing.T) {
	for _, c := range []struct {
		fee   unit.Amount
		since uint64
		want  unit.Amount
	}{
		{100_000_000_000, 0, 1_000_000_000_000}, {100_000_000_000, 1, 999_998_511_905}, {100_000_000_000, 302_400, 550_000_000_000},
		{100_000_000_000, 604_798, 100_002_976_191}, {100_000_000_000, 604_799, 100_001_488_096}, {100_000_000_000, 604_800, 100_000_000_000},
		{273_975_774, 0, 2_739_757_740}, {273_975_774, 1, 2_739_753_663}, {273_975_774, 2, 2_739_749_586}, {273_975_774, 302_400, 1_506_866_757},
		{273_975_774, 604_799, 273_979_852},
	} {
		t.Run(fmt.Sprint(c.fee, " after ", c.since), func(t *testing.T) {
			if got, err := Genesis().AuctionPrice(c.fee, c.since); err != nil || got != c.want {
				t.Errorf("%d %v, want %d", got, err, c.want)
			}
		})
	}
}

// What becomes of a name in every state it can be in: at which blocks who may do what, and what it costs to the unit.
//
// Spec: gateway-payments-streams §A.2, §A.3.
func TestLifeOfName(t *testing.T) {
	const start, year, day = 100, 31_536_000, 86_400
	const end, auction, free = start + year, start + year + 2_592_000, start + year + 2_592_000 + 604_800
	const fee = 100_000_000_000
	d := domain(t, "shopping")
	register := func(paid unit.Amount) func(g *Registry) (unit.Amount, error) {
		return func(g *Registry) (unit.Amount, error) { return g.Register(d, shop, year, paid) }
	}
	renew := func(blocks uint64, paid unit.Amount) func(g *Registry) (unit.Amount, error) {
		return func(g *Registry) (unit.Amount, error) { return g.Renew(d, blocks, paid) }
	}
	hand := func(g *Registry) (unit.Amount, error) { return 0, g.Transfer(d, bob) }
	for name, c := range map[string]struct {
		by   account.Address
		at   unit.Height
		do   func(g *Registry) (unit.Amount, error)
		want unit.Amount
		err  error
	}{
		"registered again while active":    {bob, end - 1, register(1 << 50), 0, ErrTaken},
		"registered again as it expires":   {bob, end, register(1 << 50), 0, ErrTaken},
		"last block of the grace":          {bob, auction - 1, register(1 << 50), 0, ErrTaken},
		"first block of the auction":       {bob, auction, register(10 * fee), 10 * fee, nil},
		"too little in its first block":    {bob, auction, register(10*fee - 1), 0, ErrFee},
		"second block of the auction":      {bob, auction + 1, register(1 << 50), 999_998_511_905, nil},
		"last block of the auction":        {bob, free - 1, register(1 << 50), 100_001_488_096, nil},
		"free again":                       {bob, free, register(fee), fee, nil},
		"free, for too little":             {bob, free, register(fee - 1), 0, ErrFee},
		"renewed while active":             {ann, end - 1, renew(year, fee), fee, nil},
		"renewed for too little":           {ann, end - 1, renew(year, fee-1), 0, ErrFee},
		"renewed by another":               {bob, end - 1, renew(year, fee), fee, nil}, // who speaks for the actor
		"renewed in the last of the grace": {ann, auction - 1, renew(year, fee), fee, nil},
		"renewed in the auction":           {ann, auction, renew(year, fee), 0, ErrExpired},
		"renewed up to now":                {ann, end + day, renew(day, fee), 0, ErrDuration},
		"renewed beyond now by one":        {ann, end + day - 1, renew(day, fee), 273_972_603, nil},
		"renewed by less than a day":       {ann, end - 1, renew(day-1, fee), 0, ErrDuration},
		"renewed to ten periods":           {ann, end, renew(10*year, 10*fee), 10 * fee, nil},
		"renewed beyond ten periods":       {ann, end - 1, renew(10*year, 10*fee), 0, ErrDuration},
		"transferred in its last block":    {ann, end - 1, hand, 0, nil},
		"transferred by another":           {bob, end - 1, hand, 0, ErrOwner},
		"transferred in its grace":         {ann, end, hand, 0, ErrExpired},
		"to nobody": {ann, end - 1, func(g *Registry) (unit.Amount, error) { return 0, g.Transfer(d, account.Address{}) }, 0,
			ErrOwner},
		"to an actor it does not speak for":  {ann, end - 1, func(g *Registry) (unit.Amount, error) { return 0, g.SetActor(d, bar) }, 0, ErrOwner},
		"to an actor that takes no requests": {ann, end - 1, func(g *Registry) (unit.Amount, error) { return 0, g.SetActor(d, mute) }, 0, ErrIngress},
		"policy 2":                           {ann, end - 1, func(g *Registry) (unit.Amount, error) { return 0, g.SetPolicy(d, Open) }, 0, nil},
		"policy 3":                           {ann, end - 1, func(g *Registry) (unit.Amount, error) { return 0, g.SetPolicy(d, 3) }, 0, ErrPolicy},
		"policy by another":                  {bob, end - 1, func(g *Registry) (unit.Amount, error) { return 0, g.SetPolicy(d, Open) }, 0, ErrOwner},
	} {
		t.Run(name, func(t *testing.T) {
			s, as := world(t)
			if _, err := as(ann, start).Register(d, shop, year, fee); err != nil {
				t.Fatal(err)
			}
			before, _, _ := Load(s, d)
			got, err := c.do(as(c.by, c.at))
			if got != c.want || !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
				t.Errorf("%d %v, want %d %v", got, err, c.want, c.err)
			}
			if after, _, _ := Load(s, d); err != nil && after != before {
				t.Errorf("a reject changed %+v to %+v", before, after)
			}
		})
	}
}

// A name that two want in one block of its auction is the first one's.
//
// Spec: gateway-payments-streams §A.3.
func TestAuctionIsWonOnce(t *testing.T) {
	_, as := world(t)
	d := domain(t, "shopping")
	c := Genesis()
	if _, err := as(ann, 1).Register(d, shop, c.Period, 1<<60); err != nil {
		t.Fatal(err)
	}
	at := unit.Height(1 + c.Period + c.Grace + 7)
	if _, err := as(bob, at).Register(d, bar, c.Least, 1<<60); err != nil {
		t.Fatal(err)
	}
	if _, err := as(ann, at).Register(d, shop, c.Least, 1<<60); !errors.Is(err, ErrTaken) {
		t.Error(err)
	}
	b, err := Resolve(as(ann, at).State, c, d, at)
	if err != nil || b.Owner != bob || b.Actor != bar || b.Expires != at+unit.Height(c.Least) {
		t.Errorf("%+v %v", b, err)
	}
	if list, err := NamesOf(as(ann, at).State, shop, "", 10); err != nil || len(list) != 0 {
		t.Errorf("the actor before has %v, %v", list, err)
	}
	if list, err := NamesOf(as(ann, at).State, bar, "", 10); err != nil || len(list) != 1 {
		t.Errorf("the actor has %v, %v", list, err)
	}
}

// Hosts below a name lead to its actor if the policy says so, and never once it has expired.
//
// Spec: gateway-payments-streams §A.1 (subdomain_policy; expiry is looked at when a name is resolved).
func TestHosts(t *testing.T) {
	s, as := world(t)
	c, d := Genesis(), domain(t, "shop.cow")
	if _, err := as(ann, 1).Register(d, shop, c.Least, 1<<60); err != nil {
		t.Fatal(err)
	}
	end := 1 + unit.Height(c.Least)
	for _, x := range []struct {
		host   string
		policy Policy
		at     unit.Height
		ok     bool
	}{
		{"shop.cow", OwnerOnly, end - 1, true}, {"shop.cow", OwnerOnly, end, false}, {"a.shop.cow", OwnerOnly, 2, false}, {"a.shop.cow", ActorManaged, 2, true},
		{"b.a.shop.cow", Open, 2, true}, {"b.a.shop.cow", Open, end, false}, {"shop.cowboy", Open, 2, false}, {"shopp.cow", Open, 2, false},
	} {
		t.Run(fmt.Sprint(x.host, " ", x.policy, " ", x.at), func(t *testing.T) {
			if err := as(ann, 1).SetPolicy(d, x.policy); err != nil {
				t.Fatal(err)
			}
			if _, b, err := ResolveHost(s, c, x.host, x.at); (err == nil) != x.ok || x.ok && b.Actor != shop {
				t.Errorf("%+v %v", b, err)
			}
		})
	}
}

// The gap between priorities, the numbers of routes, the size and the volumes of a manifest, at their bounds.
//
// Spec: storage-cbfs §3.2 (102).
func TestManifests(t *testing.T) {
	static := func(n int, priority uint32, volume string) (list []Static) {
		for i := range n {
			list = append(list, Static{Path: fmt.Sprint("/s", i), Volume: volume, Priority: priority})
		}
		return list
	}
	dynamic := func(n int, priority uint32, handler string) (list []Dynamic) {
		for i := range n {
			list = append(list, Dynamic{Method: "GET", Path: fmt.Sprint("/d", i), Handler: handler, Priority: priority})
		}
		return list
	}
	long := func(n int) *Manifest {
		m := &Manifest{Dynamic: dynamic(100, 9, strings.Repeat("h", 256))}
		for i := range m.Dynamic {
			m.Dynamic[i].Path = "/" + strings.Repeat("p", 255)
		}
		m.Static = static(100, 1, "site")
		fill := func(want int) {
			for i := range m.Static {
				if grow := min(want-len(m.Append(nil)), 250); grow > 0 {
					m.Static[i].Path += strings.Repeat("x", grow)
				}
			}
		}
		fill(n)
		fill(n) // lengths of two bytes
		m.Static[0].Path = m.Static[0].Path[:len(m.Static[0].Path)-max(0, len(m.Append(nil))-n)]
		return m
	}
	for name, c := range map[string]struct {
		m   *Manifest
		err error
	}{
		"nothing":                {&Manifest{}, nil},
		"files alone":            {&Manifest{Static: static(100, 9, "site")}, nil},
		"101 routes to files":    {&Manifest{Static: static(101, 9, "site")}, ErrManifest},
		"100 routes to handlers": {&Manifest{Dynamic: dynamic(100, 0, "h")}, nil},
		"101":                    {&Manifest{Dynamic: dynamic(101, 0, "h")}, ErrManifest},
		"a gap of 1":             {&Manifest{static(1, 4, "site"), dynamic(1, 5, "h")}, ErrPriority},
		"a gap of 2":             {&Manifest{static(1, 4, "site"), dynamic(1, 6, "h")}, nil},
		"the highest priority":   {&Manifest{static(1, 1<<32-1, "site"), dynamic(1, 1<<32-1, "h")}, ErrPriority},
		"one of many":            {&Manifest{append(static(9, 1, "site"), static(1, 8, "site")...), dynamic(9, 9, "h")}, ErrPriority},
		"another volume":         {&Manifest{Static: static(1, 1, "other")}, ErrVolume},
		"no volume":              {&Manifest{Static: static(1, 1, "")}, ErrManifest},
		"a volume of 64 bytes":   {&Manifest{Static: static(1, 1, strings.Repeat("v", 64))}, ErrVolume}, // there is none of that name
		"a volume of 65":         {&Manifest{Static: static(1, 1, strings.Repeat("v", 65))}, ErrManifest},
		"a handler of 256 bytes": {&Manifest{Dynamic: dynamic(1, 1, strings.Repeat("h", 256))}, nil},
		"a handler of 257":       {&Manifest{Dynamic: dynamic(1, 1, strings.Repeat("h", 257))}, ErrManifest},
		"a path of 256 bytes":    {&Manifest{Dynamic: []Dynamic{{"GET", "/" + strings.Repeat("p", 255), "h", 1}}}, nil},
		"a path of 257":          {&Manifest{Dynamic: []Dynamic{{"GET", "/" + strings.Repeat("p", 256), "h", 1}}}, ErrManifest},
		"a file's path of 257":   {&Manifest{Static: []Static{{"/" + strings.Repeat("p", 256), "site", 1}}}, ErrManifest},
		"a hidden handler":       {&Manifest{Dynamic: dynamic(1, 1, "_h")}, ErrManifest},
		"the gateway's paths":    {&Manifest{Dynamic: []Dynamic{{"GET", "/_cowboy/info", "h", 1}}}, ErrManifest},
		"64 KiB":                 {long(64 << 10), nil},
		"64 KiB and 1":           {long(64<<10 + 1), ErrManifest},
	} {
		t.Run(name, func(t *testing.T) {
			s, as := world(t)
			err := as(ann, 1).Publish(shop, c.m)
			if !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
				t.Fatalf("%v, want %v (%d bytes)", err, c.err, len(c.m.Append(nil)))
			}
			if _, err := LoadManifest(s, shop); (err == nil) != (c.err == nil) {
				t.Error(err)
			}
		})
	}
	_, as := world(t)
	if err := as(ann, 1).Publish(mute, &Manifest{}); !errors.Is(err, ErrIngress) {
		t.Error(err)
	}
	if err := as(ann, 1).Publish(bar, &Manifest{}); !errors.Is(err, ErrOwner) {
		t.Error(err)
	}
}
