package volume

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/klauspost/reedsolomon"
	"golang.org/x/sync/errgroup"

	"github.com/cowboyinc/cowboy-go/actors/relay/store"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/mutual"
	"github.com/cowboyinc/cowboy-go/testkit/bench"
)

var benchedMiB = flag.Int("bench-mib", 128, "the size of the file of BenchmarkPut, BenchmarkGet, and what they are compared with; 1,023 at most")

func benchedBytes() int { return *benchedMiB << 20 }

// benchWorld has six relays that are large enough for what is overwritten faster than they follow, which counts for a day.
func benchWorld(b *testing.B) *world {
	store.Overlap() // as cowboy-relay does
	return newWorldOf(&world{t: b, room: 64 << 30, limits: mutual.DefaultLimits()}, 6)
}

const benched = 128 << 20 // of the other benchmarks

// processor reports the processor time of each byte, which says more than the time where others use the machine.
func processor(b *testing.B, bytes int64) func() {
	b.SetBytes(bytes)
	before := bench.Processor()
	return func() { b.ReportMetric(float64(bench.Processor()-before)/float64(b.N)/float64(bytes), "cpu-ns/B") }
}

// BenchmarkPut puts a file, which is cached, into a private volume over six relays on loopback; the relays are in the same process.
func BenchmarkPut(b *testing.B) {
	w := benchWorld(b)
	c := w.client(ann)
	id, from := w.create("docs", true, 4, 2), filepath.Join(b.TempDir(), "from")
	must(b, os.WriteFile(from, make([]byte, benchedBytes()), 0o600))
	on, err := os.OpenFile(from, os.O_WRONLY, 0)
	must(b, err)
	defer on.Close()
	one := Change{Path: "a", Size: uint64(benchedBytes()), Open: func() (io.ReadCloser, error) { return os.Open(from) }}
	must(b, c.Apply(b.Context(), id, []Change{one})) // connections and buffers are there
	done := processor(b, int64(benchedBytes()))
	for i := 0; b.Loop(); i++ {
		_, err := on.WriteAt([]byte{byte(i + 1)}, 0)
		must(b, err)
		must(b, c.Apply(b.Context(), id, []Change{one}))
	}
	done()
}

// BenchmarkGet gets it. The first time relays read the disk alone, the second time they read into the page cache, which are measured by themselves; then it is
// cached.
func BenchmarkGet(b *testing.B) {
	w := benchWorld(b)
	c := w.client(ann)
	id := w.create("docs", true, 4, 2)
	must(b, c.Apply(b.Context(), id, []Change{file("a", make([]byte, benchedBytes()))}))
	s, err := c.Open(b.Context(), id)
	must(b, err)
	var took [2]time.Duration
	for i := range took {
		began := time.Now()
		must(b, s.Read(b.Context(), "a", io.Discard))
		took[i] = time.Since(began)
	}
	done := processor(b, int64(benchedBytes()))
	for b.Loop() {
		must(b, s.Read(b.Context(), "a", io.Discard))
	}
	done()
	b.ReportMetric(took[0].Seconds()*1e3, "first-ms")
	b.ReportMetric(took[1].Seconds()*1e3, "second-ms")
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

// BenchmarkDd is what the same bytes cost by common tools: dd reads a file, its bytes are sealed, copied over loopback, and written by dd again. For a
// put the file is cached, and what is written is synced; for a get nothing is written, as BenchmarkGet does; for the first get the file is on the disk alone.
func BenchmarkDd(b *testing.B) {
	from := filepath.Join(b.TempDir(), "from")
	must(b, os.WriteFile(from, make([]byte, benchedBytes()), 0o600))
	for _, way := range []struct {
		name string
		to   []string
		cold bool
	}{
		{"put", []string{"of=" + filepath.Join(b.TempDir(), "to"), "conv=fsync"}, false},
		{"get", []string{"of=/dev/null"}, false},
		{"first", []string{"of=/dev/null"}, true},
	} {
		b.Run(way.name, func(b *testing.B) {
			b.SetBytes(int64(benchedBytes()))
			for b.Loop() {
				if way.cold {
					b.StopTimer()
					must(b, exec.Command("dd", "of="+from, "oflag=nocache", "conv=notrunc,fdatasync", "count=0", "status=none").Run())
					b.StartTimer()
				}
				dd(b, from, way.to)
			}
		})
	}
}

// dd moves a file through a seal and over loopback.
func dd(b *testing.B, from string, to []string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(b, err)
	defer listener.Close()
	in, out := exec.Command("dd", "bs=1M", "status=none", "if="+from), exec.Command("dd", append(to, "bs=1M", "iflag=fullblock", "status=none")...)
	plain, err := in.StdoutPipe()
	must(b, err)
	sealed, err := out.StdinPipe()
	must(b, err)
	must(b, in.Start())
	must(b, out.Start())
	copied := make(chan error, 1)
	go func() {
		conn, err := listener.Accept()
		if err == nil {
			_, err = io.Copy(sealed, conn)
		}
		copied <- errors.Join(err, sealed.Close())
	}()
	conn, err := net.Dial("tcp", listener.Addr().String())
	must(b, err)
	box, err := gcm(&[KeySize]byte{})
	must(b, err)
	for part := make([]byte, 1<<20, 1<<20+overhead); err == nil; {
		var n int
		if n, err = io.ReadFull(plain, part); n > 0 {
			_, wrong := conn.Write(box.Seal(part[:0], make([]byte, 12), part[:n], nil))
			must(b, wrong)
		}
	}
	must(b, conn.Close())
	must(b, <-copied)
	must(b, in.Wait())
	must(b, out.Wait())
}

// BenchmarkLeastOfPut is what a put costs at least: what the format asks for of hashes, a seal, a code, and TLS, by libraries alone, all of it at once on all
// processors. Nothing is stored, and nobody waits for anybody.
func BenchmarkLeastOfPut(b *testing.B) {
	config, err := tlsOf(b)
	must(b, err)
	listener, err := tls.Listen("tcp", "127.0.0.1:0", config)
	must(b, err)
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				for chunk := make([]byte, cbfs.ChunkBytes); ; digest.Blake3(chunk) {
					if _, err := io.ReadFull(conn, chunk); err != nil {
						_ = conn.Close()
						return
					}
				}
			}()
		}
	}()
	code, err := reedsolomon.New(4, 2)
	must(b, err)
	box, err := gcm(&[KeySize]byte{})
	must(b, err)
	workers := 2 * runtime.NumCPU()
	conns, rooms := make([]net.Conn, workers), make([][]byte, workers)
	for i := range conns {
		conns[i], err = tls.Dial("tcp", listener.Addr().String(), config)
		must(b, err)
		defer conns[i].Close()
		rooms[i] = make([]byte, 6*cbfs.ChunkBytes+overhead)
	}
	done := processor(b, int64(benchedBytes()))
	for b.Loop() {
		var all errgroup.Group
		stripes := make(chan int, benchedBytes()/(4*cbfs.ChunkBytes))
		for i := range cap(stripes) {
			stripes <- i
		}
		close(stripes)
		for i, room := range rooms {
			all.Go(func() error {
				for range stripes {
					if err := leastOfStripe(conns[i], code, box, room); err != nil {
						return err
					}
				}
				return nil
			})
		}
		must(b, all.Wait())
	}
	done()
}

// leastOfStripe hashes content, sealed bytes, each chunk, and each chunk as a part of its slot's shard, and sends the chunks.
func leastOfStripe(conn net.Conn, code reedsolomon.Encoder, box cipher.AEAD, room []byte) error {
	plain := room[:4*cbfs.ChunkBytes]
	digest.Blake3(plain)
	digest.Blake3(box.Seal(plain[:0], make([]byte, 12), plain, nil))
	chunks := slices.Collect(slices.Chunk(room[:6*cbfs.ChunkBytes], cbfs.ChunkBytes))
	if err := code.Encode(chunks); err != nil {
		return err
	}
	for _, chunk := range chunks {
		digest.Blake3(chunk)
		digest.Blake3(chunk)
		if _, err := conn.Write(chunk); err != nil {
			return err
		}
	}
	return nil
}

// tlsOf is a configuration for both ends, with the cipher that package mutual uses.
func tlsOf(b *testing.B) (*tls.Config, error) {
	own := seedOf(1)
	now := time.Now()
	form := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour)}
	raw, err := x509.CreateCertificate(rand.Reader, form, form, own.Public(), own)
	return &tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{raw}, PrivateKey: own}}, InsecureSkipVerify: true, DynamicRecordSizingDisabled: true,
		MinVersion: tls.VersionTLS13,
	}, err
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
	w := benchWorld(b)
	c := w.client(ann)
	id := w.create("docs", true, 4, 2)
	must(b, c.Apply(b.Context(), id, []Change{file("a", random(1, benchedBytes()))}))
	w.confirmed(id)
	v, err := w.Volume(b.Context(), id)
	must(b, err)
	lost := 0
	for w.relays[lost].self != v.Slots[0].Relay {
		lost++
	}
	done := processor(b, int64(benchedBytes()/4))
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
	b.ReportMetric(float64(b.N)*float64(benchedBytes())/b.Elapsed().Seconds()/1e6, "gathered-MB/s")
	done()
}

// BenchmarkLeastOfRebuild is what this takes at least where one machine has all six relays: chunks read from files that are cached, and carried, each held to
// its hash, a fifth one made of four and held to its own, and written.
func BenchmarkLeastOfRebuild(b *testing.B) {
	dir := b.TempDir()
	from := filepath.Join(dir, "chunk")
	must(b, os.WriteFile(from, make([]byte, cbfs.ChunkBytes), 0o600))
	socket, listener, err := mutual.Listen("127.0.0.1:0")
	must(b, err)
	s, err := mutual.Serve(socket, listener, seedOf(1), mutual.DefaultLimits(), func(context.Context, *mutual.Peer, []byte) *mutual.Answer {
		room := mutual.Take(cbfs.ChunkBytes)
		f, err := os.Open(from)
		if err == nil {
			_, err = io.ReadFull(f, room.Bytes)
			_ = f.Close()
		}
		if err != nil {
			return nil
		}
		return &mutual.Answer{Parts: [][]byte{room.Bytes}, Done: room.Free}
	})
	must(b, err)
	defer s.Close()
	c, err := mutual.DialTCP(b.Context(), s.Address().String(), seedOf(2), mutual.Key(seedOf(1).Public().(ed25519.PublicKey)), nil)
	must(b, err)
	defer c.Close()
	code, err := reedsolomon.New(4, 2)
	must(b, err)
	done := processor(b, int64(benchedBytes())) // that are gathered
	for round := 0; b.Loop(); round++ {
		var all errgroup.Group
		all.SetLimit(2 * runtime.NumCPU())
		for n := range benchedBytes() / 4 / cbfs.ChunkBytes {
			all.Go(func() error {
				chunks := make([][]byte, 6)
				for slot := 1; slot <= 4; slot++ {
					answer, err := c.Ask(b.Context(), []byte{0})
					if err != nil {
						return err
					}
					defer answer.Free()
					digest.Blake3(answer.Bytes)
					chunks[slot] = answer.Bytes
				}
				if err := code.ReconstructSome(chunks, []bool{true, false, false, false, false, false}); err != nil {
					return err
				}
				digest.Blake3(chunks[0])
				return os.WriteFile(filepath.Join(dir, fmt.Sprint(round, "-", n)), chunks[0], 0o600)
			})
		}
		must(b, all.Wait())
	}
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
