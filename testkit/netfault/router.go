package netfault

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Wire is what happens to packets from one port to another.
type Wire struct {
	Loss   float64       // share of packets that vanish
	Delay  time.Duration // of every packet
	Jitter time.Duration // at most this much more
	Cut    bool
}

// Router passes IPv4 packets between TUN devices. The first port is this machine's own, whose wires are never disturbed.
type Router struct {
	mu     sync.Mutex
	random *rand.Rand
	ports  []*os.File
	first  netip.Addr // of port 0; port i has the address i further
	wires  map[[2]int]Wire
	wire   Wire // where wires has nothing
	passed uint64
	lost   uint64
	work   sync.WaitGroup
}

// tun opens a TUN device by name; IPv4 packets are read and written whole.
func tun(name string) (*os.File, error) {
	fd, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("/dev/net/tun: %w", err)
	}
	request, err := unix.NewIfreq(name)
	if err == nil {
		request.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI)
		err = unix.IoctlIfreq(fd, unix.TUNSETIFF, request)
	}
	if err != nil {
		_ = unix.Close(fd)
		return nil, fmt.Errorf("device %s: %w", name, err)
	}
	return os.NewFile(uintptr(fd), name), nil
}

// newRouter passes packets between devices; the first has the first address.
func newRouter(ports []*os.File, first netip.Addr, seed uint64) *Router {
	r := &Router{random: rand.New(rand.NewPCG(seed, 2)), ports: ports, first: first, wires: map[[2]int]Wire{}}
	for i := range ports {
		r.work.Go(func() { r.read(i) })
	}
	return r
}

// port is the device behind an address, or -1.
func (r *Router) port(to [4]byte) int {
	base := r.first.As4()
	if [3]byte(to[:3]) != [3]byte(base[:3]) {
		return -1
	}
	if i := int(to[3]) - int(base[3]); i >= 0 && i < len(r.ports) {
		return i
	}
	return -1
}

func (r *Router) read(from int) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := r.ports[from].Read(buffer)
		if err != nil {
			return // the device is closed
		}
		if n < 20 || buffer[0]>>4 != 4 {
			continue
		}
		if to := r.port([4]byte(buffer[16:20])); to >= 0 && to != from {
			r.pass(from, to, append([]byte(nil), buffer[:n]...))
		}
	}
}

// pass decides a packet's fate.
func (r *Router) pass(from, to int, packet []byte) {
	r.mu.Lock()
	w := Wire{}
	if from != 0 && to != 0 {
		w = r.wire
		if own, ok := r.wires[[2]int{from, to}]; ok {
			w = own
		}
	}
	lost := w.Cut || w.Loss > 0 && r.random.Float64() < w.Loss
	delay := w.Delay
	if w.Jitter > 0 {
		delay += time.Duration(r.random.Int64N(int64(w.Jitter)))
	}
	if lost {
		r.lost++
	} else {
		r.passed++
	}
	r.mu.Unlock()
	switch {
	case lost:
	case delay > 0:
		time.AfterFunc(delay, func() { _, _ = r.ports[to].Write(packet) }) // a write to a closed device is a lost packet
	default:
		_, _ = r.ports[to].Write(packet)
	}
}

// All sets every wire between nodes.
func (r *Router) All(w Wire) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wire = w
	clear(r.wires)
}

// Split cuts every wire between the ports of side and the others; the rest stays as it is.
func (r *Router) Split(side ...int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	inside := map[int]bool{}
	for _, i := range side {
		inside[i] = true
	}
	clear(r.wires)
	for i := 1; i < len(r.ports); i++ {
		for j := 1; j < len(r.ports); j++ {
			if inside[i] != inside[j] {
				r.wires[[2]int{i, j}] = Wire{Cut: true}
			}
		}
	}
}

// Sever cuts the wires between two ports; the rest stays as it is.
func (r *Router) Sever(a, b int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wires[[2]int{a, b}], r.wires[[2]int{b, a}] = Wire{Cut: true}, Wire{Cut: true}
}

// Counts are the packets that passed and those that vanished.
func (r *Router) Counts() (passed, lost uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.passed, r.lost
}

func (r *Router) close() {
	for _, p := range r.ports {
		_ = p.Close()
	}
	r.work.Wait()
}
