package socket

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"testing"
)

// TestAcceptKey is the RFC's own example. Spec: RFC 6455 §1.3.
func TestAcceptKey(t *testing.T) {
	if got := AcceptKey("dGhlIHNhbXBsZSBub25jZQ=="); got != "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" {
		t.Error(got)
	}
}

// TestFrames are the RFC's examples of whole frames, and the lengths at the ends of each form. Spec: RFC 6455 §5.2, §5.7.
func TestFrames(t *testing.T) {
	for _, c := range []struct {
		raw    string
		masked bool
		op     Op
		text   string
	}{
		{"810548656c6c6f", false, Text, "Hello"},
		{"818537fa213d7f9f4d5158", true, Text, "Hello"},
		{"890548656c6c6f", false, Ping, "Hello"},
		{"8a8537fa213d7f9f4d5158", true, Pong, "Hello"},
		{"8800", false, Close, ""},
	} {
		raw, _ := hex.DecodeString(c.raw)
		f, err := Read(bytes.NewReader(raw), c.masked, 5)
		if err != nil || f.Op != c.op || string(f.Payload) != c.text {
			t.Errorf("%s: %v %q %v", c.raw, f.Op, f.Payload, err)
		}
		if !c.masked && !bytes.Equal(append(AppendHead(nil, c.op, len(c.text)), c.text...), raw) {
			t.Errorf("%s is written another way", c.raw)
		}
	}
	for size, head := range map[int]string{0: "8200", 125: "827d", 126: "827e007e", 256: "827e0100", 65_535: "827effff", 65_536: "827f0000000000010000"} {
		raw := AppendHead(nil, Binary, size)
		if got := hex.EncodeToString(raw); got != head {
			t.Errorf("%d: %s, want %s", size, got, head)
		}
		if f, err := Read(bytes.NewReader(append(raw, make([]byte, size)...)), false, 65_536); err != nil || len(f.Payload) != size {
			t.Errorf("%d: %d %v", size, len(f.Payload), err)
		}
	}
	if got := hex.EncodeToString(AppendClose(nil, CodeAway, "bye")); got != "880503e9627965" {
		t.Error(got)
	}
}

// TestBadFrames end a connection with the code the RFC names. Spec: RFC 6455 §5.1, §5.2, §5.5, §7.4.1.
func TestBadFrames(t *testing.T) {
	for raw, code := range map[string]uint16{
		"810548656c6c6f":         CodeProtocol, // not masked
		"c18537fa213d7f9f4d5158": CodeProtocol, // a reserved bit
		"838037fa213d":           CodeProtocol, // a reserved opcode
		"018537fa213d7f9f4d5158": CodeProtocol, // a fragment
		"808037fa213d":           CodeProtocol, // its continuation
		"89fe007e37fa213d":       CodeProtocol, // a long ping
		"81fe04000000000000":     CodeTooLarge,
		"81ffffffffffffffffff":   CodeTooLarge,
	} {
		data, _ := hex.DecodeString(raw)
		_, err := Read(bytes.NewReader(data), true, 1_000)
		var e *ProtocolError
		if !errors.As(err, &e) || e.Code != code {
			t.Errorf("%s: %v", raw, err)
		}
	}
	for _, raw := range []string{"", "81", "81fe", "81fe00", "8185", "818537fa213d7f"} {
		data, _ := hex.DecodeString(raw)
		if _, err := Read(bytes.NewReader(data), true, 1_000); !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

// TestCheck: what opens a WebSocket and what does not. Spec: RFC 6455 §4.2.1.
func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(*http.Request)
		ok   bool
	}{
		"as it should be":   {func(*http.Request) {}, true},
		"more tokens":       {func(r *http.Request) { r.Header.Set("Connection", "keep-alive, UPGRADE") }, true},
		"another method":    {func(r *http.Request) { r.Method = "POST" }, false},
		"no upgrade":        {func(r *http.Request) { r.Header.Del("Upgrade") }, false},
		"another upgrade":   {func(r *http.Request) { r.Header.Set("Upgrade", "h2c") }, false},
		"no connection":     {func(r *http.Request) { r.Header.Set("Connection", "close") }, false},
		"an older version":  {func(r *http.Request) { r.Header.Set("Sec-WebSocket-Version", "8") }, false},
		"a short key":       {func(r *http.Request) { r.Header.Set("Sec-WebSocket-Key", "AAAA") }, false},
		"a key of no bytes": {func(r *http.Request) { r.Header.Set("Sec-WebSocket-Key", "%%%") }, false},
	} {
		r := &http.Request{Method: "GET", Header: http.Header{}}
		r.Header.Set("Upgrade", "WebSocket")
		r.Header.Set("Connection", "Upgrade")
		r.Header.Set("Sec-WebSocket-Version", "13")
		r.Header.Set("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
		c.edit(r)
		if err := Check(r); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzRead holds Read to answering any bytes within its bound.
func FuzzRead(f *testing.F) {
	for _, raw := range []string{"810548656c6c6f", "818537fa213d7f9f4d5158", "81ffffffffffffffffff", "8800"} {
		data, _ := hex.DecodeString(raw)
		f.Add(data, true)
		f.Add(data, false)
	}
	f.Fuzz(func(t *testing.T, data []byte, masked bool) {
		x, err := Read(bytes.NewReader(data), masked, 1_000)
		if err == nil && (len(x.Payload) > 1_000 || !x.Op.known()) {
			t.Errorf("%+v", x)
		}
	})
}
