package transport

import (
	"bufio"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quic-go/quic-go"
)

const (
	readBuffer = 8 << 10  // bytes read ahead on a stream
	batch      = 64 << 10 // bytes of small frames written at once; larger frames are written by themselves
	direct     = 16 << 10 // bytes of a frame that may skip an empty queue
)

// lane is one channel of one connection: a queue to send from, and what is known about its two streams.
type lane struct {
	budget Budget
	credit credit

	pool    *pool
	capped  bool // the connection is a stranger's
	mu      sync.Mutex
	closed  bool // nothing is sent any more
	queue   [][]byte
	bytes   int           // in the queue
	started bool          // a goroutine sends
	wake    chan struct{} // capacity 1
	stream  *quic.SendStream
	idle    bool   // the sender waits on wake, and has opened stream
	scratch []byte // of frames that skip the queue

	opened  atomic.Bool   // the peer opened its stream
	reading atomic.Uint64 // tick at which the frame being read last grew, 0 = between frames
	writing atomic.Uint64 // tick at which the present write began, 0 = none
}

func (l *lane) open(b Budget, p *pool, capped bool) {
	l.budget, l.pool, l.capped = b, p, capped
	l.credit.limit = int64(b.Unhandled)
	l.wake = make(chan struct{}, 1)
}

// skip hands a frame to the stream itself, when nothing is queued, the sender is at rest and flow control has room: no goroutine
// has to wake. The lock is held.
func (l *lane) skip(frame []byte) bool {
	if !l.idle || len(l.queue) > 0 || len(frame) > direct {
		return false
	}
	l.scratch = append(appendLength(l.scratch[:0], len(frame)), frame...)
	return l.stream.TryWriteAll(l.scratch) == nil
}

// put queues a frame, or writes it if nothing is before it. first says that nobody sends yet and the caller must see to it.
func (l *lane) put(frame []byte) (outcome Outcome, first bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.skip(frame) {
		return Queued, false
	}
	if l.closed || len(l.queue) >= l.budget.QueueFrames || len(l.queue) > 0 && l.bytes+len(frame) > l.budget.QueueBytes || !l.pool.hold(frame, l.capped) {
		return Shed, false
	}
	l.queue = append(l.queue, frame)
	l.bytes += len(frame)
	first = !l.started
	l.started = true
	if !first {
		select {
		case l.wake <- struct{}{}:
		default:
		}
	}
	return Queued, first
}

// close drops what waits and what comes.
func (l *lane) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for _, frame := range l.queue {
		l.pool.drop(frame)
	}
	l.queue, l.bytes = nil, 0
}

// take empties the queue, which goes on in the memory of frames. When there is nothing to take the sender is at rest.
func (l *lane) take(frames [][]byte) [][]byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(frames)
	taken := l.queue
	l.idle = len(taken) == 0
	l.queue, l.bytes = frames[:0], 0
	return taken
}

// send queues a frame and starts the channel's sender at its first.
func (c *conn) send(channel Channel, frame []byte) Outcome {
	outcome, first := c.lanes[channel].put(frame)
	if outcome == Shed {
		c.transport.counters[channel].shedOut.Add(1)
	} else {
		count(&c.transport.counters[channel].sent, frame)
	}
	if first && !c.spawn(func() { c.write(channel) }) {
		c.lanes[channel].close()
		return Absent
	}
	return outcome
}

// write sends a channel's frames, in order, until the connection ends.
func (c *conn) write(channel Channel) {
	l := &c.lanes[channel]
	defer l.close()
	stream, err := c.quic.OpenUniStream()
	if err != nil {
		c.end(NewRefusal(CodeStream, "no stream for %v", channel))
		return
	}
	if channel == Consensus {
		stream.SetPriority(0, true)
	}
	l.mu.Lock()
	l.stream = stream
	l.mu.Unlock()
	w := writer{conn: c, lane: l, stream: stream, buffer: []byte{byte(channel)}}
	var frames [][]byte
	for {
		frames = l.take(frames)
		for i, frame := range frames {
			sent := w.frame(frame)
			l.pool.drop(frame)
			if !sent {
				for _, lost := range frames[i+1:] {
					l.pool.drop(lost)
				}
				return
			}
		}
		if !w.flush() {
			return
		}
		if len(frames) > 0 {
			continue
		}
		select {
		case <-l.wake:
		case <-c.quic.Context().Done():
			return
		}
	}
}

// writer gathers small frames into one write.
type writer struct {
	conn   *conn
	lane   *lane
	stream *quic.SendStream
	buffer []byte
}

func (w *writer) frame(frame []byte) bool {
	if len(w.buffer)+len(frame) > batch && !w.flush() {
		return false
	}
	w.buffer = appendLength(w.buffer, len(frame))
	if len(frame) <= batch {
		w.buffer = append(w.buffer, frame...)
		return true
	}
	for w.flush() && len(frame) > 0 {
		n := min(len(frame), batch)
		if !w.write(frame[:n]) {
			return false
		}
		frame = frame[n:]
	}
	return len(frame) == 0
}

func (w *writer) flush() bool {
	if len(w.buffer) == 0 {
		return true
	}
	ok := w.write(w.buffer)
	w.buffer = w.buffer[:0]
	return ok
}

func (w *writer) write(b []byte) bool {
	w.lane.writing.Store(w.conn.tick.Load())
	_, err := w.stream.Write(b)
	w.lane.writing.Store(0)
	if err != nil {
		w.conn.end(NewRefusal(CodeStream, "a stream was given up"))
	}
	return err == nil
}

// read takes a channel's frames off its stream until something ends it.
func (c *conn) read(stream *quic.ReceiveStream) {
	r := bufio.NewReaderSize(stream, readBuffer)
	first, err := r.ReadByte()
	if err != nil {
		c.end(NewRefusal(CodeStream, "a stream without a channel"))
		return
	}
	channel := Channel(first)
	if channel >= ChannelCount || c.peer.Purpose == Lookup && channel != Discovery || c.lanes[channel].opened.Swap(true) {
		c.end(NewRefusal(CodeStream, "a stream for %v", channel))
		return
	}
	err = c.deliver(r, channel)
	var long errFrameLong
	switch {
	case errors.As(err, &long), errors.Is(err, errFrameEmpty), errors.Is(err, errFrameLength):
		c.end(NewRefusal(CodeFrame, "on %v: %v", channel, err))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		c.end(NewRefusal(CodeStream, "%v ended", channel))
	case err != nil:
		c.end(NewRefusal(CodeStream, "%v was given up", channel))
	}
}

// deliver hands frames to the host. It returns nil when the connection ended.
func (c *conn) deliver(r *bufio.Reader, channel Channel) error {
	l, t := &c.lanes[channel], c.transport
	allowed := newAllowance(l.budget)
	counters := &t.counters[channel]
	grew := func() { l.reading.Store(c.tick.Load()) }
	for {
		if _, err := r.Peek(1); err != nil {
			return err
		}
		grew()
		n, err := readLength(r, l.budget.FrameMax)
		if err != nil {
			return err
		}
		body, err := readBody(r, n, func(more int) bool {
			grew()
			return t.pool.take(more, l.capped)
		})
		l.reading.Store(0)
		held := max(len(body)-step, 0)
		if err != nil || len(body) < n {
			t.pool.give(held)
		}
		if err == nil && len(body) < n {
			counters.shedIn.Add(1)
			err = skip(r, n-len(body), grew)
			l.reading.Store(0)
			if err == nil && !c.rest(allowed.use(t.config.Clock.Now(), n), counters) {
				return nil
			}
			if err == nil {
				continue
			}
		}
		if err != nil {
			return err
		}
		count(&counters.received, body)
		l.credit.take(n)
		frame := &Frame{From: c.peer.ID, Channel: channel, Data: body, credit: &l.credit}
		if !t.host.Receive(frame) {
			frame.Done()
			counters.shedIn.Add(1)
		}
		t.pool.give(held)
		if !c.rest(allowed.use(t.config.Clock.Now(), n), counters) {
			return nil
		}
		for room := l.credit.wait(); room != nil; room = l.credit.wait() {
			counters.throttled.Add(1)
			select {
			case <-room:
			case <-c.quic.Context().Done():
				return nil
			}
		}
	}
}

// rest holds a peer back that is over its channel's rate; false means that the connection ended meanwhile.
func (c *conn) rest(d time.Duration, counters *counter) bool {
	if d <= 0 {
		return true
	}
	counters.throttled.Add(1)
	return c.sleep(d)
}
