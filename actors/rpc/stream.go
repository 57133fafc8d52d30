package rpc

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
)

const (
	// maxReplay is how many blocks behind the head a cursor may be; an older one starts there and says so.
	maxReplay = 86_400
	// writeWithin is how long a client may take for what was written of one block; then it is cut off, and may come back with its cursor.
	writeWithin = 30 * time.Second
)

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
		addr, err := account.ParseAddress(text)
		if err != nil {
			return f, badRequest("an address is 40 hex digits, with or without 0x")
		}
		f.actor = &addr
	}
	return f, nil
}

// stream sends finalized blocks, receipts and actor events as server-sent events. Each message's id is a cursor,
// `height.index`; a client that comes back with it as Last-Event-ID (or ?cursor=) misses nothing and sees nothing twice.
// The stream reads finalized blocks at the client's own speed, so a slow client costs block production nothing.
func (s *server) stream(w http.ResponseWriter, r *http.Request) {
	f, err := readFilter(r)
	if err != nil {
		s.fail(w, err)
		return
	}
	head := s.Backend.Height().Height
	height, index := head+1, 0
	if cursor := cmp.Or(r.Header.Get("Last-Event-ID"), r.URL.Query().Get("cursor")); cursor != "" {
		if height, index, err = parseCursor(cursor); err != nil {
			s.fail(w, err)
			return
		}
		index++
	}
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		s.fail(w, refuse(http.StatusTooManyRequests, 4029, "all event streams of this node are taken"))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	out := http.NewResponseController(w)
	_ = out.SetReadDeadline(time.Time{}) // nothing more is read; not every connection has deadlines
	w.WriteHeader(http.StatusOK)
	height, index = skip(w, head, height, index, maxReplay)
	fmt.Fprint(w, ": connected\n\n")
	if out.Flush() != nil {
		return
	}
	for live := false; ; height, index = height+1, 0 {
		if s.Backend.AwaitFinal(r.Context(), height) != nil {
			return
		}
		head, behind := s.Backend.Height().Height, uint64(maxReplay)
		if live = live || height == head; live && s.Limits.StreamLag > 0 {
			behind = s.Limits.StreamLag
		}
		height, index = skip(w, head, height, index, behind)
		_ = out.SetWriteDeadline(time.Now().Add(writeWithin))
		if !s.sendBlock(w, f, height, index) || out.Flush() != nil {
			return
		}
	}
}

// skip takes a client that is further behind the head than it may be to where it goes on, and tells it.
func skip(w http.ResponseWriter, head, height uint64, index int, behind uint64) (uint64, int) {
	if head <= behind || height >= head-behind {
		return height, index
	}
	fmt.Fprintf(w, "event: lagged\ndata: {\"missed\":%d,\"resumes_at\":%d}\n\n", head-behind-height, head-behind)
	return head - behind, 0
}

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

// sendBlock writes the messages of one block from index on.
func (s *server) sendBlock(w http.ResponseWriter, f filter, height uint64, from int) bool {
	list, err := s.feed.block(s.Backend, height)
	if err != nil {
		return false
	}
	for at := from; at < len(list); at++ {
		m := &list[at]
		if !f.admits(m) {
			continue
		}
		if _, err := fmt.Fprintf(w, "id: %d.%d\nevent: %s\ndata: %s\n\n", height, at, m.kind, m.text); err != nil {
			return false
		}
	}
	return true
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
