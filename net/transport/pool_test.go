package transport

import "testing"

// What strangers take of the pool leaves a quarter to the others; a frame that waits for several connections counts once.
func TestPool(t *testing.T) {
	told := int64(-1)
	p := newPool(100, func(used int64) { told = used })
	if p.take(76, true) || !p.take(75, true) || p.take(1, true) || p.take(26, false) || !p.take(25, false) || told != 100 {
		t.Errorf("the pool gave what it has not, or kept what it has: %d", told)
	}
	p.give(60)
	frame := make([]byte, 40)
	if p.hold(frame, true) || !p.hold(frame, false) || !p.hold(frame, true) || !p.hold(frame, false) || told != 80 {
		t.Errorf("a frame for three is counted as %d", told-40)
	}
	p.drop(frame)
	p.drop(frame)
	if told != 80 {
		t.Errorf("a frame that still waits is not counted: %d", told)
	}
	if p.drop(frame); told != 40 || len(p.frames) != 0 {
		t.Errorf("a frame that waits no longer is counted: %d", told)
	}
}

// Limits fit into a memory: windows and frames in its halves, and never below what a node needs to talk.
func TestLimitsWithin(t *testing.T) {
	before := DefaultLimits()
	for memory := int64(2 << 30); memory >= 40<<20; memory -= memory / 9 {
		l := DefaultLimits().Within(memory)
		if err := l.check(); err != nil {
			t.Fatal(err)
		}
		if l.windows() > memory/2 || l.Frames > memory/2 {
			t.Errorf("%d bytes: windows %d, frames %d", memory, l.windows(), l.Frames)
		}
		if l.Inbound > before.Inbound || l.Lookups > before.Lookups || l.Window > before.Window || l.Inbound < inboundLeast || l.Lookups < lookupsLeast {
			t.Errorf("%d bytes: %+v", memory, l)
		}
		before = l
	}
	if l := DefaultLimits().Within(2 << 30); l != DefaultLimits() {
		t.Errorf("a large memory lowers limits: %+v", l)
	}
}

// Strangers who announce and send large frames cost the pool and no more: what has no room is read over and dropped, small frames and those of a friend still
// come, and when the strangers are gone nothing is taken.
func TestFramesOfStrangersAreBounded(t *testing.T) {
	config := testConfig("b")
	const most = 4 << 20
	config.Limits.Frames = most
	highest, last := int64(0), int64(0)
	watch := make(chan struct{}, 1)
	watch <- struct{}{}
	config.Held = func(used int64) {
		<-watch
		highest, last = max(highest, used), used
		watch <- struct{}{}
	}
	friend := named(t, "friend")
	config.Reserved = []ID{friend.Self()}
	b := start(t, config)
	large := make([]byte, 5<<20) // more than there is room for
	for _, name := range []string{"s1", "s2", "s3"} {
		s := named(t, name)
		join(t, s, b)
		if s.Send(b.Self(), Blocks, large) != Queued {
			t.Fatal("shed by the sender")
		}
		deliver(t, s, b, Consensus, []byte(name))
	}
	waitFor(t, func() bool { return b.Tallies()[Blocks].ShedIn == 3 })
	join(t, friend, b)
	deliver(t, friend, b, Blocks, large[:1<<20])
	waitFor(t, func() bool {
		<-watch
		defer func() { watch <- struct{}{} }()
		return last == 0
	})
	if highest > most || highest == 0 {
		t.Errorf("frames took %d bytes, the bound is %d", highest, most)
	}
}
