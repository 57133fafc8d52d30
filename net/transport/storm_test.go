package transport

import (
	"math/rand/v2"
	"testing"
)

// Strangers that say anything at all, at any stage, leave a node as it was: every one of them is let go or holds one place, and an
// honest node gets in and is heard.
func TestGarbageStorm(t *testing.T) {
	config := testConfig("b")
	config.Limits.PerAddress = 200
	b := start(t, config)
	random := rand.New(rand.NewPCG(11, 11))
	noise := func(n int) []byte {
		out := make([]byte, 1+random.IntN(n))
		for i := range out {
			out[i] = byte(random.Uint32())
		}
		return out
	}
	for round := range 60 {
		s := newStranger(t, b)
		switch round % 4 {
		case 0: // a hello of noise
			s.say(noise(600))
		case 1: // a hello with some bytes changed
			g := testHello().encode()
			for range 1 + random.IntN(3) {
				g[random.IntN(len(g))] ^= byte(1 + random.IntN(255))
			}
			s.say(g)
		case 2: // noise where streams should be, before any hello
			if stream, err := s.conn.OpenUniStream(); err == nil {
				_, _ = stream.Write(noise(3000))
			}
		case 3: // a good hello, then noise on a channel
			if _, err := readHello(s.say(testHello().encode())); err != nil {
				continue // refused: the one before it still has the stranger's place
			}
			if stream, err := s.conn.OpenUniStream(); err == nil {
				_, _ = stream.Write(append([]byte{byte(random.IntN(ChannelCount + 1))}, noise(3000)...))
			}
		}
		if round%3 == 0 {
			_ = s.conn.CloseWithError(0xffff_ffff, "\x00\xff\x1b[2J")
		}
	}
	a := named(t, "a")
	a.Dial(Target{ID: b.Self(), Address: b.Address()})
	await(t, a.up, "peer")
	if o := a.Send(b.Self(), Consensus, []byte("after the storm")); o != Queued {
		t.Fatal(o)
	}
	for { // noise may have held frames by chance
		f := await(t, b.frames[Consensus], "frame")
		if f.From == a.Self() && string(f.Data) == "after the storm" {
			return
		}
		if f.From == a.Self() {
			t.Fatalf("%q", f.Data)
		}
	}
}
