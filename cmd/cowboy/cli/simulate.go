package cli

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// The limits that a transaction is tried with where nobody gives any: enough to find out what it uses.
const (
	trialCycles unit.Cycles = 10_000_000
	trialCells  unit.Cells  = 1_000_000
)

// wouldFail says that a transaction was not sent because of what would become of it.
type wouldFail struct {
	simulation wire.Estimate
	text       string
}

// Error implements error.
func (f *wouldFail) Error() string {
	return f.text + "\n  nothing was sent; --no-simulate sends it all the same"
}

// simulate has the node try a transaction before it is signed, and gives it limits that fit what it used; one that leads to messages keeps the limits it has
// where they are higher. A transaction that would fail is a *wouldFail. A node that estimates nothing, or has no room for it, is not asked twice; nor is what
// it says about a transaction that comes behind others of the sender taken for what will be.
func (a *app) simulate(ctx context.Context, node *api.Client, f *sendFlags, t *tx.Tx, balance uint64) error {
	trial, floor := *t, t.Intrinsic()
	budget := tx.LaneOf(t.Instruction).Budget()
	if !f.given("cycles-limit") {
		trial.CyclesLimit = min(max(t.CyclesLimit, trialCycles), budget)
	}
	if !f.given("cells-limit") {
		trial.CellsLimit = min(max(t.CellsLimit, trialCells), params.MaxTxCells)
	}
	f.fit(&trial, balance, floor)
	s, err := try(ctx, node, &trial)
	if err == nil && s.Refused != nil && s.Refused.Code == int(tx.CodePayer) {
		trial = *t // a grant bounds each use, and may allow what is going to be sent
		s, err = try(ctx, node, &trial)
	}
	if status := (*api.StatusError)(nil); errors.As(err, &status) {
		return nil // it has no such call, or no room
	}
	if err != nil || s.Ahead > 0 {
		return err
	}
	switch {
	case s.Refused != nil:
		return &wouldFail{s, fmt.Sprintf("no block would take the transaction: %s\n  why: %s\n  fix: %s",
			s.Refused.What, unitext.PlainLine(s.Refused.Why), s.Refused.Fix)}
	case !s.Success:
		return &wouldFail{s, a.simulationText(s, &trial)}
	}
	// What follows may lead to more than was tried, an answer from outside the chain above all, and draws on what these limits leave over.
	if s.More || len(s.Follows) > 0 {
		floor.Cycles, floor.Cells = max(floor.Cycles, t.CyclesLimit), max(floor.Cells, t.CellsLimit)
	}
	if !f.given("cycles-limit") {
		t.CyclesLimit = max(unit.Cycles(s.CyclesLimit), floor.Cycles)
	}
	if !f.given("cells-limit") {
		t.CellsLimit = max(unit.Cells(s.CellsLimit), floor.Cells)
	}
	floor = t.Intrinsic()
	f.fit(t, balance, floor)
	return nil
}

// try has the node execute a transaction that nobody has signed.
func try(ctx context.Context, node *api.Client, t *tx.Tx) (s wire.Estimate, err error) {
	body, err := json.Marshal(map[string]string{"tx": hex.EncodeToString(t.Encode())})
	if err == nil {
		err = node.Do(ctx, http.MethodPost, "/estimate", "application/json", body, &s)
	}
	return s, err
}

// simulationText says how a transaction would fail.
func (a *app) simulationText(s wire.Estimate, t *tx.Tx) string {
	text := "the transaction would fail"
	if s.Error != nil {
		text += ": " + unitext.PlainLine(s.Error.Why)
		switch uint16(s.Error.Code) {
		case drain.FaultExists:
			text += "\n  fix: this account has deployed this source with this salt already; take another --salt"
		case drain.FaultCycles, drain.FaultCells:
			text += fmt.Sprintf("\n  it was tried with %d cycles and %d cells", t.CyclesLimit, t.CellsLimit)
		}
	}
	if notes := printsText(s.Printed) + a.failureText(s.Failure) + missingText(s.Missing); notes != "" {
		text += "\n" + strings.TrimSuffix(notes, "\n")
	}
	return text
}
