package store

import "testing"

// A log whose note of what was acknowledged is lost, and whose headers of frames are damaged one by one: where frames of two groups lie
// behind it, the damage is named and nothing is cut off; where those of one do, it may be that group that is torn.
//
// Spec: WP "Storage and State Persistence"; ARCHITECTURE "State and disk".
func TestDamagedHeaderWithoutNote(t *testing.T) {
	o := testOptions()
	o.SegmentSize = 1 << 20 // one segment
	for name, h := range map[string]*history{"blocks": record(t, 5, 8, o, ""), "groups": recordGroups(t, 6, 12, o)} {
		t.Run(name, func(t *testing.T) {
			whole := h.disk.Crash(nil)
			whole.Edit(acknowledgedName, func(data []byte) []byte { return data[:3] })
			s, err := OpenDisk(whole.Crash(nil), "", h.options)
			if err != nil {
				t.Fatal(err)
			}
			g := (*s.source.segments.Load())[0]
			blocks := s.Head().Blocks()
			var starts, ends []uint64 // of frames in the file, and the last sequences of their groups
			for at := g.start + segmentHeader; at < g.end; {
				_, f, what, err := s.readFrame(g, at)
				if err != nil || what != "" {
					t.Fatal(what, err)
				}
				starts, ends = append(starts, at-g.start), append(ends, f.sequence+uint64(f.follow))
				at += f.size()
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			for i, start := range starts {
				d := whole.Crash(nil)
				d.Edit(g.name, func(data []byte) []byte { data[start+20] ^= 1; return data })
				if i+1 < len(ends) && ends[i+1] != ends[len(ends)-1] {
					h.refused(d, g.name, int64(start))
					continue
				}
				s, err := OpenDisk(d, "", h.options)
				if err != nil {
					t.Fatalf("%s: it is damaged at frame %d: %v", name, i, err)
				}
				if got := uint64(s.Head().Blocks()); got+1 != uint64(i) {
					t.Errorf("%s: frame %d of %d is damaged: %d of %d blocks are left", name, i, len(starts), got, blocks)
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
