package relay

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// holder is the chain of a relay with a slot of each of its volumes, which tells what is read of it.
type holder struct {
	Chain
	roots map[digest.Hash]digest.Hash // of the volumes
	held  []Held
	read  []digest.Hash
}

func (h *holder) Height(context.Context) (uint64, error) { return 9, nil }
func (h *holder) Self(context.Context) (*reach.Relay, error) {
	return &reach.Relay{Status: "active"}, nil
}
func (h *holder) Held(context.Context) ([]Held, error) { return slices.Clone(h.held), nil }
func (h *holder) Relay(context.Context, account.Address) (*reach.Relay, error) {
	return nil, reach.ErrUnknown
}

func (h *holder) Volume(_ context.Context, id digest.Hash) (*reach.Volume, error) {
	h.read = append(h.read, id)
	root, there := h.roots[id]
	if !there {
		return nil, reach.ErrUnknown
	}
	return &reach.Volume{ID: id, Root: root}, nil
}

// A relay that holds more volumes than a poll reads sees each of them in its turn, all of them in every poll once it has read them, and none that is gone.
func TestPollOfManyVolumes(t *testing.T) {
	now := time.Unix(1_000, 0)
	c := &holder{roots: map[digest.Hash]digest.Hash{}}
	for n := range byte(5) {
		id := digest.Hash{n + 1}
		c.roots[id] = digest.Hash{100}
		c.held = append(c.held, Held{id, n}, Held{id, n + 10})
	}
	w := &Worker{Chain: c, Looks: 2, Mender: &Mender{Directory: reach.NewDirectory(c, func() time.Time { return now })}}
	poll := func(slots int, read ...byte) sight {
		t.Helper()
		c.read, now = nil, now.Add(time.Minute)
		s, err := w.look(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var got []byte
		for _, id := range c.read {
			got = append(got, id[0])
		}
		if len(s.holding) != slots || !slices.Equal(got, read) {
			t.Fatalf("%d slots are seen, %v read; want %d, %v", len(s.holding), got, slots, read)
		}
		return s
	}
	poll(4, 1, 2)
	poll(8, 3, 4)
	poll(10, 5, 1)
	c.roots[digest.Hash{3}] = digest.Hash{101}
	delete(c.roots, digest.Hash{2})
	s := poll(8, 2, 3)
	for _, one := range s.holding {
		if one.volume.ID == (digest.Hash{3}) && one.volume.Root != (digest.Hash{101}) {
			t.Error("a commit is not seen when its volume is read")
		}
	}
	c.held = c.held[4:] // of the first two the relay has no slot any more
	poll(6, 4, 5)
	poll(6, 3, 4)
}
