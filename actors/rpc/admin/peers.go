package admin

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/net/book"
	"github.com/cowboyinc/cowboy-go/net/transport"
)

// PeerControl shows the peers a node has and has banned, and bans and pardons them; peers.Handle is one.
type PeerControl interface {
	Peers() []transport.Peer
	Bans() []book.Ban
	Ban(p link.Peer, span time.Duration)
	Pardon(p link.Peer)
}

// Peer is a connected node.
type Peer struct {
	ID        string `json:"id"`
	Address   string `json:"address"`
	Inbound   bool   `json:"inbound"` // it dialed this node
	Agent     string `json:"agent"`
	Validator string `json:"validator,omitempty"` // its address, if it proved to be one of the epoch
}

// Ban is a node that is kept away.
type Ban struct {
	ID    string    `json:"id"`
	Until time.Time `json:"until"`
}

// Peers answers GET /peers.
type Peers struct {
	Connected []Peer   `json:"connected"`
	Banned    []Ban    `json:"banned"`
	Missing   []string `json:"missing_validators"` // addresses of those of the epoch that are not connected
}

// BanMost is how long a ban by hand may be.
const BanMost = 365 * 24 * time.Hour

// Whois says which validator each peer is, and which are missing.
type Whois func() (of map[transport.ID]string, missing []string)

// Serve adds the pages about peers to the operator's. The reply to a ban does not wait until the peer is gone.
func Serve(pages http.Handler, control PeerControl, whois Whois) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", pages)
	mux.Handle("GET /peers", Local(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		all := Peers{Connected: []Peer{}, Banned: []Ban{}, Missing: []string{}}
		of, missing := whois()
		all.Missing = append(all.Missing, missing...)
		for _, p := range control.Peers() {
			all.Connected = append(all.Connected, Peer{p.ID.String(), p.Address.String(), p.Inbound, p.Agent, of[p.ID]})
		}
		for _, b := range control.Bans() {
			all.Banned = append(all.Banned, Ban{b.ID.String(), b.Until})
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(all)
	})))
	mux.Handle("PUT /peers/{id}/ban", Local(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, err := transport.ParseID(r.PathValue("id"))
		if err != nil {
			http.Error(w, "a peer is named by its id, as `cowboyd keys show network` prints it", http.StatusBadRequest)
			return
		}
		span, err := time.ParseDuration(r.URL.Query().Get("for"))
		if err != nil || span <= 0 || span > BanMost {
			http.Error(w, fmt.Sprintf("for is a span of time, such as 24h, of at most %v", BanMost), http.StatusBadRequest)
			return
		}
		control.Ban(link.Peer(id), span)
	})))
	mux.Handle("DELETE /peers/{id}/ban", Local(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, err := transport.ParseID(r.PathValue("id"))
		if err != nil {
			http.Error(w, "a peer is named by its id, as `cowboyd keys show network` prints it", http.StatusBadRequest)
			return
		}
		control.Pardon(link.Peer(id))
	})))
	return mux
}
