package runner

import (
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// A worker tells nothing of a job that is soon done, and of others not too often; what has not changed it tells again, since a note may be lost.
const (
	tellAfter = 300 * time.Millisecond
	tellEvery = time.Second
	tellAgain = 5 * time.Second
)

// note is how far a worker is with a job: id(32) ‖ fraction(1) ‖ Bytes detail, UTF-8.
type note struct {
	id       digest.Hash
	fraction uint8 // of a hundred
	detail   string
}

func (n *note) append(dst []byte) []byte {
	return codec.AppendBytes(codec.AppendU8(codec.AppendFixed(dst, n.id[:]), n.fraction), []byte(n.detail))
}

func readNote(data []byte) (n note, err error) {
	r := codec.NewReader(data)
	r.Into(n.id[:])
	n.fraction, n.detail = r.Tag(101), plain(string(r.Bytes(protocol.MaxDetail)))
	return n, r.Finish()
}

// plain is a text on one line, with what does not print escaped, as much of it as a frame takes.
func plain(s string) string {
	s = text.PlainLine(s[:min(len(s), 2*protocol.MaxDetail)])
	return strings.ToValidUTF8(s[:min(len(s), protocol.MaxDetail)], "")
}

// teller tells of one job.
type teller struct {
	tell func(note []byte)
	pace *rate.Limiter

	mu    sync.Mutex
	last  note
	on    bool // the job is not soon done
	over  bool
	timer *time.Timer
}

// telling gives the teller of a job, which says after a while, and then again and again, how far it is, until it is stopped.
func telling(id digest.Hash, tell func(note []byte)) *teller {
	t := &teller{tell: tell, pace: rate.NewLimiter(rate.Every(tellEvery), 1), last: note{id: id}}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.timer = time.AfterFunc(tellAfter, t.due)
	return t
}

func (t *teller) due() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.over {
		t.on = true
		t.now()
		t.timer = time.AfterFunc(tellAgain, t.due)
	}
}

// stop ends the telling, and reports whether nothing was said yet.
func (t *teller) stop() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.over = true
	t.timer.Stop()
	return !t.on
}

func (t *teller) say(fraction uint64, detail string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last.fraction, t.last.detail = uint8(min(fraction, 100)), plain(detail)
	t.now()
}

func (t *teller) now() {
	if t.on && !t.over && t.pace.Allow() {
		t.tell(t.last.append(nil))
	}
}
