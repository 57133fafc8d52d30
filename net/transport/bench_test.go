package transport

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"runtime"
	"testing"
)

// open lifts the budgets that would measure the budget instead of the transport.
func open(name string) Config {
	c := testConfig(name)
	for i := range c.Limits.Channels {
		b := &c.Limits.Channels[i]
		b.BytesPerSecond, b.FramesPerSecond = 1<<40, 1<<40
	}
	return c
}

// BenchmarkEcho is the time of one frame to a peer and back.
func BenchmarkEcho(b *testing.B) {
	for _, size := range []int{64, 1024, 64 << 10} {
		b.Run(fmt.Sprintf("over=quic/bytes=%d", size), func(b *testing.B) {
			x, y := start(b, open("x")), start(b, open("y"))
			join(b, x, y)
			data := make([]byte, size)
			for b.Loop() {
				echo(b, x, y, data)
			}
		})
		b.Run(fmt.Sprintf("over=tcp-tls/bytes=%d", size), func(b *testing.B) {
			client, server := tlsPair(b)
			go func() {
				in := make([]byte, size)
				for {
					if _, err := io.ReadFull(server, in); err != nil {
						return
					}
					_, _ = server.Write(in)
				}
			}()
			data := make([]byte, size)
			for b.Loop() {
				if _, err := client.Write(data); err != nil {
					b.Fatal(err)
				}
				if _, err := io.ReadFull(client, data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func echo(b *testing.B, x, y *node, data []byte) {
	x.Send(y.Self(), Consensus, data)
	f := <-y.frames[Consensus]
	y.Send(x.Self(), Consensus, f.Data)
	f.Done()
	f = <-x.frames[Consensus]
	f.Done()
}

// BenchmarkStream is the time per frame of many in one direction.
func BenchmarkStream(b *testing.B) {
	for _, size := range []int{100, 1024, 64 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("over=quic/bytes=%d", size), func(b *testing.B) {
			x, y := start(b, open("x")), start(b, open("y"))
			join(b, x, y)
			data := make([]byte, size)
			done := make(chan struct{})
			c := x.conn(y.Self()).quic
			before := c.ConnectionStats().BytesSent
			b.SetBytes(int64(size))
			b.ReportAllocs()
			b.ResetTimer()
			go func() {
				defer close(done)
				for range b.N {
					f := <-y.frames[Blocks]
					f.Done()
				}
			}()
			for range b.N {
				for x.Send(y.Self(), Blocks, data) == Shed {
					runtime.Gosched()
				}
			}
			<-done
			b.ReportMetric(float64(c.ConnectionStats().BytesSent-before)/float64(b.N), "sentB/op")
		})
		b.Run(fmt.Sprintf("over=tcp-tls/bytes=%d", size), func(b *testing.B) {
			client, server := tlsPair(b)
			data := make([]byte, size)
			done := make(chan struct{})
			b.SetBytes(int64(size))
			b.ReportAllocs()
			b.ResetTimer()
			go func() {
				defer close(done)
				r := bufio.NewReaderSize(server, readBuffer)
				for range b.N {
					n, err := readLength(r, 1<<28)
					if err == nil {
						_, err = readBody(r, n, func(int) bool { return true })
					}
					if err != nil {
						b.Error(err)
						return
					}
				}
			}()
			var buffer []byte
			for range b.N {
				buffer = append(appendLength(buffer[:0], size), data...)
				if _, err := client.Write(buffer); err != nil {
					b.Fatal(err)
				}
			}
			<-done
		})
	}
}

// BenchmarkConnect is the time of a handshake with the hello.
func BenchmarkConnect(b *testing.B) {
	x, y := start(b, open("x")), start(b, open("y"))
	for b.Loop() {
		x.Dial(Target{ID: y.Self(), Address: y.Address()})
		<-x.up
		<-y.up
		x.Drop(y.Self(), NewRefusal(CodeClosing, ""))
		<-x.down
		<-y.down
	}
}

// BenchmarkEchoUnderFlood is BenchmarkEcho while another channel carries all that fits.
func BenchmarkEchoUnderFlood(b *testing.B) {
	x, y := start(b, open("x")), start(b, open("y"))
	join(b, x, y)
	stop := make(chan struct{})
	go func() {
		junk := make([]byte, 1024)
		for {
			select {
			case <-stop:
				return
			case f := <-y.frames[Transactions]:
				f.Done()
			default:
				if x.Send(y.Self(), Transactions, junk) == Shed {
					runtime.Gosched()
				}
			}
		}
	}()
	data := make([]byte, 64)
	for b.Loop() {
		echo(b, x, y, data)
	}
	close(stop)
}

func tlsPair(b *testing.B) (client, server *tls.Conn) {
	config, err := secure(testKey("server"))
	if err != nil {
		b.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	accepted := make(chan *tls.Conn, 1)
	go func() {
		c, err := listener.Accept()
		if err != nil {
			return
		}
		s := tls.Server(c, config)
		_ = s.Handshake()
		accepted <- s
	}()
	client, err = tls.Dial("tcp", listener.Addr().String(), config)
	if err != nil {
		b.Fatal(err)
	}
	server = <-accepted
	b.Cleanup(func() {
		_ = client.Close()
		_ = server.Close()
	})
	return client, server
}
