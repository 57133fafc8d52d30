package budget

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The shares of every budget add up to it, none is below its floor or above its ceiling, and a larger budget takes from nobody.
func TestDivide(t *testing.T) {
	var before *Budget
	for total := int64(Least); total <= 64<<30; total += total / 7 {
		b, err := Divide(total)
		if err != nil {
			t.Fatal(err)
		}
		var sum int64
		for p := range Purposes {
			limit := b.Of(p).Limit()
			sum += limit
			if limit < table[p].floor || p != Execution && limit > table[p].ceiling {
				t.Errorf("%d bytes: %v has %d, outside %d to %d", total, p, limit, table[p].floor, table[p].ceiling)
			}
			if before != nil && limit < before.Of(p).Limit() {
				t.Errorf("%d bytes: %v has %d, less than of a smaller budget", total, p, limit)
			}
		}
		if sum != total {
			t.Errorf("%d bytes were divided into %d", total, sum)
		}
		before = b
	}
}

// A budget that is one byte too small is refused.
func TestTooLittle(t *testing.T) {
	var little *TooLittleError
	if _, err := Divide(Least - 1); !errors.As(err, &little) || little.Have != Least-1 {
		t.Error(err)
	}
	if _, err := Divide(Least); err != nil {
		t.Error(err)
	}
}

// TestGoldenShares keeps the table of a small, a usual and a large node.
func TestGoldenShares(t *testing.T) {
	var out strings.Builder
	for _, total := range []int64{Least, 1 << 30, Usual, Most} {
		b, err := Divide(total)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%d MiB\n", total/mib)
		for p := range Purposes {
			fmt.Fprintf(&out, "  %-12s %6d KiB\n", p, b.Of(p).Limit()>>10)
		}
	}
	golden.File(t, "testdata/shares.txt", []byte(out.String()))
}

// A machine's budget is half of its memory, within bounds.
func TestMachine(t *testing.T) {
	for memory, want := range map[int64]int64{0: Usual, -1: Usual, 1: Least, 2*Least + 2: Least + 1, 4 << 30: 2 << 30, 1 << 40: Most} {
		t.Run(fmt.Sprint(memory), func(t *testing.T) {
			if got := Machine(memory); got != want {
				t.Errorf("%d bytes: %d, want %d", memory, got, want)
			}
		})
	}
}

// An account is never overdrawn, however many take from it at once.
func TestAccount(t *testing.T) {
	a := NewAccount(100)
	if a.Take(101) || !a.Take(60) || a.TakeBelow(1, 60) || !a.TakeBelow(1, 61) || a.Take(40) || !a.Take(39) || a.Take(1) {
		t.Error("an account gave what it has not, or kept what it has")
	}
	a.Give(100)
	if a.Used() != 0 {
		t.Error(a.Used())
	}
	var wait sync.WaitGroup
	var got [8]int64
	for i := range got {
		wait.Go(func() {
			for range 100 {
				if a.Take(3) {
					got[i] += 3
				}
			}
		})
	}
	wait.Wait()
	var sum int64
	for _, n := range got {
		sum += n
	}
	if sum != 99 || a.Used() != 99 {
		t.Errorf("%d bytes were given out, %d are counted", sum, a.Used())
	}
	var none Account
	if none.Take(1) || !none.Take(0) {
		t.Error("the zero account has room")
	}
}
