package mutual

import (
	"context"
	"crypto/ed25519"
	"net"
	"net/netip"
	"time"

	"github.com/quic-go/quic-go"

	"github.com/cowboyinc/cowboy-go/net/door"
)

// Origin is where a connection comes from, and the key that its other side proves.
type Origin struct {
	Address netip.Addr
	Key     Key
}

// Line is a connection on which either side opens streams, for protocols of frames of their own. It is safe for many goroutines.
type Line struct {
	Origin // of the other side; a dialer knows no address
	conn   *quic.Conn
}

// Lines takes lines in until it is closed.
type Lines struct{ *door.Door }

// windows are what a line may hold that nobody has read, in bytes: of a stream, and of all of them.
const (
	streamWindow = 64 << 10
	LineWindow   = 128 << 10
)

// lineSettings are those of QUIC for lines: so many streams at a time that the other side opens.
func lineSettings(streams int64, within, idle time.Duration) *quic.Config {
	return &quic.Config{
		HandshakeIdleTimeout: within, MaxIdleTimeout: idle, MaxIncomingStreams: streams, MaxIncomingUniStreams: -1,
		InitialStreamReceiveWindow: streamWindow, MaxStreamReceiveWindow: streamWindow,
		InitialConnectionReceiveWindow: LineWindow, MaxConnectionReceiveWindow: LineWindow,
	}
}

// lineIdle is how long a line lives on which nothing is heard.
const lineIdle = 15 * time.Second

// Accept has the lines of a protocol served on a socket, which is its from now on. Of the limits count Connections, PerAddress, HalfOpen, Streams and Within,
// which is for QUIC's handshake. serve is called for each line in a goroutine of its own and ends soon after the context does; the line ends with it.
func Accept(
	socket net.PacketConn, own ed25519.PrivateKey, protocol string, limits Limits, serve func(ctx context.Context, l *Line),
) (*Lines, error) {
	d, err := listen(socket, own, protocol, lineSettings(limits.Streams, limits.Within, lineIdle), limits,
		func(ctx context.Context, conn *quic.Conn, from Origin) {
			l := &Line{Origin: from, conn: conn}
			defer l.Close(0, "")
			serve(ctx, l)
		})
	if err != nil {
		return nil, err
	}
	return &Lines{d}, nil
}

// DialLine connects to the server at host:port that has the wanted key and speaks the protocol. The server opens at most so many streams at a time.
func DialLine(ctx context.Context, address string, own ed25519.PrivateKey, want Key, protocol string, streams int64) (*Line, error) {
	secured, err := secure(own, protocol, &want)
	if err != nil {
		return nil, err
	}
	config := lineSettings(streams, 5*time.Second, lineIdle)
	config.KeepAlivePeriod = lineIdle / 3
	conn, err := quic.DialAddr(ctx, address, secured, config)
	if err != nil {
		return nil, err
	}
	return &Line{Origin: Origin{Key: want}, conn: conn}, nil
}

// Export gives 32 bytes that both sides of this connection have, and nobody else: keying material exported by TLS under a label, with no context.
//
// Spec: RFC 8446 §7.5.
func (l *Line) Export(label string) (out [32]byte, err error) {
	state := l.conn.ConnectionState().TLS
	raw, err := state.ExportKeyingMaterial(label, nil, len(out))
	copy(out[:], raw)
	return out, err
}

// Context ends with the line.
func (l *Line) Context() context.Context { return l.conn.Context() }

// Open opens a stream, and waits for as long as there are too many.
func (l *Line) Open(ctx context.Context) (*Stream, error) {
	return streamOf(l.conn.OpenStreamSync(ctx))
}

// Take waits for a stream that the other side opens.
func (l *Line) Take(ctx context.Context) (*Stream, error) { return streamOf(l.conn.AcceptStream(ctx)) }

// Close ends the line; the other side is told why.
func (l *Line) Close(code uint64, why string) {
	_ = l.conn.CloseWithError(quic.ApplicationErrorCode(code), why)
}

// Stream is a stream of a line. One goroutine reads it, one writes it.
type Stream struct{ quic *quic.Stream }

func streamOf(s *quic.Stream, err error) (*Stream, error) {
	if err != nil {
		return nil, err
	}
	return &Stream{s}, nil
}

// Read implements io.Reader.
func (s *Stream) Read(p []byte) (int, error) { return s.quic.Read(p) }

// Write implements io.Writer.
func (s *Stream) Write(p []byte) (int, error) { return s.quic.Write(p) }

// Close ends what is written.
func (s *Stream) Close() error { return s.quic.Close() }

// Abort ends both directions at once.
func (s *Stream) Abort() {
	s.quic.CancelRead(0)
	s.quic.CancelWrite(0)
}

// Leave ends reading. What was written and closed still arrives, which Abort would take back.
func (s *Stream) Leave() { s.quic.CancelRead(0) }

// Until bounds when reading and writing ends.
func (s *Stream) Until(at time.Time) { _ = s.quic.SetDeadline(at) }

// ReadUntil bounds when reading ends; the zero time is no bound.
func (s *Stream) ReadUntil(at time.Time) { _ = s.quic.SetReadDeadline(at) }

// WriteUntil bounds when writing ends.
func (s *Stream) WriteUntil(at time.Time) { _ = s.quic.SetWriteDeadline(at) }
