package pytest

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// nativeName is what cowboy_sdk.testing is made with.
const nativeName = "_cowboy_chain"

// fn is a function of the native module over a test's session.
type fn func(s *session, m *object.Machine, a object.Args) (object.Value, *object.Exception)

// module makes the native module for one test.
func (s *session) module() pvm.NativeModule {
	return func(m *object.Machine, mod *object.Module) *object.Exception {
		for _, e := range [...]struct {
			name, sig string
			call      fn
		}{
			{"new_chain", "", newChain},
			{"account", "chain, name", accountOf},
			{"deploy", "chain, sender, source, init, payload, manifest", deploy},
			{"upgrade", "chain, sender, actor, source, manifest", upgrade},
			{"dispatch", "chain, actor, handler, envelope", dispatch},
			{"deployer", "chain", func(_ *session, m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
				addr := genesis.DevFaucet().Address()
				return m.Bytes(addr[:]), nil
			}},
			{"execute", "chain, sender, actor, handler, payload, value", execute},
			{"send", "chain, sender, actor, handler, payload, value", send},
			{"query", "chain, sender, actor, handler, payload", query},
			{"repeat", "chain, sender, actor, handler, payload, times", repeat},
			{"fund", "chain, actor, amount", fund},
			{"mine", "chain, blocks", mine},
			{"height", "chain", height},
			{"balance", "chain, address", balance},
			{"storage", "chain, actor, key", storage},
			{"entries", "chain, actor", entries},
			{"events", "chain, actor", events},
			{"snapshot", "chain", snapshot},
			{"revert", "chain, number", revert},
			{"jobs", "chain, answer", jobs},
			{"source_of", "module", sourceOf},
			{"source_file", "path", sourceFile},
		} {
			mod.Define(m, e.name, object.NewLateBuiltin(object.Method{Name: e.name, Sig: e.sig, Func: s.guarded(e.call)}).Value())
		}
		return nil
	}
}

// guarded turns what the chain refuses into a RuntimeError of the test.
func (s *session) guarded(call fn) object.Func {
	return refusing(func(m *object.Machine, a object.Args) (object.Value, *object.Exception) { return call(s, m, a) })
}

// refusing turns a panic with broken into a RuntimeError of the test.
func refusing(call object.Func) object.Func {
	return func(m *object.Machine, a object.Args) (v object.Value, e *object.Exception) {
		defer func() {
			switch r := recover().(type) {
			case nil:
			case broken:
				v, e = object.Value{}, m.RuntimeError("%s", r.Text)
			case *object.Exception:
				v, e = object.Value{}, r
			default:
				panic(r)
			}
		}()
		return call(m, a)
	}
}

func (s *session) chain(v object.Value) *simulated {
	n, ok := v.AsInt()
	if !ok || n.BigInt().Sign() < 0 || n.BigInt().Cmp(limit(len(s.chains))) >= 0 {
		panic(broken{Text: "no such chain"})
	}
	return s.chains[n.BigInt().Int64()]
}

func address(v object.Value) account.Address {
	b, ok := v.AsBytes()
	if !ok || len(b.Data()) != account.AddressSize {
		panic(broken{Text: "an address has 20 bytes"})
	}
	return account.Address(b.Data())
}

func words(v object.Value) string {
	s, ok := v.AsStr()
	if !ok {
		panic(broken{Text: "a text is wanted, not " + v.Type().Name})
	}
	return s.String()
}

func octets(v object.Value) []byte {
	if s, ok := v.AsStr(); ok {
		return []byte(s.String())
	}
	b, ok := v.AsBytes()
	if !ok {
		panic(broken{Text: "bytes are wanted, not " + v.Type().Name})
	}
	return b.Data()
}

func number(v object.Value) uint64 {
	n, ok := v.AsInt()
	if !ok || !n.BigInt().IsUint64() {
		panic(broken{Text: "a number from 0 to 2^64-1 is wanted"})
	}
	return n.BigInt().Uint64()
}

func newChain(s *session, _ *object.Machine, _ object.Args) (object.Value, *object.Exception) {
	return object.Int(int64(s.open())), nil
}

func accountOf(s *session, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	addr := named(words(a.V[1]))
	s.chain(a.V[0]).Impersonate(addr)
	return m.Bytes(addr[:]), nil
}

func deploy(s *session, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	c := s.chain(a.V[0])
	var init *string
	if !a.V[3].IsNone() {
		name := words(a.V[3])
		init = &name
	}
	return receiptValue(m, c, s.deploy(c, address(a.V[1]), words(a.V[2]), init, octets(a.V[4]), octets(a.V[5]))), nil
}

func upgrade(s *session, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	c := s.chain(a.V[0])
	code, err := pvm.CanonicalSource([]byte(words(a.V[3])))
	if err != nil {
		panic(broken{Text: err.Error()})
	}
	in := &tx.UpgradeActor{Actor: address(a.V[2]), Code: code}
	if manifest := octets(a.V[4]); len(manifest) > 0 {
		in.Manifest = manifest
	}
	return receiptValue(m, c, s.do(c, address(a.V[1]), in, testkit.DeployCycles, testkit.DeployCells)), nil
}

func dispatch(s *session, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	c := s.chain(a.V[0])
	v, err := cbor.Parse(octets(a.V[3]))
	envelope, ok := v.(cbor.Map)
	if err != nil || !ok {
		panic(broken{Text: "a request is a map"})
	}
	return receiptValue(m, c, s.dispatch(c, address(a.V[1]), words(a.V[2]), envelope)), nil
}

func execute(s *session, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	c := s.chain(a.V[0])
	return receiptValue(m, c, s.execute(c, address(a.V[1]), address(a.V[2]), words(a.V[3]), octets(a.V[4]), unit.Amount(number(a.V[5])))), nil
}

func send(s *session, _ *object.Machine, a object.Args) (object.Value, *object.Exception) {
	s.send(s.chain(a.V[0]), address(a.V[1]), address(a.V[2]), words(a.V[3]), octets(a.V[4]), unit.Amount(number(a.V[5])))
	return object.None, nil
}

func query(s *session, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	c := s.chain(a.V[0])
	var sender *account.Address
	if !a.V[1].IsNone() {
		by := address(a.V[1])
		sender = &by
	}
	out := c.Query(address(a.V[2]), words(a.V[3]), octets(a.V[4]), sender)
	x := &block.Receipt{
		Target: address(a.V[2]), CyclesUsed: out.Used.Cycles, CellsUsed: out.Used.Cells, ReturnData: out.Return, Status: block.Success,
	}
	if out.Fault != nil {
		x.Status, x.Fault = block.Faulted, *out.Fault
	}
	return receiptValue(m, c, x), nil
}

func repeat(s *session, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	c := s.chain(a.V[0])
	times := number(a.V[5])
	if times < 2 || times > 100 {
		panic(broken{Text: "a call is repeated 2 to 100 times"})
	}
	list := m.NewList(nil)
	for _, run := range s.repeat(c, address(a.V[1]), address(a.V[2]), words(a.V[3]), octets(a.V[4]), int(times)) {
		d := m.NewDict()
		d.SetStr(m, nameReceipt, receiptValue(m, c, run.receipt))
		d.SetStr(m, nameRoot, m.Bytes(run.root[:]))
		list.Append(m, d.Value())
	}
	return list.Value(), nil
}

func fund(s *session, _ *object.Machine, a object.Args) (object.Value, *object.Exception) {
	c := s.chain(a.V[0])
	before := len(c.Blocks())
	c.Impersonate(named(someone)).Fund(address(a.V[1]), unit.Amount(number(a.V[2])))
	for _, b := range c.Blocks()[before:] {
		for _, x := range b.Receipts {
			s.fault(c, x)
		}
	}
	return object.None, nil
}

func mine(s *session, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	c := s.chain(a.V[0])
	list := m.NewList(nil)
	for _, x := range s.mine(c, number(a.V[1])) {
		list.Append(m, receiptValue(m, c, x))
	}
	return list.Value(), nil
}

func height(s *session, _ *object.Machine, a object.Args) (object.Value, *object.Exception) {
	return object.Int(int64(s.chain(a.V[0]).Height())), nil
}

func balance(s *session, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	return integer(m, uint64(s.chain(a.V[0]).Balance(address(a.V[1])))), nil
}

func snapshot(s *session, _ *object.Machine, a object.Args) (object.Value, *object.Exception) {
	c := s.chain(a.V[0])
	c.snapshots = append(c.snapshots, c.Snapshot())
	return object.Int(int64(len(c.snapshots) - 1)), nil
}

func revert(s *session, _ *object.Machine, a object.Args) (object.Value, *object.Exception) {
	c := s.chain(a.V[0])
	n := number(a.V[1])
	if n >= uint64(len(c.snapshots)) {
		panic(broken{Text: "no such snapshot"})
	}
	c.Revert(c.snapshots[n])
	return object.None, nil
}

// jobs lets a Python function answer the chain's jobs: it is given a map and gives the CBOR of [result, delay, failed, lost].
func jobs(s *session, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	answer := a.V[1]
	m.Pin(answer)
	s.chain(a.V[0]).Jobs(func(j *testkit.Job) testkit.Answer {
		data, err := cbor.Append(nil, cbor.Map{
			{Key: "type", Value: j.Type}, {Key: "args", Value: j.Args()}, {Key: "cid", Value: j.CID}, {Key: "actor", Value: j.Actor[:]},
			{Key: "fields", Value: j.Fields}, {Key: "options", Value: j.Options()},
		})
		if err != nil {
			panic(broken{Text: err.Error()})
		}
		job, e := decoded(m, data)
		if e == nil {
			var got object.Value
			if got, e = m.Call(answer, object.Positional(job)); e == nil {
				return answerOf(octets(got))
			}
		}
		panic(e) // through the chain, to the call of the test that made the block
	})
	return object.None, nil
}

func answerOf(data []byte) testkit.Answer {
	v, err := cbor.Parse(data)
	if err != nil {
		panic(broken{Text: "a job's answer cannot be encoded: " + err.Error()})
	}
	parts := v.([]any)
	delay, _ := parts[1].(int64)
	failed, _ := parts[2].(bool)
	lost, _ := parts[3].(bool)
	return testkit.Answer{Result: parts[0], Delay: unit.Height(max(delay, 0)), Error: failed, Lost: lost}
}

func sourceOf(s *session, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	source, err := s.runner.actorSource(words(a.V[0]))
	if err != nil {
		return object.Value{}, m.Raise(&object.ExcFileNotFoundError, "%v", err)
	}
	return m.Str(source), nil
}

func sourceFile(s *session, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	source, err := s.runner.open(words(a.V[0]))
	if err != nil {
		return object.Value{}, m.Raise(&object.ExcFileNotFoundError, "%v", err)
	}
	return m.Str(string(source)), nil
}
