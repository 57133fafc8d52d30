package sdk_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/testkit"
)

var rounds = flag.Int("rounds", 60, "random continuations per run")

// writer makes the body of a random async method over variables a, b, c and a log. await ask(x) gives text or raises; everything accepted around
// an await occurs, nested.
type writer struct {
	r      *rand.Rand
	b      strings.Builder
	awaits int // left outside loops
	loops  int
	names  int
	inner  bool // inside the bounded function
}

func (w *writer) line(depth int, format string, args ...any) {
	w.b.WriteString(strings.Repeat("    ", depth) + fmt.Sprintf(format, args...) + "\n")
}

func (w *writer) value() string {
	switch w.r.IntN(6) {
	case 0:
		return fmt.Sprint(w.r.IntN(5))
	case 1:
		return "len(log)"
	case 2:
		return "b + 1"
	case 3:
		return "a * 2 % 7"
	case 4:
		return "len(c)"
	}
	return "a"
}

func (w *writer) ask() string {
	return fmt.Sprintf("await ask(str(a) + 'q%d')", w.r.IntN(10))
}

func (w *writer) block(depth, size int, awaits, loop bool) {
	for range 1 + w.r.IntN(max(size, 1)) {
		w.statement(depth, size, awaits, loop)
	}
}

func (w *writer) statement(depth, size int, awaits, loop bool) {
	mayAwait := awaits && (loop || w.awaits > 0)
	pick := w.r.IntN(14)
	if depth > 6 {
		pick = w.r.IntN(6)
	}
	switch {
	case pick < 2:
		w.line(depth, "%s = %s", []string{"a", "b"}[w.r.IntN(2)], w.value())
	case pick == 2:
		w.line(depth, "log.append((a, b, c, %s))", w.value())
	case pick < 6 && mayAwait:
		if !loop {
			w.awaits--
		}
		switch w.r.IntN(4) {
		case 0:
			w.line(depth, "c = %s", w.ask())
		case 1:
			w.line(depth, "log.append(%s)", w.ask())
		case 2:
			w.line(depth, "b = len(%s)", w.ask())
		default:
			w.line(depth, "%s", w.ask())
		}
	case pick < 8:
		w.line(depth, "if %s > %d:", w.value(), w.r.IntN(5))
		w.block(depth+1, size-1, awaits, loop)
		if w.r.IntN(2) == 0 {
			w.line(depth, "else:")
			w.block(depth+1, size-1, awaits, loop)
		}
	case pick < 10:
		w.line(depth, "try:")
		w.block(depth+1, size-1, awaits, loop)
		if w.r.IntN(2) == 0 {
			w.line(depth+1, "if a > 2: raise ValueError(b)")
		}
		w.names++
		final := w.r.IntN(2) == 0
		w.line(depth, "except ValueError as e%d:", w.names)
		w.line(depth+1, "log.append(('caught', str(e%d)))", w.names)
		w.block(depth+1, 2, awaits && !final, loop)
		if w.r.IntN(3) == 0 {
			w.line(depth, "else:")
			w.block(depth+1, 2, awaits, loop)
		}
		if final {
			w.line(depth, "finally:")
			w.line(depth+1, "log.append('finally')")
		}
	case pick < 12 && w.loops > 0:
		w.loops--
		w.names++
		over := []string{"range(%d)", "[7, 8, 9, 10][:%d]", "range(5, 0, -%d)"}[w.r.IntN(3)]
		w.line(depth, "for i%d in %s:", w.names, fmt.Sprintf(over, 1+w.r.IntN(3)))
		w.line(depth+1, "a = i%d", w.names)
		w.block(depth+1, size-1, awaits, true)
		if w.r.IntN(3) == 0 {
			w.line(depth+1, "if b > 3: %s", []string{"break", "continue"}[w.r.IntN(2)])
		}
		if w.r.IntN(3) == 0 {
			w.line(depth, "else:")
			w.line(depth+1, "log.append('else')")
		}
	case pick == 12 && loop:
		w.line(depth, "if a == %d: %s", w.r.IntN(4), []string{"break", "continue"}[w.r.IntN(2)])
	case pick == 13 && w.inner:
		w.line(depth, "if b == %d: return a * 10", w.r.IntN(6))
	case pick == 13 && w.r.IntN(4) == 0:
		w.line(depth, "if b == %d: return ('early', a, b, c, log)", w.r.IntN(6))
	default:
		w.line(depth, "a += 1")
	}
}

// boundedLoop writes an inner function whose loops have no bound of their own, and awaits it.
func (w *writer) boundedLoop() {
	w.line(2, "@bounded_loop(max_iterations=6)")
	w.line(2, "async def inner(n):")
	w.line(3, "nonlocal a, b, c")
	w.inner = true
	w.line(3, "for word in 'x y z'.split()[n:]:")
	w.line(4, "c = word")
	w.block(4, 3, true, true)
	w.line(3, "k = 0")
	w.line(3, "while k < 3:")
	w.line(4, "k += 1")
	w.block(4, 3, true, true)
	w.line(3, "else:")
	w.line(4, "log.append('whole')")
	w.inner = false
	if w.r.IntN(2) == 0 {
		w.line(3, "return (k, n)")
	}
	w.line(2, "b = len(str(await inner(%d)))", w.r.IntN(3))
}

// A random continuation does across blocks what the same statements do as a plain coroutine whose awaits are answered at once: same log, same result.
//
// Spec: sdk §10.2, §10.5.
func TestRandomContinuations(t *testing.T) {
	c := testkit.NewChain(t)
	c.Jobs(func(j *testkit.Job) testkit.Answer {
		text, _ := j.Args()[0].(string)
		if strings.HasSuffix(text, "q3") {
			return testkit.Answer{Error: true, Result: text}
		}
		return testkit.Answer{Result: "r" + text}
	})
	suspended := 0
	for seed := range *rounds {
		alice := c.Account(fmt.Sprint("author", seed/100))
		w := &writer{r: rand.New(rand.NewPCG(uint64(seed), 7)), awaits: 6, loops: 3}
		w.line(2, "a, b, c, log = 1, 2, 'c', []")
		w.block(2, 4, true, false)
		if seed%3 == 0 {
			w.boundedLoop()
			w.block(2, 2, true, false)
		}
		w.line(2, "return ('end', a, b, c, log)")
		body := w.b.String()
		lowered := strings.NewReplacer("await ask(", "await runner.llm(", "ValueError", "RunnerValidationError").Replace(body)
		plain := strings.NewReplacer("ValueError", "RunnerValidationError", "        @bounded_loop(max_iterations=6)\n", "").Replace(body)
		source := head + `
async def ask(text):
    if text.endswith("q3"):
        raise RunnerValidationError(text)
    return "r" + text

@actor
class A:
    @runner.continuation
    @public
    async def go(self, payload):
` + strings.ReplaceAll(lowered, "return ('", "return self._done('") + `
    @public
    async def plain(self, payload):
` + strings.ReplaceAll(plain, "return ('", "return self._same('") + `
    def _done(self, *parts):
        self.storage["done"] = repr(parts)

    def _same(self, *parts):
        return repr(parts).encode()

    @public
    def done(self, payload):
        return (self.storage["done"] or "").encode()
`
		a := alice.Deploy(source, nil)
		want := alice.Try(a, "plain", "")
		started := alice.Try(a, "go", "")
		faulted, poor := started.Status != block.Success, false
		for i := 0; i < 200 && !faulted && alice.Call(a, "done", "") == ""; i++ {
			suspended++
			for _, x := range c.Mine().Receipts {
				faulted = faulted || x.Status != block.Success
				poor = poor || x.Fault.Code == drain.FaultCycles || x.Fault.Code == drain.FaultCells
			}
		}
		if poor { // one transaction's gas does not reach for all its awaits
			continue
		}
		if faulted != (want.Status != block.Success) {
			t.Fatalf("seed %d: fault %v, plain %s\n%s", seed, faulted, testkit.Describe(want), body)
		}
		if got := alice.Call(a, "done", ""); !faulted && got != string(want.ReturnData) {
			t.Fatalf("seed %d:\n got %s\nwant %s\n%s", seed, got, want.ReturnData, body)
		}
	}
	if suspended < *rounds {
		t.Errorf("only %d blocks of waiting in %d programs", suspended, *rounds)
	}
}
