package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/runtime/host"
)

// What a node estimates becomes the limits that nobody gave, at least what the instruction always costs. What it does not know, or only
// guesses, changes nothing.
//
// Spec: sdk §20.2 (left out, it is found out); node-rpc-cli §4.2.
func TestSimulatedLimits(t *testing.T) {
	for name, c := range map[string]struct {
		args          []string
		status        int
		answer        wire.Estimate
		cycles, cells uint64
		fails         string
	}{
		"measured":         {nil, 200, wire.Estimate{Success: true, CyclesLimit: 60_000, CellsLimit: 625}, 60_000, 625, ""},
		"more than usual":  {nil, 200, wire.Estimate{Success: true, CyclesLimit: 2_510_000, CellsLimit: 1_000_500}, 2_510_000, 1_000_500, ""},
		"less than it has": {nil, 200, wire.Estimate{Success: true, CyclesLimit: 1, CellsLimit: 1}, 21_000, 1, ""},
		"given cycles":     {[]string{"--cycles-limit", "77000"}, 200, wire.Estimate{Success: true, CyclesLimit: 60_000, CellsLimit: 625}, 77_000, 625, ""},
		"given cells":      {[]string{"--cells-limit", "0"}, 200, wire.Estimate{Success: true, CyclesLimit: 60_000, CellsLimit: 500}, 60_000, 0, ""},
		"behind others":    {nil, 200, wire.Estimate{Ahead: 1, Error: &wire.Error{Why: "no actor"}}, 500_000, 500_000, ""},
		"an older node":    {nil, 404, wire.Estimate{}, 500_000, 500_000, ""},
		"a busy node":      {nil, 503, wire.Estimate{}, 500_000, 500_000, ""},
		"would fail":       {nil, 200, wire.Estimate{Error: &wire.Error{Code: 1210, Why: "ValueError: \u202eno"}}, 0, 0, `would fail: ValueError: \u202eno`},
		"salt of old":      {nil, 200, wire.Estimate{Error: &wire.Error{Code: 1215, Why: "exists"}}, 0, 0, "take another --salt"},
		"would be refused": {nil, 200, wire.Estimate{Refused: &wire.Error{What: "insufficient balance", Fix: "fund it"}}, 0, 0, "insufficient balance"},
		"no such handler": {nil, 200, wire.Estimate{Error: &wire.Error{Code: 1206}, Missing: &host.Missing{Handler: "incr", Has: []string{"get", "inc"}}},
			0, 0, "has: get, inc\ndid you mean inc?"},
	} {
		t.Run(name, func(t *testing.T) {
			var asked string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				asked = r.Method + " " + r.URL.Path + " " + string(body)
				w.WriteHeader(c.status)
				_ = json.NewEncoder(w).Encode(c.answer)
			}))
			defer server.Close()
			f := &sendFlags{}
			cmd := &cobra.Command{}
			f.register(cmd, 500_000, 500_000)
			if err := cmd.ParseFlags(c.args); err != nil {
				t.Fatal(err)
			}
			one := &tx.Tx{
				ChainID: 1, Instruction: &tx.Execute{To: account.Address{1}, Handler: []byte("f")},
				CyclesLimit: unit.Cycles(f.cycles), CellsLimit: unit.Cells(f.cells), MaxFeePerCycle: 1, MaxFeePerCell: 1,
			}
			err := (&app{}).simulate(context.Background(), api.New(server.URL), f, one, 1<<60)
			if !strings.HasPrefix(asked, `POST /estimate {"tx":"`) {
				t.Errorf("asked %.60s", asked)
			}
			var would *wouldFail
			if c.fails != "" {
				if !errors.As(err, &would) || !strings.Contains(err.Error(), c.fails) {
					t.Errorf("%v, want %s", err, c.fails)
				}
				return
			}
			if err != nil || uint64(one.CyclesLimit) != c.cycles || uint64(one.CellsLimit) != c.cells {
				t.Errorf("%d cycles, %d cells, %v; want %d, %d", one.CyclesLimit, one.CellsLimit, err, c.cycles, c.cells)
			}
		})
	}
}
