package daemon

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/peers"
	"github.com/cowboyinc/cowboy-go/net/transport"
)

const (
	// noticeEvery is how often one trouble with one peer is told.
	noticeEvery = 10 * time.Minute
	// noticesKept bounds what is remembered of whom was told about; strangers choose the addresses.
	noticesKept = 256
)

// remedies are the next step where two nodes cannot be peers. Both sides see the reason; each is told what to look at.
var remedies = map[transport.Code]string{
	transport.CodeNetwork:  "the two are of different networks: compare chain.id in both configurations",
	transport.CodeGenesis:  "the two have different genesis files: compare `cowboyd genesis show` on both sides",
	transport.CodeVersion:  "one of the two must be upgraded: compare `cowboyd version`",
	transport.CodeIdentity: "another node answers there: compare the id in p2p.peers with `cowboyd keys show network` on that machine",
	transport.CodeSelf:     "a copy of this node's network.key answers there: remove it from one of the two machines",
	transport.CodeFull:     "it has no place for another peer: have it list this node in its p2p.peers",
	transport.CodeCrowded:  "it has too many peers with this address: have it list this node in its p2p.peers",
	transport.CodeBlocked:  "it has banned this node for a time; its log says why",
}

// notices writes the network's events to the log: troubles an operator can end as warnings, now and then, the rest for debugging.
type notices struct {
	settings *settings
	log      zerolog.Logger

	mu   sync.Mutex
	told map[string]time.Time
}

func (n *notices) observe(e peers.Event) {
	line := n.log.Debug()
	remedy := n.remedy(e)
	switch {
	case e.Kind == peers.Banned || e.Kind == peers.BookLost || e.Kind == peers.BookUnsaved:
		line = n.log.Warn()
	case remedy != "" && n.due(e, time.Now()):
		line = n.log.Warn().Str("do", remedy)
	case (e.Kind == peers.Connected || e.Kind == peers.Disconnected) && n.settings.config != nil:
		line = n.log.Info()
	}
	line.Str("event", string(e.Kind)).Msg(fmt.Sprint(e))
}

// remedy is what a person can do about an event, or "".
func (n *notices) remedy(e peers.Event) string {
	var r *transport.Refusal
	switch {
	case e.Kind == peers.Unresolved:
		return "check the name in p2p.peers and the machine's DNS"
	case errors.As(e.Err, &r):
		return remedies[r.Code]
	}
	return ""
}

// due reports whether a trouble was not told lately. A full memory is emptied: being told twice is the lesser harm.
func (n *notices) due(e peers.Event, now time.Time) bool {
	key := fmt.Sprint(e.Kind, e.Peer, e.Address.Addr())
	var r *transport.Refusal
	if errors.As(e.Err, &r) {
		key += r.Code.String()
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if at, ok := n.told[key]; ok && now.Sub(at) < noticeEvery {
		return false
	}
	if n.told == nil || len(n.told) >= noticesKept {
		n.told = map[string]time.Time{}
	}
	n.told[key] = now
	return true
}
