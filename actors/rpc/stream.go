package rpc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
)

// maxReplay is how many blocks behind the head a cursor may be; an older one starts there and says so.
const maxReplay = 86_400

// filter says what a stream carries.
type filter struct {
	blocks, receipts, events bool
	actor                    *account.Address
	topic                    string
}

func readFilter(r *http.Request) (filter, error) {
	q := r.URL.Query()
	f := filter{topic: q.Get("topic")}
	for _, kind := range strings.Split(cmp.Or(q.Get("kinds"), "blocks,receipts,events"), ",") {
		switch kind {
		case "blocks":
			f.blocks = true
		case "receipts":
			f.receipts = true
		case "events":
			f.events = true
		default:
			return f, badRequest("kinds is a list of blocks, receipts, events")
		}
	}
	if text := q.Get("actor"); text != "" {
		addr, err := account.ReadAddress(text)
		if err != nil {
			return f, badAddress(err)
		}
		f.actor = &addr
	}
	return f, nil
}

// place is a message's: its block, and where it stands in it.
type place struct {
	height uint64
	index  int
}

// outlet is how messages reach one client.
type outlet interface {
	lagged(missed, resumes uint64) error
	message(at place, m *message) error
	// flush sends what was written, within the time a client may take for it.
	flush() error
}

// following is what a client asked for.
type following struct {
	filter
	head uint64 // when it asked
	from place
}

// follow reads what a client asks for and takes one of the places for followers, which leave gives back. A request that cannot be served is answered.
func (s *server) follow(w http.ResponseWriter, r *http.Request) (q following, leave func(), ok bool) {
	var err error
	if q.filter, err = readFilter(r); err != nil {
		s.fail(w, err)
		return q, nil, false
	}
	q.head = s.Backend.Height().Height
	q.from = place{height: q.head + 1}
	if text := cmp.Or(r.Header.Get("Last-Event-ID"), r.URL.Query().Get("cursor")); text != "" {
		if q.from.height, q.from.index, err = parseCursor(text); err != nil {
			s.fail(w, err)
			return q, nil, false
		}
		q.from.index++
	}
	done, why := s.clients.stream(r, s.Now())
	if why != "" {
		s.fail(w, refuse(http.StatusTooManyRequests, 4029, why))
		return q, nil, false
	}
	select {
	case s.streams <- struct{}{}:
		return q, func() { <-s.streams; done() }, true
	default:
		done()
		s.fail(w, refuse(http.StatusTooManyRequests, 4029, "all event streams of this node are taken"))
		return q, nil, false
	}
}

// send gives a client finalized blocks, receipts and actor events until ctx ends or it takes them no more. Each message has a cursor, `height.index`; a
// client that comes back with it misses nothing and sees nothing twice. Finalized blocks are read at the client's own speed, so a slow client costs block
// production nothing: one that falls too far behind is told so (lagged) and goes on further ahead, one that takes nothing for StreamWrite is cut off. The
// error says how it ended: errTardy for the latter.
func (s *server) send(ctx context.Context, q following, out outlet) error {
	at, err := skip(out, q.head, q.from, maxReplay)
	if err == nil {
		err = out.flush()
	}
	for live := false; err == nil; at = (place{height: at.height + 1}) {
		if err := s.Backend.AwaitFinal(ctx, at.height); err != nil {
			return err
		}
		head, behind := s.Backend.Height().Height, uint64(maxReplay)
		if live = live || at.height == head; live && s.Limits.StreamLag > 0 {
			behind = s.Limits.StreamLag
		}
		if at, err = skip(out, head, at, behind); err == nil {
			err = s.sendBlock(out, &q.filter, at, at.height+feedBlocks < head)
		}
		if err == nil {
			err = out.flush()
		}
	}
	return err
}

// lastWord is what a client is told whose stream ends before it asks for that, and whether there is anything to say.
func (s *server) lastWord(err error) (reason string, ok bool) {
	switch {
	case errors.Is(err, errTardy):
		return slowReader(s.Limits.StreamWrite), true
	case errors.Is(err, errFull):
		return "slow readers hold as many blocks as may be held", true
	}
	return "", false
}

// skip takes a client that is further behind the head than it may be to where it goes on, and tells it.
func skip(out outlet, head uint64, at place, behind uint64) (place, error) {
	if head <= behind || at.height >= head-behind {
		return at, nil
	}
	return place{height: head - behind}, out.lagged(head-behind-at.height, head-behind)
}

// stream sends messages as server-sent events, whose ids are their cursors.
func (s *server) stream(w http.ResponseWriter, r *http.Request) {
	q, leave, ok := s.follow(w, r)
	if !ok {
		return
	}
	defer leave()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Connection", "close")
	out := &sentEvents{w: w, control: http.NewResponseController(w), within: s.Limits.StreamWrite, request: r.Context()}
	_ = out.control.SetReadDeadline(time.Time{}) // nothing more is read; not every connection has deadlines
	w.WriteHeader(http.StatusOK)
	fmt.Fprint(w, ": connected\n\n")
	if reason, ok := s.lastWord(s.send(r.Context(), q, out)); ok {
		out.end(reason)
	}
}

// sentEvents is the outlet of a client of server-sent events.
type sentEvents struct {
	w       http.ResponseWriter
	control *http.ResponseController
	within  time.Duration // 0: for ever
	late    bool          // a deadline for what is being written is set
	request context.Context
	cursor  string // of the last message
}

// hurry sets the deadline for what is written until the next flush.
func (o *sentEvents) hurry() {
	if !o.late && o.within > 0 {
		o.late = true
		_ = o.control.SetWriteDeadline(time.Now().Add(o.within))
	}
}

func (o *sentEvents) lagged(missed, resumes uint64) error {
	o.hurry()
	_, err := fmt.Fprintf(o.w, "event: lagged\ndata: {\"missed\":%d,\"resumes_at\":%d}\n\n", missed, resumes)
	return err
}

func (o *sentEvents) message(at place, m *message) error {
	if err := inTime(o.request); err != nil {
		return err
	}
	o.hurry()
	o.cursor = at.cursor()
	_, err := fmt.Fprintf(o.w, "id: %s\nevent: %s\ndata: %s\n\n", o.cursor, m.kind, m.text)
	return err
}

func (o *sentEvents) flush() error {
	o.hurry()
	o.late = false
	return cmp.Or(o.control.Flush(), inTime(o.request))
}

// end is the last word to a client that is cut off. It reads it when it reads again.
func (o *sentEvents) end(reason string) {
	fmt.Fprintf(o.w, "event: cut\ndata: {\"cursor\":%q,\"reason\":%q}\n\n", o.cursor, reason)
	_ = o.control.Flush()
}

// slowReader is why a client is cut off.
func slowReader(after time.Duration) string { return fmt.Sprintf("nothing was taken for %v", after) }

// cursor is what a client comes back with.
func (p place) cursor() string { return fmt.Sprintf("%d.%d", p.height, p.index) }

func parseCursor(text string) (height uint64, index int, err error) {
	h, i, _ := strings.Cut(text, ".")
	height, err = strconv.ParseUint(h, 10, 64)
	if err == nil && i != "" {
		index, err = strconv.Atoi(i)
	}
	if err != nil || index < 0 {
		return 0, 0, badRequest("cursor is not one this node gave")
	}
	return height, index, nil
}

// sendBlock writes the messages of one block from a place in it on.
func (s *server) sendBlock(out outlet, f *filter, from place, old bool) error {
	r, done, err := s.feed.block(s.Backend, from.height, old)
	if err != nil {
		return err
	}
	defer done()
	for at := from; at.index < len(r.list); at.index++ {
		if m := &r.list[at.index]; f.admits(m) {
			if err := out.message(at, m); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *filter) admits(m *message) bool {
	switch {
	case m.event != nil:
		return f.events && f.wants(m.event)
	case m.receipt != nil:
		return f.receipts && f.concerns(m.receipt)
	}
	return f.blocks
}

func (f *filter) wants(e *wire.Event) bool {
	if f.topic != "" && f.topic != e.Topic {
		return false
	}
	return f.actor == nil || strings.EqualFold(f.actor.String(), e.Actor)
}

func (f *filter) concerns(r *wire.Receipt) bool {
	if f.actor == nil {
		return true
	}
	addr := f.actor.String()
	return strings.EqualFold(addr, r.Sender) || strings.EqualFold(addr, r.Target) || strings.EqualFold(addr, r.ActorAddress)
}
