package queue

import (
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"github.com/cowboyinc/cowboy-go/net/door"
)

// maxConnections are those of workers elsewhere, whoever they are; the server itself looks at no address. A machine has one for each of its places.
const maxConnections = 512

// again is how long the front waits after a connection could not be taken, as where no descriptor is left.
const again = 50 * time.Millisecond

// front stands before the server inside: it takes connections from other machines and passes their bytes on as they are, TLS or not. When there are as many as
// there may be, a machine that has few gets the place of one that has many.
type front struct {
	listener net.Listener
	server   string // host:port
	places   *door.Shares
	once     sync.Once
	done     chan struct{}
	running  sync.WaitGroup
}

func newFront(listen, server string) (*front, error) {
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return nil, err
	}
	f := &front{listener: l, server: server, places: door.NewShares(maxConnections, 0), done: make(chan struct{})}
	f.running.Go(f.accept)
	return f, nil
}

func (f *front) accept() {
	for {
		c, err := f.listener.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil:
			wait := time.NewTimer(again)
			select {
			case <-wait.C:
			case <-f.done:
			}
			wait.Stop()
			continue
		}
		place, ok := f.places.Try(door.SourceAt(c.RemoteAddr().String()), func() { _ = c.Close() })
		if !ok {
			_ = c.Close()
			continue
		}
		f.running.Go(func() {
			defer place.Leave()
			f.pass(c)
		})
	}
}

// pass carries bytes both ways until one side ends.
func (f *front) pass(c net.Conn) {
	defer c.Close()
	s, err := net.Dial("tcp", f.server)
	if err != nil {
		return
	}
	defer s.Close()
	ended := make(chan struct{}, 2)
	for _, way := range [][2]net.Conn{{c, s}, {s, c}} {
		f.running.Go(func() {
			_, _ = io.Copy(way[0], way[1])
			ended <- struct{}{}
		})
	}
	select {
	case <-ended:
	case <-f.done:
	}
}

// close ends all connections. It may be called more than once.
func (f *front) close() {
	f.once.Do(func() { close(f.done) })
	_ = f.listener.Close()
	f.running.Wait()
}
