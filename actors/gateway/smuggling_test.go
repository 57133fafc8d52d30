package gateway

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
)

// Requests that two readers could understand in two ways, and what comes of each: one answer, and nothing that somebody put behind it.
//
// Spec: gateway-payments-streams §B; RFC 9112 §3.2, §5.2, §6.1, §6.3, §7.1.
func TestSmuggling(t *testing.T) {
	empty := "Content-Length: 0\r\nConnection: close\r\n\r\n"
	more := "GET /x HTTP/1.1\r\nHost: " + host + "\r\n\r\n"
	line := "POST /orders HTTP/1.1\r\nHost: " + host + "\r\n"
	old := strings.Replace(line, "1.1", "1.0", 1)
	chunked := "Transfer-Encoding: chunked\r\n\r\n"
	head := func(n int) string {
		return line + "X: " + strings.Repeat("a", n-len(line)-len("X: \r\n")-len(empty)) + "\r\n" + empty
	} // of so many bytes
	for name, c := range map[string]struct {
		raw    string
		status string
		sent   int
	}{
		"two lengths":                   {line + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", "400", 0},
		"one length twice":              {line + "Content-Length: 3\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc", "202", 1},
		"length and chunks":             {line + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + more, "202", 1},
		"chunks":                        {line + chunked + "3\r\nabc\r\n0\r\n\r\n" + more, "202", 1},
		"chunks with extensions":        {line + chunked + "3;a=b\r\nabc\r\n0\r\n\r\n" + more, "202", 1},
		"chunks and a trailer":          {line + chunked + "3\r\nabc\r\n0\r\nContent-Length: 9\r\n\r\n" + more, "202", 1},
		"chunks that end early":         {line + chunked + "9\r\nabc", "408", 0},
		"a chunk without its end":       {line + chunked + "3\r\nabcd\r\n0\r\n\r\n" + more, "400", 0},
		"a chunk of a signed length":    {line + chunked + "+3\r\nabc\r\n0\r\n\r\n" + more, "400", 0},
		"a chunk longer than numbers":   {line + chunked + "fffffffffffffffff\r\nabc\r\n0\r\n\r\n" + more, "400", 0},
		"chunks of 100 bytes":           {line + chunked + strings.Repeat("a\r\n0123456789\r\n", 10) + "0\r\n\r\n" + more, "202", 1},
		"chunks of 101 bytes":           {line + chunked + strings.Repeat("a\r\n0123456789\r\n", 10) + "1\r\na\r\n0\r\n\r\n" + more, "413", 0},
		"chunks in HTTP/1.0":            {old + "Connection: keep-alive\r\n" + chunked + "3\r\nabc\r\n0\r\n\r\n" + more, "202", 1},
		"a request behind HTTP/1.0":     {old + "Connection: keep-alive\r\nContent-Length: 0\r\n\r\n" + more, "202", 1},
		"an unknown encoding":           {line + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", "501", 0},
		"two encodings":                 {line + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", "501", 0},
		"a header on two lines":         {line + "X: a\r\n b\r\n" + empty, "202", 1},
		"a body that ends early":        {line + "Content-Length: 9\r\n\r\nabc", "408", 0},
		"a space before the colon":      {line + "Content-Length : 3\r\n\r\nabc", "400", 0},
		"a negative length":             {line + "Content-Length: -1\r\n\r\n", "400", 0},
		"a length with a sign":          {line + "Content-Length: +3\r\n\r\nabc", "400", 0},
		"two hosts":                     {line + "Host: mute.cowboy.network\r\nContent-Length: 0\r\n\r\n", "400", 0},
		"no host":                       {"POST /orders HTTP/1.1\r\nContent-Length: 0\r\n\r\n", "400", 0},
		"an absolute form":              {"POST http://" + host + "/orders HTTP/1.1\r\nHost: mute.cowboy.network\r\n" + empty, "202", 1},
		"an absolute form of elsewhere": {"POST http://mute.cowboy.network/orders HTTP/1.1\r\nHost: " + host + "\r\n" + empty, "404", 0},
		"CONNECT":                       {"CONNECT " + host + ":443 HTTP/1.1\r\nHost: " + host + "\r\n\r\n", "400", 0},
		"an asterisk":                   {"OPTIONS * HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n", "400", 0},
		"a control in the path":         {"POST /or\x01ders HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: 0\r\n\r\n", "400", 0},
		"a null in a header":            {line + "X: a\x00b\r\nContent-Length: 0\r\n\r\n", "400", 0},
		"a host that is a path":         {"POST /orders HTTP/1.1\r\nHost: " + host + "/x\r\n" + empty, "400", 0},
		"a host with a user":            {"POST /orders HTTP/1.1\r\nHost: a@" + host + "\r\n" + empty, "400", 0},
		"a head of 36,863 bytes":        {head(36_863), "202", 1}, // 32 KiB and the 4 KiB that the server of Go reads ahead
		"a head of 36,864 bytes":        {head(36_864), "202", 1},
		"a head of 36,865 bytes":        {head(36_865), "431", 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			s := open(t, w, nil)
			conn, err := net.Dial("tcp", s.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if _, err := io.WriteString(conn, c.raw); err != nil {
				t.Fatal(err)
			}
			end := func() { // a client that says no more; before its answer it is one that has gone
				if err := conn.(*net.TCPConn).CloseWrite(); err != nil && !errors.Is(err, syscall.ENOTCONN) {
					t.Fatal(err)
				}
			}
			if c.status == "408" {
				end()
			}
			in, answers, status := bufio.NewReader(conn), 0, ""
			for {
				x, err := http.ReadResponse(in, nil)
				if err != nil {
					break
				}
				if _, err := io.Copy(io.Discard, x.Body); err != nil {
					break
				}
				if answers++; answers == 1 {
					status = x.Status[:3]
					end()
				}
			}
			if status != c.status || answers != 1 || len(w.sent) != c.sent {
				t.Errorf("%d answers, %s, %d sent; want one, %s, %d", answers, status, len(w.sent), c.status, c.sent)
			}
		})
	}
}

// Bodies whose length their clients do not tell reach the actor whole, by HTTP/1.1 in chunks and by HTTP/2 in frames, up to what it takes: one byte below, at
// and above. A trailer is told to nobody.
//
// Spec: gateway-payments-streams §B (request bytes); RFC 9110 §6.5; RFC 9112 §7.1; RFC 9113 §8.1.
func TestBodiesWithoutLength(t *testing.T) {
	for _, version := range []int{1, 2} {
		for size, status := range map[int]int{0: 202, 1: 202, 99: 202, 100: 202, 101: 413, 5_000: 413} {
			t.Run(fmt.Sprintf("HTTP/%d, %d bytes", version, size), func(t *testing.T) {
				w := newWorld()
				transport := &http.Transport{
					ForceAttemptHTTP2: version == 2,
					TLSClientConfig:   &tls.Config{InsecureSkipVerify: true, ServerName: host}, //nolint:gosec // it is the test's own
				}
				defer transport.CloseIdleConnections()
				body := strings.Repeat("hay", size)[:size]
				r, err := http.NewRequest(http.MethodPost, "https://"+secure(t, w)+"/orders", io.MultiReader(strings.NewReader(body))) // of no length
				if err != nil {
					t.Fatal(err)
				}
				r.Host, r.ContentLength, r.Trailer = host, -1, http.Header{"X-Behind": {"later"}}
				x, err := transport.RoundTrip(r)
				if err != nil {
					t.Fatal(err)
				}
				defer x.Body.Close()
				if x.StatusCode != status || x.ProtoMajor != version {
					t.Fatalf("%s %s, want %d", x.Proto, x.Status, status)
				}
				if status != http.StatusAccepted {
					if len(w.sent) > 0 || x.Header.Get(errorHeader) != errTooLarge {
						t.Errorf("%v, %d sent", x.Header, len(w.sent))
					}
					return
				}
				got, _ := w.sent[0].Lookup("body")
				headers, _ := w.sent[0].Lookup("headers")
				_, length := headers.(cbor.Map).Lookup("content-length")
				_, behind := headers.(cbor.Map).Lookup("x-behind")
				if sent, _ := got.([]byte); string(sent) != body || length || behind {
					t.Errorf("%q with %v", got, headers)
				}
			})
		}
	}
}
