package cli

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// answering is a node that gives its answers about a path in turn, and the last again and again; one that is nil says that nothing is found.
type answering struct {
	mu    sync.Mutex
	about map[string][]any // by the path's first part
}

func (n *answering) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	about := strings.Split(r.URL.Path, "/")[1]
	left := n.about[about]
	if len(left) == 0 || left[0] == nil {
		w.WriteHeader(http.StatusNotFound)
		_ = json.NewEncoder(w).Encode(wire.Error{Code: 4004})
	} else {
		_ = json.NewEncoder(w).Encode(left[0])
	}
	if len(left) > 1 {
		n.about[about] = left[1:]
	}
}

// told runs a command beside a node.
func told(t *testing.T, about map[string][]any, args ...string) (code int, out, said string) {
	t.Helper()
	node := httptest.NewServer(&answering{about: about})
	defer node.Close()
	t.Chdir(t.TempDir())
	t.Setenv("COWBOY_PRIVATE_KEY", strings.Repeat("11", 32))
	t.Setenv("COWBOY_RPC_URL", node.URL)
	var outs, errs bytes.Buffer
	code = Main(args, strings.NewReader("value"), &outs, &errs)
	return code, outs.String(), errs.String()
}

// serving are proxies of which some serve, and some soak until a block.
func serving(serve int, soak ...uint64) wire.Proxies {
	var list wire.Proxies
	for range serve {
		list.Proxies = append(list.Proxies, wire.Proxy{Serves: true})
	}
	for _, until := range soak {
		list.Proxies = append(list.Proxies, wire.Proxy{EligibleAfter: until})
	}
	return list
}

// Whoever asks for a release key, or has asked and waits for it, is told what it takes, and no bond is put up for a committee that cannot be drawn.
//
// Spec: secrets-cbss §4 (77, 81), §5 (selection of proxies).
func TestReleaseKeysThatAreAwaited(t *testing.T) {
	drawn := wire.ReleaseKey{Scope: "15aa", Pending: &wire.DkgPending{Deadline: 900, Committee: make([]string, 5)}}
	made := wire.ReleaseKey{Master: "aa", Epoch: 1, Threshold: 4, Committee: make([]string, 5), LastReshare: 77}
	away := serving(3, 103)
	away.Proxies = append(away.Proxies, wire.Proxy{EligibleAfter: 5, Suspended: true}, wire.Proxy{EligibleAfter: 5, UnbondAt: 9})
	at := func(height uint64) []any { return []any{wire.Health{BlockHeight: height}} }
	for name, c := range map[string]struct {
		node      map[string][]any
		args      string
		code      int
		out, said string
	}{
		"it is made": {map[string][]any{"release-key": {drawn, drawn, made}, "health": at(900)}, "--wait", 0,
			"Epoch 1: 4 of 5 proxies, since block 77", "5 proxies make the key, by block 900 at the latest"},
		"nobody was drawn": {map[string][]any{"release-key": {drawn, nil}}, "--wait", 1, "", "the bond came back"},
		"it was not made":  {map[string][]any{"release-key": {drawn}, "health": at(901)}, "--wait", 1, "", "expire-dkg-pending --scope 15aa"},
		"too few serve": {map[string][]any{"proxies": {serving(3, 110, 103)}}, "", 1, "",
			"SecretCommitteeUnavailable: 3 proxies serve, and a committee has 5\n  from block 110 on"},
		"one is lacking":    {map[string][]any{"proxies": {serving(4, 110, 103)}}, "", 1, "", "from block 103 on"},
		"too few are there": {map[string][]any{"proxies": {away}}, "", 1, "", "SecretCommitteeUnavailable: 3 proxies serve, and a committee has 5"},
		"some come": {map[string][]any{"proxies": {serving(0), serving(0, 103), serving(0, 103, 103, 103, 104, 105), serving(5)}}, "--wait", 1, "",
			"waiting for block 105"},
		"too few ever serve": {map[string][]any{"proxies": {away}}, "--wait", 1, "",
			"SecretCommitteeUnavailable: 3 proxies serve, and a committee has 5"},
		"enough serve later": {map[string][]any{"proxies": {serving(0, 103, 103, 103, 103, 110), serving(5)}}, "--wait", 1, "",
			"0 proxies serve, and a committee has 5: waiting for block 110"}, // and then it asks for the fees, which this node does not know
	} {
		t.Run(name, func(t *testing.T) {
			code, out, said := told(t, c.node, append([]string{"secrets", "key"}, strings.Fields(c.args)...)...)
			if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(said, c.said) {
				t.Errorf("exit %d\n%s%s", code, out, said)
			}
		})
	}
	for name, c := range map[string]struct {
		answer any
		says   string
	}{
		"nobody asked":     {nil, "ask for one with `cowboy secrets key --wait`"},
		"one is made":      {drawn, "a committee makes it now"},
		"the key is wrong": {wire.ReleaseKey{Master: "zz"}, "a key that is none"},
	} {
		t.Run(name, func(t *testing.T) {
			code, _, said := told(t, map[string][]any{"release-key": {c.answer}, "health": at(1)}, "secrets", "set", "NAME", "--value-file", "-")
			if code != 1 || !strings.Contains(said, c.says) {
				t.Errorf("exit %d: %s", code, said)
			}
		})
	}
}
