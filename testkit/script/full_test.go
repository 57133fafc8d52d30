package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/supervision"
)

// fillScript runs a node on a disk of 6 MiB, fills the disk to its last byte once blocks come, and copies what the node leaves behind.
const fillScript = `
mount -t tmpfs -o size=6m none "$1" || exit 77
cowboyd --data-dir "$1/data" --rpc-port "$2" --block-time 20ms > "$3/log" 2>&1 &
node=$!
until grep -q 'INF block 3 ' "$3/log"; do kill -0 $node || exit 78; done
cat /dev/zero > "$1/filler" 2> /dev/null
wait $node
echo $? > "$3/status"
cp "$1/data/HALTED" "$3/HALTED"
`

// TestFullDisk: a node whose disk is filled to the last byte halts in order, and the reason is in the file HALTED although nothing can be added to the disk.
//
// Spec: ARCHITECTURE "The supervision tree".
func TestFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("a disk of its own")
	}
	if err := exec.Command("unshare", "--user", "--map-root-user", "--mount", "true").Run(); err != nil {
		t.Skipf("no disk of its own: %v", err)
	}
	disk, out := t.TempDir(), t.TempDir()
	c := exec.Command("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", fillScript, "sh", disk, fmt.Sprint(freePorts(t, 1)), out)
	said, err := c.CombinedOutput()
	var status *exec.ExitError
	if errors.As(err, &status) && status.ExitCode() == 77 {
		t.Skip("no disk of its own can be mounted")
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Errorf("%v\n%s", err, said)
		}
		return string(text)
	}
	log := read("log")
	if got := strings.TrimSpace(read("status")); got != "3" || !strings.Contains(log, "free some space") {
		t.Errorf("ended with %s\n%s", got, log)
	}
	var halt supervision.Halt
	if err := json.Unmarshal([]byte(read("HALTED")), &halt); err != nil || !strings.Contains(halt.Reason, "disk is full") {
		t.Errorf("HALTED: %v, %+v", err, halt)
	}
}
