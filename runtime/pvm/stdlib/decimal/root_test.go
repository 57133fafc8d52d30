package decimal

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
)

// A root is the largest number whose power is no larger than what it is the root of: at perfect powers, next to them, and of anything.
func TestIntegerRoot(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func(bits int) *big.Int {
		n := new(big.Int)
		for range bits {
			n.Lsh(n, 1)
			n.SetBit(n, 0, uint(r.IntN(2)))
		}
		return n
	}
	check := func(n *big.Int, d int) {
		got := integerRoot(n, d)
		degree := big.NewInt(int64(d))
		above := new(big.Int).Add(got, big.NewInt(1))
		if got.Sign() < 0 || new(big.Int).Exp(got, degree, nil).Cmp(n) > 0 || new(big.Int).Exp(above, degree, nil).Cmp(n) <= 0 {
			t.Errorf("root %d of %v is not %v", d, n, got)
		}
	}
	for _, d := range []int{1, 2, 3, 4, 5, 7, 16, 33, 64, 100, 127, 399, 400} {
		t.Run(fmt.Sprint(d), func(t *testing.T) {
			for _, bits := range []int{0, 1, 2, 8, 31, 32, 33, 34, 40, 63, 64, 65, 66, 100, 129, 200, 300} {
				if bits*d > 12_000 {
					continue
				}
				for range 6 {
					root := random(bits)
					if root.Sign() > 0 {
						root.SetBit(root, bits-1, 1)
					}
					power := new(big.Int).Exp(root, big.NewInt(int64(d)), nil)
					check(power, d)
					check(new(big.Int).Add(power, big.NewInt(1)), d)
					if power.Sign() > 0 {
						check(new(big.Int).Sub(power, big.NewInt(1)), d)
					}
					check(random(bits*d+r.IntN(d)), d)
				}
			}
		})
	}
}
