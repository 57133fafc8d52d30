package gateway

import (
	"net/http"
	"strconv"
	"sync"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
)

// sharedBytes bounds the answers that are kept, with the requests they are for.
const sharedBytes = 16 << 20

// entryBytes is what an entry takes beside its bytes.
const entryBytes = 256

// said is an actor's response to a request, computed from the state after a block.
type said struct {
	id       receipt.ID // of the request that it was computed for
	at       uint64     // the block
	root     string     // of the state
	response *receipt.Response
}

// shown says by headers what was computed.
func (a *said) shown(h http.Header) {
	h.Set(requestHeader, a.id.String())
	h.Set(blockHeader, strconv.FormatUint(a.at, 10))
	h.Set(rootHeader, a.root)
}

// show answers with it.
func (a *said) show(w http.ResponseWriter, r *http.Request) {
	a.shown(w.Header())
	write(w, r, int(a.response.Status), a.response)
}

// shared keeps answers until the next block: of two requests that differ in their identity alone the second is given the answer to the first, identity
// included. A handler reads nothing but the state and the request, so this is what it would say again. It is safe for many goroutines.
//
// Spec: sdk §6 (read-only execution); gateway-payments-streams §B (queries).
type shared struct {
	mu   sync.Mutex
	at   uint64 // the block after which all of them were computed
	list map[sharedKey]*said
	size int
}

// sharedKey is what an answer depends on beside the block.
type sharedKey struct {
	actor             account.Address
	handler           string
	maxCycles, maxLen uint64
	envelope          string // the request without its identity
}

// find gives the answer after a block; nil: there is none.
func (s *shared) find(at uint64, key sharedKey) *said {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at != at {
		return nil
	}
	return s.list[key]
}

// put keeps an answer, if there is room.
func (s *shared) put(key sharedKey, a *said) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.at < s.at {
		return
	}
	if a.at > s.at || s.list == nil {
		s.at, s.list, s.size = a.at, map[sharedKey]*said{}, 0
	}
	size := len(key.handler) + len(key.envelope) + entryBytes + 2*len(a.response.Envelope) // which holds the others' text once more
	if _, there := s.list[key]; there || s.size+size > sharedBytes {
		return
	}
	s.list[key] = a
	s.size += size
}
