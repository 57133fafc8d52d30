package crash

import (
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestKills is a short slice of `make sim`. Spec: WP §3.3 (exactly once after finality).
func TestKills(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "cowboyd")
	if out, err := exec.Command("go", "build", "-o", bin, "../../cmd/cowboyd").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r, err := Run(Config{Node: bin, Dir: t.TempDir(), Rounds: 4, Seed: 1, Longest: time.Second, Out: t.Output()})
	if err != nil {
		t.Fatal(err)
	}
	if r.Height == 0 || r.Receipts == 0 {
		t.Errorf("nothing was witnessed: %+v", r)
	}
}
