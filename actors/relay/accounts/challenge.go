package accounts

import (
	"crypto/rand"
	"net/netip"
	"sync"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/door"
)

// ChallengeLife is how long a challenge holds.
//
// Spec: storage-cbfs §3.4.
const ChallengeLife = 30 * time.Second

// Bounds of the challenges that hold.
const (
	mostChallenges   = 8_192
	sourceChallenges = 256 // of one source
	eachChallenges   = 16  // for one certificate, of one source
)

// challenge is one that was given and not used.
type challenge struct {
	id    [IDSize]byte
	bytes [ChallengeSize]byte
	asked asker
	until time.Time
	place *door.Place
	gone  bool
}

// asker is who asked for a challenge: the hash of the certificate, and from where.
type asker struct {
	certificate digest.Hash
	source      netip.Addr
}

// book keeps the challenges that hold. It is safe for many goroutines.
type book struct {
	now    func() time.Time
	places *door.Shares

	mu    sync.Mutex
	open  map[[IDSize]byte]*challenge
	held  map[asker]int // no entry is zero
	order []*challenge  // oldest first, with those that are gone
}

func newBook(now func() time.Time) *book {
	return &book{now: now, places: door.NewShares(mostChallenges, sourceChallenges), open: map[[IDSize]byte]*challenge{}, held: map[asker]int{}}
}

// give makes a challenge, or reports that whoever asks has as many as it may.
func (b *book) give(who asker) (*challenge, bool) {
	b.mu.Lock()
	b.expire()
	b.mu.Unlock()
	c := &challenge{asked: who, until: b.now().Add(ChallengeLife)}
	rand.Read(c.id[:])
	rand.Read(c.bytes[:])
	var ok bool
	c.place, ok = b.places.Try(who.source, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.drop(c)
	})
	if !ok {
		return nil, false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if c.gone || b.held[who] >= eachChallenges {
		c.gone = true
		c.place.Leave()
		return nil, false
	}
	b.open[c.id] = c
	b.held[who]++
	b.order = append(b.order, c)
	return c, true
}

// find gives the bytes of a challenge that holds and was given for a certificate.
func (b *book) find(id [IDSize]byte, certificate digest.Hash) ([ChallengeSize]byte, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.open[id]
	if c == nil || c.asked.certificate != certificate || !b.now().Before(c.until) {
		return [ChallengeSize]byte{}, false
	}
	return c.bytes, true
}

// use ends a challenge, and reports whether it held until now.
func (b *book) use(id [IDSize]byte) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.open[id]
	if c == nil {
		return false
	}
	b.drop(c)
	return b.now().Before(c.until)
}

// expire drops what holds no longer. The lock is held, here and below.
func (b *book) expire() {
	n := 0
	for _, c := range b.order {
		if !c.gone && b.now().Before(c.until) {
			break
		}
		b.drop(c)
		n++
	}
	clear(b.order[:n])
	b.order = b.order[n:]
}

// drop forgets a challenge, which may be gone already.
func (b *book) drop(c *challenge) {
	if c.gone {
		return
	}
	c.gone = true
	if b.open[c.id] != c {
		return // it is not entered yet
	}
	delete(b.open, c.id)
	if b.held[c.asked]--; b.held[c.asked] == 0 {
		delete(b.held, c.asked)
	}
	c.place.Leave()
}
