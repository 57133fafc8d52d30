package daemon

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/peers"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/config"
	"github.com/cowboyinc/cowboy-go/net/transport"
)

// A trouble with a peer is a warning with the next step, told once in ten minutes; what nobody can end stays a detail.
func TestNotices(t *testing.T) {
	var out bytes.Buffer
	n := &notices{settings: &settings{config: config.Default()}, log: zerolog.New(&out).Level(zerolog.InfoLevel)}
	other := peers.Event{
		Kind: peers.DialFailed, Peer: transport.ID{1}, Address: netip.MustParseAddrPort("10.0.0.1:9"),
		Err: &transport.Refusal{Code: transport.CodeGenesis, Remote: true}, Why: "other genesis",
	}
	n.observe(other)
	n.observe(other)
	if got := strings.Count(out.String(), `"level":"warn"`); got != 1 || !strings.Contains(out.String(), "cowboyd genesis show") {
		t.Errorf("%d warnings: %s", got, &out)
	}
	out.Reset()
	n.observe(peers.Event{Kind: peers.DialFailed, Err: errors.New("timeout"), Why: "timeout"})
	if out.Len() != 0 {
		t.Errorf("%s", &out)
	}
	n.observe(peers.Event{Kind: peers.Unresolved, Peer: transport.ID{2}, Why: "node.test"})
	n.observe(peers.Event{Kind: peers.Connected, Peer: transport.ID{2}})
	if !strings.Contains(out.String(), "DNS") || !strings.Contains(out.String(), `"level":"info"`) {
		t.Errorf("%s", &out)
	}
	for i := range 3 * noticesKept {
		other.Address = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 1, byte(i >> 8), byte(i)}), 9)
		n.observe(other)
	}
	if len(n.told) > noticesKept {
		t.Errorf("%d troubles are remembered", len(n.told))
	}
	if !n.due(other, time.Now().Add(noticeEvery)) {
		t.Error("it is never told again")
	}
	for code := transport.CodeClosing; code <= transport.CodeDone; code++ {
		if text := remedies[code]; strings.HasSuffix(text, ".") || text == fmt.Sprint(code) {
			t.Errorf("%v: %q", code, text)
		}
	}
}
