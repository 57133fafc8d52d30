package volume

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
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

	"github.com/cowboyinc/cowboy-go/actors/direct"
	"github.com/cowboyinc/cowboy-go/actors/relay/store"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/mutual"
	"github.com/cowboyinc/cowboy-go/testkit/bench"
)

var benchedMiB = flag.Int("bench-mib", 128, "the size of the file of BenchmarkPut, BenchmarkGet, and what they are compared with; 1,023 at most")

var lostFiles = flag.Int("lost-files", 8, "how many of these files BenchmarkRebuild has")

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

// newLost has five relays and a volume over them, 4+1, of files of benchedBytes each, the chunks of which nobody has asked for yet.
func newLost(b *testing.B) *world {
	w := newWorldOf(&world{t: b, room: 64 << 30, limits: mutual.DefaultLimits()}, 5)
	c, id, data := w.client(ann), w.create("docs", true, 4, 1), make([]byte, benchedBytes())
	for i := range *lostFiles {
		binary.BigEndian.PutUint64(data, uint64(i))
		must(b, c.Apply(b.Context(), id, []Change{file(fmt.Sprint(i), data)}))
	}
	w.confirmed(id)
	return w
}

// lostBytes is how many bytes each of the relays has.
func lostBytes() int64 { return int64(*lostFiles) * int64(benchedBytes()) / 4 }

// gathered reports the bytes that four relays give for what one of them has.
func gathered(b *testing.B, bytes int64) {
	b.ReportMetric(4*float64(b.N)*float64(bytes)/b.Elapsed().Seconds()/1e6, "gathered-MB/s")
}

// BenchmarkRebuild loses the disk of a relay, and has it make its chunks anew, durable, of those of four others, who read their disks for it. What is gathered
// is to be compared with BenchmarkDiskOfRebuild, and with BenchmarkCarriers.
func BenchmarkRebuild(b *testing.B) {
	store.Overlap() // as cowboy-relay does
	bytes := lostBytes()
	b.SetBytes(bytes)
	used := time.Duration(0)
	for b.Loop() {
		b.StopTimer()
		w := newLost(b)
		w.kill(0)
		before := bench.Processor()
		b.StartTimer()
		w.relays[0] = w.begin(1, w.relays[0].dir, w.room)
		w.until("all is whole", func() bool {
			says, up := w.relays[0].handle.Status()
			return up && says.Slots == 1 && says.Whole == 1
		})
		b.StopTimer()
		used += bench.Processor() - before
		for i := range w.relays {
			w.kill(i)
		}
		b.StartTimer()
	}
	gathered(b, bytes)
	b.ReportMetric(float64(used)/float64(b.N)/float64(bytes), "cpu-ns/B")
}

// BenchmarkDiskOfRebuild is what the disk alone takes for it: four readers read the chunks of a relay each, past the page cache, while as many bytes as a relay
// has are written and synced. Each has as much memory as relays have under way, since one piece of memory that never leaves the processor's cache is faster
// than any program can be that does something with what it reads.
func BenchmarkDiskOfRebuild(b *testing.B) {
	bytes := lostBytes()
	b.SetBytes(bytes)
	for b.Loop() {
		b.StopTimer()
		w := newLost(b)
		w.kill(0) // which makes room
		to := w.relays[0].dir
		b.StartTimer()
		var all errgroup.Group
		for _, n := range w.relays[1:] {
			all.Go(func() error { return readPast(filepath.Join(n.dir, "chunks")) })
		}
		all.Go(func() error { return writePast(to, bytes) })
		must(b, all.Wait())
		b.StopTimer()
		for i := range w.relays {
			w.kill(i)
		}
		b.StartTimer()
	}
	gathered(b, bytes)
}

// ring is memory for some chunks, which are used one after another.
type ring struct {
	memory [][]byte
	next   int
}

func newRing() *ring {
	return &ring{memory: slices.Collect(slices.Chunk(direct.Memory(16*store.ChunkRoom), store.ChunkRoom))}
}

func (r *ring) take() []byte {
	r.next = (r.next + 1) % len(r.memory)
	return r.memory[r.next]
}

// readPast reads the chunks in a folder past the page cache.
func readPast(folder string) error {
	memory := newRing()
	return filepath.WalkDir(folder, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil || info.Size()%direct.BlockBytes != 0 { // a small one
			return err
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		_, err = direct.Read(f, memory.take(), int(info.Size()))
		return errors.Join(err, f.Close())
	})
}

// writePast writes so many bytes past the page cache, and has them synced.
func writePast(name string, bytes int64) error {
	memory := newRing()
	f, err := direct.Create(name)
	for ; err == nil && bytes > 0; bytes -= cbfs.ChunkBytes {
		err = direct.Write(f, [][]byte{memory.take()[:cbfs.ChunkBytes]})
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
