package sdk_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// silent is an actor whose handlers end in every way there is. It is billed for more than the free bytes, and has no coins.
const silent = head + `
@actor
class Silent:
    @deferred
    @public
    def fine(self):
        return "fine"
    @deferred
    @public
    def loops(self):
        while True:
            pass
    @deferred
    @public
    def large(self):
        return "x" * (1 << 20)
    @deferred
    @public
    def fill(self, payload):
        for i in range(20):
            self.storage["k%d" % i] = "x" * 1000
`

// waiting is an actor that awaits a handler of another one, its payload "ADDRESS METHOD", alone and in a group.
const waiting = `
    @public
    @actor.continuation(timeout_blocks=6)
    async def go(self, payload):
        start = runtime.get_block_height()
        to, method = payload.decode().split()
        try:
            text = str(await getattr(ActorRef(to), "async_" + method)())
        except (RunnerTimeoutError, ActorCallError) as e:
            text = type(e).__name__ + " " + str(e)
        self._put(text + " after " + str(runtime.get_block_height() - start))
    @public
    @actor.continuation(timeout_blocks=4)
    async def group(self, payload):
        start = runtime.get_block_height()
        to, method = payload.decode().split()
        async with TaskGroup() as tg:
            one = tg.create_task(ActorRef(to).async_fine())
            two = tg.create_task(getattr(ActorRef(to), "async_" + method)(timeout_blocks=6))
        self._put(one.result() + ", " + str(two.exception()) + " after " + str(runtime.get_block_height() - start))
    @public
    @actor.continuation
    async def unbounded(self, payload):
        to, method = payload.decode().split()
        self._put(await getattr(ActorRef(to), "async_" + method)())
`

// newWait gives a stage with the one that waits and the one it waits for.
func newWait(t *testing.T) (s *stage, callee account.Address) {
	t.Helper()
	c := testkit.NewChain(t)
	s = &stage{Chain: c, t: t, alice: c.Account("alice")}
	s.actor = s.alice.Deploy(simple(waiting), nil)
	c.SetBalance(s.actor, 100*unit.CBY) // a timer is paid by its actor when it fires
	return s, s.alice.Deploy(silent, nil)
}

// ends makes the call and holds what came of it against what is wanted, where %d is the timeout block. Neither a record nor a timer is left.
func (s *stage) ends(handler string, callee account.Address, method, want string, faults int) {
	s.t.Helper()
	s.alice.Call(s.actor, handler, fmt.Sprint(callee, " ", method))
	if strings.Contains(want, "%") {
		want = fmt.Sprintf(want, s.Height()+6)
	}
	if got := s.settle(9); len(got) != faults {
		s.t.Errorf("faults %v, want %d", got, faults)
	}
	s.expect(method, s.out(), want)
	s.nothing(method)
	if left := s.Timers(s.actor); len(left) != 0 {
		s.t.Errorf("%d timers are left", len(left))
	}
}

// Whatever becomes of a call of another actor, its await ends by the timeout block: with the answer if there is one, with an error otherwise.
//
// Spec: sdk §10.4, §10.5.
func TestAwaitsOfActorsEnd(t *testing.T) {
	const late = "'RunnerTimeoutError no result by block %d after 6'"
	for name, c := range map[string]struct {
		to     account.Address // zero: the actor
		method string
		want   string
		faults int
	}{
		"answered":       {method: "fine", want: "'fine after 2'"},
		"no handler":     {method: "missing", want: `'ActorCallError ActorCallError: actor has no handler "missing" after 2'`},
		"out of cycles":  {method: "loops", want: late, faults: 1},
		"too large":      {method: "large", want: late, faults: 1},
		"a system actor": {to: account.System(account.TEEVerifier), method: "fine", want: late, faults: 1},
	} {
		t.Run(name, func(t *testing.T) {
			s, callee := newWait(t)
			if c.to != (account.Address{}) {
				callee = c.to
			}
			s.ends("go", callee, c.method, c.want, c.faults)
		})
	}
	t.Run("group", func(t *testing.T) {
		s, callee := newWait(t)
		s.ends("group", callee, "loops", "'fine, no result by block %d after 6'", 1)
	})
	t.Run("evicted", func(t *testing.T) {
		s, callee := newWait(t)
		config := params.Genesis().Rent
		config.EpochBlocks, config.RatePerByteYear, config.BondPerByte = 20, 10*params.BlocksPerYear, 0
		s.Impersonate(genesis.DevFaucet().Address()).Do(&tx.UpdateRentConfig{Config: config}, 100_000, 100_000)
		s.alice.Call(callee, "fill", "")
		for until := s.Height() + 20*unit.Height(config.EvictionEpochs+3); !s.Record(callee).Dormant && s.Height() < until; {
			s.Mine()
		}
		if !s.Record(callee).Dormant {
			t.Fatal("it is not evicted")
		}
		s.ends("go", callee, "fine", late, 1)
	})
	t.Run("nobody there", func(t *testing.T) { // told at the await, by which nothing is begun
		s, _ := newWait(t)
		x := s.alice.Try(s.actor, "go", fmt.Sprint(account.Address{0: 0xee, 19: 0xee}, " fine"))
		if x.Fault.Code != 1220 || len(s.Timers(s.actor)) != 0 {
			t.Errorf("%s, %d timers", testkit.Describe(x), len(s.Timers(s.actor)))
		}
		s.nothing("nobody there")
	})
	t.Run("without coins", func(t *testing.T) { // as any timer of an actor that cannot pay, it does not fire
		s, callee := newWait(t)
		s.SetBalance(s.actor, 0)
		s.alice.Call(s.actor, "go", fmt.Sprint(callee, " fine"))
		s.settle(9)
		s.expect("answered", s.out(), "'fine after 2'")
		s.alice.Call(s.actor, "go", fmt.Sprint(callee, " loops"))
		if got := s.settle(9); len(got) != 2 || !strings.HasPrefix(got[1], "1506 ") || s.held() != 1 {
			t.Errorf("%v, %d records", got, s.held())
		}
	})
	t.Run("without a bound", func(t *testing.T) {
		s, callee := newWait(t)
		s.alice.Call(s.actor, "unbounded", fmt.Sprint(callee, " loops"))
		s.settle(9)
		if s.held() != 1 || len(s.Timers(s.actor)) != 0 {
			t.Errorf("%d records and %d timers, want one that waits for ever", s.held(), len(s.Timers(s.actor)))
		}
	})
}
