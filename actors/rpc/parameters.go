package rpc

import (
	"fmt"
	"reflect"

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
	return viewParameters(p), nil
}

// viewParameters pairs the fields of the parameters with their groups' keys, which params.Groups gives in the same order.
func viewParameters(p *params.Params) []wire.Parameter {
	var list []wire.Parameter
	v := reflect.ValueOf(*p)
	for i, group := range p.Groups() {
		name, field := v.Type().Field(i).Name, v.Field(i)
		switch field.Kind() {
		case reflect.Struct:
			for k := range field.NumField() {
				list = append(list, wire.Parameter{Key: group.Key, Name: name + "." + field.Type().Field(k).Name,
					Value: fmt.Sprint(field.Field(k).Interface())})
			}
		case reflect.Slice:
			for k := range field.Len() {
				list = append(list, wire.Parameter{Key: group.Key, Name: fmt.Sprintf("%s[%d]", name, k), Value: fmt.Sprint(field.Index(k).Interface())})
			}
		default:
			list = append(list, wire.Parameter{Key: group.Key, Name: name, Value: fmt.Sprint(field.Interface())})
		}
	}
	return list
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
