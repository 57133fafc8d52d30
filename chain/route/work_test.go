package route

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/testkit/touched"
)

// workOfAName does everything once to one name among n, half of which lead to the same actor, and says what each step reads and writes.
func workOfAName(t *testing.T, n int) (text string) {
	t.Helper()
	const year, much = 31_536_000, 1 << 50
	s, of := world(t)
	for i := range n {
		actor := []account.Address{shop, {11, 1}}[i%2]
		d := domain(t, fmt.Sprintf("name-%d", i))
		of(ann, 1).save(d, &Binding{Actor: actor, Owner: ann, Registered: 1, Expires: year})
		s.Set(actorKey(actor, d), []byte{})
	}
	d := domain(t, "another-name")
	for _, op := range []struct {
		name string
		do   func(g *Registry) error
	}{
		{"register", func(g *Registry) error { _, err := g.Register(d, shop, year, much); return err }},
		{"resolve", func(g *Registry) error { _, _, err := ResolveHost(g.State, g.Config, d.String(), g.Height); return err }},
		{"renew", func(g *Registry) error { _, err := g.Renew(d, year, much); return err }},
		{"policy", func(g *Registry) error { return g.SetPolicy(d, Open) }},
		{"to another actor", func(g *Registry) error { return g.SetActor(d, shop) }},
		{"to another owner", func(g *Registry) error { return g.Transfer(d, bob) }},
		{"the first three of the actor's", func(g *Registry) error { _, err := NamesOf(g.State, shop, "", 3); return err }},
	} {
		g := of(ann, 10)
		c := &touched.Store{Store: s}
		g.State = c
		if err := op.do(g); err != nil {
			t.Fatalf("%s: %v", op.name, err)
		}
		text += fmt.Sprintf("%s: %d read, %d written; ", op.name, c.Reads, c.Writes)
	}
	return text
}

// What each operation on a name reads and writes is the same among 10 names and 10,000, half of them of the same actor. With -v it says how much that is.
//
// Spec: gateway-payments-streams §A.2.
func TestWorkOfAName(t *testing.T) {
	few := workOfAName(t, 10)
	if many := workOfAName(t, 10_000); many != few {
		t.Errorf("%s among 10 it is %s", many, few)
	}
	t.Log(few)
}
