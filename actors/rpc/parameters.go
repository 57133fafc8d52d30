package rpc

import (
	"encoding/hex"
	"fmt"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/timer"
)

// maxAhead bounds the timers that are looked at ahead.
const maxAhead = 2_000

// Parameters implements Backend: every governed parameter the next block executes under.
func (n *Node) Parameters() ([]wire.Parameter, error) {
	t, err := n.tip()
	if err != nil {
		return nil, err
	}
	p, err := params.Load(t.State)
	if err != nil {
		return nil, err
	}
	return wire.ParametersOf(p), nil
}

// ParameterHistory implements Backend: changes of a group behind a version. Spec: governance-staking B9.
func (n *Node) ParameterHistory(key string, after, limit uint64) (wire.ParameterHistory, error) {
	out := wire.ParameterHistory{Key: key, Changes: []wire.ParameterChange{}}
	t, err := n.tip()
	if err != nil {
		return out, err
	}
	if _, ok, err := t.State.Lookup(params.StateKey(key)); err != nil {
		return out, err
	} else if !ok {
		return out, errNotFound
	}
	if out.ConfigVersion, err = params.Version(t.State); err != nil {
		return out, err
	}
	more := false
	err = params.History(t.State, key, after, int(limit)+1, func(c params.Change) bool {
		if more = uint64(len(out.Changes)) == limit; more {
			return false
		}
		out.Changes = append(out.Changes, viewChange(key, c))
		return true
	})
	if more {
		out.NextCursor = fmt.Sprint(out.Changes[limit-1].Version)
	}
	return out, err
}

func viewChange(key string, c params.Change) wire.ParameterChange {
	v := wire.ParameterChange{
		Version: c.Version, Height: uint64(c.Height), By: c.By.String(), Tx: c.Tx.String(), Value: hex.EncodeToString(c.Value),
	}
	p := params.Genesis()
	if p.Replace(key, c.Value) != nil { // a group of a chapter, or a registered parameter, whose fields nobody names
		return v
	}
	for _, field := range wire.ParametersOf(p) {
		if field.Key == key {
			v.Parameters = append(v.Parameters, field)
		}
	}
	return v
}

// TimersAhead implements Backend: all pending timers in the order they fire. The total counts at most
// maxAhead.
func (n *Node) TimersAhead(offset, limit uint64) (wire.Timers, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Timers{}, err
	}
	var ids []timer.ID
	err = t.State.Scan(timer.IndexPrefix(), nil, maxAhead, func(key, value []byte) bool {
		if e, ok := timer.ParseEntry(key, value); ok {
			ids = append(ids, e.ID)
		}
		return true
	})
	if err != nil {
		return wire.Timers{}, err
	}
	return n.timers(t.State, ids, offset, limit)
}
