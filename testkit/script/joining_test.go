package script

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// TestJoinByOnePeer founds a network as the guide does, whose nodes listen everywhere and are told no address. Two join it, each through one peer only and not
// the same. Both find everybody, each other as well; as validators they vote in three whole epochs, and nobody is jailed. Then two of six are
// stopped, and all tools say that there is no quorum, and who is away.
//
// Spec: WP §6.2 ("peer discovery (DHT + bootstrap nodes)"), "Validator Set".
func TestJoinByOnePeer(t *testing.T) { // alone, since it counts votes that come in time
	if testing.Short() {
		t.Skip("real processes")
	}
	const pace, epoch = 100 * time.Millisecond, 80
	r := newRegion(t)
	ports := freePorts(t, 8)
	r.run(fmt.Sprintf("cowboyd init --validators 4 --epoch-blocks %d --block-time %v --data-dir net --chain-id 100 --faucet --password-file password"+
		" --light-keys --rpc-port %d --p2p-port %d", epoch, pace, ports, ports+4))
	for i := range 4 {
		r.nodes[fmt.Sprintf("net/node-%d", i)] = &resident{url: fmt.Sprintf("http://127.0.0.1:%d", ports+i)}
	}
	r.start("net/node-0", "net/node-1", "net/node-2", "net/node-3")
	r.reach("net/node-0", 2)
	all := []string{"net/node-0", "net/node-1", "net/node-2", "net/node-3"}
	admins := map[string]string{}
	for i, name := range []string{"erin", "frank"} {
		at := fmt.Sprintf("net/node-%d", i)
		id := strings.TrimSpace(r.run("cowboyd keys show network --data-dir " + at))
		admins[name] = fmt.Sprintf("127.0.0.1:%d", freePorts(t, 1))
		r.add(name, fmt.Sprintf("--join %s/genesis.json --peers %s@127.0.0.1:%d", at, id, ports+4+i), pace, "--admin", admins[name])
		all = append(all, name)
	}
	r.start("erin", "frank")
	for _, name := range []string{"erin", "frank"} {
		r.reach(name, 5)
		r.pay("net/node-0", r.account(name), 80_000)
		r.act("net/node-1", name, fmt.Sprintf("register --stake 60000 --vote-key %s/keys/vote.json", name))
	}
	for _, name := range []string{"erin", "frank"} {
		r.await(name+" is active", func() bool { return r.validator("net/node-2", r.account(name)).Status == "active" })
		r.await(name+" is connected to all", func() bool { return metric(admins[name], "cowboy_p2p_validators") == "5" })
	}
	first := r.height("net/node-0")
	whole := first - first%epoch + epoch // an epoch in which both are members from its first block on
	for i := range uint64(3) {
		r.reach("net/node-0", whole+i*epoch+70) // of the epoch's blocks 38 are counted
		var list wire.Validators
		if !r.read("net/node-0", "/validators", &list) || len(list.Validators) != 6 {
			t.Fatalf("%+v", list)
		}
		for _, v := range list.Validators {
			// a slow machine costs some votes; a validator that reaches one other of five casts nearly none in time
			if v.Status != "active" || v.Jailings != 0 || v.Part == nil || v.Part.Counted < 38 || 4*v.Part.Missed > v.Part.Counted {
				t.Errorf("%d epochs on: %+v %+v", i, v, v.Part)
			}
		}
	}
	told := r.run("cowboyd peers --data-dir erin --admin " + admins["erin"])
	if !strings.Contains(told, "5 peers are connected\n") || !strings.Contains(told, r.account("frank")) {
		t.Errorf("cowboyd peers:\n%s", told)
	}

	gone := []string{r.account("net/node-2"), r.account("net/node-3")}
	r.kill("net/node-2")
	r.kill("net/node-3")
	r.await("no quorum", func() bool {
		var ready wire.Ready
		r.unready("erin", &ready)
		text := strings.Join(ready.Reason, "\n")
		const want = "no quorum: 4 of 6 validators are here, and 5 are needed"
		return strings.Contains(text, want) && strings.Contains(text, gone[0]) && strings.Contains(text, gone[1])
	})
	out, err := r.try(fmt.Sprintf("cowboyd doctor --data-dir erin --rpc-port %s", r.nodes["erin"].url[strings.LastIndex(r.nodes["erin"].url, ":")+1:]))
	if err == nil || !strings.Contains(out, "no quorum") || strings.Contains(out, "NTP") {
		t.Errorf("cowboyd doctor: %v\n%s", err, out)
	}
}

// unready reads why a node is not ready.
func (r *region) unready(name string, into *wire.Ready) {
	resp, err := http.Get(r.nodes[name].url + "/health/ready")
	if err != nil {
		return
	}
	defer resp.Body.Close()
	_ = json.NewDecoder(resp.Body).Decode(into)
}

// metric is the value of a metric without labels, "" if there is none.
func metric(admin, name string) string {
	resp, err := http.Get("http://" + admin + "/metrics")
	if err != nil {
		return ""
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
