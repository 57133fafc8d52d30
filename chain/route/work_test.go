package route

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// counted counts the entries that are read and written.
type counted struct {
	state.Store
	reads, writes int
}

func (c *counted) Lookup(key []byte) ([]byte, bool, error) {
	c.reads++
	return c.Store.Lookup(key)
}

func (c *counted) Scan(prefix, after []byte, limit int, fn func(key, value []byte) bool) error {
	return c.Store.Scan(prefix, after, limit, func(key, value []byte) bool {
		c.reads++
		return fn(key, value)
	})
}

func (c *counted) Set(key, value []byte) {
	c.writes++
	c.Store.Set(key, value)
}

func (c *counted) Delete(key []byte) {
	c.writes++
	c.Store.Delete(key)
}

// What each operation on a name reads and writes is the same among 10 names and 10,000, half of them of the same actor. With -v it says how much that is.
//
// Spec: gateway-payments-streams §A.2.
func TestWorkOfAName(t *testing.T) {
	const year, much = 31_536_000, 1 << 50
	var want string
	for _, n := range []int{10, 10_000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s, of := world(t)
			for i := range n {
				actor := []account.Address{shop, {11, 1}}[i%2]
				d := domain(t, fmt.Sprintf("name-%d", i))
				of(ann, 1).save(d, &Binding{Actor: actor, Owner: ann, Registered: 1, Expires: year})
				s.Set(actorKey(actor, d), []byte{})
			}
			text := ""
			d := domain(t, "another-name")
			for _, op := range []struct {
				name string
				do   func(g *Registry) error
			}{
				{"register", func(g *Registry) error { _, err := g.Register(d, shop, year, much); return err }},
				{"resolve", func(g *Registry) error {
					_, _, err := ResolveHost(g.State, g.Config, "www."+d.String(), g.Height)
					return err
				}},
				{"renew", func(g *Registry) error { _, err := g.Renew(d, year, much); return err }},
				{"policy", func(g *Registry) error { return g.SetPolicy(d, Open) }},
				{"to another actor", func(g *Registry) error { return g.SetActor(d, shop) }},
				{"to another owner", func(g *Registry) error { return g.Transfer(d, bob) }},
				{"lookup of ten", func(g *Registry) error { _, err := NamesOf(g.State, shop, "", 10); return err }},
			} {
				g := of(ann, 10)
				c := &counted{Store: s}
				g.State = c
				if err := op.do(g); err != nil && op.name != "resolve" { // it is refused below a name whose policy is the owner's alone
					t.Fatalf("%s: %v", op.name, err)
				}
				if op.name != "lookup of ten" {
					text += fmt.Sprintf("%s: %d read, %d written; ", op.name, c.reads, c.writes)
				} else if c.reads > 10 {
					t.Errorf("a page of ten reads %d", c.reads)
				}
			}
			if want == "" {
				want = text
			}
			if text != want {
				t.Errorf("%s among 10 it is %s", text, want)
			}
			t.Log(text)
		})
	}
}
