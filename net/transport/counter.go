package transport

import "sync/atomic"

// Tally counts one channel over all connections since the start.
type Tally struct {
	SentFrames, SentBytes         uint64 // queued for peers
	ReceivedFrames, ReceivedBytes uint64
	ShedOut                       uint64 // frames dropped because a peer's queue was full
	ShedIn                        uint64 // frames the host did not accept
	Throttled                     uint64 // times a peer was held back by a budget
}

type flow struct{ frames, bytes atomic.Uint64 }

type counter struct {
	sent, received             flow
	shedOut, shedIn, throttled atomic.Uint64
}

func count(f *flow, frame []byte) {
	f.frames.Add(1)
	f.bytes.Add(uint64(len(frame)))
}

// Tallies gives the counters of every channel.
func (t *Transport) Tallies() [ChannelCount]Tally {
	var out [ChannelCount]Tally
	for i := range out {
		c := &t.counters[i]
		out[i] = Tally{
			SentFrames: c.sent.frames.Load(), SentBytes: c.sent.bytes.Load(),
			ReceivedFrames: c.received.frames.Load(), ReceivedBytes: c.received.bytes.Load(),
			ShedOut: c.shedOut.Load(), ShedIn: c.shedIn.Load(), Throttled: c.throttled.Load(),
		}
	}
	return out
}
