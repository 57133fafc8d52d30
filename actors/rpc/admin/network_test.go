package admin

import (
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/net/transport"
)

// twoPeers is a network with two peers and counted frames.
type twoPeers struct{ down bool }

func (twoPeers) Peers() []transport.Peer { return make([]transport.Peer, 2) }

func (c twoPeers) Tallies() (tallies [transport.ChannelCount]transport.Tally, ok bool) {
	tallies[transport.Consensus] = transport.Tally{SentBytes: 7, ReceivedBytes: 8, ShedIn: 1, ShedOut: 2, Throttled: 3}
	return tallies, !c.down
}

// TestNetworkMetrics scrapes a node among others.
func TestNetworkMetrics(t *testing.T) {
	n := node{true}
	for _, down := range []bool{false, true} {
		m := NewMetrics(n, "1")
		m.Watch(twoPeers{down})
		_, body := ask(t, New(n, m, nil), "GET", "/metrics", nil)
		for line, counted := range map[string]bool{
			"cowboy_p2p_peers 2": false, `cowboy_p2p_message_receive_bytes_total{chID="consensus"} 8`: true,
			`cowboy_p2p_message_send_bytes_total{chID="consensus"} 7`: true, `cowboy_p2p_frames_shed_total{chID="consensus",direction="in"} 1`: true,
			`cowboy_p2p_frames_shed_total{chID="consensus",direction="out"} 2`: true, `cowboy_p2p_throttled_total{chID="consensus"} 3`: true,
		} {
			t.Run(line, func(t *testing.T) {
				if strings.Contains(body, "\n"+line) != (!counted || !down) {
					t.Errorf("down %v: line %q", down, line)
				}
			})
		}
	}
}
