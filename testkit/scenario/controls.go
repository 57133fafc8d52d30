package scenario

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/cbor"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// endings are how a job may end.
const endings = "a job ends ok, error, lost or votes, not %s"

// job says what the runners answer to jobs of a type from now on.
func job(w *world, args []string, payload string) error {
	payload, err := w.fill(payload)
	if err != nil {
		return err
	}
	var result any
	if payload != "" {
		if result, err = wire.Plain(payload); err != nil {
			return err
		}
	}
	a := testkit.Answer{Result: result}
	switch args[1] {
	case "ok":
	case "error":
		a.Error = true
	case "lost":
		a.Lost = true
	case "votes":
		results, ok := result.([]any)
		if !ok || len(results) == 0 {
			return errors.New("votes are a list, one result for each runner; null is a runner that failed")
		}
		for i, r := range results {
			if r == nil {
				results[i] = errors.New("the runner failed")
			}
		}
		a = testkit.Votes(results...)
	default:
		return fmt.Errorf(endings, args[1])
	}
	w.answers[args[0]] = a
	return nil
}

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
