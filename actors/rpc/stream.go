package rpc

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

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
	w.WriteHeader(http.StatusOK)
	out := http.NewResponseController(w)
	if head > maxReplay && height < head-maxReplay {
		height, index = head-maxReplay, 0
		fmt.Fprintf(w, "event: lagged\ndata: {\"resumes_at\":%d}\n\n", height)
	}
	fmt.Fprint(w, ": connected\n\n")
	if out.Flush() != nil {
		return
	}
	for ; ; height, index = height+1, 0 {
		if s.Backend.AwaitFinal(r.Context(), height) != nil {
			return
		}
		if !s.sendBlock(w, f, height, index) || out.Flush() != nil {
			return
		}
	}
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

// sendBlock writes the messages of one block from index on. The indexes count every message of the block, also those the
// filter hides, so that a cursor means the same under every filter.
func (s *server) sendBlock(w http.ResponseWriter, f filter, height uint64, from int) bool {
	block, err := s.Backend.BlockAt(height)
	if err != nil {
		return false
	}
	receipts, err := s.Backend.BlockReceipts(height)
	if err != nil {
		return false
	}
	index := 0
	send := func(kind string, wanted bool, value any) bool {
		at := index
		index++
		if !wanted || at < from {
			return true
		}
		text, err := json.Marshal(value)
		if err != nil {
			return false
		}
		_, err = fmt.Fprintf(w, "id: %d.%d\nevent: %s\ndata: %s\n\n", height, at, kind, text)
		return err == nil
	}
	for _, receipt := range receipts {
		for _, event := range receipt.Events {
			if !send("event", f.events && f.wants(event), event) {
				return false
			}
		}
		if !send("receipt", f.receipts && f.concerns(receipt), receipt) {
			return false
		}
	}
	return send("block", f.blocks, block)
}

func (f filter) wants(e wire.Event) bool {
	if f.topic != "" && f.topic != e.Topic {
		return false
	}
	return f.actor == nil || strings.EqualFold(f.actor.String(), e.Actor)
}

func (f filter) concerns(r wire.Receipt) bool {
	if f.actor == nil {
		return true
	}
	addr := f.actor.String()
	return strings.EqualFold(addr, r.Sender) || strings.EqualFold(addr, r.Target) || strings.EqualFold(addr, r.ActorAddress)
}
