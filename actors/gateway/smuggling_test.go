package gateway

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
)

// Requests that two readers could understand in two ways, and what comes of each: one answer, and nothing that somebody put behind it.
//
// Spec: gateway-payments-streams §B; RFC 9112 §3.2, §5.2, §6.3.
func TestSmuggling(t *testing.T) {
	empty := "Content-Length: 0\r\nConnection: close\r\n\r\n"
	more := "GET /x HTTP/1.1\r\nHost: " + host + "\r\n\r\n"
	line := "POST /orders HTTP/1.1\r\nHost: " + host + "\r\n"
	for name, c := range map[string]struct {
		raw    string
		status string
		sent   int
	}{
		"two lengths":                   {line + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", "400", 0},
		"one length twice":              {line + "Content-Length: 3\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc", "202", 1},
		"length and chunks":             {line + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + more, "411", 0},
		"chunks":                        {line + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "411", 0},
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
		"headers of 64 KiB":             {line + "X: " + strings.Repeat("a", 64<<10) + "\r\n\r\n", "431", 0},
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
