package script

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestHaltHeightAndBackup stops a network at a height: every node keeps exactly that many blocks, ends with status 0, and goes on without the flag. Then a
// node is backed up while it runs, loses its disk, and comes back from the backup: it follows, and votes again from the next epoch on.
//
// Spec: commonware §3.5; node-rpc-cli §6.
func TestHaltHeightAndBackup(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("real processes")
	}
	const pace, stop = 200 * time.Millisecond, 17
	r := newRegion(t)
	r.found(4, 40, pace)
	var names []string
	for i := range 4 {
		name := fmt.Sprintf("net/node-%d", i)
		names = append(names, name)
		r.nodes[name].args = []string{"--halt-height", fmt.Sprint(stop)}
	}
	r.start(names...)
	for _, name := range names {
		n := r.nodes[name]
		if err := n.cmd.Wait(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, n.log.Bytes())
		}
		n.cmd, n.args = nil, nil
		if text, _ := r.try("cowboyd doctor --data-dir " + name); !strings.Contains(text, fmt.Sprintf("a chain up to block %d\n", stop)) {
			t.Errorf("%s does not end at block %d:\n%s", name, stop, text)
		}
	}
	if text, err := r.try(fmt.Sprintf("cowboyd start --data-dir net/node-0 --password-file password --halt-height %d", stop)); err == nil ||
		!strings.Contains(text, "already") {
		t.Errorf("a node starts beyond its last height: %v\n%s", err, text)
	}
	r.start(names...)
	r.reach("net/node-0", stop+5)

	address := r.account("net/node-0")
	r.reach("net/node-0", 45) // a share of the second key, which is not in the deal
	r.run("cowboyd backup copy --data-dir net/node-0")
	for _, absent := range []string{"journal", "chain", "keys/lock"} {
		if _, err := os.Stat(filepath.Join(r.dir, "copy", absent)); !os.IsNotExist(err) {
			t.Errorf("%s is in the backup: %v", absent, err)
		}
	}
	if _, err := os.Stat(filepath.Join(r.dir, "copy/shares/share-1")); err != nil {
		t.Errorf("the share is not in the backup: %v", err)
	}
	r.kill("net/node-0")
	r.run("rm -r net/node-0")
	r.run("mv copy net/node-0")
	r.start("net/node-0")
	r.reach("net/node-0", 82) // the epoch that began while it ran
	r.await("votes after the disk was lost", func() bool { return r.height("net/node-1") > 82 && r.votes(address) })
}
