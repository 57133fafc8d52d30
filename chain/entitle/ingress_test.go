package entitle

import (
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// What an actor's manifest says of its tools, with what it does not state filled in.
//
// Spec: entitlement-extras §3 (ingress.mcp); gateway-payments-streams §B (tools' input 1 MiB).
func TestMCP(t *testing.T) {
	for name, c := range map[string]struct {
		manifest string
		want     *MCP
	}{
		"none":    {`[{"id":"ingress.http"}]`, nil},
		"nothing": {`[{"id":"ingress.http"},{"id":"ingress.mcp"}]`, &MCP{InputBytes: 1 << 20}},
		"everything": {
			`[{"id":"ingress.http"},{"id":"ingress.mcp","params":{"server_name":"A shop","server_instructions":"Ask first.","tool_name_prefix":"shop_",` +
				`"exclude_routes":["/b","a"],"max_tool_input_bytes":9}}]`,
			&MCP{"A shop", "Ask first.", "shop_", []string{"/b", "a"}, 9},
		},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := Parse([]byte(c.manifest))
			if err != nil {
				t.Fatal(err)
			}
			again, err := Parse(m.Encode()) // what the state has
			if err != nil || !reflect.DeepEqual(again, m) {
				t.Fatalf("%+v %v", again, err)
			}
			s := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
			s.Set(Key(account.Address{1}), m.Encode())
			h, ok, err := HTTPOf(s, account.Address{1})
			if err != nil || !ok || !reflect.DeepEqual(h.MCP, c.want) {
				t.Errorf("%+v %v %v", h.MCP, ok, err)
			}
		})
	}
}
