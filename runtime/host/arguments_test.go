//go:build linux

package host

import (
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

var timeArguments = flag.Bool("arguments", false, "print the calls of pvm_host that take most time for their cycles")

// entries are the functions of pvm_host.
func entries() []entry {
	return slices.Concat(contextCalls(), storageCalls(), blobCalls(), effectCalls(), ownerCalls(), sdkCalls(), moreCalls(), chapterCalls())
}

// parameters are the names of a function's parameters.
func (e *entry) parameters() (names []string) {
	for _, p := range strings.Split(e.sig, ",") {
		if name, _, _ := strings.Cut(strings.TrimSpace(p), "="); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// ordinary is an argument for a parameter, by its name.
func ordinary(name string) any {
	switch name {
	case "target", "to", "actor_address", "grantee", "emitter", "address", "new_owner", "account", "owner", "spender", "fee_payer", "transfer_hook", "pay_from":
		return actorAt(2)
	case "token_id", "sub_id", "timer_id", "entitlement_id", "ref":
		return make([]byte, 32)
	case "height", "amount", "n", "bid", "delta", "gas", "gas_prepaid", "decimals", "initial_supply", "value", "cycles_limit", "limit", "rank", "epochs",
		"deadline", "nonce", "quota_bytes", "every_n_blocks", "new_expires_at", "hash_alg", "codec", "chunk_size":
		return 1
	case "scope":
		return "system"
	case "action":
		return "runner_register"
	case "scheme":
		return "ed25519"
	case "handler", "method", "name", "key":
		return "name"
	}
	return nil
}

// argumentBytes is the size of the arguments that are made.
const argumentBytes = 1 << 16

// dear are arguments that are large, by name, of many types. What making them costs does not count.
func dear(d *caller) map[string]object.Value {
	m := d.m
	text := func(s string) object.Value { return m.Str(s) }
	many := make([]any, argumentBytes/32)
	tags := make([]object.Value, argumentBytes/32)
	errors, numbers := m.NewDict(), m.NewDict()
	for i := range many {
		many[i], tags[i] = i%100, m.Str("x")
		for dict, v := range map[*object.Dict]object.Value{errors: object.ExcValueError.Value(), numbers: object.Int(int64(i))} {
			if e := dict.Set(m, m.Str(fmt.Sprint("key ", i)), v); e != nil {
				d.t.Fatal(e.Type().Name)
			}
		}
	}
	nested := d.value([]any{})
	for range 60 {
		nested = d.value([]any{nested, nested})
	}
	long := strings.Repeat("a", argumentBytes)
	return map[string]object.Value{
		"bytes": m.Bytes([]byte(long)), "text": text(long), "digits": text("0x" + long), "wide text": text(strings.Repeat("é", argumentBytes/2)),
		"bytearray": m.ByteArray([]byte(long)), "underscores": text("_" + long),
		"a JSON object": m.Bytes([]byte(`{"a":[` + strings.Repeat("1,", argumentBytes/2) + `1]}`)),
		"nested CBOR":   m.Bytes([]byte("\x9a\x00\x00\xff\xff" + strings.Repeat("\x80", argumentBytes))),
		"list":          d.value(many), "tuple": m.Tuple(tags...), "dict": numbers.Value(), "errors": errors.Value(), "nested lists": nested,
		"custom scope": text("namespace:0x" + long), "stake of a runner": text("runner_register:" + strings.Repeat("9", argumentBytes)),
		"entries": m.Bytes([]byte(strings.Repeat("\x00\x00", argumentBytes/2))),
	}
}

// Whatever a function of pvm_host does with an argument is paid for by its size before it is done, or is not done: the memory that a call takes is held to its
// cycles, as TestSweep holds that of the language.
//
// Spec: CIP-3 §2.2.1 (cycles are a measure of work; memory allocation is metered).
func TestLargeArguments(t *testing.T) {
	const free, perCycle, perCell = 32 << 10, 64, 5 // bytes; what waits pays for its bytes in cells
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	type slow struct {
		name string
		per  float64
		text string
	}
	var list []slow
	for _, f := range entries() {
		runtime.GC()
		d := newCaller(t)
		d.f.work.jobs = true
		d.f.host = New(NewPrograms())
		d.f.run = func(nested) (nestedResult, error) { return nestedResult{data: []byte{0xf6}}, nil }
		d.f.exchange = func(replacement) error { return raise(NoEntitlement, "there is nothing to upgrade") }
		d.f.spawn = func(childRequest) (account.Address, error) {
			return account.Address{}, raise(NoEntitlement, "there is nobody to spawn")
		}
		values := dear(d)
		names := make([]string, 0, len(values))
		for name, v := range values { // order-free: sorted below
			names = append(names, name)
			d.m.Pin(v)
		}
		slices.Sort(names)
		for at, parameter := range f.parameters() {
			for _, name := range names {
				cycles, cells, bytes, took, how := d.measure(&f, at, values[name])
				call := fmt.Sprintf("%s(%s=%s)", f.name, parameter, name)
				if bytes > free+perCycle*cycles+perCell*cells { // what is made once for many calls does not count
					_, _, again, _, _ := d.measure(&f, at, values[name])
					bytes = min(bytes, again)
				}
				if bytes > free+perCycle*cycles+perCell*cells {
					t.Errorf("%s takes %d bytes for %d cycles (%s)", call, bytes, cycles, how)
				}
				list = append(list, slow{call, float64(took.Nanoseconds()) / float64(cycles+60), fmt.Sprint(cycles, " cycles, ", took, ", ", how)})
			}
		}
	}
	if *timeArguments {
		slices.SortFunc(list, func(a, b slow) int { return int(b.per*100 - a.per*100) })
		for _, s := range list[:min(len(list), 60)] {
			t.Logf("%9.1f ns a cycle: %s: %s", s.per, s.name, s.text)
		}
	}
}

// threadTime is the processor time of this thread.
func threadTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err) // every system these tests run on has the clock
	}
	return time.Duration(t.Nano())
}

// measure calls a function twice with one dear argument; the second call counts.
func (d *caller) measure(f *entry, at int, v object.Value) (cycles, cells, bytes uint64, took time.Duration, how string) {
	args := make([]any, at+1)
	for i, name := range f.parameters()[:max(at+1, f.required())] {
		if i < len(args) {
			args[i] = ordinary(name)
		} else {
			args = append(args, ordinary(name))
		}
	}
	args[at] = v
	for range 2 {
		given := make([]object.Value, len(args))
		for i, a := range args {
			given[i] = d.value(a)
		}
		fn, _ := d.mod.Lookup(f.name)
		restore := d.meter.Aside(50_000_000)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		left, cellsLeft, start := d.meter.Left(), d.meter.CellsLeft(), threadTime()
		_, e := d.m.Apply(fn, object.Positional(given...))
		took = threadTime() - start
		cycles, cells = left-d.meter.Left(), cellsLeft-d.meter.CellsLeft()
		runtime.ReadMemStats(&after)
		restore()
		bytes, how = after.TotalAlloc-before.TotalAlloc, "no error"
		switch {
		case e == nil:
		case e.Fatal != object.NotFatal:
			how = "the end"
		default:
			how = e.Type().Name
		}
		d.f.release()
	}
	return cycles, cells, bytes, took, how
}

// required is how many parameters have no default.
func (e *entry) required() (n int) {
	for _, p := range strings.Split(e.sig, ",") {
		if p != "" && !strings.Contains(p, "=") {
			n++
		}
	}
	return n
}

// What is looked at without taking memory is paid for too.
//
// Spec: WP §17.3; CIP-3 §2.2.1 (cycles are a measure of work).
func TestArgumentsPayForTheirSize(t *testing.T) {
	const size = argumentBytes
	for _, c := range []struct {
		name  string
		least uint64 // cycles beyond those of the small argument
		call  func(d *caller, v object.Value)
		small func(d *caller) object.Value
		large string
	}{
		{"randomness", (size - freeDomain) / params.SHA256BlockBytes * uint64(params.CostSHA256PerBlock),
			func(d *caller, v object.Value) { d.call("randomness", v) }, octetsOf("x"), "bytes"},
		{"lock", size / 32, func(d *caller, v object.Value) { d.call("lock", v); d.f.release() }, textOf("x"), "text"},
		{"unlock", size / 32, func(d *caller, v object.Value) { d.call("unlock", v) }, textOf("x"), "text"},
		{"get_state by a text", size / 32, func(d *caller, v object.Value) { d.call("get_state", v) }, textOf(""), "text"},
		{"cancel_timer by a bytearray", size / 32, func(d *caller, v object.Value) { d.call("cancel_timer", v) }, octetsOf("x"), "bytearray"},
		{"envelope of a timer", envelopeByte * size, func(d *caller, v object.Value) { d.call("schedule_timer", 1_000, v) }, octetsOf("{}"), "a JSON object"},
		{"classes of errors", errorCost * size / 32, func(d *caller, v object.Value) { d.call("register_errors", v) },
			func(d *caller) object.Value { return d.value(map[string]any{}) }, "errors"},
		{"tags", size / 32, func(d *caller, v object.Value) { d.call("check_access", v) }, func(d *caller) object.Value { return d.m.Tuple() }, "tuple"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newCaller(t)
			cost := func(v object.Value) uint64 {
				defer d.meter.Aside(50_000_000)()
				left := d.meter.Left()
				c.call(d, v)
				return left - d.meter.Left()
			}
			values := dear(d)
			small := cost(c.small(d))
			if large := cost(values[c.large]); large < small+c.least {
				t.Errorf("%d cycles, and %d for %d bytes: want %d more", small, large, size, c.least)
			}
		})
	}
}

func octetsOf(s string) func(d *caller) object.Value {
	return func(d *caller) object.Value { return d.m.Bytes([]byte(s)) }
}

func textOf(s string) func(d *caller) object.Value {
	return func(d *caller) object.Value { return d.m.Str(s) }
}

// A turn holds 1,024 locks at most; one more is refused, and one is taken again once it is free.
//
// Spec: sdk §10.8.
func TestMostLocks(t *testing.T) {
	d := newCaller(t)
	for i := range maxLocks {
		d.want("True", "lock", fmt.Sprint(i))
	}
	d.want("QuotaError E1208", "lock", "one more")
	d.want("None", "unlock", "7")
	d.want("True", "lock", "one more")
	d.f.release()
	if len(d.f.work.locks) != 0 {
		t.Errorf("%d locks are held", len(d.f.work.locks))
	}
}

// What a block has the host hash for its actors is bounded, to the byte, by whatever function it is done.
//
// Spec: WP §3.5, §17.3.
func TestHashedBytes(t *testing.T) {
	data := make([]byte, 1_000)
	for name, args := range map[string][]any{
		"keccak256": {data}, "blob_ref": {data}, "put_blob": {data}, "verify_signature": {"ed25519", data[:32], data, data[:64]},
	} {
		t.Run(name, func(t *testing.T) {
			d := newCaller(t, func(f *Invocation) { f.work.turn.Hashed = params.HashedPerBlock - 2_000 })
			for range 2 {
				if got := d.call(name, args...); strings.HasPrefix(got, "QuotaError") {
					t.Error("refused within the bound")
				}
			}
			d.want("QuotaError E1208", name, args...)
			if d.f.work.Hashed != 2_000 {
				t.Errorf("%d bytes are counted", d.f.work.Hashed)
			}
		})
	}
}

// A caller is told of a name that no handler has, not given it back.
//
// Spec: scheduler-timers §3 (bytes of a handler's name).
func TestLongNames(t *testing.T) {
	d := newCaller(t)
	long := strings.Repeat("m", params.MaxHandlerBytes)
	d.want("ActorCallError E1206", "call_actor", actorAt(2), long+"m", "")
	d.f.run = func(n nested) (nestedResult, error) { return nestedResult{data: []byte(n.method[:1])}, nil }
	d.want(`b"m"`, "call_actor", actorAt(2), long, "")
	d.want("TimerError E1500", "set_timer", 100, "_"+strings.Repeat("x", 1<<16))
	if _, e := d.raw("set_timer", 100, "_"+strings.Repeat("x", 1<<16)); e != nil {
		if text, _ := d.m.StrText(e.Value()); len(text) > 200 {
			t.Errorf("an error of %d bytes", len(text))
		}
	}
}

// Items of CBOR are counted as they stand.
func TestBuildingCost(t *testing.T) {
	for _, c := range []struct {
		data string
		want uint64
	}{
		{"", 0},
		{"\x98\xff" + strings.Repeat("\x01", 255), 0},
		{"\x99\x01\x00" + strings.Repeat("\x01", 256), 10},
		{"\x59\x10\x00" + strings.Repeat("\x80", 4_096), 0},
	} {
		t.Run(fmt.Sprint(len(c.data)), func(t *testing.T) {
			if got := chapter.BuildingCost([]byte(c.data)); uint64(got) != c.want {
				t.Errorf("%d, want %d", got, c.want)
			}
		})
	}
}
