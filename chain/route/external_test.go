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

const attaching = `{"entitlements":[{"id":"dns.attach_external","params":{"max_bindings":2}},{"id":"ingress.http"}]}`

// outside is a world whose actors shop and bar may have two domains each.
func outside(t *testing.T) (*state.Overlay, func(by account.Address, at unit.Height) *Registry) {
	t.Helper()
	s, registry := world(t)
	m, err := entitle.Parse([]byte(attaching))
	if err != nil {
		t.Fatal(err)
	}
	s.Set(entitle.Key(shop), m.Encode())
	s.Set(entitle.Key(bar), m.Encode())
	return s, registry
}

func away(t *testing.T, text string) Domain {
	t.Helper()
	d, err := ParseExternal(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Spec: gateway-payments-streams §A.1 (namespace_kind 2); RFC 1035 §2.3.1, §2.3.4.
func TestExternalNames(t *testing.T) {
	long := strings.Repeat("a", 63)
	full := strings.Join([]string{long, long, long, long[:43]}, ".") // 63*3 + 43 + 3 = 235 bytes
	for name, ok := range map[string]bool{
		"shop.example": true, "a.b": true, "xn--bcher-kva.example": true, "1.example": true, full: true, full + "a": false, long + ".example": true,
		long + "a.example": false, "example": false, "": false, ".example": false, "shop.example.": false, "shop..example": false, "-a.example": false,
		"a-.example": false, "Shop.example": false, "sh_op.example": false, "10.0.0.1": false, "a.1": false, "cowboy.network": false,
		"x.cowboy.network": false, "x.cow": false, "a.x.cowboy": false, "xcow.example": true, "notcowboy.network": true, "a.b\x00": false,
	} {
		t.Run(name, func(t *testing.T) {
			if d, err := ParseExternal(name); (err == nil) != ok || ok && d.String() != name {
				t.Errorf("%v %v", d, err)
			}
		})
	}
}

// proved has a domain attached to an actor at a height.
func proved(t *testing.T, g *Registry, d Domain, actor account.Address) *Attachment {
	t.Helper()
	c, err := g.Attach(d, actor, ByAlias)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Ask(d); err != nil {
		t.Fatal(err)
	}
	a, err := g.Apply(&Answer{Domain: d, Owner: g.By, Nonce: c.Nonce, Said: true, Verdict: Proved})
	if err != nil || a == nil || a.State != Attached {
		t.Fatal(a, err)
	}
	return a
}

// The life of an external domain: every limit at one before, itself and one behind. The heights are sums of the documents' numbers: 43,200, 2,592,000, 86,400.
//
// Spec: gateway-payments-streams §A.3.
func TestLifeOfAnExternalDomain(t *testing.T) {
	const at = 1_000
	_, registry := outside(t)
	d := away(t, "shop.example")
	c, err := registry(ann, at).Attach(d, shop, ByAlias)
	if err != nil {
		t.Fatal(err)
	}
	a := proved(t, registry(ann, at), away(t, "www.example"), shop)
	for _, one := range []struct {
		of   *Attachment
		at   unit.Height
		want string
	}{
		{c, at, "pending VERIFIED"}, {c, at + 43_199, "pending VERIFIED"}, {c, at + 43_200, "expired VERIFIED"},
		{a, at, "active VERIFIED"}, {a, at + 2_592_000 + 86_399, "active VERIFIED"},
		{a, at + 2_592_000 + 86_400, "suspended INSUFFICIENT_REVERIFY_FEE"},
		{a, at + 2_592_000 + 86_400 + 2_591_999, "suspended INSUFFICIENT_REVERIFY_FEE"}, {a, at + 2_592_000 + 86_400 + 2_592_000, "expired VERIFIED"},
	} {
		t.Run(fmt.Sprint(one.want, " at ", one.at), func(t *testing.T) {
			if s, why := one.of.Standing(one.at); s.String()+" "+why.String() != one.want {
				t.Errorf("%v %v", s, why)
			}
		})
	}
	if _, err := registry(ann, at+43_200).Ask(d); !errors.Is(err, ErrChallenge) {
		t.Error(err)
	}
	if again, err := registry(ann, at+1).Attach(d, shop, ByAlias); err != nil || again.Nonce == c.Nonce {
		t.Error("a nonce comes twice", err)
	}
}

// Who may ask for a check, and when: the owner and who speaks for the actor always, anybody once it is due, nobody while one is under way.
//
// Spec: gateway-payments-streams §A.2 (reverify_external).
func TestWhoMayHaveADomainChecked(t *testing.T) {
	_, registry := outside(t)
	d := away(t, "bar.example")
	a := proved(t, registry(bob, 10), d, bar)
	for _, c := range []struct {
		by   account.Address
		at   unit.Height
		want error
	}{
		{ann, 10 + 2_591_999, ErrOwner}, {bob, 10 + 2_591_999, nil}, {bob, 10 + 2_591_999 + 1_349, ErrTaken}, {ann, 10 + 2_591_999 + 1_350, nil},
	} {
		t.Run(fmt.Sprint(c.at, c.want), func(t *testing.T) {
			if _, err := registry(c.by, c.at).Ask(d); !errors.Is(err, c.want) {
				t.Error(err)
			}
		})
	}
	stale := &Answer{Domain: d, Owner: bob, Nonce: Nonce{1}, Said: true, Verdict: AliasDrift}
	if got, err := registry(bob, 20).Apply(stale); got != nil || err != nil {
		t.Error("an answer to another challenge counts: ", got, err)
	}
	stale.Nonce, stale.Owner = a.Nonce, ann
	if got, err := registry(bob, 20).Apply(stale); got != nil || err != nil {
		t.Error("an answer to another owner counts: ", got, err)
	}
}

// Nobody takes a domain from another by asking: challenges of several owners stand beside each other, and the first that is proved has it until it is
// suspended.
//
// Spec: gateway-payments-streams §A.3 (the challenge proves who controls the domain).
func TestTwoOwnersOfADomain(t *testing.T) {
	s, registry := outside(t)
	d := away(t, "shop.example")
	mine, err := registry(ann, 5).Attach(d, shop, ByAlias)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := registry(bob, 6).Attach(d, bar, ByAlias)
	if err != nil || theirs.Nonce == mine.Nonce {
		t.Fatal(err)
	}
	answer := func(c *Attachment, v Verdict) *Attachment {
		t.Helper()
		a, err := registry(ann, 9).Apply(&Answer{Domain: d, Owner: c.Owner, Nonce: c.Nonce, Said: true, Verdict: v})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := answer(theirs, TextMismatch); a.State != Pending || a.Reason != TextMismatch {
		t.Errorf("%+v", a)
	}
	if a := answer(mine, Proved); a.State != Attached {
		t.Errorf("%+v", a)
	}
	if a := answer(theirs, Proved); a != nil {
		t.Errorf("it is taken away: %+v", a)
	}
	if _, err := registry(bob, 10).Attach(d, bar, ByAlias); !errors.Is(err, ErrTaken) {
		t.Error(err)
	}
	answer(mine, TextMismatch)
	after, err := registry(bob, 10).Attach(d, bar, ByAlias)
	if err != nil {
		t.Fatal(err)
	}
	if a := answer(after, Proved); a == nil || a.Owner != bob {
		t.Errorf("%+v", a)
	}
	for actor, want := range map[account.Address]uint64{shop: 0, bar: 1} {
		t.Run(actor.String(), func(t *testing.T) {
			if n, err := BoundTo(s, actor); err != nil || n != want {
				t.Errorf("has %d, want %d (%v)", n, want, err)
			}
		})
	}
}

// An actor has as many domains as its entitlement says: two, and not three; one that is detached makes room.
//
// Spec: entitlement-extras §3 (max_bindings).
func TestRoomForDomains(t *testing.T) {
	_, registry := outside(t)
	third := away(t, "c.example")
	held, err := registry(ann, 1).Attach(third, shop, ByAlias)
	if err != nil {
		t.Fatal(err)
	}
	proved(t, registry(ann, 1), away(t, "a.example"), shop)
	proved(t, registry(ann, 1), away(t, "b.example"), shop)
	if _, err := registry(ann, 2).Attach(away(t, "d.example"), shop, ByAlias); !errors.Is(err, ErrAttach) {
		t.Error(err)
	}
	if _, err := registry(ann, 2).Attach(away(t, "b.example"), shop, ByAlias); err != nil {
		t.Error("one it has: ", err)
	}
	answer := &Answer{Domain: third, Owner: ann, Nonce: held.Nonce, Said: true, Verdict: Proved}
	if a, err := registry(ann, 3).Apply(answer); a != nil || err != nil {
		t.Errorf("a third one: %+v %v", a, err)
	}
	if err := registry(ann, 4).Detach(away(t, "a.example")); err != nil {
		t.Fatal(err)
	}
	if a, err := registry(ann, 5).Apply(answer); a == nil || err != nil {
		t.Errorf("%+v %v", a, err)
	}
	if _, err := registry(ann, 6).Attach(third, mute, ByAlias); !errors.Is(err, ErrIngress) {
		t.Error(err)
	}
	if _, err := registry(ann, 6).Attach(third, shop, methods); !errors.Is(err, ErrMethod) {
		t.Error(err)
	}
}

// Records go when their time is over, no block earlier, and a domain that was proved again stays.
//
// Spec: gateway-payments-streams §A.3 (external bindings that expired go after 7,776,000).
func TestPrune(t *testing.T) {
	s, registry := outside(t)
	d, kept := away(t, "a.example"), away(t, "b.example")
	proved(t, registry(ann, 1), d, shop)
	a := proved(t, registry(ann, 1), kept, shop)
	const again, expiry = 2_000_000, 1 + 2_592_000 + 86_400 + 2_592_000
	if _, err := registry(ann, again).Apply(&Answer{Domain: kept, Owner: ann, Nonce: a.Nonce, Said: true, Verdict: Proved}); err != nil {
		t.Fatal(err)
	}
	open := away(t, "c.example")
	if _, err := registry(bob, 7).Attach(open, bar, ByService); err != nil {
		t.Fatal(err)
	}
	there := func(at unit.Height) string {
		t.Helper()
		if err := Prune(s, at); err != nil {
			t.Fatal(err)
		}
		_, one, err := LoadExternal(s, d)
		_, two, err2 := LoadExternal(s, kept)
		_, challenge, err3 := LoadChallenge(s, open, bob)
		n, err4 := BoundTo(s, shop)
		if err := errors.Join(err, err2, err3, err4); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(one, two, challenge, n)
	}
	for _, c := range []struct {
		at   unit.Height
		want string
	}{
		{7 + 86_399, "true true true 2"}, {7 + 86_400, "true true false 2"}, {expiry + 7_775_999, "true true false 2"},
		{expiry + 7_776_000, "false true false 1"},
		{again - 1 + expiry + 7_775_999, "false true false 1"}, {again - 1 + expiry + 7_776_000, "false false false 0"},
	} {
		t.Run(fmt.Sprint(c.at), func(t *testing.T) {
			if got := there(c.at); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
	left := 0
	if err := s.Scan(under(underDue), nil, 10, func(_, _ []byte) bool { left++; return true }); err != nil || left != 0 {
		t.Errorf("%d entries are left (%v)", left, err)
	}
}
