package gateway

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
)

// secure serves a world over TLS with the bounds of a gateway, and gives the address.
func secure(t *testing.T, w *world) string {
	t.Helper()
	plain := open(t, w, nil)
	authority, err := OpenAuthority(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	s := NewServer(plain.Config.Handler, &tls.Config{GetCertificate: authority.Certificate, MinVersion: tls.VersionTLS12}, log.New(io.Discard, "", 0))
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = s.ServeTLS(socket, "", "") }()
	t.Cleanup(func() { _ = s.Close() })
	return socket.Addr().String()
}

// peer is a client of HTTP/2 that writes what it likes.
type peer struct {
	*http2.Framer
	conn *tls.Conn
}

// dial opens a connection, and says hello as it has to be said.
func dial(t *testing.T, address string) *peer {
	t.Helper()
	config := &tls.Config{InsecureSkipVerify: true, ServerName: host, NextProtos: []string{"h2"}} //nolint:gosec // it is the test's own
	conn, err := tls.Dial("tcp", address, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	p := &peer{http2.NewFramer(conn, conn), conn}
	p.AllowIllegalWrites, p.AllowIllegalReads = true, true
	if _, err := io.WriteString(conn, http2.ClientPreface); err != nil {
		t.Fatal(err)
	}
	if err := p.WriteSettings(); err != nil {
		t.Fatal(err)
	}
	return p
}

// block encodes headers, pairs of names and values.
func block(pairs ...string) []byte {
	var out bytes.Buffer
	e := hpack.NewEncoder(&out)
	for i := 0; i+1 < len(pairs); i += 2 {
		_ = e.WriteField(hpack.HeaderField{Name: pairs[i], Value: pairs[i+1]})
	}
	return out.Bytes()
}

func get(more ...string) []byte {
	return block(append([]string{":method", "GET", ":scheme", "https", ":authority", host, ":path", "/"}, more...)...)
}

// verdict reads until the server has said what it thinks: of the connection, of stream 1, or with an answer.
func (p *peer) verdict() string {
	for {
		f, err := p.ReadFrame()
		if err != nil {
			return "closed"
		}
		switch f := f.(type) {
		case *http2.GoAwayFrame:
			if f.ErrCode != http2.ErrCodeNo {
				return "connection " + f.ErrCode.String()
			}
		case *http2.RSTStreamFrame:
			return "stream " + f.ErrCode.String()
		case *http2.HeadersFrame:
			fields, err := hpack.NewDecoder(4_096, nil).DecodeFull(f.HeaderBlockFragment())
			if err != nil || len(fields) == 0 {
				return "no answer"
			}
			return "status " + fields[0].Value
		}
	}
}

// Frames that RFC 9113 forbids, and what it says of each: an error of the connection or of the stream, by its code, or status 400. None brings a request to the
// actor.
//
// Spec: gateway-payments-streams §B; RFC 9113 §4.2, §4.3, §5.1, §6, §8.1.1, §8.2, §8.3.
func TestForbiddenFrames(t *testing.T) {
	headers := func(p *peer, stream uint32, end bool, fields []byte) error {
		return p.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: fields, EndHeaders: true, EndStream: end})
	}
	malformed := func(fields []byte) func(*peer) error {
		return func(p *peer) error { return headers(p, 1, true, fields) }
	}
	const wrong, size, compression = "connection PROTOCOL_ERROR", "connection FRAME_SIZE_ERROR", "connection COMPRESSION_ERROR"
	const stream = "stream PROTOCOL_ERROR|status 400" // RFC 9113 §8.1.1: an answer may come before the error of the stream
	for name, c := range map[string]struct {
		write func(*peer) error
		want  string
	}{
		"data of no stream":      {func(p *peer) error { return p.WriteData(0, true, []byte("x")) }, wrong},
		"data of an idle stream": {func(p *peer) error { return p.WriteData(1, true, []byte("x")) }, wrong},
		"headers of no stream":   {func(p *peer) error { return headers(p, 0, true, get()) }, wrong},
		"a stream of the server": {func(p *peer) error { return headers(p, 2, true, get()) }, wrong},
		"settings of 5 bytes":    {func(p *peer) error { return p.WriteRawFrame(http2.FrameSettings, 0, 0, make([]byte, 5)) }, size},
		"settings of a stream":   {func(p *peer) error { return p.WriteRawFrame(http2.FrameSettings, 0, 1, nil) }, wrong},
		"an answer with settings": {func(p *peer) error {
			return p.WriteRawFrame(http2.FrameSettings, http2.FlagSettingsAck, 0, make([]byte, 6))
		}, size},
		"a window of 2^31": {func(p *peer) error {
			return p.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1 << 31})
		}, "connection FLOW_CONTROL_ERROR"},
		"push of 2":              {func(p *peer) error { return p.WriteSettings(http2.Setting{ID: http2.SettingEnablePush, Val: 2}) }, wrong},
		"frames of 16,383 bytes": {func(p *peer) error { return p.WriteSettings(http2.Setting{ID: http2.SettingMaxFrameSize, Val: 16_383}) }, wrong},
		"a ping of 7 bytes":      {func(p *peer) error { return p.WriteRawFrame(http2.FramePing, 0, 0, make([]byte, 7)) }, size},
		"a ping of a stream":     {func(p *peer) error { return p.WriteRawFrame(http2.FramePing, 0, 1, make([]byte, 8)) }, wrong},
		"a window of nothing":    {func(p *peer) error { return p.WriteRawFrame(http2.FrameWindowUpdate, 0, 0, make([]byte, 4)) }, wrong},
		"a window that overflows": {func(p *peer) error {
			return p.WriteRawFrame(http2.FrameWindowUpdate, 0, 0, []byte{0x7f, 0xff, 0xff, 0xff})
		}, "connection FLOW_CONTROL_ERROR"},
		"a window of 3 bytes": {func(p *peer) error { return p.WriteRawFrame(http2.FrameWindowUpdate, 0, 0, make([]byte, 3)) }, size},
		"a reset of idle":     {func(p *peer) error { return p.WriteRSTStream(1, http2.ErrCodeCancel) }, wrong},
		"a reset of 3 bytes":  {func(p *peer) error { return p.WriteRawFrame(http2.FrameRSTStream, 0, 1, make([]byte, 3)) }, size},
		"a promise": {func(p *peer) error {
			return p.WritePushPromise(http2.PushPromiseParam{StreamID: 1, PromiseID: 2, EndHeaders: true})
		}, wrong},
		"a continuation of none":  {func(p *peer) error { return p.WriteContinuation(1, true, get()) }, wrong},
		"a goodbye of a stream":   {func(p *peer) error { return p.WriteRawFrame(http2.FrameGoAway, 0, 1, make([]byte, 8)) }, wrong},
		"a frame of 16,385 bytes": {func(p *peer) error { return p.WriteRawFrame(http2.FrameData, 0, 1, make([]byte, 16_385)) }, size},
		"padding beyond the end": {func(p *peer) error { // of which §6.2 wants an error of the connection; the server of Go ends the stream alone
			return p.WriteRawFrame(http2.FrameHeaders, http2.FlagHeadersPadded, 1, []byte{9, 1})
		}, wrong + "|stream PROTOCOL_ERROR"},
		"headers that break off": {func(p *peer) error { return headers(p, 1, true, []byte{0x40, 0x7f}) }, compression},
		"an index of none":       {func(p *peer) error { return headers(p, 1, true, []byte{0xff, 0xff, 0x0f}) }, compression},
		"a ping amid headers": {func(p *peer) error {
			return errors.Join(p.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: get()}), p.WritePing(false, [8]byte{}))
		}, wrong},
		"a lower stream":            {func(p *peer) error { return errors.Join(headers(p, 5, false, get()), headers(p, 3, true, get())) }, wrong},
		"a name in capitals":        {malformed(get("X-Big", "1")), stream},
		"a name with a colon":       {malformed(get("a:b", "1")), stream},
		"a field of a connection":   {malformed(get("connection", "close")), stream},
		"an encoding of a transfer": {malformed(get("transfer-encoding", "chunked")), stream},
		"te that is not trailers":   {malformed(get("te", "gzip")), stream},
		"two paths":                 {malformed(get(":path", "/x")), stream},
		"a path behind fields":      {malformed(block(":method", "GET", ":scheme", "https", "a", "b", ":path", "/")), stream},
		"no path":                   {malformed(block(":method", "GET", ":scheme", "https", ":authority", host)), stream},
		"an empty path":             {malformed(block(":method", "GET", ":scheme", "https", ":authority", host, ":path", "")), stream},
		"no method":                 {malformed(block(":scheme", "https", ":authority", host, ":path", "/")), stream},
		"a field of answers":        {malformed(get(":status", "200")), stream},
		"a field nobody knows":      {malformed(get(":other", "200")), stream},
		"a line end in a value":     {malformed(get("a", "b\r\nc: d")), stream},
		"a null in a value":         {malformed(get("a", "b\x00c")), stream},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			var asked atomic.Int64
			w.query = func(cbor.Map, *Question) (cbor.Map, error) {
				asked.Add(1)
				return cbor.Map{{Key: "status", Value: 200}}, nil
			}
			p := dial(t, secure(t, w))
			if err := c.write(p); err != nil {
				t.Fatal(err)
			}
			if got := p.verdict(); !strings.Contains("|"+c.want+"|", "|"+got+"|") || asked.Load() != 0 {
				t.Errorf("%s, %d requests; want %s", got, asked.Load(), c.want)
			}
		})
	}
}

// A client that opens streams and resets them at once has no more of them running than an actor may have at its node, and others are served meanwhile.
//
// Spec: gateway-payments-streams §B; RFC 9113 §5.1.2 (CVE-2023-44487).
func TestRapidReset(t *testing.T) {
	w := newWorld()
	w.names[host].HTTP.QueryCycles = 1
	var running, most atomic.Int64
	release := make(chan struct{})
	w.query = answered(cbor.Pair{Key: "status", Value: 200})
	w.hold = func(ctx context.Context, e cbor.Map) {
		if path, _ := e.Lookup("path"); path == "/slow" {
			now := running.Add(1)
			for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
			}
			select { // as a node does, which ends a query whose client is gone
			case <-release:
			case <-ctx.Done():
			}
			running.Add(-1)
		}
	}
	address := secure(t, w)
	p := dial(t, address)
	fields := block(":method", "GET", ":scheme", "https", ":authority", host, ":path", "/slow")
	for i := range uint32(1_000) {
		if p.WriteHeaders(http2.HeadersFrameParam{StreamID: 2*i + 1, BlockFragment: fields, EndHeaders: true, EndStream: true}) != nil ||
			p.WriteRSTStream(2*i+1, http2.ErrCodeCancel) != nil {
			break // the server has had enough
		}
	}
	for over := false; !over; { // the server says goodbye, or answers what comes behind all of it
		if i := p.WritePing(false, [8]byte{1}); i != nil {
			break
		}
		f, err := p.ReadFrame()
		_, pong := f.(*http2.PingFrame)
		_, goodbye := f.(*http2.GoAwayFrame)
		over = err != nil || pong || goodbye
	}
	other := dial(t, address)
	if err := other.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: get("x", "y"), EndHeaders: true, EndStream: true}); err != nil {
		t.Fatal(err)
	}
	if got := other.verdict(); got != "status 200" && got != "status 429" { // the actor's own limit may be used up
		t.Errorf("another client: %s", got)
	}
	close(release)
	if n := most.Load(); n > 4 {
		t.Errorf("%d at a time", n)
	}
}

// A connection has 100 requests under way; the next is refused, and they go on.
//
// Spec: gateway-payments-streams §B; RFC 9113 §5.1.2.
func TestStreamsOfAConnection(t *testing.T) {
	w := newWorld()
	w.query = answered(cbor.Pair{Key: "status", Value: 200})
	p := dial(t, secure(t, w))
	for i := range uint32(101) { // all but the last wait for their bodies
		if err := p.WriteHeaders(http2.HeadersFrameParam{StreamID: 2*i + 1, BlockFragment: get(), EndHeaders: true, EndStream: i == 100}); err != nil {
			t.Fatal(err)
		}
	}
	for {
		f, err := p.ReadFrame()
		if err != nil {
			t.Fatal(err)
		}
		switch f := f.(type) {
		case *http2.RSTStreamFrame:
			if f.StreamID != 201 || f.ErrCode != http2.ErrCodeRefusedStream && f.ErrCode != http2.ErrCodeProtocol {
				t.Errorf("stream %d is refused: %v", f.StreamID, f.ErrCode)
			}
			return
		case *http2.HeadersFrame:
			t.Fatalf("stream %d is answered", f.StreamID)
		}
	}
}

// A list of headers has 32 KiB and ten times 32 bytes, where a field takes its name, its value and 32 bytes; of a longer one no request reaches the actor.
//
// Spec: RFC 9113 §6.5.2, §10.5.1; RFC 6585 §5 (431).
func TestHeadersOverHTTP2(t *testing.T) {
	for size, want := range map[int]string{33_087: "status 200", 33_088: "status 200", 33_089: "status 431"} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			w := newWorld()
			w.query = answered(cbor.Pair{Key: "status", Value: 200})
			p := dial(t, secure(t, w))
			rest := 0
			for _, text := range []string{":method", "GET", ":scheme", "https", ":authority", host, ":path", "/", "x"} {
				rest += len(text)
			}
			fields := get("x", strings.Repeat("a", size-rest-5*32))
			half := len(fields) / 2 // a frame has 16 KiB
			err := errors.Join(
				p.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: fields[:half], EndStream: true}),
				p.WriteContinuation(1, true, fields[half:]),
			)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.verdict(); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}
