package simplex_test
import ("testing";"math/rand/v2";"time")
func TestHang(t *testing.T) {
	r := rand.New(rand.NewPCG(1,2))
	worst := time.Duration(0)
	for i := 0; i < 60000; i++ {
		o := newOracle(t)
		n := 3+r.IntN(400)
		start := time.Now()
		for j := 0; j < n; j++ {
			o.event(byte(r.IntN(256)), byte(r.IntN(256)), byte(r.IntN(256)))
			if d := time.Since(start); d > 100*time.Millisecond { t.Fatalf("slow %d after %d events", i, j) }
		}
		if d := time.Since(start); d > worst { worst = d }
		if t.Failed() { t.Fatal(i) }
	}
	t.Log(worst)
}
