package link

import (
	"slices"
	"sync"
	"testing"
)

// ear writes down what it is told.
type ear struct {
	mu    sync.Mutex
	heard []string
}

func (e *ear) note(s string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.heard = append(e.heard, s)
}

func (e *ear) Up(p Peer)                               { e.note("up " + p.String()) }
func (e *ear) Down(p Peer)                             { e.note("down " + p.String()) }
func (e *ear) Frame(from Peer, c Channel, data []byte) { e.note(c.String() + " " + string(data)) }

// Connected places hear each other, and nobody else.
func TestHub(t *testing.T) {
	h := NewHub(3)
	ears := make([]*ear, 3)
	for i := range ears {
		ears[i] = &ear{}
		h.Port(i).Attach(ears[i])
	}
	h.Port(0).Connect()
	h.Port(0).Broadcast(Consensus, []byte("nobody"))
	h.Port(1).Connect()
	h.Port(0).Broadcast(Consensus, []byte("one"))
	h.Port(2).Send(h.Port(0).Self(), Blocks, []byte("not connected"))
	h.Port(1).Send(h.Port(0).Self(), Sync, []byte("two"))
	h.Port(1).Disconnect()
	h.Port(0).Broadcast(Transactions, []byte("late"))
	p := func(i int) string { return h.Port(i).Self().String() }
	if want := []string{"up " + p(1), "sync two", "down " + p(1)}; !slices.Equal(ears[0].heard, want) {
		t.Errorf("first heard %v, want %v", ears[0].heard, want)
	}
	if want := []string{"up " + p(0), "consensus one", "down " + p(0)}; !slices.Equal(ears[1].heard, want) {
		t.Errorf("second heard %v, want %v", ears[1].heard, want)
	}
	if len(ears[2].heard) != 0 {
		t.Errorf("third heard %v", ears[2].heard)
	}
}

func TestChannels(t *testing.T) {
	for c := range Channels {
		if c.String() == "" || c.MaxFrame() == 0 {
			t.Errorf("channel %d has no name or no bound", c)
		}
	}
}
