package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/supervision"
)

// fillScript runs a node on a disk of 6 MiB, fills the disk to its last byte once blocks come, and copies what the node leaves behind. Then it starts the node
// on the full disk, and once more after it has freed the space.
const fillScript = `
mount -t tmpfs -o size=6m none "$1" || exit 77
cowboyd --data-dir "$1/data" --rpc-port "$2" --block-time 20ms > "$3/log" 2>&1 &
node=$!
until grep -q 'INF block 3 ' "$3/log"; do kill -0 $node || exit 78; done
cat /dev/zero > "$1/filler" 2> /dev/null
wait $node
echo $? > "$3/status"
cp "$1/data/HALTED" "$3/HALTED"
cowboyd --data-dir "$1/data" --rpc-port "$2" --block-time 20ms > "$3/again" 2>&1
rm "$1/filler"
cowboyd --data-dir "$1/data" --rpc-port "$2" --block-time 20ms > "$3/after" 2>&1 &
node=$!
until grep -q 'INF block' "$3/after"; do kill -0 $node || exit 79; done
kill -9 $node
`

// TestFullDisk: a node whose disk is filled to the last byte halts in order, and the reason is in the file HALTED although nothing can be added to the disk. It
// says what to do then, and again where it is started before that is done; afterwards it goes on behind the last block it told of.
//
// Spec: ARCHITECTURE "The supervision tree".
func TestFullDisk(t *testing.T) {
	t.Parallel()
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
	if got := strings.TrimSpace(read("status")); got != "3" || !strings.Contains(log, "free some space and start the node again") {
		t.Errorf("ended with %s\n%s", got, log)
	}
	const advice = "free some space and start the node again"
	if again := read("again"); !strings.Contains(again, advice) {
		t.Errorf("on a full disk\n%s", again)
	}
	if last, next := heights(log), heights(read("after")); len(last) == 0 || len(next) == 0 || next[0] <= last[len(last)-1] {
		t.Errorf("blocks %v, and afterwards %v\n%s", last, next, read("after"))
	}
	var halt supervision.Halt
	if err := json.Unmarshal([]byte(read("HALTED")), &halt); err != nil || !strings.Contains(halt.Reason, "disk is full") {
		t.Errorf("HALTED: %v, %+v", err, halt)
	}
}

// heights are those of the blocks that a log tells of.
func heights(log string) (list []int) {
	for _, found := range regexp.MustCompile(`INF block (\d+) `).FindAllStringSubmatch(log, -1) {
		n, _ := strconv.Atoi(found[1]) // digits
		list = append(list, n)
	}
	return list
}
