package host

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
)

// Outside of a chain there is a machine whether or not the caller wants to know what surrounds it.
func TestOffline(t *testing.T) {
	for _, around := range []*Scratch{nil, {}} {
		if m, err := NewPrograms().Offline(Offline{Scratch: around}); err != nil || m == nil {
			t.Errorf("scratch %v: %v", around != nil, err)
		}
	}
}

// What surrounds a machine lists every message its actor sent.
func TestScratchMessages(t *testing.T) {
	around := &Scratch{}
	if _, err := NewPrograms().Offline(Offline{Scratch: around}); err != nil {
		t.Fatal(err)
	}
	w := around.top.work
	to := account.Address{0: 0xcc}
	account.Save(w.overlay, to, &account.Account{Kind: account.Actor})
	for n := range 3 {
		if _, err := mailbox.Enqueue(w.overlay, w.turn.Block.Limits, 1, mailbox.Message{
			Sender: around.Self(), Target: to, Handler: "h", Payload: []byte{byte(n)}, Origin: digest.Hash{byte(n)}, Depth: 1,
		}); err != nil {
			t.Fatal(err)
		}
	}
	list, err := around.Messages()
	if err != nil || len(list) != 3 || list[2].Payload[0] != 2 {
		t.Errorf("%+v, %v", list, err)
	}
}
