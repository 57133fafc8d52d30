package faulty

import "github.com/cowboyinc/cowboy-go/actors/link"

// silent sends nothing.
type silent struct{ straight }

func (silent) Send(Hand, link.Peer, link.Channel, []byte) {}
