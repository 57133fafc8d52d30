package entitle_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system/entitle"
	"github.com/cowboyinc/cowboy-go/testkit"
)

var (
	run       = grant.Action{Kind: grant.ActorExecuteHandler, Value: "run"}
	revocable = grant.Terms{Revocable: true}
)

// do sends an instruction with room for every operation.
func do(a *testkit.Account, in tx.Instruction) *block.Receipt { return a.Do(in, 50_000, 2_000) }

// Each instruction costs its intrinsic price and what the document says, whether it is done or refused, emits its event, and gives the identity it made.
//
// Spec: CIP-2 §7.2, §7.4; WP §17.2.
func TestInstructions(t *testing.T) {
	c := testkit.NewChain(t)
	ann, bob, eve := c.Account("ann"), c.Account("bob"), c.Account("eve")
	scope := grant.ActorScope(ann.Address())
	deep := grant.Terms{Revocable: true, Delegatable: true, DelegationDepthMax: 1}
	root := (&grant.Record{Grantee: bob.Address(), Scope: scope, Action: run}).ID()
	child := (&grant.Record{Grantee: eve.Address(), Scope: scope, Action: run, Parent: root, Depth: 1}).ID()
	role := grant.RoleID(ann.Address(), "r")
	create := &tx.CreateRole{Name: []byte("r"), Scopes: []grant.Scope{scope}, Actions: []grant.Action{run}, Constraints: revocable}
	for i, x := range []struct {
		by            *testkit.Account
		in            tx.Instruction
		cycles, cells uint64 // beyond 21,000 and nothing
		fault         uint16
		made          *digest.Hash
		topic         string
	}{
		{ann, &tx.EntitlementGrant{Grantee: bob.Address(), Scope: scope, Action: run, Constraints: deep}, 5_000, 500 + 20 + 3, 0, &root, grant.TopicGranted},
		{ann, &tx.EntitlementGrant{Grantee: bob.Address(), Scope: scope, Action: run, Constraints: deep}, 5_000, 500 + 20 + 3, drain.FaultExists, nil, ""},
		{eve, &tx.EntitlementGrant{Grantee: bob.Address(), Scope: scope, Constraints: deep}, 5_000, 500 + 20, drain.FaultPermission, nil, ""},
		{ann, &tx.EntitlementGrant{Grantee: bob.Address(), Scope: scope, Constraints: grant.Terms{MaxCalls: 1}}, 5_000, 520, drain.FaultInput, nil, ""},
		{bob, &tx.EntitlementDelegate{ID: root, Delegatee: eve.Address(), Constraints: deep}, 3_000, 300, drain.FaultInput, nil, ""},
		{bob, &tx.EntitlementDelegate{ID: root, Delegatee: eve.Address(), Constraints: revocable}, 3_000, 300, 0, &child, grant.TopicDelegated},
		{eve, &tx.EntitlementDelegate{ID: child, Delegatee: account.Address{5}, Constraints: revocable}, 3_000, 300, drain.FaultForbidden, nil, ""},
		{eve, &tx.EntitlementRevoke{ID: root}, 2_000, 100, drain.FaultPermission, nil, ""},
		{ann, &tx.EntitlementRevoke{ID: root}, 2_000, 100, 0, nil, grant.TopicRevoked},
		{ann, &tx.EntitlementRevoke{ID: root}, 2_000, 100, drain.FaultMissing, nil, ""},
		{ann, create, 5_000, 500 + 1 + 20 + 3, 0, &role, grant.TopicCreated},
		{ann, create, 5_000, 500 + 1 + 20 + 3, drain.FaultExists, nil, ""},
		{eve, &tx.AssignRole{Role: role, Assignee: bob.Address()}, 2_000, 100, drain.FaultPermission, nil, ""},
		{ann, &tx.AssignRole{Role: role, Assignee: bob.Address()}, 2_000, 100, 0, nil, grant.TopicAssigned},
		{ann, &tx.RevokeRole{Role: role, Assignee: bob.Address()}, 2_000, 100, 0, nil, grant.TopicUnset},
		{ann, &tx.RevokeRole{Role: role, Assignee: bob.Address()}, 2_000, 100, drain.FaultMissing, nil, ""},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			r := do(x.by, x.in)
			if r.Fault.Code != x.fault || uint64(r.CyclesUsed) != 21_000+x.cycles || uint64(r.CellsUsed) != x.cells {
				t.Errorf("%d: %s; %d cycles, %d cells", i, testkit.Describe(r), r.CyclesUsed, r.CellsUsed)
			}
			if x.made != nil && string(r.ReturnData) != string(x.made[:]) {
				t.Errorf("%d: made %x, want %v", i, r.ReturnData, *x.made)
			}
			if x.topic == "" != (len(r.Events) == 0) || x.topic != "" && (string(r.Events[0].Topic) != x.topic || r.Events[0].Actor != grant.Home()) {
				t.Errorf("%d: events %v", i, r.Events)
			}
		})
	}
	if r := ann.Do(create, 25_999, 2_000); r.Fault.Code != drain.FaultCycles {
		t.Errorf("a cycle too few: %s", testkit.Describe(r))
	}
	if r := ann.Do(&tx.EntitlementRevoke{ID: root}, 30_000, 99); r.Fault.Code != drain.FaultCells {
		t.Errorf("a cell too few: %s", testkit.Describe(r))
	}
}

// Governance, on a local network its administrators, admits to pools that are nobody's.
//
// Spec: CIP-2 §7.3; entitlement-extras §5.
func TestPools(t *testing.T) {
	c := testkit.NewChain(t)
	ann, bob := c.Account("ann"), c.Account("bob")
	governance := c.Impersonate(genesis.DevFaucet().Address())
	admit := func(pool string) tx.Instruction {
		return &tx.EntitlementGrant{Grantee: bob.Address(), Scope: grant.PoolScope(pool), Action: grant.JoinPool(pool), Constraints: revocable}
	}
	own := grant.OwnedName(ann.Address(), "eu")
	for _, x := range []struct {
		by   *testkit.Account
		pool string
		ok   bool
	}{{ann, "eu", false}, {governance, "eu", true}, {bob, own, false}, {ann, own, true}} {
		t.Run(fmt.Sprintf("%x by %s", x.pool, x.by.Hex()), func(t *testing.T) {
			if r := do(x.by, admit(x.pool)); (r.Status == block.Success) != x.ok {
				t.Errorf("%q by %s: %s", x.pool, x.by.Hex(), testkit.Describe(r))
			}
			if ok, err := grant.Check(c.State(), bob.Address(), grant.PoolScope(x.pool), grant.JoinPool(x.pool), c.Height()); ok != x.ok || err != nil {
				t.Errorf("%q: member %v, %v", x.pool, ok, err)
			}
		})
	}
}

const door = `from pvm_host import (check_entitlement, grant_entitlement, revoke_entitlement, call, get_actor_address, HostError)

HOME = b"\x00" * 19 + b"\x07"

def init(p):
    pass

def me():
    return "actor:0x" + get_actor_address().hex()

def let(p):
    return grant_entitlement(p, me(), "actor-execute-handler:enter", {"rate_limit": {"max_calls": 1, "per_blocks": 1000}, "max_uses": 5})

def both(p):
    return b"".join(grant_entitlement(p, me(), ["custom:a", "custom:b"]))

def ask(p):
    return str([check_entitlement(p, me(), a) for a in ("actor-execute-handler:enter", "custom:a", "custom:b", "all")]).encode()

def shut(p):
    revoke_entitlement(p)

def enter(p):
    call(HOME, "use", {"grantee": p, "scope": me(), "action": "actor-execute-handler:enter"})

def tell(f, *args):
    try:
        return repr(f(*args))
    except HostError as e:
        return "%s %s %d" % (e.name, e.slug, e.code)

def errors(p):
    return "; ".join([
        tell(grant_entitlement, p, "global", "all"),
        tell(grant_entitlement, p, "everywhere", "all"),
        tell(grant_entitlement, p, me(), "anything"),
        tell(grant_entitlement, p, me(), 5),
        tell(grant_entitlement, p, me(), "all", {"for_ever": 1}),
        tell(grant_entitlement, p, me(), "all", {"max_uses": -1}),
        tell(grant_entitlement, p, me(), "all", {"delegation_depth_max": 256}),
        tell(grant_entitlement, p, me(), "all", {"rate_limit": {"max_calls": 1}}),
        tell(grant_entitlement, p, me(), "all", [1]),
        tell(revoke_entitlement, b"short"),
        tell(revoke_entitlement, bytes(32)),
        tell(call, HOME, "use", {"grantee": p, "scope": "global", "action": "all"}),
        tell(call, HOME, "use", {"grantee": p, "scope": me(), "action": "custom:x"}),
        tell(call, HOME, "use", {"grantee": p, "scope": me(), "action": "custom:x", "more": 1}),
        tell(call, HOME, "use", [p]),
        str(check_entitlement(p, me(), "all")),
    ]).encode()
`

// An actor gives, checks, counts and takes what is its own to give; its deployer may take it too.
//
// Spec: entitlement-extras §4, §5, §6; CIP-2 §7.1; sdk §18.
func TestActors(t *testing.T) {
	c := testkit.NewChain(t)
	ann, bob := c.Account("ann"), c.Account("bob")
	actor := ann.Deploy(door, []byte{})
	to := string(append([]byte(nil), addressOf(bob)...))
	if got := ann.Call(actor, "ask", to); got != "[False, False, False, False]" {
		t.Errorf("before: %s", got)
	}
	id := ann.Call(actor, "let", to)
	enter := grant.Action{Kind: grant.ActorExecuteHandler, Value: "enter"}
	if want := (&grant.Record{Grantee: bob.Address(), Scope: grant.ActorScope(actor), Action: enter}).ID(); id != string(want[:]) {
		t.Errorf("the identity is %x, want %v", id, want)
	}
	if ids := ann.Call(actor, "both", to); len(ids) != 64 {
		t.Errorf("two actions gave %d bytes", len(ids))
	}
	if got := ann.Call(actor, "ask", to); got != "[True, True, True, False]" {
		t.Errorf("after: %s", got)
	}
	ann.Call(actor, "enter", to)
	if r := ann.Try(actor, "enter", to); r.Fault.Code != drain.FaultLimit || !strings.Contains(r.Fault.Text, "ERR_ENTITLEMENT_QUOTA_EXCEEDED") {
		t.Errorf("beyond the rate: %s", testkit.Describe(r))
	}
	r := ann.Try(actor, "enter", string(addressOf(ann)))
	if r.Fault.Code != drain.FaultEntitlement || !strings.Contains(r.Fault.Text, "ERR_MISSING_ENTITLEMENT") {
		t.Errorf("without a grant: %s", testkit.Describe(r))
	}
	const param = "EntitlementParamError E1202 2"
	want := strings.Join([]string{
		"PermissionDeniedError E1230 5", param, param, param, param, param, param, param, param, param, "EntitlementNotFoundError E1203 3",
		"PermissionDeniedError E1230 5", "MissingEntitlementError E1207 7", param, param, "False",
	}, "; ")
	if got := ann.Call(actor, "errors", to); got != want {
		t.Errorf("errors:\n%s\nwant\n%s", got, want)
	}
	ann.Call(actor, "shut", id)
	if got := ann.Call(actor, "ask", to); got != "[False, True, True, False]" {
		t.Errorf("revoked by the actor: %s", got)
	}
	held, err := grant.Held(c.State(), bob.Address(), digest.Hash{}, 10)
	if err != nil || len(held) != 2 {
		t.Fatal(held, err)
	}
	if r := do(ann, &tx.EntitlementRevoke{ID: held[0]}); r.Status != block.Success {
		t.Errorf("revoked by the deployer: %s", testkit.Describe(r))
	}
	if r := do(bob, &tx.EntitlementRevoke{ID: held[1]}); r.Status != block.Success {
		t.Errorf("given up by the grantee: %s", testkit.Describe(r))
	}
	if got := ann.Call(actor, "ask", to); got != "[False, False, False, False]" {
		t.Errorf("at last: %s", got)
	}
}

func addressOf(a *testkit.Account) []byte {
	addr := a.Address()
	return addr[:]
}

// meter counts what is charged.
type meter struct{ cycles, cells, limit uint64 }

func (m *meter) Charge(n uint64) error {
	if m.cycles+n > m.limit {
		return chapter.ErrCycles
	}
	m.cycles += n
	return nil
}
func (m *meter) ChargeCells(n uint64) error { m.cells += n; return nil }
func (m *meter) Left() uint64               { return m.limit - m.cycles }
func (m *meter) CellsLeft() uint64          { return 1 << 20 }

// A check costs 500 cycles and no cells, for which it reads five entries; a chain of five delegations is six records and an entry of the index, two more.
//
// Spec: CIP-2 §7.4 (check of one candidate); entitlement-extras §5.
func TestPriceOfACheck(t *testing.T) {
	o := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	g := &grant.Registry{State: o, Height: 7, Governs: func(account.Address) bool { return false }}
	owner := account.Address{1}
	person := func(i int) account.Address { return account.Address{2, byte(i)} }
	terms := grant.Terms{Revocable: true, Delegatable: true, DelegationDepthMax: 9}
	id, err := g.Grant(owner, person(0), grant.ActorScope(owner), run, terms)
	for i := 1; i <= 5 && err == nil; i++ {
		terms.DelegationDepthMax--
		id, err = g.Delegate(person(i-1), id, person(i), terms)
	}
	if err != nil {
		t.Fatal(err)
	}
	c := entitle.New()
	ask := func(to account.Address, limit uint64) (any, *meter, error) {
		m := &meter{limit: limit}
		e := &chapter.Env{
			Chapter: c, Turn: &drain.Turn{}, Block: &drain.Block{Height: 7, Params: params.Genesis()}, State: o, Sender: account.Address{9}, Meter: m,
			Effects: &chapter.Effects{}, Priced: true,
		}
		got, err := c.Syscalls[0].Run(e, chapter.Args{to, grant.ActorScope(owner).String(), run.String()})
		return got, m, err
	}
	for i, want := range []uint64{500, 500, 500, 500, 600, 700} { // an entry of the index, i+1 records
		if got, m, err := ask(person(i), 10_000); got != true || err != nil || m.cycles != want || m.cells != 0 {
			t.Errorf("depth %d: %v, %v, %d cycles, %d cells, want %d", i, got, err, m.cycles, m.cells, want)
		}
		if _, m, err := ask(person(i), want-1); err != chapter.ErrCycles || m.cycles >= want {
			t.Errorf("depth %d with %d cycles: %v", i, want-1, err)
		}
	}
	if got, m, err := ask(person(9), 10_000); got != false || err != nil || m.cycles != 500 {
		t.Errorf("of a stranger: %v, %v, %d cycles", got, err, m.cycles)
	}
	// a use costs the same, and a storage write for every record it counts on
	m := &meter{limit: 10_000}
	e := &chapter.Env{
		Chapter: c, Turn: &drain.Turn{}, Block: &drain.Block{Height: 7, Params: params.Genesis()}, State: o, Sender: owner, Meter: m,
		Effects: &chapter.Effects{}, Priced: true,
	}
	who := person(5)
	data, err := cbor.Append(nil, cbor.Map{
		{Key: "grantee", Value: who[:]}, {Key: "scope", Value: grant.ActorScope(owner).String()}, {Key: "action", Value: run.String()},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Handlers[0].Run(e, chapter.Request{Handler: entitle.HandlerUse, Data: data, Structured: true}); err != nil || m.cycles != 700+6*200 {
		t.Errorf("a use: %v, %d cycles", err, m.cycles)
	}
}

// Any bytes of a use end in an answer or a reject, never in a failure.
//
// Spec: entitlement-extras §6.
func FuzzUse(f *testing.F) {
	c := entitle.New()
	o := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	for _, v := range []any{nil, cbor.Map{{Key: "grantee", Value: []byte("x")}}, cbor.Map{{Key: "scope", Value: "global"}, {Key: "amount", Value: int64(-1)}}} {
		data, err := cbor.Append(nil, v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	turn := &drain.Turn{Limit: fee.Use{Cycles: unit.Cycles(1 << 20), Cells: 1 << 20}, Overlay: o, Block: &drain.Block{Height: 7, Params: params.Genesis()}}
	f.Fuzz(func(t *testing.T, data []byte) {
		e := chapter.NewEnv(c, turn, nil)
		if _, err := c.Handlers[0].Run(e, chapter.Request{Handler: entitle.HandlerUse, Data: data, Structured: true}); err != nil {
			if _, ok := c.FaultOf(err); !ok {
				t.Fatal(fmt.Errorf("%x: %w", data, err))
			}
		}
	})
}

// The owner of a token administers its scope, and nobody that of a token which does not exist.
//
// Spec: CIP-2 §7.1, §7.2 (30); entitlement-extras §5.
func TestScopeOfToken(t *testing.T) {
	c := testkit.NewChain(t)
	ann, bob := c.Account("ann"), c.Account("bob")
	r := do(ann, &tx.TokenCreate{Name: []byte("Hay"), Symbol: []byte("HAY")})
	if r.Status != block.Success {
		t.Fatal(testkit.Describe(r))
	}
	for i, x := range []struct {
		by *testkit.Account
		id []byte
		ok bool
	}{{ann, r.ReturnData, true}, {bob, r.ReturnData, false}, {ann, make([]byte, 32), false}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			in := &tx.EntitlementGrant{
				Grantee: bob.Address(), Scope: grant.Scope{Kind: grant.OfToken, Value: string(x.id)}, Action: grant.Action{Kind: grant.TokenMint},
				Constraints: revocable,
			}
			if r := do(x.by, in); (r.Status == block.Success) != x.ok {
				t.Errorf("%s", testkit.Describe(r))
			}
		})
	}
}
