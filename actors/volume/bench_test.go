package volume

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ed25519"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/net/mutual"
	"github.com/cowboyinc/cowboy-go/testkit/bench"
)

var benchedMiB = flag.Int("bench-mib", 128, "the size of the file of BenchmarkPut, BenchmarkGet, BenchmarkSealAndCopy and BenchmarkRclone; 1,023 at most")

func benchedBytes() int { return *benchedMiB << 20 }

// benchWorld has six relays that are large enough for what is overwritten faster than they follow, which counts for a day.
func benchWorld(b *testing.B) *world {
	return newWorldOf(&world{t: b, room: 64 << 30, limits: mutual.DefaultLimits()}, 6)
}

const benched = 128 << 20 // of the other benchmarks

// processor reports the processor time of each byte, which says more than the time where others use the machine.
func processor(b *testing.B, bytes int64) func() {
	b.SetBytes(bytes)
	before := bench.Processor()
	return func() { b.ReportMetric(float64(bench.Processor()-before)/float64(b.N)/float64(bytes), "cpu-ns/B") }
}

// BenchmarkPut puts a file into a private volume over six relays on loopback; the relays are in the same process.
func BenchmarkPut(b *testing.B) {
	w := benchWorld(b)
	c := w.client(ann)
	id, data := w.create("docs", true, 4, 2), make([]byte, benchedBytes())
	must(b, c.Apply(b.Context(), id, []Change{file("a", data)})) // connections and buffers are there
	done := processor(b, int64(benchedBytes()))
	for i := 0; b.Loop(); i++ {
		data[0] = byte(i + 1)
		must(b, c.Apply(b.Context(), id, []Change{file("a", data)}))
	}
	done()
}

// BenchmarkGet gets it. The first time relays read it of the disk, which is measured by itself; then it is cached.
func BenchmarkGet(b *testing.B) {
	w := benchWorld(b)
	c := w.client(ann)
	id := w.create("docs", true, 4, 2)
	must(b, c.Apply(b.Context(), id, []Change{file("a", make([]byte, benchedBytes()))}))
	s, err := c.Open(b.Context(), id)
	must(b, err)
	began := time.Now()
	must(b, s.Read(b.Context(), "a", io.Discard))
	first := time.Since(began)
	done := processor(b, int64(benchedBytes()))
	for b.Loop() {
		must(b, s.Read(b.Context(), "a", io.Discard))
	}
	done()
	b.ReportMetric(first.Seconds()*1e3, "first-ms")
}

// BenchmarkSealAndCopy is what the same bytes cost at least: one pass of AES-256-GCM and one copy over loopback.
func BenchmarkSealAndCopy(b *testing.B) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(b, err)
	defer listener.Close()
	block, err := aes.NewCipher(make([]byte, KeySize))
	must(b, err)
	box, err := cipher.NewGCM(block)
	must(b, err)
	data := make([]byte, benchedBytes(), benchedBytes()+overhead)
	done := processor(b, int64(benchedBytes()))
	for b.Loop() {
		sealed := box.Seal(data[:0], make([]byte, 12), data[:benchedBytes()], nil)
		got := make(chan error, 1)
		go func() {
			in, err := listener.Accept()
			if err == nil {
				_, err = io.Copy(io.Discard, in)
			}
			got <- err
		}()
		out, err := net.Dial("tcp", listener.Addr().String())
		must(b, err)
		_, err = out.Write(sealed)
		must(b, err)
		must(b, out.Close())
		must(b, <-got)
	}
	done()
}

// BenchmarkCarriers carries the bytes in questions of a MiB, as chunks are, to a server that does nothing: what the protocol itself costs over TCP and over
// QUIC, of which a put needs one and a half and a get one.
func BenchmarkCarriers(b *testing.B) {
	for _, way := range []struct {
		name string
		dial mutual.Dialer
	}{{"tcp", mutual.DialTCP}, {"quic", mutual.DialQUIC}} {
		b.Run(way.name, func(b *testing.B) {
			socket, listener, err := mutual.Listen("127.0.0.1:0")
			must(b, err)
			s, err := mutual.Serve(socket, listener, seedOf(1), mutual.DefaultLimits(), func(context.Context, *mutual.Peer, []byte) *mutual.Answer {
				return &mutual.Answer{Parts: [][]byte{{1}}}
			})
			must(b, err)
			defer s.Close()
			c, err := way.dial(b.Context(), s.Address().String(), seedOf(2), mutual.Key(seedOf(1).Public().(ed25519.PublicKey)), nil)
			must(b, err)
			defer c.Close()
			carry(b, c)
		})
	}
}

func carry(b *testing.B, c mutual.Conn) {
	chunk := make([]byte, 1<<20)
	done := processor(b, benched)
	for b.Loop() {
		asking := make(chan error, benched/len(chunk))
		slots := make(chan struct{}, 12)
		for range benched / len(chunk) {
			slots <- struct{}{}
			go func() {
				_, err := c.Ask(b.Context(), chunk)
				<-slots
				asking <- err
			}()
		}
		for range benched / len(chunk) {
			must(b, <-asking)
		}
	}
	done()
}

// BenchmarkRebuild makes the shards of a relay whose disk was lost anew, of a volume of 128 MiB over six relays: 32 MiB of 128 that others give. What is
// gathered is to be compared with BenchmarkQUIC, what is made with BenchmarkWriteSynced.
func BenchmarkRebuild(b *testing.B) {
	w := newWorld(b, 6)
	c := w.client(ann)
	id := w.create("docs", true, 4, 2)
	must(b, c.Apply(b.Context(), id, []Change{file("a", random(1, benched))}))
	w.confirmed(id)
	v, err := w.Volume(b.Context(), id)
	must(b, err)
	lost := 0
	for w.relays[lost].self != v.Slots[0].Relay {
		lost++
	}
	done := processor(b, benched/4)
	for b.Loop() {
		n := w.relays[lost]
		files, err := filepath.Glob(filepath.Join(n.dir, "chunks", "*", "*"))
		must(b, err)
		for _, name := range files {
			must(b, os.Remove(name))
		}
		n.handle.Rotten(id)
		w.until(fmt.Sprintf("%d chunks are made", len(files)), func() bool {
			again, err := filepath.Glob(filepath.Join(n.dir, "chunks", "*", "*"))
			return err == nil && len(again) == len(files)
		})
	}
	b.ReportMetric(float64(b.N)*benched/b.Elapsed().Seconds()/1e6, "gathered-MB/s")
	done()
}

// BenchmarkWriteSynced is what the disk takes for them: the same chunks as files, each of which is synced.
func BenchmarkWriteSynced(b *testing.B) {
	dir, chunk := b.TempDir(), make([]byte, 1<<20)
	done := processor(b, benched/4)
	for i := 0; b.Loop(); i++ {
		for n := range benched / 4 / len(chunk) {
			f, err := os.Create(filepath.Join(dir, fmt.Sprint(i, "-", n)))
			must(b, err)
			_, err = f.Write(chunk)
			must(b, err)
			must(b, f.Sync())
			must(b, f.Close())
		}
	}
	done()
}
