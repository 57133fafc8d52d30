package pymath

import (
	"math/big"
	"math/bits"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

func integerFunctions() []object.Method {
	return []object.Method{
		{Name: "comb", Sig: "n, k, /", Func: comb},
		{Name: "factorial", Sig: "n, /", Func: factorial},
		{Name: "gcd", Sig: "*integers", Func: gcd},
		{Name: "isqrt", Sig: "n, /", Func: isqrt},
		{Name: "lcm", Sig: "*integers", Func: lcm},
		{Name: "perm", Sig: "n, k=None, /", Func: perm},
	}
}

// wordsOf returns the number of 64-bit words of an exact int.
func wordsOf(i *big.Int) int { return i.BitLen()/64 + 1 }

// tooLarge is what the machine raises for an int beyond its limit.
func tooLarge(m *object.Machine) *object.Exception {
	return m.OverflowError("int result exceeds %d bits", object.MaxBits)
}

func factorial(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	i, e := m.Index(a.V[0])
	if e != nil {
		return object.Value{}, e
	}
	n := i.BigInt()
	if n.Sign() < 0 {
		return object.Value{}, m.ValueError("factorial() not defined for negative values")
	}
	// 537! is the first of more than 4,096 bits.
	if !n.IsInt64() || n.Int64() > 1000 {
		return object.Value{}, tooLarge(m)
	}
	k := n.Int64()
	if e := m.Charge(int(2 + 2*k + k*k/16)); e != nil {
		return object.Value{}, e
	}
	if k <= 20 { // 20! is the last one of a word
		r := int64(1)
		for ; k > 1; k-- {
			r *= k
		}
		return object.Int(r), nil
	}
	return m.IntOf(bigFactorial(uint64(k)))
}

// bigFactorial is k!, by as many factors at a time as fit a word.
func bigFactorial(k uint64) *big.Int {
	r, word, part := big.NewInt(1), new(big.Int), uint64(1)
	for i := uint64(2); i <= k; i++ {
		if hi, lo := bits.Mul64(part, i); hi == 0 {
			part = lo
			continue
		}
		r.Mul(r, word.SetUint64(part))
		part = i
	}
	return r.Mul(r, word.SetUint64(part))
}

func isqrt(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	i, e := m.Index(a.V[0])
	if e != nil {
		return object.Value{}, e
	}
	if i.IsInt() && i.Int64() >= 0 {
		if e := m.Charge(20 + 20 + 1); e != nil {
			return object.Value{}, e
		}
		return object.Int(int64(wordRoot(uint64(i.Int64())))), nil
	}
	n := i.BigInt()
	if n.Sign() < 0 {
		return object.Value{}, m.ValueError("isqrt() argument must be nonnegative")
	}
	words := wordsOf(n)
	if e := m.Charge(150 + 60*words + words*words*3/2); e != nil {
		return object.Value{}, e
	}
	return m.IntOf(new(big.Int).Sqrt(n))
}

// natural returns a non-negative int argument of comb and perm.
func naturalArgument(m *object.Machine, v object.Value, name string) (*big.Int, *object.Exception) {
	i, e := m.Index(v)
	if e != nil {
		return nil, e
	}
	n := i.BigInt()
	if n.Sign() < 0 {
		return nil, m.ValueError("%s must be a non-negative integer", name)
	}
	return n, nil
}

// product multiplies n(n-1)…, k factors, dividing by the number of factors so
// far if divided is set. It stops where the limit on ints is passed, so there
// are at most as many steps as the limit has bits.
func product(m *object.Machine, n *big.Int, k int64, divided bool) (object.Value, *object.Exception) {
	if e := m.Charge(naturalCost + wordsOf(n)); e != nil {
		return object.Value{}, e
	}
	if r, ok := wordProduct(n, k, divided); ok {
		return object.Int(r), m.Charge(int(k) * stepCost(divided))
	}
	r, factor, one := big.NewInt(1), new(big.Int).Set(n), big.NewInt(1)
	next, divisor := new(big.Int), new(big.Int)
	for i := int64(1); i <= k; i++ {
		if e := m.Charge(stepCost(divided) + 2*wordsOf(r)*wordsOf(factor)); e != nil {
			return object.Value{}, e
		}
		r, next = next.Mul(r, factor), r
		factor.Sub(factor, one)
		if divided {
			r, next = next.Quo(r, divisor.SetInt64(i)), r
		}
		if r.BitLen() > object.MaxBits {
			return object.Value{}, tooLarge(m)
		}
	}
	return m.IntOf(r)
}

// naturalCost is the price of reading the arguments of comb and perm.
const naturalCost = 20

// stepCost is the price of a factor of product, but for the length of the numbers.
func stepCost(divided bool) int {
	if divided {
		return 36
	}
	return 8
}

func comb(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	n, e := naturalArgument(m, a.V[0], "n")
	if e != nil {
		return object.Value{}, e
	}
	k, e := naturalArgument(m, a.V[1], "k")
	if e != nil {
		return object.Value{}, e
	}
	rest := new(big.Int).Sub(n, k)
	switch {
	case rest.Sign() < 0:
		return object.Int(0), nil
	case rest.Cmp(k) < 0:
		k = rest
	}
	if !k.IsInt64() { // comb(n, k) >= 2^k for k <= n/2
		return object.Value{}, tooLarge(m)
	}
	return product(m, n, k.Int64(), true)
}

func perm(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	v := a.Arg(1)
	if v.IsZero() || v.IsNone() {
		return factorial(m, object.Positional(a.V[0]))
	}
	n, e := naturalArgument(m, a.V[0], "n")
	if e != nil {
		return object.Value{}, e
	}
	k, e := naturalArgument(m, v, "k")
	if e != nil {
		return object.Value{}, e
	}
	switch {
	case n.Cmp(k) < 0:
		return object.Int(0), nil
	case !k.IsInt64():
		return object.Value{}, tooLarge(m)
	}
	return product(m, n, k.Int64(), false)
}

// fold reduces the arguments, ints all of them, from start.
func fold(m *object.Machine, a object.Args, name string, start int64, f func(x, y *big.Int) *big.Int) (object.Value, *object.Exception) {
	if len(a.Names) > 0 {
		return object.Value{}, m.TypeError("math.%s() takes no keyword arguments", name)
	}
	r := big.NewInt(start)
	for _, v := range a.V {
		i, e := m.Index(v)
		if e != nil {
			return object.Value{}, e
		}
		x := i.BigInt()
		if e := m.Charge(4 + 12*wordsOf(r)*wordsOf(x)); e != nil {
			return object.Value{}, e
		}
		if r = f(r, x); r.BitLen() > object.MaxBits {
			return object.Value{}, tooLarge(m)
		}
	}
	return m.IntOf(r)
}

// gcdCost is the price of a gcd of words, beside its arguments.
const gcdCost = 30

func gcd(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	if r, ok := wordGCD(a); ok {
		return object.Int(r), m.Charge(gcdCost + 12*len(a.V))
	}
	return fold(m, a, "gcd", 0, func(x, y *big.Int) *big.Int {
		return new(big.Int).GCD(nil, nil, x, new(big.Int).Abs(y))
	})
}

func lcm(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	return fold(m, a, "lcm", 1, func(x, y *big.Int) *big.Int {
		y = new(big.Int).Abs(y)
		g := new(big.Int).GCD(nil, nil, x, y)
		if g.Sign() == 0 {
			return g
		}
		return g.Mul(new(big.Int).Quo(x, g), y)
	})
}
