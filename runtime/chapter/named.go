package chapter

import (
	"encoding/hex"
	"math/big"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// Parameter is a parameter of a handler: Bytes, Text, Number, Truth, Address, Hash or Value, or one of them Optional. Bytes, Address and Hash may be
// given as hexadecimal digits, since JSON has no octets.
type Parameter struct {
	Name string
	Kind Kind
}

// Named reads the arguments of a handler: canonical CBOR of a dict with the parameters' names, or of a list of their values in the order of the parameters;
// nothing is an empty dict.
// Reading is paid for by the size. Errors: ErrCycles, and a reject of arguments that do not fit.
//
// Spec: sdk §7 (arguments of a call); gateway-payments-streams §A.2, §B.
func (e *Env) Named(r Request, list ...Parameter) (Args, error) {
	if err := e.Charge(e.Costs().SerializeBase+unit.Cycles(len(r.Data))*e.Costs().SerializePerByte, 0); err != nil {
		return nil, err
	}
	if err := e.Building(r.Data); err != nil {
		return nil, err
	}
	var v any // of nothing, None
	if len(r.Data) > 0 {
		var err error
		if v, err = cbor.Parse(r.Data); err != nil {
			return nil, unfit(r.Handler, list)
		}
	}
	given := make(Args, len(list))
	switch v := v.(type) {
	case []any:
		if len(v) > len(list) {
			return nil, unfit(r.Handler, list)
		}
		copy(given, v)
	case cbor.Map:
		for _, p := range v {
			if p.Key == keyHandler { // which a message names its handler by
				continue
			}
			at := -1
			for i := range list {
				if p.Key == list[i].Name {
					at = i
				}
			}
			if at < 0 {
				return nil, unfit(r.Handler, list)
			}
			given[at] = p.Value
		}
	case nil:
	default:
		return nil, unfit(r.Handler, list)
	}
	for i, p := range list {
		var ok bool
		if given[i], ok = fitting(p.Kind, given[i]); !ok {
			return nil, unfit(r.Handler, list)
		}
	}
	return given, nil
}

// What is built of CBOR beyond freeItems items costs itemCost cycles for each of them, beside its bytes.
const (
	freeItems = 256
	itemCost  = 10
)

// Building takes the price of building a value of CBOR whose bytes are paid for: an item may have a single byte and takes some fifty of memory.
func (e *Env) Building(data []byte) error {
	if len(data) <= freeItems {
		return nil
	}
	return e.Charge(BuildingCost(data), 0)
}

// BuildingCost is what Building takes.
func BuildingCost(data []byte) unit.Cycles {
	return unit.Cycles(max(Items(data)-freeItems, 0)) * itemCost
}

func unfit(handler string, list []Parameter) error {
	if len(list) == 0 {
		return Reject(drain.FaultInput, "InvalidInputError", 2, "%s takes no arguments", handler)
	}
	names := make([]string, len(list))
	for i, p := range list {
		names[i] = p.Name
	}
	return Reject(drain.FaultInput, "InvalidInputError", 2, "%s wants a dict, or a list, of %s", handler, strings.Join(names, ", "))
}

// fitting gives a value of CBOR as an argument of a kind.
func fitting(k Kind, v any) (any, bool) {
	if v == nil {
		return nil, k&Optional != 0 || k == Value
	}
	switch k &^ Optional {
	case Bytes:
		return octets(v)
	case Hash:
		raw, ok := octets(v)
		if !ok || len(raw) != digest.Size {
			return nil, false
		}
		return digest.Hash(raw), true
	case Text:
		_, ok := v.(string)
		return v, ok
	case Truth:
		_, ok := v.(bool)
		return v, ok
	case Number:
		switch n := v.(type) {
		case int64:
			return uint64(n), n >= 0
		case *big.Int:
			return n.Uint64(), n.IsUint64()
		}
		return nil, false
	case Address:
		switch a := v.(type) {
		case []byte:
			if len(a) == account.AddressSize {
				return account.Address(a), true
			}
		case string:
			addr, err := account.ParseAddress(a)
			return addr, err == nil
		}
		return nil, false
	}
	return v, true
}

// octets gives octets, or those that hexadecimal digits stand for.
func octets(v any) ([]byte, bool) {
	switch v := v.(type) {
	case []byte:
		return v, true
	case string:
		raw, err := hex.DecodeString(strings.TrimPrefix(v, "0x"))
		return raw, err == nil
	}
	return nil, false
}

// Plain encodes what a handler answers: canonical CBOR.
func Plain(v any) ([]byte, error) { return cbor.Append(nil, v) }
