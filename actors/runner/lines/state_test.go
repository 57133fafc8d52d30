package lines

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/actors/roster"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

const chain = 7

// validators are those of a development network, ascending by key, with an invitation of each.
func validators(t *testing.T, n int) (set []sig.BLSPublicKey, invitations map[sig.BLSPublicKey]*protocol.Invitation) {
	t.Helper()
	all, _, err := genesis.DevValidators(n)
	if err != nil {
		t.Fatal(err)
	}
	invitations = map[sig.BLSPublicKey]*protocol.Invitation{}
	for i, v := range all {
		one := &protocol.Invitation{Validator: v.Vote.PublicKey().Bytes(), Endpoint: fmt.Sprintf("127.0.0.1:%d", i+1), Number: 1}
		one.Sign(chain, ed25519.NewKeyFromSeed(bytes.Repeat([]byte{byte(i)}, 32)))
		if one.Introduction, err = v.Vote.Attest(roster.IntroductionPreimage(sig.NewNamespace(chain), one.Identity())); err != nil {
			t.Fatal(err)
		}
		set, invitations[one.Validator] = append(set, one.Validator), one
	}
	slices.SortFunc(set, func(a, b sig.BLSPublicKey) int { return bytes.Compare(a[:], b[:]) })
	return set, invitations
}

// acts names what is to be done by the places in a set.
func (s *state) told(set []sig.BLSPublicKey) string {
	var list []string
	for _, act := range s.acts {
		switch a := act.(type) {
		case dial:
			list = append(list, fmt.Sprintf("dial %d", slices.Index(set, a.to.Validator)))
		case leave:
			list = append(list, fmt.Sprintf("leave %d", slices.Index(set, a.key)))
		}
	}
	s.acts = nil
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// Who of the subset has signed an invitation is dialed, again after 100 ms, 200 ms and so on, and after 30 s where it said no; who is connected is left alone.
//
// Spec: runner-marketplace §9.4 (reconnecting).
func TestDialing(t *testing.T) {
	set, invited := validators(t, 3)
	s, now := newState(protocol.Party{2}, chain), time.Unix(1_000, 0)
	forged := *invited[set[1]]
	forged.Endpoint = "10.0.0.1:1"
	s.saw(&Sight{Height: 100, Set: set, Invitations: []*protocol.Invitation{invited[set[0]], &forged}}, now)
	s.due(now)
	if got := s.told(set); got != "dial 0" {
		t.Fatal(got)
	}
	s.down(set[0], "no answer", false, now, 500)
	for _, wait := range []time.Duration{100 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond} {
		if next := s.due(now); !next.Equal(now.Add(wait)) || s.told(set) != "" {
			t.Fatalf("the next is at %v, want %v later", next, wait)
		}
		now = now.Add(wait)
		s.due(now)
		if got := s.told(set); got != "dial 0" {
			t.Fatal(got)
		}
		s.down(set[0], "no answer", false, now, 500)
	}
	if !s.missing() || s.look() != lookIll {
		t.Error("nobody is missing")
	}
	now = now.Add(time.Second)
	s.due(now)
	s.told(set)
	s.up(set[0])
	s.due(now.Add(time.Hour))
	if got := s.told(set); got != "" {
		t.Errorf("who is connected: %s", got)
	}
	s.down(set[0], "NotInSubset", true, now, 0)
	if next := s.due(now); !next.Equal(now.Add(30 * time.Second)) {
		t.Errorf("after a refusal: %v", next.Sub(now))
	}
	fresh := *invited[set[0]]
	fresh.Number = 0
	s.saw(&Sight{Height: 100, Set: set, Invitations: []*protocol.Invitation{&fresh, invited[set[1]], invited[set[2]]}}, now)
	s.due(now)
	if got := s.told(set); got != "dial 1, dial 2" {
		t.Errorf("an older invitation counts, or those that came do not: %s", got)
	}
	s.up(set[1])
	s.up(set[2])
	now = now.Add(30 * time.Second)
	s.due(now)
	s.up(set[0])
	if s.missing() || s.look() != lookWell {
		t.Error("somebody is missing")
	}
}

// Who leaves the set stays connected for 32 blocks; who was not connected goes at once; who comes back stays.
//
// Spec: runner-marketplace §9.1 (OVERLAP_BLOCKS).
func TestLingering(t *testing.T) {
	set, invited := validators(t, 3)
	s, now := newState(protocol.Party{2}, chain), time.Unix(1_000, 0)
	all := []*protocol.Invitation{invited[set[0]], invited[set[1]], invited[set[2]]}
	s.saw(&Sight{Height: 100, Set: set, Invitations: all}, now)
	s.due(now)
	s.told(set)
	s.up(set[0])
	s.up(set[1])
	s.down(set[2], "no answer", false, now, 0)
	look := func(height uint64, of []sig.BLSPublicKey, want string) {
		t.Helper()
		s.saw(&Sight{Height: height, Set: of, Invitations: all}, now)
		s.due(now)
		if got := s.told(set); got != want {
			t.Fatalf("at %d: %q, want %q", height, got, want)
		}
	}
	look(110, set[:1], "leave 2")
	look(141, set[:1], "")
	look(120, set[:2], "")
	look(150, set[:1], "")
	look(181, set[:1], "")
	look(182, set[:1], "leave 1")
	if len(s.lines) != 1 || len(s.known) != 1 {
		t.Errorf("%d lines, %d invitations", len(s.lines), len(s.known))
	}
}
