package transport

import "sync"

// pool bounds the bytes that frames of all connections take while they are read and while they wait to be sent. Connections that the caps hold for, those of
// strangers who dialed, fill it up to three quarters: the others find room however many strangers there are.
type pool struct {
	limit int64
	tell  func(used int64) // may be nil

	mu     sync.Mutex
	used   int64
	frames map[*byte]int // that wait to be sent, and for how many connections
}

func newPool(limit int64, tell func(int64)) *pool {
	return &pool{limit: limit, tell: tell, frames: map[*byte]int{}}
}

// take takes n bytes or reports that there is no room.
func (p *pool) take(n int, capped bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.count(int64(n), capped)
}

// give gives n bytes back.
func (p *pool) give(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.add(int64(-n))
}

// hold takes the bytes of a frame that waits for a connection, once however many it waits for.
func (p *pool) hold(frame []byte, capped bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := &frame[0]
	if p.frames[key] == 0 && !p.count(int64(len(frame)), capped) {
		return false
	}
	p.frames[key]++
	return true
}

// drop says that a frame waits for a connection no longer.
func (p *pool) drop(frame []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := &frame[0]
	if p.frames[key]--; p.frames[key] == 0 {
		delete(p.frames, key)
		p.add(-int64(len(frame)))
	}
}

func (p *pool) count(n int64, capped bool) bool {
	bound := p.limit
	if capped {
		bound -= bound / 4
	}
	if n > bound-p.used {
		return false
	}
	p.add(n)
	return true
}

func (p *pool) add(n int64) {
	p.used += n
	if p.tell != nil {
		p.tell(p.used)
	}
}
