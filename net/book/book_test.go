package book

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/net/transport"
)

var epoch = time.Unix(1_700_000_000, 0)

func id(n int) transport.ID { return transport.ID{byte(n >> 8), byte(n), 1} }

func at(s string) netip.AddrPort { return netip.MustParseAddrPort(s) }

func up(n int, inbound bool) transport.Peer {
	return transport.Peer{ID: id(n), Address: at(fmt.Sprintf("10.0.%d.%d:9", n>>8, n&255)), Listen: 9, Inbound: inbound}
}

func TestParsePeer(t *testing.T) {
	good := id(7).String() + "@[2001:db8::1]:30"
	if p, err := ParsePeer(good); err != nil || p.ID != id(7) || p.Address != at("[2001:db8::1]:30") {
		t.Error(p, err)
	}
	for _, s := range []string{"", id(7).String(), "x@1.2.3.4:5", id(7).String() + "@1.2.3.4", id(7).String() + "@1.2.3.4:0", id(7).String() + "@0.0.0.0:1",
		id(7).String() + "@host:1"} {
		if _, err := ParsePeer(s); !errors.Is(err, ErrPeer) {
			t.Errorf("%q: %v", s, err)
		}
	}
}

// Delays double up to the cap; jitter takes at most their lower half away.
func TestBackoff(t *testing.T) {
	p := transport.Target{ID: id(1), Address: at("1.2.3.4:5")}
	b := New(Config{Persistent: []transport.Target{p}, Initial: time.Second, Seed: 5})
	now := epoch
	for n, want := range []time.Duration{1, 2, 4, 8, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10} {
		want *= time.Second
		if got := b.Next(now); len(got) != 1 || got[0] != p {
			t.Fatalf("attempt %d: %v", n, got)
		}
		if len(b.Next(now)) != 0 {
			t.Fatal("dialed twice at once")
		}
		b.Failed(p.ID, now)
		if len(b.Next(now.Add(want/2-1))) != 0 {
			t.Errorf("attempt %d: dialed again within half of %v", n, want)
		}
		now = now.Add(want)
	}
	b.Next(now)
	b.Up(transport.Peer{ID: p.ID, Address: p.Address}, now)
	if len(b.Next(now.Add(time.Hour))) != 0 {
		t.Error("a connected peer is dialed")
	}
	b.Down(p.ID, now)
	if len(b.Next(now)) != 0 || len(b.Next(now.Add(time.Second))) != 1 {
		t.Error("a peer that hung up is dialed after the first delay")
	}
}

func TestJitterDependsOnTheSeedAlone(t *testing.T) {
	trace := func(seed uint64) (out []transport.Target) {
		b := New(Config{Seed: seed, Outbound: 3})
		for i := range 40 {
			b.Learn(id(i), at(fmt.Sprintf("10.1.0.%d:1", i)))
		}
		for now := epoch; now.Before(epoch.Add(time.Minute)); now = now.Add(100 * time.Millisecond) {
			for _, t := range b.Next(now) {
				out = append(out, t)
				b.Failed(t.ID, now)
			}
		}
		return out
	}
	if !slices.Equal(trace(1), trace(1)) || slices.Equal(trace(1), trace(2)) {
		t.Error("the same seed must give the same dials, another other ones")
	}
}

func TestOutboundPlaces(t *testing.T) {
	b := New(Config{Outbound: 4, Group: 2, Persistent: []transport.Target{{ID: id(999), Address: at("10.9.9.9:9")}}})
	if !b.Hungry(epoch) {
		t.Error("a book that knows nobody is not hungry")
	}
	for i := range 20 { // twenty hosts of one network
		b.Learn(id(i), at(fmt.Sprintf("93.184.7.%d:1", i+1)))
	}
	if b.Hungry(epoch) {
		t.Error("hungry with candidates")
	}
	first := b.Next(epoch)
	if len(first) != 3 || first[0].ID != id(999) {
		t.Fatalf("persistent and two of one network, not %v", first)
	}
	b.Learn(id(30), at("8.8.8.8:1"))
	b.Learn(id(31), at("9.9.9.9:1"))
	b.Learn(id(32), at("7.7.7.7:1"))
	if more := b.Next(epoch); len(more) != 2 {
		t.Errorf("the places left are two, got %v", more)
	}
	if more := b.Next(epoch); len(more) != 0 {
		t.Errorf("no place is left, got %v", more)
	}
	// Inbound peers take no place of those we dial.
	b = New(Config{Outbound: 1})
	b.Up(up(1, true), epoch)
	b.Learn(id(2), at("10.0.0.2:9"))
	if got := b.Next(epoch); len(got) != 1 || got[0].ID != id(2) {
		t.Error(got)
	}
}

func TestLearn(t *testing.T) {
	b := New(Config{Self: id(1), Entries: 40, GiveUp: 2})
	for i, bad := range []struct {
		id transport.ID
		at netip.AddrPort
	}{{id(1), at("1.1.1.1:1")}, {transport.ID{}, at("1.1.1.1:1")}, {id(2), netip.AddrPort{}}, {id(2), at("0.0.0.0:1")}, {id(2), at("1.1.1.1:0")},
		{id(2), at("224.0.0.1:1")}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if b.Learn(bad.id, bad.at) {
				t.Errorf("learned %v", bad)
			}
		})
	}
	// One network cannot fill the book.
	for i := range 30 {
		b.Learn(id(100+i), at(fmt.Sprintf("93.184.7.%d:1", i+1)))
	}
	if b.Len() != 2 {
		t.Errorf("%d entries of one network in a book of 40", b.Len())
	}
	// A full book gives up addresses that never worked, and only those.
	worked := up(7, false)
	b.Up(worked, epoch)
	b.Down(worked.ID, epoch)
	for i := range 200 {
		b.Learn(id(1000+i), at(fmt.Sprintf("10.0.1.%d:1", i)))
	}
	if b.Len() != 40 || b.entries[worked.ID] == nil {
		t.Errorf("%d entries; the one that worked: %v", b.Len(), b.entries[worked.ID])
	}
	// An address that works is not replaced; one that fails is.
	if b.Learn(worked.ID, at("10.7.7.7:7")) {
		t.Error("a working address was replaced")
	}
	b.Failed(worked.ID, epoch)
	if !b.Learn(worked.ID, at("10.7.7.7:7")) || b.entries[worked.ID].address != at("10.7.7.7:7") {
		t.Error("a failing address was kept")
	}
	b.Failed(worked.ID, epoch)
	b.Failed(worked.ID, epoch)
	if b.entries[worked.ID] != nil {
		t.Error("an address that always fails is kept")
	}
	b.Failed(worked.ID, epoch)
	b.Down(worked.ID, epoch)
	// Inbound strangers leave nothing but an address behind, under the same bound.
	for i := range 500 {
		b.Up(up(2000+i, true), epoch)
		b.Down(id(2000+i), epoch)
		silent := up(3000+i, true)
		silent.Listen = 0
		b.Up(silent, epoch)
		b.Down(silent.ID, epoch)
	}
	if b.Len() > 40 {
		t.Errorf("%d entries", b.Len())
	}
}

func TestBans(t *testing.T) {
	b := New(Config{BanPoints: 100, HalfLife: time.Minute, BanFirst: time.Minute, BanMax: 5 * time.Minute})
	b.Up(up(1, false), epoch)
	now := epoch
	if until := b.Penalize(id(1), 60, now); !until.IsZero() || b.Score(id(1), now) != 60 {
		t.Error("60 points ban nobody")
	}
	now = now.Add(time.Minute)
	if s := b.Score(id(1), now); s != 30 {
		t.Errorf("after a half-life 60 points are %d", s)
	}
	if until := b.Penalize(id(1), 69, now); !until.IsZero() {
		t.Error("99 points ban nobody")
	}
	for _, want := range []time.Duration{1, 2, 4, 5, 5} {
		until := b.Penalize(id(1), Fatal, now)
		if got := until.Sub(now); got != want*time.Minute {
			t.Errorf("banned for %v, want %v min", got, want)
		}
		if bans := b.Bans(now); len(bans) != 1 || bans[0].ID != id(1) || bans[0].Until != until {
			t.Error(bans)
		}
		b.Down(id(1), now)
		if len(b.Next(until.Add(-1))) != 0 {
			t.Error("a banned peer is dialed")
		}
		now = until
		if len(b.Bans(now)) != 0 {
			t.Error("a ban does not end")
		}
	}
	now = now.Add(time.Hour)
	if until := b.Penalize(id(1), Fatal, now); until.Sub(now) != time.Minute {
		t.Error("a long time without a ban is not rewarded")
	}
	b.Pardon(id(1))
	if len(b.Bans(now)) != 0 || b.Score(id(1), now) != 0 {
		t.Error("a pardoned peer is banned")
	}
	if !b.Penalize(id(1), 0, now).IsZero() || !b.Penalize(b.config.Self, Fatal, now).IsZero() {
		t.Error("nothing is punished")
	}
	small := New(Config{Entries: 10})
	for i := range 1000 {
		small.Penalize(id(i), Fatal, epoch.Add(time.Duration(i)*time.Second))
	}
	if small.Len() > 20 {
		t.Errorf("%d strangers are remembered for their misdeeds", small.Len())
	}
	if got := small.Bans(epoch.Add(time.Second * 999)); len(got) == 0 || got[len(got)-1].ID != id(999) {
		t.Error("the newest ban was forgotten")
	}
}

func TestFile(t *testing.T) {
	file := File{filepath.Join(t.TempDir(), "peers")}
	config := Config{Persistent: []transport.Target{{ID: id(50), Address: at("10.0.0.50:9")}}, Entries: 10}
	b := New(config)
	if err := file.Load(b); err != nil {
		t.Fatal(err)
	}
	b.Up(up(1, false), epoch)
	b.Learn(id(2), at("[2001:db8::2]:9"))
	b.Penalize(id(3), Fatal, epoch)
	if err := file.Save(b.Encode()); err != nil {
		t.Fatal(err)
	}
	again := New(config)
	if err := file.Load(again); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again.Encode(), b.Encode()) || again.Len() != 4 || len(again.Bans(epoch)) != 1 {
		t.Errorf("%s became %s", b.Encode(), again.Encode())
	}
	// Every damage is noticed, set aside, and the book goes on with what the configuration says.
	good, err := os.ReadFile(file.Path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range good {
		bad := slices.Clone(good)
		bad[i] ^= 1
		if err := New(config).Decode(bad); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("byte %d changed: %v", i, err)
		}
		if err := New(config).Decode(good[:i]); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("cut after %d bytes: %v", i, err)
		}
	}
	if err := os.WriteFile(file.Path, good[:len(good)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	fresh := New(config)
	if err := file.Load(fresh); !errors.Is(err, ErrCorrupt) || fresh.Len() != 1 {
		t.Error(err, fresh.Len())
	}
	if aside, err := os.ReadFile(file.Path + ".corrupt"); err != nil || len(aside) != len(good)/2 {
		t.Error("the corrupt file was not set aside:", err)
	}
	if err := file.Load(fresh); err != nil {
		t.Error(err)
	}
	if err := fresh.Decode(make([]byte, sizeMax+1)); !errors.Is(err, ErrCorrupt) {
		t.Error(err)
	}
}

// A book of another format is refused by both numbers, and what is no book by none.
func TestBookOfOtherFormat(t *testing.T) {
	b := New(Config{Entries: 4})
	err := b.Decode([]byte("cowboy-peers 2 digest\n[]"))
	if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "it has format 2, this program reads format 1") {
		t.Error(err)
	}
	if v, ok := VersionOf(b.Encode()); !ok || v != 1 {
		t.Errorf("version %d, %v", v, ok)
	}
	if v, ok := VersionOf([]byte("cowboy-peer 1 ")); ok {
		t.Errorf("version %d of what is no book", v)
	}
}

// FuzzDecode: any bytes give ErrCorrupt or a book within its bound that can be written and read again.
func FuzzDecode(f *testing.F) {
	b := New(Config{})
	b.Up(up(1, false), epoch)
	f.Add(b.Encode())
	f.Add([]byte("[]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, input := range [][]byte{data, sealed(data)} {
			b := New(Config{Entries: 5})
			if err := b.Decode(input); err != nil {
				if !errors.Is(err, ErrCorrupt) || b.Len() != 0 {
					t.Error(err, b.Len())
				}
				continue
			}
			if b.Len() > 5 || New(Config{}).Decode(b.Encode()) != nil {
				t.Errorf("%d entries", b.Len())
			}
			b.Next(epoch)
		}
	})
}

// A persistent peer moves where its name points and is dialed there at once; others stay.
func TestMove(t *testing.T) {
	b := New(Config{Persistent: []transport.Target{{ID: id(1)}}})
	if len(b.Next(epoch)) != 0 {
		t.Fatal("a peer without an address is dialed")
	}
	b.Move(id(1), at("1.2.3.4:5"))
	if got := b.Next(epoch); len(got) != 1 || got[0].Address != at("1.2.3.4:5") {
		t.Fatalf("%v", got)
	}
	b.Failed(id(1), epoch)
	b.Move(id(1), at("1.2.3.4:5"))
	b.Move(id(1), at("0.0.0.0:5"))
	if got := b.Next(epoch); len(got) != 0 {
		t.Errorf("the same address is dialed at once: %v", got)
	}
	b.Move(id(1), at("1.2.3.5:5"))
	if got := b.Next(epoch); len(got) != 1 || got[0].Address != at("1.2.3.5:5") {
		t.Errorf("%v", got)
	}
	b.Learn(id(2), at("1.2.3.6:5"))
	b.Move(id(2), at("1.2.3.7:5"))
	b.Move(id(3), at("1.2.3.8:5"))
	if got := b.Next(epoch); len(got) != 1 || got[0].Address != at("1.2.3.6:5") {
		t.Errorf("%v", got)
	}
}

// Need adds so many places beyond Outbound, as many of them beyond the bound on one network, and no more; without it the bounds are what they were.
func TestNeedAddsPlaces(t *testing.T) {
	for _, c := range []struct{ need, crowded, free int }{
		{0, 1, 2}, {1, 2, 3}, {3, 4, 5}, {-1, 1, 2}, {ExtraMax + 1, 1 + ExtraMax, 2 + ExtraMax},
	} {
		t.Run(fmt.Sprint(c.need), func(t *testing.T) {
			crowded, free := New(Config{Outbound: 2, Group: 1}), New(Config{Outbound: 2, Group: 1})
			for n := range 100 {
				crowded.Learn(id(n+1), at(fmt.Sprintf("93.184.1.%d:9", n+1)))
				free.Learn(id(n+1), at(fmt.Sprintf("10.0.1.%d:9", n+1)))
			}
			crowded.Need(c.need)
			free.Need(c.need)
			if got := len(crowded.Next(epoch)); got != c.crowded {
				t.Errorf("%d of one network are dialed, want %d", got, c.crowded)
			}
			if got := len(free.Next(epoch)); got != c.free {
				t.Errorf("%d are dialed, want %d", got, c.free)
			}
		})
	}
}

// A peer is let go only where more are needed, all places are taken, and somebody waits who was never reached; never one that is kept, and it rests.
func TestYield(t *testing.T) {
	full := func(need int) *Book {
		b := New(Config{Outbound: 2, Group: 9})
		b.Need(need)
		for n := 1; n <= 2+need; n++ {
			b.Learn(id(n), up(n, false).Address)
		}
		for _, target := range b.Next(epoch) {
			b.Up(transport.Peer{ID: target.ID, Address: target.Address}, epoch)
		}
		return b
	}
	none := func(transport.ID) bool { return false }
	b := full(1)
	if _, ok := b.Yield(epoch, none); ok {
		t.Error("nobody waits")
	}
	b.Learn(id(9), at("10.0.0.99:9"))
	if _, ok := b.Yield(epoch, func(transport.ID) bool { return true }); ok {
		t.Error("a kept peer was let go")
	}
	gone, ok := b.Yield(epoch, func(x transport.ID) bool { return x == id(1) })
	if !ok || gone == id(1) {
		t.Fatalf("%v %v", gone, ok)
	}
	b.Down(gone, epoch)
	if next := b.Next(epoch); len(next) != 1 || next[0].ID != id(9) {
		t.Errorf("dialed %v instead", next)
	}
	b.Failed(id(9), epoch)
	b.Learn(id(9), at("10.0.0.98:9"))
	for _, at := range []time.Time{epoch.Add(restAfter - 1), epoch.Add(restAfter)} {
		dialed := slices.ContainsFunc(b.Next(at), func(x transport.Target) bool { return x.ID == gone })
		if want := at.Equal(epoch.Add(restAfter)); dialed && !want {
			t.Errorf("dialed again after %v", at.Sub(epoch))
		}
	}
	c := full(0)
	c.Learn(id(9), at("10.0.0.99:9"))
	if _, ok := c.Yield(epoch, none); ok {
		t.Error("let go although nobody is missing")
	}
	d := full(1)
	d.Learn(id(9), at("10.0.0.99:9"))
	d.Down(id(2), epoch)
	if _, ok := d.Yield(epoch, none); ok {
		t.Error("let go although a place is free")
	}
}
