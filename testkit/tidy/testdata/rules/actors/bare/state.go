package bare

import (
	"os"
	"sync"
	clock "time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/net/transport"
)

// The seven other breaches beside the import of protoactor.
type state struct {
	pid  *actor.PID
	link link.Link
	net  transport.Network
	lock sync.Mutex
	file *os.File
	peer link.Peer
	from transport.Peer
	now  clock.Time
	lost error
}

func (s *state) step(now clock.Time) {
	s.now, s.lost = clock.Now(), os.ErrNotExist
	clock.AfterFunc(clock.Second, func() {})
	<-clock.After(now.Sub(s.now))
}
