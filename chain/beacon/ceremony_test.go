package beacon

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

const namespace = sig.Namespace("cowboy-test")

// TestFreshKey makes a key nobody dealt: any quorum of the holders gives the same seed, under the sum of the dealers' constants.
// Spec: WP §3.4; commonware §4.2, §4.3.
func TestFreshKey(t *testing.T) {
	s := newSet(t, named(4)...)
	c := newCeremony(t, 0, newSet(t, named(4)...), s)
	logs, refused := c.run()
	if len(logs) != 4 || len(refused) != 0 {
		t.Fatalf("%d logs, refused %v", len(logs), refused)
	}
	o := c.finish(logs)
	if len(o.Logs) != 3 || len(o.Public) != 0 {
		t.Errorf("%d logs used, public %v", len(o.Logs), o.Public)
	}
	round := sig.Round{View: 9}
	first, err := seed(s, o.Sharing.GroupKey(), round, 0, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	second, err := seed(s, o.Sharing.GroupKey(), round, 3, 1, 2)
	if err != nil || first != second {
		t.Errorf("two quorums, two seeds: %v", err)
	}
	// The group's secret is the sum of the three constants: so is the aggregate of their signatures the seed.
	var parts []sig.BLSSignature
	for _, name := range s.names[:3] {
		parts = append(parts, private(t, "fresh", name).Sign(namespace.Seed(round)))
	}
	if sum, err := bls.Aggregate(parts); err != nil || sum != first {
		t.Errorf("the seed is not the sum's: %v", err)
	}
}

// TestReshare hands the key from one set to another that keeps some members, loses two and gains three, with a crashed dealer, a lying one and a
// silent player. The group key and the seeds stay; what the removed validators hold is useless.
// Spec: WP §3.4; commonware §4.2, §4.3.
func TestReshare(t *testing.T) {
	old := newSet(t, named(7)...).deal(t) // threshold 5
	next := newSet(t, "v0", "v1", "v2", "v4", "v5", "new0", "new1", "new2")
	c := newCeremony(t, 3, old, next)
	c.crashed = []uint32{1}
	c.silent = []uint32{6}
	c.tamper = func(d Deal) Deal { // dealer 2 gives player 3 a wrong value
		if d.Dealer == 2 && d.Share.Index == 3 {
			d.Share.Key = private(t, "lie")
		}
		return d
	}
	c.forge = func(l *Log) *Log { // and hides it
		if l.Dealer == 2 {
			for i := range l.Reveals {
				if l.Reveals[i].Index == 3 {
					l.Reveals[i].Key = private(t, "lie")
				}
			}
		}
		return l
	}
	logs, refused := c.run()
	if !errors.Is(refused[2], ErrShare) || len(logs) != 5 {
		t.Fatalf("%d logs, refused %v", len(logs), refused)
	}
	o := c.finish(logs)
	if !slices.Equal(o.Public, []uint32{6}) {
		t.Errorf("public players %v, want 6", o.Public)
	}
	if o.Sharing.GroupKey().Bytes() != old.sharing.GroupKey().Bytes() {
		t.Fatal("resharing changed the group key")
	}
	if next.sharing.Threshold() != 6 || next.sharing.Total() != 8 {
		t.Errorf("%d of %d", next.sharing.Threshold(), next.sharing.Total())
	}
	group := old.sharing.GroupKey()
	round := sig.Round{Epoch: 3, View: 17}
	want, err := seed(old, group, round, 0, 1, 2, 3, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, ranks := range [][]int{{0, 1, 2, 3, 4, 5}, {2, 3, 4, 5, 6, 7}} {
		if got, err := seed(next, group, round, ranks...); err != nil || got != want {
			t.Errorf("new holders %v: %v", ranks, err)
		}
	}
	useless(t, old, next, round)
}

// useless shows that old shares, of v3 and v6 who left and of whoever did not forget, neither verify under the new key nor combine with new shares.
func useless(t *testing.T, old, next *set, round sig.Round) {
	t.Helper()
	group, message := old.sharing.GroupKey(), namespace.Seed(round)
	for _, left := range []int{3, 6} {
		partial := old.shares[left].Sign(message)
		for rank := range uint32(len(next.names)) {
			key, err := next.sharing.PartialKey(rank)
			if err != nil {
				t.Fatal(err)
			}
			if bls.Verify(key, message, partial.Signature) == nil {
				t.Errorf("an old share passes as rank %d's", rank)
			}
		}
		var mixed []bls.Partial
		for rank := range 6 { // five new ones and the old one in its old place or in a free one
			mixed = append(mixed, next.shares[rank].Sign(message))
		}
		mixed[left%6] = bls.Partial{Index: uint32(left), Signature: partial.Signature}
		if out, err := bls.Recover(6, mixed); err == nil && bls.Verify(group, message, out) == nil {
			t.Errorf("the share of v%d completes a quorum of the new set", left)
		}
	}
	if _, err := seed(old, group, round, 3, 6, 0, 1); !errors.Is(err, bls.ErrThreshold) {
		t.Errorf("fewer than a quorum of old shares: %v", err)
	}
}

// TestFailed: fewer logs than the present threshold make no key, and dealers beyond f cannot force one through.
// Spec: commonware §4.3 (4, failed ceremony).
func TestFailed(t *testing.T) {
	old, next := newSet(t, named(4)...).deal(t), newSet(t, named(4)...)
	c := newCeremony(t, 1, old, next)
	c.crashed = []uint32{0, 3}
	logs, _ := c.run()
	if _, err := c.info.Finish(logs); !errors.Is(err, ErrFailed) {
		t.Errorf("two logs of three: %v", err)
	}
	c.crashed = nil
	logs, _ = c.run()
	if _, err := c.info.Finish([]*Log{logs[1], logs[0], logs[2]}); !errors.Is(err, ErrLog) {
		t.Errorf("out of order: %v", err)
	}
	if _, err := c.info.Finish([]*Log{logs[0], logs[0], logs[2]}); !errors.Is(err, ErrLog) {
		t.Errorf("one dealer twice: %v", err)
	}
}

// TestSilent: more than f silent players give a dealer no log; up to f have their values opened.
// Spec: commonware §4.3 (3).
func TestSilent(t *testing.T) {
	old, next := newSet(t, named(4)...).deal(t), newSet(t, named(7)...) // f = 2
	c := newCeremony(t, 1, old, next)
	c.silent = []uint32{1, 4}
	logs, refused := c.run()
	if len(logs) != 4 || len(logs[0].Reveals) != 2 {
		t.Fatalf("%d logs, refused %v", len(logs), refused)
	}
	c.finish(logs)
	c = newCeremony(t, 1, old, next)
	c.silent = []uint32{1, 4, 5}
	if _, refused := c.run(); !errors.Is(refused[0], ErrSilent) {
		t.Errorf("three silent: %v", refused)
	}
}

// TestBadAck: an answer that is not the player's is refused, and its player's value opened. Spec: commonware §4.3 (2, 3).
func TestBadAck(t *testing.T) {
	old, next := newSet(t, named(4)...).deal(t), newSet(t, named(4)...)
	c := newCeremony(t, 1, old, next)
	d := c.dealer(0)
	for _, p := range c.players[:3] {
		c.offer(d, p)
	}
	for name, a := range map[string]Ack{
		"something else":    {Player: 3, Signature: next.keys[3].Sign([]byte("something else"))},
		"by another player": {Player: 3, Signature: next.keys[2].Sign(c.info.preimage(held, 0, d.commitment))},
		"to another dealer": {Player: 3, Signature: next.keys[3].Sign(c.info.preimage(held, 1, d.commitment))},
		"nothing":           {Player: 3},
	} {
		t.Run(name, func(t *testing.T) {
			if err := d.Acknowledge(a); !errors.Is(err, ErrAck) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	for _, a := range []Ack{{Dealer: 1, Player: 3}, {Player: 4}} {
		if err := d.Acknowledge(a); !errors.Is(err, ErrRank) {
			t.Errorf("%+v: %v", a, err)
		}
	}
	log, err := d.Log()
	if err != nil || d.Silent() != 1 || d.Acknowledged(3) || !d.Acknowledged(2) || len(log.Reveals) != 1 || log.Reveals[0].Index != 3 {
		t.Fatalf("%d silent, %v", d.Silent(), err)
	}
	if err := c.info.Check(log); err != nil {
		t.Error(err)
	}
}

// redeal is what a dealer would say with another polynomial over its share.
func redeal(t *testing.T, info *Info, s *set, dealer, player uint32) Deal {
	t.Helper()
	polynomial, err := bls.NewPolynomial(s.shares[dealer].Key, [][]byte{scalar("x"), scalar("y")})
	if err != nil {
		t.Fatal(err)
	}
	d := Deal{Dealer: dealer}
	if d.Share, err = polynomial.Share(player); err != nil {
		t.Fatal(err)
	}
	if d.Commitment, err = polynomial.Commit(uint32(len(info.Players))); err != nil {
		t.Fatal(err)
	}
	d.Signature = s.keys[dealer].Sign(info.preimage(dealt, dealer, d.Commitment))
	return d
}

// TestPlayer refuses what does not belong to it, and does not answer twice differently. Spec: commonware §4.3 (2).
func TestPlayer(t *testing.T) {
	old, next := newSet(t, named(4)...).deal(t), newSet(t, named(4)...)
	c := newCeremony(t, 1, old, next)
	p := c.players[1]
	good, err := c.dealer(0).Deal(1)
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := NewInfo(namespace, 1, nil, old.publics, next.publics)
	if err != nil {
		t.Fatal(err)
	}
	stranger, err := NewDealer(fresh, 0, old.keys[0], private(t, "stranger"))
	if err != nil {
		t.Fatal(err)
	}
	other, _ := stranger.Deal(1)
	second := redeal(t, c.info, old, 0, 1)
	first, err := p.Receive(good)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := p.Receive(good); err != nil || again != first {
		t.Errorf("the same deal again: %v", err)
	}
	for name, x := range map[string]struct {
		edit func(d *Deal)
		want error
	}{
		"another player's":    {func(d *Deal) { d.Share.Index = 2 }, ErrRank},
		"no such dealer":      {func(d *Deal) { d.Dealer = 4 }, ErrRank},
		"another's place":     {func(d *Deal) { d.Dealer = 1 }, ErrCommitment},
		"another's constant":  {func(d *Deal) { *d = other }, ErrCommitment},
		"wrong value":         {func(d *Deal) { d.Share.Key = private(t, "lie") }, ErrShare},
		"a second deal":       {func(d *Deal) { *d = second }, ErrAgain},
		"not signed":          {func(d *Deal) { *d = second; d.Signature = good.Signature }, ErrDealer},
		"another's signature": {func(d *Deal) { d.Signature = old.keys[1].Sign(c.info.preimage(dealt, 0, d.Commitment)) }, ErrDealer},
		"an answer as a deal": {func(d *Deal) { d.Signature = old.keys[0].Sign(c.info.preimage(held, 0, d.Commitment)) }, ErrDealer},
	} {
		t.Run(name, func(t *testing.T) {
			d := good
			x.edit(&d)
			if _, err := p.Receive(d); !errors.Is(err, x.want) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	if _, err := NewDealer(c.info, 1, old.keys[1], old.shares[0].Key); !errors.Is(err, ErrCommitment) {
		t.Errorf("dealing another's share: %v", err)
	}
	if _, err := NewDealer(c.info, 0, old.keys[1], old.shares[0].Key); !errors.Is(err, ErrRank) {
		t.Errorf("dealing in another's place: %v", err)
	}
	if _, err := NewPlayer(c.info, 0, next.keys[1]); !errors.Is(err, ErrRank) {
		t.Errorf("another's rank: %v", err)
	}
}

// TestLost: a player that lost a deal it acknowledged cannot make its share, and says so. One whose values are in the open needs nothing.
// Spec: commonware §4.3 (4).
func TestLost(t *testing.T) {
	old, next := newSet(t, named(4)...).deal(t), newSet(t, named(4)...)
	c := newCeremony(t, 1, old, next)
	c.silent = []uint32{2}
	logs, _ := c.run()
	o := c.finish(logs)
	for rank, want := range map[uint32]error{1: ErrLost, 2: nil} {
		t.Run(fmt.Sprint(rank), func(t *testing.T) {
			p, err := NewPlayer(c.info, rank, next.keys[rank])
			if err != nil {
				t.Fatal(err)
			}
			share, err := p.Share(o)
			if !errors.Is(err, want) {
				t.Errorf("player %d: %v", rank, err)
			}
			if want == nil && !slices.Equal(share.Key.Bytes(), next.shares[rank].Key.Bytes()) {
				t.Errorf("player %d has another share", rank)
			}
		})
	}
}

// TestLog refuses logs that leave a player out, name one twice, open too much, or carry answers about something else. Spec: commonware §4.3 (3).
func TestLog(t *testing.T) {
	old, next := newSet(t, named(4)...).deal(t), newSet(t, named(4)...)
	c := newCeremony(t, 1, old, next)
	c.silent = []uint32{2}
	make1 := func() *Log {
		logs, _ := c.run()
		return logs[1]
	}
	share := func(player uint32) bls.Share {
		s, err := c.dealer(1).polynomial.Share(player)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for name, x := range map[string]struct {
		edit func(l *Log)
		want error
	}{
		"as made":            {func(*Log) {}, nil},
		"another dealer":     {func(l *Log) { l.Dealer = 0 }, ErrCommitment},
		"no such dealer":     {func(l *Log) { l.Dealer = 9 }, ErrRank},
		"nobody in the open": {func(l *Log) { l.Reveals = nil }, ErrLog},
		"both ways":          {func(l *Log) { l.Reveals[0] = share(1) }, ErrLog},
		"more in the open": {func(l *Log) {
			l.Acks = sig.NewSigners(4)
			l.Acks.Add(0)
			l.Acks.Add(3)
			l.Reveals = []bls.Share{share(1), share(2)}
		}, ErrLog},
		"other players":   {func(l *Log) { l.Acks = sig.NewSigners(5) }, ErrLog},
		"another answer":  {func(l *Log) { l.Aggregate = next.keys[0].Sign([]byte("x")) }, ErrAck},
		"no answer":       {func(l *Log) { l.Aggregate = sig.BLSSignature{} }, ErrAck},
		"wrong value":     {func(l *Log) { l.Reveals[0].Key = private(t, "lie") }, ErrShare},
		"shorter":         {func(l *Log) { l.Commitment = newSet(t, "a").deal(t).sharing }, ErrCommitment},
		"no such player":  {func(l *Log) { l.Reveals[0].Index = 4 }, ErrLog},
		"another's value": {func(l *Log) { l.Reveals[0].Key = share(1).Key }, ErrShare},
	} {
		t.Run(name, func(t *testing.T) {
			l := make1()
			x.edit(l)
			if err := c.info.Check(l); !errors.Is(err, x.want) {
				t.Errorf("%s: %v, want %v", name, err, x.want)
			}
		})
	}
	// A log of another epoch's ceremony, with everything else equal, does not count.
	info, err := NewInfo(namespace, 2, old.sharing, old.publics, next.publics)
	if err != nil {
		t.Fatal(err)
	}
	if err := info.Check(make1()); !errors.Is(err, ErrAck) {
		t.Errorf("another epoch's log: %v", err)
	}
}

// TestInfo refuses impossible ceremonies. Spec: commonware §4.3 (1).
func TestInfo(t *testing.T) {
	s := newSet(t, named(4)...).deal(t)
	for i, x := range []struct {
		previous *bls.Sharing
		dealers  []*bls.PublicKey
		players  []*bls.PublicKey
	}{{nil, nil, s.publics}, {nil, s.publics, nil}, {s.sharing, s.publics[:3], s.publics}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if _, err := NewInfo(namespace, 1, x.previous, x.dealers, x.players); !errors.Is(err, ErrInfo) {
				t.Errorf("%d dealers, %d players: %v", len(x.dealers), len(x.players), err)
			}
		})
	}
	most := slices.Repeat(s.publics[:1], sig.MaxParticipants)
	many := append(slices.Clone(most), s.publics[1])
	for i, x := range []struct {
		dealers, players []*bls.PublicKey
		want             error
	}{{most, s.publics, nil}, {s.publics, most, nil}, {many, s.publics, ErrInfo}, {s.publics, many, ErrInfo}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if _, err := NewInfo(namespace, 1, nil, x.dealers, x.players); !errors.Is(err, x.want) {
				t.Errorf("%d dealers, %d players: %v, want %v", len(x.dealers), len(x.players), err, x.want)
			}
		})
	}
}

// TestOne: a validator alone reshares to itself, and to a successor. Spec: commonware §4.3.
func TestOne(t *testing.T) {
	old, next := newSet(t, "a").deal(t), newSet(t, "b")
	c := newCeremony(t, 1, old, next)
	logs, refused := c.run()
	if len(logs) != 1 {
		t.Fatal(refused)
	}
	c.finish(logs)
	if _, err := seed(next, old.sharing.GroupKey(), sig.Round{Epoch: 1, View: 1}, 0); err != nil {
		t.Error(err)
	}
}

func FuzzDecodeLog(f *testing.F) {
	old, next := newSet(f, named(4)...).deal(f), newSet(f, named(4)...)
	c := newCeremony(f, 1, old, next)
	c.silent = []uint32{2}
	logs, _ := c.run()
	deal, err := c.dealer(0).Deal(1)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(logs[0].Encode())
	f.Add(deal.Encode())
	f.Add(Ack{Dealer: 1, Player: 2}.Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		if l, err := DecodeLog(data); err == nil {
			if !slices.Equal(l.Encode(), data) {
				t.Errorf("log %x encodes differently", data)
			}
			_ = c.info.Check(l) // must not panic
		}
		if d, err := DecodeDeal(data); err == nil {
			if !slices.Equal(d.Encode(), data) {
				t.Errorf("deal %x encodes differently", data)
			}
			_, _ = c.players[1].Receive(d)
		}
		if a, err := DecodeAck(data); err == nil && !slices.Equal(a.Encode(), data) {
			t.Errorf("acknowledgement %x encodes differently", data)
		}
	})
}

// BenchmarkCeremony is what one participant of n computes: its deals, answers and log, and everybody's checks and the outcome.
func BenchmarkCeremony(b *testing.B) {
	for _, n := range []int{4, 16, 64, 100} {
		old, next := newSet(b, named(n)...).deal(b), newSet(b, named(n)...)
		c := newCeremony(b, 1, old, next)
		c.silent = []uint32{0}
		d := c.dealer(0)
		for _, p := range c.players {
			c.offer(d, p)
		}
		log, err := d.Log()
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("part=deal/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				_, _ = c.dealer(0).Deal(1)
			}
		})
		deal, _ := d.Deal(1)
		b.Run(fmt.Sprintf("part=answer/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				_, _ = c.players[1].Receive(deal)
			}
		})
		b.Run(fmt.Sprintf("part=check/n=%d", n), func(b *testing.B) {
			b.ReportMetric(float64(len(log.Encode())), "bytes")
			for b.Loop() {
				if err := c.info.Check(log); err != nil {
					b.Fatal(err)
				}
			}
		})
		logs := make([]*Log, c.info.Required())
		for i := range logs {
			l := *log
			l.Dealer = uint32(i)
			logs[i] = &l
		}
		b.Run(fmt.Sprintf("part=finish/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := c.info.Finish(logs); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
