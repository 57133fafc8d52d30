package relay

import (
	"net/netip"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/mutual"
)

// table is one that somebody brings in parts.
type table struct {
	from   *mutual.Peer
	volume byte
	root   byte
}

// source is a connection from an address of its own.
func source(n byte) *mutual.Peer {
	return &mutual.Peer{Origin: mutual.Origin{Address: netip.AddrFrom4([4]byte{192, 0, 2, n}), Key: mutual.Key{n}}}
}

// part brings a part of a table of two parts and a byte.
func (d *Responder) part(one table, at uint64) ([]byte, protocol.Status) {
	q := &protocol.Request{Volume: digest.Hash{one.volume}, Root: digest.Hash{one.root}, Total: 2*protocol.PartBytes + 1, Offset: at * protocol.PartBytes}
	q.Data = make([]byte, min(protocol.PartBytes, q.Total-q.Offset))
	return d.assemble(one.from, q)
}

// Whoever takes all places of tables, or both of a volume, and starts over before a part is late, gives way: a source that has most of them at once, and many
// sources once the time of a table is over. Whoever comes then brings a whole table while the others go on.
//
// Spec: storage-cbfs §3.3 (PutPlacement).
func TestPlacesOfTables(t *testing.T) {
	var one, many, few []table
	for n := range byte(tablesAtOnce) {
		one = append(one, table{source(1), n / tablesOfVolume, n})
		many = append(many, table{source(n), n / tablesOfVolume, n})
	}
	few = []table{{source(1), 9, 1}, {source(1), 9, 2}}
	for name, c := range map[string]struct {
		before []table
		late   bool // only the time of a table makes room
	}{
		"all places of one source":     {one, false},
		"both of a volume of a source": {few, false},
		"all places of many sources":   {many, true},
		"both of a volume of two":      {[]table{{source(1), 9, 1}, {source(2), 9, 2}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			now := time.Unix(1_000, 0)
			d := NewResponder(&Responder{Now: func() time.Time { return now }})
			for _, held := range c.before {
				if _, status := d.part(held, 0); status != protocol.Ok {
					t.Fatal(status)
				}
			}
			mine, next := table{source(99), 9, 99}, uint64(0)
			for begun := now; now.Sub(begun) <= tableWithin+time.Minute && next < 3; now = now.Add(9 * time.Second) {
				for _, held := range c.before {
					_, _ = d.part(held, 0)
				}
				whole, status := d.part(mine, next)
				switch may := !c.late || now.Sub(begun) > tableWithin; {
				case may && status != protocol.Ok:
					t.Fatalf("part %d after %v: %v", next, now.Sub(begun), status)
				case !may && status != protocol.ErrCapacity:
					t.Fatalf("another source has a place after %v: %v", now.Sub(begun), status)
				case status == protocol.Ok:
					next++
				}
				if (whole != nil) != (next == 3) || next == 3 && len(whole) != 2*protocol.PartBytes+1 {
					t.Fatalf("%d bytes after %d parts", len(whole), next)
				}
			}
			if next != 3 || d.placing.Taken() != len(d.tables) || len(d.tables) > tablesAtOnce {
				t.Errorf("%d parts, %d tables, %d places", next, len(d.tables), d.placing.Taken())
			}
		})
	}
}

// A table that is whole, or given up for another one, leaves no place behind; what comes in one part takes none; and one of which nothing came for long starts
// over as if it came first.
func TestPlacesAreLeft(t *testing.T) {
	now := time.Unix(1_000, 0)
	d := NewResponder(&Responder{Now: func() time.Time { return now }})
	says := func(one table, at uint64, want protocol.Status) {
		t.Helper()
		if _, status := d.part(one, at); status != want {
			t.Fatalf("table %d, part %d: %v, want %v", one.root, at, status, want)
		}
	}
	first, second, third := table{source(1), 1, 1}, table{source(1), 1, 2}, table{source(1), 1, 3}
	says(first, 0, protocol.Ok)
	says(second, 0, protocol.Ok)
	says(third, 0, protocol.ErrCapacity)
	short := &protocol.Request{Volume: digest.Hash{1}, Root: digest.Hash{3}, Total: 5, Data: []byte("short")}
	if whole, status := d.assemble(source(1), short); string(whole) != "short" || status != protocol.Ok {
		t.Fatal(whole, status)
	}
	says(first, 1, protocol.Ok)
	says(first, 2, protocol.Ok)
	says(third, 0, protocol.Ok)
	now = now.Add(partWithin + 1)
	says(second, 0, protocol.Ok) // from now on
	says(first, 0, protocol.Ok)  // instead of the third, which is late
	says(third, 1, protocol.ErrInvalid)
	now = now.Add(tableWithin)
	says(second, 1, protocol.Ok)
	says(third, 0, protocol.Ok) // instead of the first
	says(first, 1, protocol.ErrInvalid)
	says(second, 2, protocol.Ok)
	says(third, 1, protocol.Ok)
	says(third, 2, protocol.Ok)
	if d.placing.Taken() != 0 || len(d.ofVolume) != 0 || len(d.tables) != 0 {
		t.Errorf("%d places, %d volumes, %d tables", d.placing.Taken(), len(d.ofVolume), len(d.tables))
	}
}

// Every part but the last one is as long as a part may be.
//
// Spec: storage-cbfs §3.3 (PutPlacement).
func TestPartsAreWhole(t *testing.T) {
	const most = protocol.PartBytes
	for name, c := range map[string]struct {
		total, offset uint64
		bytes         int
		want          protocol.Status
	}{
		"a byte of two":         {2, 0, 1, protocol.ErrInvalid},
		"nothing of nothing":    {0, 0, 0, protocol.ErrInvalid},
		"a part that is short":  {most + 1, 0, most - 1, protocol.ErrInvalid},
		"a part":                {most + 1, 0, most, protocol.Ok},
		"the last one is short": {most + 2, most, 1, protocol.ErrInvalid},
		"beyond the end":        {most, ^uint64(0), 1, protocol.ErrInvalid},
		"all of it":             {most, 0, most, protocol.Ok},
	} {
		t.Run(name, func(t *testing.T) {
			d := NewResponder(&Responder{Now: time.Now})
			if c.offset == most {
				if _, status := d.assemble(source(1), &protocol.Request{Total: c.total, Data: make([]byte, most)}); status != protocol.Ok {
					t.Fatal(status)
				}
			}
			if _, status := d.assemble(source(1), &protocol.Request{Total: c.total, Offset: c.offset, Data: make([]byte, c.bytes)}); status != c.want {
				t.Errorf("%v, want %v", status, c.want)
			}
		})
	}
}
