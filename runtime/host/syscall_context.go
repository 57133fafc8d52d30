package host

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// PVMVersion is what get_pvm_version answers.
const PVMVersion = "3.11.8-cowboy-1"

// contextCalls tell a handler where it is.
//
// Spec: sdk §8; WP §17.3 (get_block_info).
func contextCalls() []entry {
	return []entry{
		{"get_sender", "", getSender},
		{"get_actor_address", "", getSelf},
		{"self_address", "", getSelf},
		{"get_block_height", "", blockNumber(func(f *Invocation) uint64 { return uint64(f.work.turn.Block.Height) })},
		{"current_block", "", blockNumber(func(f *Invocation) uint64 { return uint64(f.work.turn.Block.Height) })},
		{"get_timestamp_ms", "", blockNumber(func(f *Invocation) uint64 { return f.work.turn.Block.TimestampMs })},
		{"get_chain_id", "", blockNumber(func(f *Invocation) uint64 { return f.work.turn.Block.ChainID })},
		{"get_tx_hash", "", func(f *Invocation, m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
			return m.Bytes(f.work.turn.TxHash[:]), nil
		}},
		{"get_pvm_version", "", func(_ *Invocation, m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
			return m.Str(PVMVersion), nil
		}},
		{"context", "", contextDict},
		{"gas_left", "", func(f *Invocation, m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
			if e := m.Charge(0); e != nil { // settles a pending memory check, which hides what is left
				return object.Value{}, e
			}
			return uintValue(m, f.meter.Left()), nil
		}},
		{"cells_left", "", func(f *Invocation, m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
			return uintValue(m, f.meter.CellsLeft()), nil
		}},
		{"charge_gas", "n", func(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			n, e := f.number(m, a.Arg(0), "n")
			if e != nil {
				return object.Value{}, e
			}
			return none(f.charge(n, 0), f, m)
		}},
		{"keccak256", "data", func(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			data, e := octets(m, a.Arg(0), "data")
			if e != nil {
				return object.Value{}, e
			}
			hash, err := f.Keccak256(data)
			if err != nil {
				return object.Value{}, f.raise(m, err)
			}
			return m.Bytes(hash[:]), nil
		}},
		{"verify_signature", "scheme, public_key, message, signature", verifySignature},
		{"verify_typed_data", "typed_data, signature, address", verifyTypedData},
		{"randomness", "domain", func(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			domain, e := octets(m, a.Arg(0), "domain")
			if e != nil {
				return object.Value{}, e
			}
			out, err := f.Randomness(domain)
			if err != nil {
				return object.Value{}, f.raise(m, err)
			}
			return m.Bytes(out[:]), nil
		}},
	}
}

func getSender(f *Invocation, m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
	if f.sender == nil {
		return object.None, nil
	}
	return addressBytes(m, *f.sender), nil
}

func getSelf(f *Invocation, m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
	return addressBytes(m, f.self), nil
}

func addressBytes(m *object.Machine, a account.Address) object.Value { return m.Bytes(a[:]) }

// blockNumber is a syscall that gives a number of the block.
func blockNumber(of func(*Invocation) uint64) syscall {
	return func(f *Invocation, m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
		if err := f.charge(uint64(f.costs().BlockInfo), 0); err != nil {
			return object.Value{}, f.raise(m, err)
		}
		return uintValue(m, of(f)), nil
	}
}

func contextDict(f *Invocation, m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
	if err := f.charge(uint64(f.costs().BlockInfo), 0); err != nil {
		return object.Value{}, f.raise(m, err)
	}
	if e := m.Charge(len(contextNames) * m.Costs().DictAccess); e != nil {
		return object.Value{}, e
	}
	t := f.work.turn
	id := t.ID
	if t.Signer != nil {
		id = [32]byte{}
	}
	sender, _ := getSender(f, m, object.Args{})
	d := m.NewDictFor(len(contextNames))
	values := [...]object.Value{
		uintValue(m, uint64(t.Block.Height)), m.Bytes(t.Block.ParentHash[:]), uintValue(m, t.Block.TimestampMs),
		uintValue(m, t.Block.ChainID), m.Bytes(t.TxHash[:]), sender, addressBytes(m, f.self), m.Bytes(id[:]),
		uintValue(m, t.Nonce), m.Str(PVMVersion), uintValue(m, uint64(f.value)),
	}
	for i, name := range contextNames {
		d.SetStr(m, name, values[i])
	}
	return d.Value(), nil
}

// contextNames are the keys of context(), in the order its values are given.
var contextNames = [...]*object.Str{
	object.StaticName("block_height"), object.StaticName("block_hash"), object.StaticName("timestamp_ms"),
	object.StaticName("chain_id"), object.StaticName("tx_hash"), object.StaticName("sender"), object.StaticName("actor_addr"),
	object.StaticName("msg_id"), object.StaticName("nonce"), object.StaticName("pvm_version"),
	object.StaticName("value"),
}
