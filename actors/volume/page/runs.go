package page

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/codec"
)

// Run is Length numbers from First on.
type Run struct{ First, Length uint64 }

// Runs are numbers as runs: they ascend, and a number that is none of them stands between two runs. nil is none.
type Runs []Run

// Len is how many numbers there are.
func (r Runs) Len() (n uint64) {
	for _, one := range r {
		n += one.Length
	}
	return n
}

// Has reports whether a number is one of them.
func (r Runs) Has(number uint64) bool {
	at, found := slices.BinarySearchFunc(r, number, func(one Run, n uint64) int {
		switch {
		case one.First+one.Length <= n:
			return -1
		case one.First > n:
			return 1
		}
		return 0
	})
	return found && at < len(r)
}

// With gives the runs with numbers besides, which are none of them.
func (r Runs) With(numbers []uint64) Runs {
	all := slices.Clone(r)
	for _, n := range numbers {
		all = append(all, Run{n, 1})
	}
	slices.SortFunc(all, func(a, b Run) int {
		if a.First < b.First {
			return -1
		}
		return 1
	})
	out := all[:0]
	for _, one := range all {
		if last := len(out) - 1; last >= 0 && out[last].First+out[last].Length == one.First {
			out[last].Length += one.Length
			continue
		}
		out = append(out, one)
	}
	return out
}

// Pool gives numbers out: free ones first, the lowest before all others, and then new ones.
type Pool struct {
	Free    Runs   // is changed
	Numbers uint64 // how many there are
}

// Take gives a number.
func (p *Pool) Take() uint64 {
	if len(p.Free) == 0 {
		p.Numbers++
		return p.Numbers - 1
	}
	one := &p.Free[0]
	number := one.First
	if one.First, one.Length = one.First+1, one.Length-1; one.Length == 0 {
		p.Free = p.Free[1:]
	}
	return number
}

func (r Runs) append(dst []byte) []byte {
	dst = codec.AppendLen(dst, len(r))
	end := uint64(0)
	for _, one := range r {
		dst = codec.AppendUint(codec.AppendUint(dst, one.First-end), one.Length)
		end = one.First + one.Length
	}
	return dst
}

// Size is how many bytes the runs take.
func (r Runs) Size() int { return len(r.append(nil)) }

// readRuns reads free numbers below a bound. Rejects: ErrForm, ErrFree.
func readRuns(in *codec.Reader, below uint64) (Runs, error) {
	runs := make(Runs, in.Len(0, MaxNumbers, 2))
	end := uint64(0)
	for i := range runs {
		gap, length := in.Uint(), in.Uint()
		switch {
		case in.Err() != nil:
			return nil, ErrForm
		case gap == 0 || length == 0 || gap >= below-end || length > below-end-gap:
			return nil, ErrFree
		}
		runs[i] = Run{end + gap, length}
		end += gap + length
	}
	if in.Err() != nil {
		return nil, ErrForm
	}
	return runs, nil
}
