package socket

import (
	"bufio"
	"crypto/sha1"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
)

// Rejects of an opening handshake.
var (
	ErrNoUpgrade = errors.New("this call is for WebSocket clients: GET with Upgrade: websocket, Sec-WebSocket-Version: 13 and a Sec-WebSocket-Key of 16 bytes")
	ErrHijack    = errors.New("the connection cannot be taken over")
)

// acceptGUID is what a key is completed with. Spec: RFC 6455 §1.3.
const acceptGUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

// AcceptKey is the answer to a client's key.
//
// Spec: RFC 6455 §4.2.2.
func AcceptKey(key string) string {
	sum := sha1.Sum([]byte(key + acceptGUID))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// Check errs with ErrNoUpgrade unless a request opens a WebSocket.
//
// Spec: RFC 6455 §4.2.1.
func Check(r *http.Request) error {
	key, err := base64.StdEncoding.DecodeString(r.Header.Get("Sec-WebSocket-Key"))
	if r.Method != http.MethodGet || err != nil || len(key) != 16 || r.Header.Get("Sec-WebSocket-Version") != "13" ||
		!named(r.Header.Values("Upgrade"), "websocket") || !named(r.Header.Values("Connection"), "upgrade") {
		return ErrNoUpgrade
	}
	return nil
}

// named tells whether a list of tokens holds one, in any case.
func named(values []string, token string) bool {
	for _, value := range values {
		for _, one := range strings.Split(value, ",") {
			if strings.EqualFold(strings.TrimSpace(one), token) {
				return true
			}
		}
	}
	return false
}

// Accept takes a checked request's connection over and answers the handshake. The connection is the caller's to close. Errors: ErrHijack, and those of the
// connection.
//
// Spec: RFC 6455 §4.2.2.
func Accept(w http.ResponseWriter, r *http.Request) (net.Conn, *bufio.Reader, error) {
	conn, both, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrHijack, err)
	}
	_, err = fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
		AcceptKey(r.Header.Get("Sec-WebSocket-Key")))
	if err != nil {
		return nil, nil, errors.Join(err, conn.Close())
	}
	return conn, both.Reader, nil
}
