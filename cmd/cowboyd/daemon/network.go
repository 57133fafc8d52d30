package daemon

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"strconv"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/peers"
	"github.com/cowboyinc/cowboy-go/actors/push"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/actors/rpc/admin"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/cmd/internal/version"
	"github.com/cowboyinc/cowboy-go/net/book"
	"github.com/cowboyinc/cowboy-go/net/transport"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// networkFlags are the flags of a node that is one of several.
func networkFlags(c *cobra.Command, s *settings) {
	flags := c.Flags()
	flags.IntVar(&s.validators, "validators", 1, "validators of the development network")
	flags.IntVar(&s.rank, "rank", 0, "this node's place among the validators, from 0")
	flags.StringVar(&s.p2pHost, "p2p-host", "127.0.0.1", "address the peer-to-peer port is bound to")
	flags.IntVar(&s.p2pPort, "p2p-port", 0, "UDP port other nodes reach this one at; 0 keeps the node to itself")
	flags.StringSliceVar(&s.peers, "peers", nil, "nodes to stay connected to, id@host:port; the default is the other validators on the ports beside --p2p-port")
}

// checkNetwork gives an error unless the network's flags make sense together.
func (s *settings) checkNetwork() error {
	switch {
	case s.config != nil && s.p2pPort >= 0 && s.p2pPort <= 65_535:
		return nil // the genesis says how many there are
	case s.validators < 1 || s.validators > genesis.MaxDevValidators:
		return fmt.Errorf("--validators is 1 to %d", genesis.MaxDevValidators)
	case s.rank < 0 || s.rank >= s.validators:
		return fmt.Errorf("--rank is 0 to %d", s.validators-1)
	case s.p2pPort < 0 || s.p2pPort > 65_535:
		return errors.New("--p2p-port is 0 to 65535")
	case s.validators > 1 && s.p2pPort == 0:
		return errors.New("a node of several validators needs a --p2p-port")
	}
	return nil
}

// network is how a node reaches the others: nothing for a node that is alone.
type network struct {
	link    link.Messenger
	members []supervision.Spec
	peers   *peers.Handle         // nil for a node that is alone
	wanted  bool                  // it was told of others
	votes   bool                  // it has a voting key
	status  func() replica.Status // of the node, which is made after its network
	tick    func(time.Time)       // called about once a second
	runners *push.Place           // where runners connect
}

// missing tells whom a node that votes, or will, should be connected to and is not.
func (n *network) missing() (int, []link.Peer) {
	if n.tick != nil {
		n.tick(time.Now())
	}
	if !n.votes || n.status == nil {
		return 0, nil
	}
	s := n.status()
	met := make([]link.Peer, len(s.Met))
	for i, m := range s.Met {
		met[i] = m.Peer
	}
	return unreached(s), met
}

// pages adds what there is to tell of peers to the operator's pages and numbers.
func (n *network) pages(pages http.Handler, metrics *admin.Metrics, standing *standing) http.Handler {
	if n.peers == nil {
		return pages
	}
	metrics.Watch(n.peers)
	return admin.Serve(pages, n.peers, standing.whois)
}

// unreached counts the validators of the epoch, this node left out, that are not connected.
func unreached(s replica.Status) int {
	others := s.Validators
	if s.Rank != simplex.Observer {
		others--
	}
	return max(others-s.Known, 0)
}

// devPeerKey is the network identity of a validator of a development network: everybody knows it, so that the nodes find each other.
func devPeerKey(rank int) (transport.Key, error) {
	seed := genesis.DevKey("peer", byte(rank))
	return transport.KeyFromSeed(seed[:])
}

func newNetwork(s *settings, genesisHash digest.Hash, log zerolog.Logger) (*network, error) {
	place, err := s.place()
	if err != nil {
		return nil, err
	}
	if s.p2pPort == 0 {
		return &network{link: link.Alone{}, runners: place}, nil
	}
	key, err := s.peerKey()
	if err != nil {
		return nil, err
	}
	others, names, err := s.others()
	if err != nil {
		return nil, err
	}
	address, err := netip.ParseAddr(s.p2pHost)
	if err != nil {
		return nil, usageError{fmt.Errorf("--p2p-host: %w", err)}
	}
	bound := netip.AddrPortFrom(address, uint16(s.p2pPort))
	if err := free(bound); err != nil {
		return nil, err
	}
	var instance [8]byte
	if _, err := rand.Read(instance[:]); err != nil {
		return nil, err
	}
	memory := s.shares.Of(budget.Peers)
	limits := transport.DefaultLimits().Within(memory.Limit())
	if address.IsLoopback() {
		limits.PerAddress = limits.Inbound // all peers have one address
	}
	handle := peers.NewHandle(key)
	path := ""
	if !s.memory {
		path = filepath.Join(s.dataDir, "peers")
	}
	boot, named, err := reach(s.boot)
	if err != nil {
		return nil, err
	}
	private := make([]transport.ID, len(s.private))
	for i, text := range s.private {
		if private[i], err = transport.ParseID(text); err != nil {
			return nil, usageError{fmt.Errorf("--private-peers %q is no id; it is what `cowboyd keys show network` prints", text)}
		}
	}
	notices := &notices{settings: s, log: log}
	n := &network{link: handle, peers: handle, runners: place, wanted: len(others)+len(names)+len(boot)+len(named) > 0, votes: s.config == nil || s.keys != ""}
	n.members = []supervision.Spec{{Name: "peers", Inbox: handle.Inbox(), New: func() actor.Actor {
		return &peers.Subsystem{
			Handle: handle,
			Transport: transport.Config{
				Key: key, Network: "cowboy-" + strconv.FormatUint(s.chainID, 10), Genesis: genesisHash, Agent: "cowboyd/" + version.Version,
				Instance: binary.BigEndian.Uint64(instance[:]), Address: bound, Limits: limits, Held: memory.Set,
			},
			Book: book.Config{Persistent: others}, Names: names, Boot: boot, BootNames: named, Private: private, Missing: n.missing,
			Advertise: s.advertise.AddrPort, Path: path, Observe: notices.observe,
		}
	}}}
	return n, nil
}

// free gives an error if a UDP address is taken: it is better found here than by a subsystem that is restarted over it.
func free(at netip.AddrPort) error {
	socket, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(at))
	if err != nil {
		return err
	}
	return socket.Close()
}

// unsyncedAfter is the least age of the newest block at which a node among others is not ready.
const unsyncedAfter = 10 * time.Second

// doubts says what keeps a node among others from being ready: nobody to talk to, or a newest block that is old.
func (n *network) doubts(newest func() *ledger.Tip, interval time.Duration) func() []string {
	if n.peers == nil {
		return nil
	}
	return func() (list []string) {
		if n.wanted && len(n.peers.Peers()) == 0 {
			list = append(list, "no peer is connected")
		}
		tip := newest()
		if tip == nil {
			return list
		}
		if age := time.Since(time.UnixMilli(int64(tip.Header.TimestampMs))); age > max(unsyncedAfter, 5*interval) {
			list = append(list, fmt.Sprintf("the newest block is %s old", age.Round(time.Second)))
		}
		return list
	}
}

// others are the nodes to stay connected to, by address and by name.
func (s *settings) others() ([]transport.Target, []peers.Name, error) {
	if len(s.peers) > 0 || s.config != nil {
		return reach(s.peers)
	}
	var out []transport.Target
	for rank := range s.validators {
		port := s.p2pPort - s.rank + rank
		if rank == s.rank {
			continue
		}
		if port < 1 || port > 65_535 {
			return nil, nil, usageError{fmt.Errorf("--p2p-port: validator %d would have port %d", rank, port)}
		}
		key, err := devPeerKey(rank)
		if err != nil {
			return nil, nil, err
		}
		out = append(out, transport.Target{ID: key.ID(), Address: netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), uint16(port))})
	}
	return out, nil, nil
}
