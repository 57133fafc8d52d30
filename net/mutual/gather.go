package mutual

import (
	"crypto/tls"
	"net"
	"sync"
)

// gathered is how many bytes are sent at a time.
const gathered = 256 << 10

var pieces = sync.Pool{New: func() any {
	piece := make([]byte, 0, gathered)
	return &piece
}}

// gathering is a connection below TLS on which a frame is sent in large pieces: TLS writes each record of 16 KiB by itself, and for so few bytes the system's
// work for a write, and waking who reads, is a good part of the whole. What else TLS writes is sent at once.
type gathering struct {
	net.Conn
	piece *[]byte // while a frame is written
}

// Write implements net.Conn.
func (g *gathering) Write(p []byte) (int, error) {
	if g.piece == nil {
		return g.Conn.Write(p)
	}
	if len(*g.piece)+len(p) > gathered {
		if err := g.send(); err != nil {
			return 0, err
		}
	}
	*g.piece = append(*g.piece, p...)
	return len(p), nil
}

func (g *gathering) send() error {
	_, err := g.Conn.Write(*g.piece)
	*g.piece = (*g.piece)[:0]
	return err
}

// writeGathered writes a frame on a connection of TLS that stands on one that gathers.
func writeGathered(conn *tls.Conn, body ...[]byte) error {
	g := conn.NetConn().(*gathering)
	g.piece = pieces.Get().(*[]byte)
	err := writeFrame(conn, body...)
	if err == nil {
		err = g.send()
	}
	*g.piece = (*g.piece)[:0]
	pieces.Put(g.piece)
	g.piece = nil
	return err
}
