package payment

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// obvious is the second book: coins by owner, and lists that are looked through.
type obvious struct {
	now, seconds int64
	coins        map[account.Address]int64
	price        int64
	budget       int64
	day, today   int64
	second, many int64
	credits      map[account.Address][2]int64 // left, last block
	until        map[account.Address]int64
	shown        map[Key]*shown
}

type shown struct {
	held, pass bool
	amount     int64
	expires    int64
	until      int64
	door, path int
}

// move gives a price to the treasury, but a twentieth of it to the protocol.
func (o *obvious) move(amount int64) {
	o.coins[till] += amount - amount/20
	o.coins[treasury] += amount / 20
}

// end does what the end of a block does.
func (o *obvious) end() {
	for k, x := range o.shown { // order-free: each is of itself alone
		if o.now < x.expires {
			continue
		}
		if x.held && x.pass {
			c := o.credits[k.Payer]
			o.credits[k.Payer] = [2]int64{c[0] + 1, c[1]}
		} else if x.held {
			o.coins[k.Payer] += x.amount
		}
		x.held = false
		if o.seconds >= x.until {
			delete(o.shown, k)
		}
	}
}

// pay is verify_payment, settle_payment, or the two of them at once.
func (o *obvious) pay(p *Payment, settle bool, door, path int, signedFor [2]int, amount, left, until int64, pass bool) bool {
	k := p.Key()
	x := o.shown[k]
	if settle && x != nil {
		if !x.held || x.door != door || x.path != path || o.now >= x.expires {
			return false
		}
		x.held = false
		o.move(x.amount)
		return true
	}
	if x != nil || signedFor != [2]int{door, path} || left < 64 || left > 3_600 {
		return false
	}
	x = &shown{held: !settle, pass: pass, expires: o.now + left, until: until, door: door, path: path}
	if pass {
		c := o.credits[k.Payer]
		if amount != 0 || c[0] == 0 || c[1] < o.now {
			return false
		}
		o.credits[k.Payer] = [2]int64{c[0] - 1, c[1]}
	} else {
		if amount != o.price || o.coins[k.Payer] < amount {
			return false
		}
		o.coins[k.Payer] -= amount
		x.amount = amount
	}
	if settle {
		o.move(x.amount)
	}
	o.shown[k] = x
	return true
}

func (o *obvious) deduct() bool {
	if o.now/86_400 != o.day {
		o.day, o.today = o.now/86_400, 0
	}
	if o.seconds != o.second {
		o.second, o.many = o.seconds, 0
	}
	if o.many >= 2 || o.budget < 40 || o.today+40 > 120 {
		return false
	}
	o.many, o.budget, o.today = o.many+1, o.budget-40, o.today+40
	o.move(40)
	return true
}

// The book against another that looks through lists: random operations by random parties over many blocks, with times that run faster and slower than the
// blocks, give the same outcomes and leave everybody the same coins, and no coin is made or lost.
//
// Spec: gateway-payments-streams §F.
func TestBookAgainstModel(t *testing.T) {
	keys := []*sig.PrivateKey{keyOf(t, 3), keyOf(t, 4), keyOf(t, 5)}
	b := newBook(t, keys...)
	o := &obvious{now: 1_000, seconds: 500_000, coins: map[account.Address]int64{}, price: 119, credits: map[account.Address][2]int64{},
		until: map[account.Address]int64{}, shown: map[Key]*shown{}}
	r := rand.New(rand.NewPCG(19, 21))
	for _, k := range keys {
		o.coins[k.Address()] = 10_000
	}
	if err := b.SetPolicy(priced()); err != nil {
		t.Fatal(err)
	}
	done := map[string]int{}
	for step := range 12_000 {
		key := keys[r.IntN(3)]
		who := key.Address()
		var got error
		var want bool
		var what string
		undo := b.State.(*state.Overlay).Mark()
		if r.IntN(2) == 0 {
			what, got, want = payAtRandom(r, b, o, key)
		} else {
			what, got, want = buyAtRandom(r, b, o, who)
		}
		if (got == nil) != want {
			t.Fatalf("step %d, %s: %v, want %v", step, what, got, want)
		}
		if got != nil {
			b.State.(*state.Overlay).Revert(undo)
		} else {
			done[what]++
		}
		if o.coins[till] > 5_000 { // what came in goes out again, so that nobody runs dry
			part := o.coins[till] / 3
			for _, k := range keys {
				if err := account.Debit(b.State, till, unit.Amount(part)); err != nil {
					t.Fatal(err)
				}
				if err := account.Credit(b.State, k.Address(), unit.Amount(part)); err != nil {
					t.Fatal(err)
				}
				o.coins[till], o.coins[k.Address()] = o.coins[till]-part, o.coins[k.Address()]+part
			}
		}
		if r.IntN(3) == 0 {
			o.end()
			if _, err := b.Sweep(1_000); err != nil {
				t.Fatal(err)
			}
			compare(t, step, b, o, keys)
			jump := int64(1 + r.IntN(30)/29*r.IntN(4_000))
			o.now, o.seconds = o.now+jump, o.seconds+int64(r.IntN(3))*jump
			b.Height, b.Seconds = unit.Height(o.now), uint64(o.seconds)
		}
	}
	for _, what := range []string{"settle", "verify", "deduct", "deposit", "withdraw", "pass", "epoch"} {
		if done[what] < 8 {
			t.Errorf("%s succeeded %d times only", what, done[what])
		}
	}
}

// payAtRandom verifies or settles a payment of a key that is right in most ways.
func payAtRandom(r *rand.Rand, b *Book, o *obvious, key *sig.PrivateKey) (what string, got error, want bool) {
	doors, paths := []account.Address{door, back}, []string{"/hay/1", "/hay/2"}
	resource := func(d, p int) *Resource {
		return &Resource{Gateway: doors[d], Actor: shop, Method: "GET", Path: paths[p]}
	}
	at, signedFor := [2]int{r.IntN(2), r.IntN(2)}, [2]int{r.IntN(2), r.IntN(2)}
	if r.IntN(3) > 0 {
		signedFor = at
	}
	amount, left, nonce, settle := o.price+int64(r.IntN(9)/8), int64(60+r.IntN(60)), uint64(r.IntN(200)), r.IntN(2) == 0
	form, until := r.IntN(3), int64(0)
	var p *Payment
	if form == 0 {
		until = o.seconds + left
		p = authorized(key, resource(signedFor[0], signedFor[1]), func(a *Authorization) {
			a.Value, a.ValidAfter, a.ValidBefore, a.Nonce = unit.Wide(uint64(amount)), 0, uint64(until), digest.Hash{byte(nonce)}
		})
	} else {
		p = signed(key, resource(signedFor[0], signedFor[1]), func(i *Intent) {
			i.Amount, i.Nonce, i.ValidBefore = unit.Wide(uint64(amount)), nonce, unit.Height(o.now+left)
			if form == 2 {
				amount, i.Amount, i.Kind, i.PassID = 0, unit.Wide(0), PayPass, PassOf(shop, key.Address())
			}
		})
	}
	what = map[bool]string{true: "settle", false: "verify"}[settle]
	want = o.pay(p, settle, at[0], at[1], signedFor, amount, left, until, form == 2)
	if settle {
		got = b.Settle(p, resource(at[0], at[1]))
	} else {
		got = b.Verify(p, resource(at[0], at[1]))
	}
	return what, got, want
}

// buyAtRandom does what is no payment of a request.
func buyAtRandom(r *rand.Rand, b *Book, o *obvious, who account.Address) (what string, got error, want bool) {
	n := uint64(r.IntN(12))
	switch r.IntN(5) {
	case 0:
		what, want = "deduct", o.deduct()
		got = b.Deduct(door, shop, "GET", "/gift")
	case 1:
		coins := int64(r.IntN(80))
		what, want = "deposit", coins > 0 && o.coins[who] >= coins
		if got = b.debit(who, unit.Amount(coins)); got == nil {
			got = b.Deposit(shop, unit.Amount(coins))
		}
		if want {
			o.coins[who], o.budget = o.coins[who]-coins, o.budget+coins
		}
	case 2:
		coins := int64(n)
		what, want = "withdraw", coins > 0 && coins <= o.budget
		if got = b.Withdraw(shop, who, unit.Amount(coins)); want {
			o.coins[who], o.budget = o.coins[who]+coins, o.budget-coins
		}
	case 3:
		what, want = "pass", n >= 2 && n <= 10 && o.coins[who] >= int64(30*n)
		if got = b.debit(who, unit.Amount(30*n)); got == nil {
			_, got = b.BuyPass(shop, who, n, unit.Amount(30*n))
		}
		if want {
			c := o.credits[who]
			if c[1] < o.now {
				c[0] = 0
			}
			o.credits[who] = [2]int64{c[0] + int64(n), o.now + 500}
			o.coins[who] -= int64(30 * n)
			o.move(int64(30 * n))
		}
	case 4:
		what, want = "epoch", n >= 1 && n <= 3 && o.coins[who] >= int64(200*n)
		if got = b.debit(who, unit.Amount(200*n)); got == nil {
			_, got = b.BuyEpochs(shop, who, n, unit.Amount(200*n))
		}
		if want {
			o.until[who] = max(o.until[who], o.now-1) + int64(100*n)
			o.coins[who] -= int64(200 * n)
			o.move(int64(200 * n))
		}
	}
	return what, got, want
}

func compare(t *testing.T, step int, b *Book, o *obvious, keys []*sig.PrivateKey) {
	t.Helper()
	held, sum := o.budget, o.coins[till]+o.coins[treasury]
	for _, x := range o.shown { // order-free: a sum
		if x.held {
			held += x.amount
		}
	}
	for _, k := range keys {
		a := k.Address()
		if got := where(t, b, a); got != (outcome{
			unit.Amount(o.coins[a]), unit.Amount(o.coins[till]), unit.Amount(o.coins[treasury]), unit.Amount(held),
		}) {
			t.Fatalf("step %d: %+v, want %d, %d, %d, %d", step, got, o.coins[a], o.coins[till], o.coins[treasury], held)
		}
		until, err := Subscribed(b.State, shop, a)
		if err != nil {
			t.Fatal(err)
		}
		if last := o.until[a]; last >= o.now && (until == nil || int64(*until) != last) || last < o.now && until != nil {
			t.Fatalf("step %d: subscribed until %v, want %d at %d", step, until, last, o.now)
		}
		c, err := LoadCredits(b.State, PassOf(shop, a))
		if err != nil {
			t.Fatal(err)
		}
		if m := o.credits[a]; m[1] >= o.now && m[1] > 0 && (c == nil || int64(c.Left) != m[0] || int64(c.Expires) != m[1]) {
			t.Fatalf("step %d: %+v, want %v", step, c, m)
		}
		sum += o.coins[a]
	}
	if sum+held != 30_000 {
		t.Fatalf("step %d: %d coins in all", step, sum+held)
	}
}

// counter is a state that counts what is read and written.
type counter struct {
	state.Store
	n int
}

func (c *counter) Lookup(key []byte) ([]byte, bool, error) { c.n++; return c.Store.Lookup(key) }

func (c *counter) Set(key, value []byte) { c.n++; c.Store.Set(key, value) }

func (c *counter) Delete(key []byte) { c.n++; c.Store.Delete(key) }

func (c *counter) Scan(prefix, after []byte, limit int, fn func(key, value []byte) bool) error {
	return c.Store.Scan(prefix, after, limit, func(key, value []byte) bool { c.n++; return fn(key, value) })
}

// With 20,000 payments that end in one block, of which each is held, a block looks at 256 and no more, and all coins are back when they are through.
//
// Spec: gateway-payments-streams §F (Expired).
func TestSweepIsFlat(t *testing.T) {
	const all = 20_000
	key := keyOf(t, 3)
	b := newBook(t, key)
	p := priced()
	p.Prices[0].Amount = unit.Wide(0)
	if err := b.SetPolicy(p); err != nil {
		t.Fatal(err)
	}
	for i := range all {
		x := &Record{Actor: shop, Amount: unit.Wide(1), Expires: 2_000}
		if err := b.hold(1); err != nil {
			t.Fatal(err)
		}
		b.remember(Key{Payer: key.Address(), Nonce: digest.Hash{byte(i >> 8), byte(i)}}, x)
	}
	work := &counter{Store: b.State}
	b.State = work
	gone := 0
	for b.Height = 1_999; gone < all && b.Height < 2_100; b.Height++ {
		work.n = 0
		n, err := b.Sweep(SweepPerBlock)
		if err != nil {
			t.Fatal(err)
		}
		if want := min(all-gone, SweepPerBlock); b.Height == 1_999 && n != 0 || b.Height > 1_999 && n != want || work.n > 8*n+1 {
			t.Fatalf("block %d: %d of %d with %d operations", b.Height, n, all-gone, work.n)
		}
		gone += n
	}
	if got, want := where(t, b, key.Address()), (outcome{10_000 + all, 0, 0, 0}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	left := 0
	if err := b.State.Scan(at(underDue), nil, 0, func([]byte, []byte) bool { left++; return true }); err != nil || left != 0 {
		t.Errorf("%d are left, %v", left, err)
	}
}

// Every record is read as it was written, and not cut.
//
// Spec: WP §2.5.
func TestRecordsAreReadAsTheyWereWritten(t *testing.T) {
	check := func(name string, want any, data []byte, read func([]byte) (any, error)) {
		t.Run(name, func(t *testing.T) {
			if got, err := read(data); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%+v %v, want %+v", got, err, want)
			}
			for cut := range data {
				if _, err := read(data[:cut]); err == nil {
					t.Errorf("cut at %d it is read", cut)
				}
			}
		})
	}
	policy := priced()
	policy.Prices[0].Methods = []string{"GET", "POST"}
	check("policy", policy, policy.Append(nil), func(d []byte) (any, error) { return DecodePolicy(d) })
	bare := &Policy{Actor: shop, Treasury: till}
	check("bare policy", bare, bare.Append(nil), func(d []byte) (any, error) { return DecodePolicy(d) })
	funds := golden.Fill(&Funds{})
	check("funds", funds, funds.Append(nil), func(d []byte) (any, error) { return decodeFunds(d) })
	credits := golden.Fill(&Credits{})
	check("credits", credits, credits.Append(nil), func(d []byte) (any, error) { return decodeCredits(d) })
	record := golden.Fill(&Record{})
	record.Kind, record.Status = PayRequest, Settled
	check("record in a token", record, record.Append(nil), func(d []byte) (any, error) { return decodeRecord(d) })
	record.Kind, record.Asset, record.Amount.Hi = PayPass, Asset{}, 0
	check("record", record, record.Append(nil), func(d []byte) (any, error) { return decodeRecord(d) })
	for name, p := range map[string]*Payment{"intent": signed(keyOf(t, 3), hay(), asIs), "authorization": authorized(keyOf(t, 3), hay(), asIs)} {
		check(name, *p, p.Append(nil), func(d []byte) (any, error) { return DecodePayment(d) })
	}
}
