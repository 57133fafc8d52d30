package volume_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/volume"
	"github.com/cowboyinc/cowboy-go/actors/volume/mount"
	"github.com/cowboyinc/cowboy-go/testkit/bench"
)

// BenchmarkObjects is what a volume of many files costs: to open it by a client that comes first and by one that was there, to list one of its folders in a
// mount, and to commit one file; the relays, which are in the same process and reached over memory, are part of it. Besides, how many bytes clients send and
// get. It wants -benchtime 5x or so: relays look up ten new clients of one source a second, and fifty at once.
func BenchmarkObjects(b *testing.B) {
	for _, count := range []int{1_000, 10_000, 100_000, 990_000} { // and a folder for each hundred: the last are 999,900 entries
		b.Run(fmt.Sprint("files=", count), func(b *testing.B) {
			for _, private := range []bool{false, true} {
				b.Run(fmt.Sprint("private=", private), func(b *testing.B) { objects(b, count, private) })
			}
		})
	}
}

func objects(b *testing.B, count int, private bool) {
	w := volume.NewWired(b, 6)
	id, c := w.Owned("many", private)
	w.Fill(c, id, count)
	heard := w.Hear()
	measure := func(what string, do func() error) {
		b.Run(what, func(b *testing.B) {
			before := bench.Processor()
			heard()
			for b.Loop() {
				if err := do(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(bench.Processor()-before)/float64(b.N)/1e6, "cpu-ms/op")
			sent, fetched := heard()
			b.ReportMetric(float64(sent)/float64(b.N)/1e3, "sent-KB/op")
			b.ReportMetric(float64(fetched)/float64(b.N)/1e3, "fetched-KB/op")
		})
	}
	measure("first", func() error {
		_, err := w.Another().Open(b.Context(), id)
		return err
	})
	measure("again", func() error {
		_, err := c.Open(b.Context(), id)
		return err
	})
	measure("put", func() error {
		return c.Apply(b.Context(), id, []volume.Change{volume.File("folder0003/file07", []byte(time.Now().String()))})
	})
	s, err := mount.New(b.Context(), c, id, mount.Options{Dir: b.TempDir(), Now: time.Now})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close(b.Context()) }()
	measure("list", func() error {
		list, err := s.List(b.Context(), "folder0003")
		if err == nil && len(list) != 100 {
			err = fmt.Errorf("%d files", len(list))
		}
		return err
	})
}
