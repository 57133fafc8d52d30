package scenario

import (
	"fmt"
	"strconv"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// lose has the worker panic in a turn of the next block.
func lose(w *world, args []string, _ string) error {
	turn, times := 0, 1
	turn, err := strconv.Atoi(args[0])
	if err == nil && len(args) > 1 {
		times, err = strconv.Atoi(args[1])
	}
	if err != nil || turn < 1 || times < 1 {
		return fmt.Errorf("%s is not a turn of a block: they are numbered from 1", args[0])
	}
	w.chain.Lose(turn, times)
	return nil
}

// set gives an account coins or writes an actor's storage, in a block.
func set(w *world, args []string, value string) error {
	addr, err := w.address(args[1])
	if err != nil {
		return err
	}
	switch args[0] {
	case "balance":
		amount, err := unit.ParseCBY(args[2])
		if err != nil || value != "" {
			return fmt.Errorf("%s is not an amount of CBY", args[2])
		}
		w.chain.SetBalance(addr, amount)
	case "storage":
		var data []byte
		if value != "" {
			if value, err = w.fill(value); err != nil {
				return err
			}
			v, err := wire.Plain(value)
			if err != nil {
				return err
			}
			if data, err = cbor.Append(nil, v); err != nil {
				return err
			}
		}
		w.chain.SetStorage(addr, args[2], data)
	default:
		return fmt.Errorf("balance or storage can be set, not %s", args[0])
	}
	w.others(w.chain.Blocks()[len(w.chain.Blocks())-1].Receipts)
	return nil
}

// sendAs has any address send an actor a message, which is delivered in the next block.
func sendAs(w *world, args []string, payload string) error {
	from, err := w.address(args[0])
	if err != nil {
		return err
	}
	to, err := w.address(args[1])
	if err != nil {
		return err
	}
	if payload, err = w.fill(payload); err != nil {
		return err
	}
	w.chain.SendAs(from, to, args[2], payload)
	w.others(w.chain.Blocks()[len(w.chain.Blocks())-1].Receipts)
	return nil
}
