package transport

import (
	"errors"
	"fmt"
	"net/netip"
	"time"
)

// ErrConfig is wrapped by Listen's errors about its Config.
var ErrConfig = errors.New("transport: bad configuration")

// Budget bounds one channel of one connection.
type Budget struct {
	FrameMax        int // bytes of one frame; at most 2^28−1
	BytesPerSecond  int // received, on average
	FramesPerSecond int // received, on average
	Burst           int // seconds' worth that may come at once
	Unhandled       int // bytes delivered and not done before reading stops
	QueueBytes      int // bytes waiting to be sent
	QueueFrames     int // frames waiting to be sent
}

// Limits bound what strangers can make a node hold.
type Limits struct {
	Inbound    int // full connections that others dialed
	Lookups    int // lookup connections that others dialed
	PerAddress int // connections that others dialed from one IPv4 address or IPv6 /64; many nodes of one machine need more
	Pending    int // connections whose hello is under way; QUIC handshakes beyond it must prove their address first
	Dials      int // connections being dialed; further Dial calls fail at once

	Handshake time.Duration // for QUIC's handshake, and again for the hello
	Idle      time.Duration // without any packet
	Stall     time.Duration // a frame without progress, in either direction
	Brief     time.Duration // life of a lookup connection

	// Frames bounds the bytes of frames that are being read or wait to be sent, over all connections. Frames beyond it are dropped; connections that the caps
	// hold for use three quarters of it at most.
	Frames int64

	// Window is the flow control window of each stream in bytes. A connection's window covers all its streams, so that a stream
	// nobody reads never holds up another.
	Window int

	Channels [ChannelCount]Budget
}

// DefaultLimits suit a validator: about 3 MiB of receive window per peer.
func DefaultLimits() Limits {
	return Limits{
		Inbound: 48, Lookups: 32, PerAddress: 8, Pending: 64, Dials: 32,
		Handshake: 5 * time.Second, Idle: 10 * time.Second, Stall: 20 * time.Second, Brief: 15 * time.Second,
		Frames: 256 << 20, Window: 512 << 10,
		Channels: [ChannelCount]Budget{
			Discovery: {
				FrameMax: 16 << 10, BytesPerSecond: 32 << 10, FramesPerSecond: 10, Burst: 4, Unhandled: 64 << 10, QueueBytes: 64 << 10, QueueFrames: 32,
			},
			Consensus: {
				FrameMax: 1 << 20, BytesPerSecond: 8 << 20, FramesPerSecond: 5_000, Burst: 2, Unhandled: 4 << 20, QueueBytes: 4 << 20, QueueFrames: 8_192,
			},
			Transactions: {
				FrameMax: 1 << 20, BytesPerSecond: 8 << 20, FramesPerSecond: 20_000, Burst: 2, Unhandled: 4 << 20, QueueBytes: 4 << 20, QueueFrames: 16_384,
			},
			Blocks: {
				FrameMax: 5 << 20, BytesPerSecond: 16 << 20, FramesPerSecond: 2_000, Burst: 2, Unhandled: 10 << 20, QueueBytes: 10 << 20, QueueFrames: 1_024,
			},
			Sync: {
				FrameMax: 9 << 20, BytesPerSecond: 32 << 20, FramesPerSecond: 2_000, Burst: 2, Unhandled: 16 << 20, QueueBytes: 16 << 20, QueueFrames: 1_024,
			},
		},
	}
}

const (
	// ourDials is for how many connections beside those that others dialed there is room in the memory Within divides.
	ourDials = 16
	// The least that Within leaves.
	inboundLeast, lookupsLeast, windowUsual, windowLeast = 16, 4, 128 << 10, 16 << 10
)

// windows is what unread bytes may take at most when all places are taken.
func (l Limits) windows() int64 {
	return int64(l.Inbound+l.Lookups+ourDials) * (ChannelCount + 2) * int64(l.Window)
}

// Within lowers limits until connections take no more than so many bytes: half of them for what is unread, half for frames. First the windows shrink, as far as
// does not hurt, then there are fewer connections, then the windows shrink further.
func (l Limits) Within(memory int64) Limits {
	l.Frames = min(l.Frames, memory/2)
	for l.windows() > memory/2 {
		switch {
		case l.Window > windowUsual:
			l.Window = max(l.Window/2, windowUsual)
		case l.Inbound > inboundLeast || l.Lookups > lookupsLeast:
			l.Inbound, l.Lookups = max(min(l.Inbound, inboundLeast), l.Inbound/2), max(min(l.Lookups, lookupsLeast), l.Lookups/2)
		case l.Window > windowLeast:
			l.Window = max(l.Window/2, windowLeast)
		default:
			return l
		}
	}
	return l
}

// check reports the first limit that cannot work.
func (l Limits) check() error {
	switch {
	case l.Inbound < 0 || l.Lookups < 0 || l.PerAddress < 1 || l.Pending < 1 || l.Dials < 1:
		return fmt.Errorf("%w: a cap on connections is too low", ErrConfig)
	case l.Handshake <= 0 || l.Idle <= 0 || l.Stall <= 0 || l.Brief <= 0:
		return fmt.Errorf("%w: a time limit is not positive", ErrConfig)
	case l.Frames < 0:
		return fmt.Errorf("%w: %d bytes for frames", ErrConfig, l.Frames)
	case l.Window < 16<<10 || l.Window > 64<<20:
		return fmt.Errorf("%w: window of %d bytes", ErrConfig, l.Window)
	}
	for c, b := range l.Channels {
		if b.FrameMax < 1 || b.FrameMax >= 1<<28 || b.BytesPerSecond < 1 || b.FramesPerSecond < 1 || b.Burst < 1 ||
			b.Unhandled < 1 || b.QueueBytes < 1 || b.QueueFrames < 1 {
			return fmt.Errorf("%w: budget of %v: %+v", ErrConfig, Channel(c), b)
		}
	}
	return nil
}

// Config is what a Transport is made of.
type Config struct {
	Key     Key
	Network string   // name of the network: 1 to 64 bytes of printable ASCII
	Genesis [32]byte // hash of its genesis
	Agent   string   // name of the software: at most 64 bytes of printable ASCII
	// Instance is drawn at random when the process starts. A peer that comes back under another one has restarted, and its old
	// connection is given up at once.
	Instance uint64
	// Address is the UDP address to bind; port 0 takes a free one.
	Address netip.AddrPort
	// Closed makes a node that only dials.
	Closed bool
	// Reserved identities come in although Inbound and PerAddress are used up, and use up neither: strangers cannot lock out those a
	// node depends on.
	Reserved []ID

	Limits Limits // the zero value means DefaultLimits
	// Held, if set, is told how many bytes of Limits.Frames are taken, whenever that changes. It must not wait.
	Held  func(bytes int64)
	Clock Clock // nil means MachineClock

	versions [2]uint16 // lowest and highest protocol version; zero means the package's own
}

func (c Config) withDefaults() (Config, error) {
	if c.Limits == (Limits{}) {
		c.Limits = DefaultLimits()
	}
	if c.Clock == nil {
		c.Clock = MachineClock{}
	}
	if c.versions == [2]uint16{} {
		c.versions = [2]uint16{versionLow, Version}
	}
	if c.Key.private == nil {
		return c, fmt.Errorf("%w: no key", ErrConfig)
	}
	if !c.Address.IsValid() {
		return c, fmt.Errorf("%w: no address to bind", ErrConfig)
	}
	if c.Network == "" || printable([]byte(c.Network), nameMax) != c.Network {
		return c, fmt.Errorf("%w: network name %q", ErrConfig, c.Network)
	}
	if printable([]byte(c.Agent), nameMax) != c.Agent {
		return c, fmt.Errorf("%w: agent name %q", ErrConfig, c.Agent)
	}
	return c, c.Limits.check()
}
