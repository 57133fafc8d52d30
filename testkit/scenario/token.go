package scenario

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// makeToken has an account create a token, whose name in the story stands for its identifier in payloads.
func makeToken(w *world, args []string, _ string) error {
	by, err := w.account(args[0])
	if err != nil {
		return err
	}
	in := &tx.TokenCreate{Name: []byte(args[1]), Symbol: []byte(args[1])}
	if in.InitialSupply, err = unit.ParseUint128(args[2]); err != nil {
		return fmt.Errorf("%s is not a number of smallest units", args[2])
	}
	if len(args) > 3 {
		hook, err := w.address(args[3])
		if err != nil {
			return err
		}
		in.TransferHook = &hook
	}
	if _, taken := w.tokens[args[1]]; taken || w.names[w.addresses[args[1]]] == args[1] {
		return fmt.Errorf("%s is taken", args[1])
	}
	x := by.Do(in, testkit.ExecuteCycles, testkit.ExecuteCells)
	if x == nil || x.Status != block.Success {
		w.receipt(x)
		return nil
	}
	w.tokens[args[1]] = token.ID(x.ReturnData)
	return nil
}

// giveToken has an account send tokens.
func giveToken(w *world, args []string, _ string) error {
	by, err := w.account(args[0])
	if err != nil {
		return err
	}
	id, err := w.token(args[1])
	if err != nil {
		return err
	}
	to, err := w.address(args[2])
	if err != nil {
		return err
	}
	amount, err := unit.ParseUint128(args[3])
	if err != nil {
		return fmt.Errorf("%s is not a number of smallest units", args[3])
	}
	x := by.Do(&tx.TokenTransfer{TokenID: id, To: to, Amount: amount}, testkit.ExecuteCycles, testkit.ExecuteCells)
	for i := range x.Events {
		e, data := &x.Events[i], ""
		if e.Actor != token.Home() { // whose own data are octets
			data = " " + shown(e.Data)
		}
		w.print("event %v %s%s", e.Actor, e.Topic, data)
	}
	if x.Status != block.Success {
		w.print("%v %d: %s", x.Status, x.Fault.Code, x.Fault.Text)
	}
	return nil
}

// holding prints what somebody has of a token.
func holding(w *world, args []string, _ string) error {
	who, err := w.address(args[0])
	if err != nil {
		return err
	}
	id, err := w.token(args[1])
	if err != nil {
		return err
	}
	w.print("%v %s", w.chain.TokenBalance(id, who), args[1])
	return nil
}

func (w *world) token(name string) (token.ID, error) {
	if id, ok := w.tokens[name]; ok {
		return id, nil
	}
	return token.ID{}, unknown("there is no token "+name, name, w.tokens)
}
