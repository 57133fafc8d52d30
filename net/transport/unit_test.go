package transport

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

func TestIdentity(t *testing.T) {
	k := testKey("a")
	again, err := KeyFromSeed(k.Seed())
	if err != nil || again.ID() != k.ID() {
		t.Fatal(err)
	}
	// printf '_COWBOY_NET_PEER' followed by 32 zero bytes, through sha256sum.
	const want = "6b924970df2016127a188f8976b979d8de9a26e4c5b42760e29854d73c306a96"
	if got := (PublicKey{}).ID().String(); got != want {
		t.Errorf("the identity of the zero key is %s", got)
	}
	id, err := ParseID(k.ID().String())
	if err != nil || id != k.ID() || id.Compare(k.ID()) != 0 || id.IsZero() || !strings.HasPrefix(id.String(), id.Short()) {
		t.Error(id, err)
	}
	for _, s := range []string{"", "ab", strings.Repeat("g", 64), strings.Repeat("0", 66)} {
		if _, err := ParseID(s); !errors.Is(err, ErrKey) {
			t.Errorf("%q: %v", s, err)
		}
	}
	if _, err := KeyFromSeed(make([]byte, 31)); !errors.Is(err, ErrKey) {
		t.Error(err)
	}
	s := k.Sign("domain", []byte("m"))
	p := k.Public()
	if !p.Verify("domain", []byte("m"), s) || p.Verify("other", []byte("m"), s) || p.Verify("domain", []byte("n"), s) ||
		p.Verify("domain", []byte("m"), s[1:]) {
		t.Error("signatures")
	}
	if _, err := NewKey(iotest.ErrReader(io.ErrNoProgress)); !errors.Is(err, io.ErrNoProgress) {
		t.Error(err)
	}
}

func TestFrameLength(t *testing.T) {
	for _, n := range []int{1, 127, 128, 16383, 16384, 1<<28 - 1} {
		b := appendLength(nil, n)
		got, err := readLength(bytes.NewReader(b), 1<<28)
		if err != nil || got != n {
			t.Errorf("%d is read as %d, %v", n, got, err)
		}
		if n > 1 {
			if _, err := readLength(bytes.NewReader(b), n-1); !errors.As(err, new(errFrameLong)) {
				t.Errorf("%d over its limit: %v", n, err)
			}
		}
	}
	if _, err := readLength(bytes.NewReader(nil), 9); err != io.EOF {
		t.Error(err)
	}
	if _, err := readLength(bytes.NewReader([]byte{0x80}), 9); err != io.ErrUnexpectedEOF {
		t.Error(err)
	}
}

// An announced frame costs at most twice the bytes that came, and one step.
func TestFrameMemoryFollowsBytes(t *testing.T) {
	const announced, sent = 256 << 20, 3 << 20
	r := bufio.NewReader(io.LimitReader(zeros{}, sent))
	grown := 0
	used := testing.AllocsPerRun(1, func() { _, _ = readBody(r, announced, func(int) bool { grown++; return true }) })
	if grown > 16 || used > 32 {
		t.Errorf("grew %d times, %v allocations", grown, used)
	}
	var most int
	r = bufio.NewReader(io.LimitReader(zeros{}, sent))
	have := step
	if _, err := readBody(r, announced, func(int) bool { have *= 2; most = have; return true }); err != io.ErrUnexpectedEOF {
		t.Error(err)
	}
	if most > 2*sent+step {
		t.Errorf("%d bytes allocated for %d", most, sent)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestRate(t *testing.T) {
	now := time.Unix(0, 0)
	r := newRate(100, 2)
	for i, c := range []struct {
		after time.Duration
		n     int
		want  time.Duration
	}{
		{0, 200, 0},                               // the whole burst
		{0, 1, 10 * time.Millisecond},             // in debt by one
		{10 * time.Millisecond, 100, time.Second}, // paid back, then a second's worth
		{time.Second, 0, 0},                       // paid
		{time.Hour, 200, 0},                       // the burst does not add up beyond its size
		{0, 1000, 10 * time.Second},               // more than the burst goes through and is paid for
		{9 * time.Second, 0, time.Second},         // most of it is
		{2 * time.Second, 300, 2 * time.Second},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			now = now.Add(c.after)
			if got := r.use(now, c.n); got != c.want {
				t.Errorf("%d after %v: wait %v, want %v", c.n, c.after, got, c.want)
			}
		})
	}
	a := newAllowance(Budget{BytesPerSecond: 1000, FramesPerSecond: 1, Burst: 1})
	if a.use(now, 10) != 0 || a.use(now, 10) != time.Second {
		t.Error("the number of frames is not counted")
	}
}

func TestCredit(t *testing.T) {
	c := credit{limit: 10}
	c.take(9)
	if c.wait() != nil {
		t.Error("there was room")
	}
	f, g := Frame{Data: make([]byte, 9), credit: &c}, Frame{Data: make([]byte, 5), credit: &c}
	c.take(5)
	room := c.wait()
	if room == nil || c.wait() != room {
		t.Fatal("there was no room")
	}
	g.Done()
	select {
	case <-room:
	default:
		t.Error("room was made and nobody told")
	}
	f.Done()
	f.Done()
	if c.used.Load() != 0 || c.wait() != nil {
		t.Error("a frame was given back twice, or not at all")
	}
	(&Frame{}).Done()
}

func TestAdmission(t *testing.T) {
	self, small, large := ID{5}, ID{1}, ID{9}
	now := time.Unix(0, 0)
	v4 := func(s string) netip.Addr { return netip.MustParseAddr(s) }
	d := newAdmission(self, Limits{Inbound: 2, Lookups: 1, PerAddress: 2}, []ID{{0xfe}})
	in := func(id ID, a string) place { return place{id: id, address: v4(a), inbound: true} }
	for i, c := range []struct {
		p    place
		want Code
		ok   bool
	}{
		{in(self, "10.0.0.1"), CodeSelf, false},
		{in(small, "10.0.0.1"), 0, true},
		{in(large, "::ffff:10.0.0.1"), 0, true}, // the same address in other clothes
		{in(ID{7}, "10.0.0.2"), CodeFull, false},
		{place{id: ID{7}, address: v4("10.0.0.1"), inbound: true, purpose: Lookup}, CodeCrowded, false},
		{place{id: ID{7}, address: v4("10.0.0.2"), inbound: true, purpose: Lookup}, 0, true},
		{place{id: ID{8}, address: v4("10.0.0.3"), inbound: true, purpose: Lookup}, CodeFull, false},
		{place{id: ID{8}, address: v4("10.0.0.3")}, 0, true}, // dialed by us: not counted here
		{in(ID{0xfe}, "10.0.0.1"), 0, true},                  // reserved: neither cap holds, and none is used up
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			r := d.judge(c.p, nil, now)
			if (r == nil) != c.ok || r != nil && r.Code != c.want {
				t.Fatalf("%+v: %v", c.p, r)
			}
			if r == nil {
				d.enter(c.p)
			}
		})
	}
	if source(v4("2001:db8::1")) != source(v4("2001:db8::ffff")) || source(v4("2001:db8:0:1::1")) == source(v4("2001:db8::1")) {
		t.Error("IPv6 addresses are not counted by /64")
	}
	d.leave(in(small, "10.0.0.1"))
	d.leave(in(large, "10.0.0.1"))
	d.leave(in(ID{0xfe}, "10.0.0.1"))
	d.leave(place{id: ID{7}, address: v4("10.0.0.2"), inbound: true, purpose: Lookup})
	if d.inbound != 0 || d.lookups != 0 || len(d.sources) != 0 {
		t.Errorf("left behind: %+v", d)
	}
	for i := range blockedMax + 10 {
		d.block(ID{byte(i), byte(i >> 8), 1}, now.Add(time.Duration(i+1)*time.Second), now)
	}
	if len(d.blocked) != blockedMax {
		t.Errorf("%d identities are blocked", len(d.blocked))
	}
	if _, first := d.blocked[ID{0, 0, 1}]; first {
		t.Error("the wrong one was forgotten")
	}
	d.block(ID{20, 0, 1}, now, now)
	if r := d.judge(place{id: ID{20, 0, 1}}, nil, now); r != nil {
		t.Error("a lifted ban holds")
	}
	if r := d.judge(place{id: ID{30, 0, 1}}, nil, now); r == nil || r.Code != CodeBlocked {
		t.Error("a ban does not hold")
	}
	if r := d.judge(place{id: ID{30, 0, 1}}, nil, now.Add(time.Hour)); r != nil {
		t.Error("a ban does not end")
	}
}

// Of two connections both ends keep the same one.
func TestDisplaces(t *testing.T) {
	small, large := ID{1}, ID{2}
	dialedBySmall := func(self ID) place { return place{id: other(self, small, large), inbound: self == large} }
	dialedByLarge := func(self ID) place { return place{id: other(self, small, large), inbound: self == small} }
	for _, self := range []ID{small, large} {
		if !displaces(self, dialedBySmall(self), dialedByLarge(self)) || displaces(self, dialedByLarge(self), dialedBySmall(self)) {
			t.Errorf("%v keeps the wrong one", self)
		}
		fresh := dialedByLarge(self)
		fresh.instance++
		if !displaces(self, fresh, dialedBySmall(self)) {
			t.Error("a restarted peer waits")
		}
		fresh.purpose = Lookup
		if displaces(self, fresh, dialedBySmall(self)) || !displaces(self, dialedBySmall(self), fresh) {
			t.Error("a lookup and a full connection")
		}
		if !displaces(self, dialedBySmall(self), dialedBySmall(self)) {
			t.Error("a second dial of the same side waits")
		}
	}
}

func other(self, a, b ID) ID {
	if self == a {
		return b
	}
	return a
}

func TestRefusalText(t *testing.T) {
	r := NewRefusal(CodeFrame, "a\x1b[2J%s", strings.Repeat("é", 300))
	if len(r.Text) != textMax || strings.ContainsFunc(r.Text, func(c rune) bool { return c < ' ' || c > '~' }) {
		t.Errorf("%q", r.Text)
	}
	if errors.Is(r, ErrFull) || !errors.Is(r, ErrFrame) || Code(999).String() != "code(999)" {
		t.Error("codes")
	}
	if s := (&Refusal{Code: CodeFull, Remote: true}).Error(); s != "transport: refused by the peer: full" {
		t.Error(s)
	}
}

// FuzzHello: any bytes give an error or a hello that is written as it was read.
func FuzzHello(f *testing.F) {
	f.Add(testHello().encode())
	f.Add([]byte("CWBY"))
	f.Fuzz(func(t *testing.T, b []byte) {
		g, err := decodeHello(b)
		if err != nil {
			return
		}
		again := g.encode()
		if g.high > Version {
			b = b[:min(len(b), len(again))]
		}
		if !bytes.Equal(again, b) {
			t.Errorf("%x was read as %+v", b, g)
		}
		if len(again) > helloMax {
			t.Errorf("%d bytes", len(again))
		}
	})
}

// FuzzAnswer: any bytes give an error or an answer that reads the same when written.
func FuzzAnswer(f *testing.F) {
	f.Add(answer{hello: testHello()}.encode())
	f.Add(answer{hello: testHello(), refusal: NewRefusal(CodeGenesis, "other")}.encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := decodeAnswer(b)
		if err != nil {
			return
		}
		again, err := decodeAnswer(a.encode())
		if err != nil || !reflect.DeepEqual(a, again) {
			t.Errorf("%+v became %+v, %v", a, again, err)
		}
	})
}

// FuzzFrames: any stream of bytes is taken apart into frames within their limit, which written again begin the same stream.
func FuzzFrames(f *testing.F) {
	f.Add([]byte{1, 'a', 2, 'b', 'c'})
	f.Add([]byte{0x80, 1})
	f.Add([]byte{0xff, 0xff, 0xff, 0x7f, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		r := bufio.NewReader(bytes.NewReader(b))
		var again []byte
		for {
			n, err := readLength(r, 1000)
			if err != nil {
				break
			}
			body, err := readBody(r, n, func(int) bool { return true })
			if err != nil {
				break
			}
			if len(body) == 0 || len(body) > 1000 {
				t.Fatalf("%d bytes", len(body))
			}
			again = append(appendLength(again, n), body...)
		}
		if !bytes.HasPrefix(b, again) {
			t.Errorf("%x became %x", b, again)
		}
	})
}
