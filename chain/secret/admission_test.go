package secret

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

// counter is a secret of an actor's maker, a job of that actor, and a request that has everything wrong which the rungs set.
type counter struct {
	*world
	id  cbss.SecretID
	job digest.Hash
}

// rung is one thing that is wrong, in the request or in the state.
type rung struct {
	name    string
	want    error
	request func(q *cbss.Request)
	state   func(c *counter)
}

func (c *counter) declare(text string) {
	m, err := entitle.Parse([]byte(text))
	c.must(err)
	c.overlay.Set(entitle.Key(actor), m.Encode())
}

func (c *counter) policy(p Policy) {
	c.must(c.SetPolicy(c.id, 1, p))
}

// ladder is what proxies look at, in the order of the digest.
func ladder(other digest.Hash) []rung {
	return []rung{
		{"fresh", ErrStale, func(q *cbss.Request) { q.Block += 1_000 }, nil},
		{"signature", ErrRunnerSig, func(q *cbss.Request) { q.ChainID++ }, nil},
		{"assigned", ErrAccess, func(q *cbss.Request) { q.Job = digest.Hash{1} }, nil},
		{"manifest", ErrDeclared, nil, func(c *counter) { c.declare(`[{"id":"secrets.read","params":{"keys":["OTHER"]}}]`) }},
		{"recipient", ErrRecipient, func(q *cbss.Request) { q.Recipient = uint8(OfSecret) }, nil},
		{"list and attestation", ErrTEE, nil, func(c *counter) { c.policy(Policy{TEE: true}) }},
		{"committee", ErrNotMember, func(q *cbss.Request) { q.Proxy = other }, nil},
		{"epoch", ErrStaleEpoch, func(q *cbss.Request) { q.Epoch = 9 }, nil},
	}
}

// TestAdmissionOrder has everything wrong, and puts it right one thing after another: each time the next thing of the digest's order is what the proxy
// refuses for, until the request is admitted.
//
// Spec: secrets-cbss §5 (proxy admission), §10 (2, 5).
func TestAdmissionOrder(t *testing.T) {
	w := newWorld(t, 6)
	k := w.accountKey(maker)
	c := &counter{world: w, id: secretOf(maker, "KEY")}
	_, err := w.set(c.id, Policy{})
	w.must(err)
	c.job = w.jobOf(actor, job.Secret{Name: "KEY"})
	w.end()
	c.declare(`[{"id":"secrets.read","params":{"keys":["KEY"]}}]`)
	var other digest.Hash
	for _, p := range w.proxies {
		if k.PlaceOf(p.id) == 0 {
			other = p.id
		}
	}
	rungs := ladder(other)
	for right := 0; right <= len(rungs); right++ {
		name, want := "admitted", error(nil)
		if right < len(rungs) {
			name, want = rungs[right].name, rungs[right].want
		}
		t.Run(name, func(t *testing.T) {
			q := w.request(c.id, 1, actor, c.job, w.party(k.Committee[0]))
			done := errors.New("undone")
			err := w.try(func() error {
				for _, r := range rungs[right:] {
					if r.request != nil {
						r.request(q)
					}
					if r.state != nil {
						r.state(c)
					}
				}
				a, err := w.Admit(q.Signed(runnerKey()), q.Proxy)
				if !errors.Is(err, want) || want == nil && (err != nil || a.Pending || a.Generation.Epoch != 1 || a.Identity.Master != k.Master) {
					t.Errorf("%v, want %v", err, want)
				}
				if text, ok := Rejected(err); ok != (want != nil) || ok && text != want.Error() {
					t.Errorf("it is told as %q, %v", text, ok)
				}
				return done // so that the state is as before
			})
			if !errors.Is(err, done) {
				t.Error(err)
			}
		})
	}
}

// TestDeclared: a secret of another account is named with the account; an actor without a manifest declares nothing and may.
//
// Spec: entitlement-extras §3.1, §6; sdk §9.2.
func TestDeclared(t *testing.T) {
	w := newWorld(t, 6)
	k := w.accountKey(owner)
	c := &counter{world: w, id: secretOf(owner, "KEY")}
	_, err := w.set(c.id, Policy{Listed: true, Actors: []account.Address{actor}})
	w.must(err)
	of := owner
	c.job = w.jobOf(actor, job.Secret{Name: "KEY", Account: &of})
	w.end()
	q := w.request(c.id, 1, actor, c.job, w.party(k.Committee[0]))
	for _, one := range []struct {
		name, manifest string
		want           error
	}{
		{"none", "", nil},
		{"by name alone", `[{"id":"secrets.read","params":{"keys":["KEY"]}}]`, ErrDeclared},
		{"with the account", `[{"id":"secrets.read","params":{"keys":["0x` + owner.Hex() + `/KEY"]}}]`, nil},
		{"no such grant", `[]`, ErrDeclared},
	} {
		t.Run(one.name, func(t *testing.T) {
			if one.manifest != "" {
				c.declare(one.manifest)
			}
			if _, err := w.Admit(q.Signed(runnerKey()), q.Proxy); !errors.Is(err, one.want) {
				t.Errorf("%v, want %v", err, one.want)
			}
		})
	}
}

// TestWorkOf: members of a committee that is drawn, and of the one before, are told of it; others and undrawn committees are not.
//
// Spec: secrets-cbss §5.
func TestWorkOf(t *testing.T) {
	w := newWorld(t, 9)
	k := w.accountKey(owner)
	of := AccountScope(owner)
	w.must(w.Reshare(of, owner))
	for _, p := range w.proxies {
		if list, err := WorkOf(w.overlay, p.id, 64); err != nil || len(list) > 0 {
			t.Errorf("before the draw: %d, %v", len(list), err)
		}
	}
	w.end()
	w.end()
	pending, err := LoadPending(w.overlay, of)
	w.must(err)
	for i, p := range w.proxies {
		want := 0
		next := Generation{Committee: pending.Committee}
		if k.PlaceOf(p.id) > 0 || next.PlaceOf(p.id) > 0 {
			want = 1
		}
		list, err := WorkOf(w.overlay, p.id, 64)
		if err != nil || len(list) != want || want == 1 && (list[0].Scope != of || list[0].Key.Master != k.Master) {
			t.Errorf("proxy %d: %d, want %d, %v", i, len(list), want, err)
		}
	}
}
