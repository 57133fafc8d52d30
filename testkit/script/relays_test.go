package script

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// shelves are relays that run as processes of their own, by the address of each.
type shelves struct {
	*market
	node    *exec.Cmd
	several bool // nodes
	owners  []string
	process map[string]*exec.Cmd
	up      []*program
}

// program is a process with what it says, which is to be read when it has ended.
type program struct {
	*exec.Cmd
	log bytes.Buffer
}

// newShelves starts a network of developers, with further flags of its node, and so many relays, and waits until all are active.
func newShelves(t *testing.T, count int, flags ...string) *shelves {
	t.Helper()
	s := groundFor(t, nil, 1, "cowboyd", flags...)
	s.stand(count)
	return s
}

// groundFor starts a network of so many nodes by a line, for relays; env is more in the environment of all programs.
func groundFor(t *testing.T, env []string, nodes int, line string, flags ...string) *shelves {
	t.Helper()
	port := freePorts(t, nodes)
	m := &market{t: t, dir: t.TempDir(), env: env, url: fmt.Sprintf("http://127.0.0.1:%d", port)}
	s := &shelves{market: m, process: map[string]*exec.Cmd{}, several: nodes > 1}
	s.node = s.begin(fmt.Sprintf("%s --block-time 200ms --rpc-port %d --data-dir data --rpc-rate 0 %s", line, port, strings.Join(flags, " ")))
	m.until("the node is up", func() bool { return m.read("/health/ready", new(any)) })
	m.run("cowboy init local")
	return s
}

// stand starts so many relays and waits until all are active.
func (s *shelves) stand(count int) {
	s.t.Helper()
	port := freePorts(s.t, count)
	for i := range count {
		at := fmt.Sprintf("127.0.0.1:%d", port+i)
		out := s.run(fmt.Sprintf("cowboy-relay init --data-dir relay-%d --rpc-url %s --listen %s --capacity-gib 1", i, s.url, at))
		owner := regexp.MustCompile(`relay (0x[0-9a-fA-F]{40})`).FindStringSubmatch(out)[1]
		s.fund(owner, 6_000)
		s.run(strings.TrimSpace(out[strings.Index(out, "cowboy relay register"):]))
		s.owners = append(s.owners, owner)
		s.process[owner] = s.begin(fmt.Sprintf("cowboy-relay start --data-dir relay-%d", i))
	}
	s.until("the relays are active", func() bool { return strings.Contains(s.run("cowboy relay list"), fmt.Sprintf("\n%d active.", count)) })
}

// fund gives an account coins: a node that is alone does what it is told, and elsewhere the wallet sends them.
func (s *shelves) fund(address string, cby int) {
	s.t.Helper()
	if s.several {
		s.run(fmt.Sprintf("cowboy transfer --to %s --amount %d --wait", address, cby))
		return
	}
	s.run(fmt.Sprintf("cowboy dev balance %s %d", address, cby))
}

// begin starts a program, which ends with the test.
func (s *shelves) begin(line string) *exec.Cmd {
	p := new(program)
	p.Cmd = s.start(&p.log, line)
	s.up = append(s.up, p)
	s.t.Cleanup(func() {
		s.kill(p.Cmd)
		if s.t.Failed() {
			s.t.Log(line + "\n" + p.log.String())
		}
	})
	return p.Cmd
}

// kill kills a program with -9 and waits for its end.
func (s *shelves) kill(p *exec.Cmd) {
	_ = p.Process.Kill()
	_ = p.Wait()
}

// loses kills the relays that hold two slots of a volume.
func (s *shelves) loses(name string, slots ...int) map[string]bool {
	s.t.Helper()
	lost := map[string]bool{}
	for _, slot := range slots {
		owner := s.volume(name).Slots[slot].Relay
		s.kill(s.process[owner])
		lost[owner] = true
		s.process[owner] = nil
	}
	return lost
}

// repaired lets so many blocks pass that the slots of lost relays are given away, waits until all slots are whole, and challenges the new ones to prove.
func (s *shelves) repaired(name string, lost map[string]bool, slots ...int) {
	s.t.Helper()
	s.run("cowboy dev mine 3600")
	s.proven(name, lost, slots...)
}

// proven waits until all slots are whole and none is a lost relay's, and challenges some to prove.
func (s *shelves) proven(name string, lost map[string]bool, slots ...int) {
	s.t.Helper()
	var v wire.Volume
	s.until("the slots are with others, whole", func() bool {
		v = s.volume(name)
		for _, slot := range v.Slots {
			if lost[slot.Relay] || slot.Root != v.ShardRoot {
				return false
			}
		}
		return true
	})
	for _, slot := range slots {
		owner := v.Slots[slot].Relay
		out := s.run(fmt.Sprintf("cowboy relay challenge %s --slot %d --coins 11 --wait", v.VolumeID, slot))
		if !strings.Contains(out, "Status: success") {
			s.t.Fatal(out)
		}
		s.until("the challenge is answered", func() bool { return !strings.Contains(s.run("cowboy relay status -a "+owner), "Challenge 0x") })
		if out := s.run("cowboy relay status -a " + owner); !strings.Contains(out, "missed 0 challenges") || !strings.Contains(out, "Stake: 5000 CBY") {
			s.t.Error(out)
		}
		if out := s.run("cowboy relay peers -a " + owner); !strings.Contains(out, "  as on chain  ") { // those that it made its chunks from
			s.t.Error(out)
		}
	}
}

// volume reads a volume of the wallet's.
func (s *shelves) volume(name string) (v wire.Volume) {
	s.t.Helper()
	if !s.read("/volume/"+regexp.MustCompile(`\((0x[0-9a-f]{64})\)`).FindStringSubmatch(s.run("cowboy volume show " + name))[1], &v) {
		s.t.Fatal(name)
	}
	return v
}

// confirmed waits until every slot of a volume whose relay is up is confirmed.
func (s *shelves) confirmed(name string) {
	s.t.Helper()
	s.until(name+" is confirmed", func() bool {
		v := s.volume(name)
		for _, slot := range v.Slots {
			if s.process[slot.Relay] != nil && slot.Root != v.ShardRoot {
				return false
			}
		}
		return true
	})
}

// gives reads a file of a volume and compares it.
func (s *shelves) gives(file, want string) {
	s.t.Helper()
	s.run("cowboy volume get " + file + " back")
	if got, err := os.ReadFile(filepath.Join(s.dir, "back")); err != nil || string(got) != want {
		s.t.Fatalf("%s: %d bytes, %v", file, len(got), err)
	}
}

// has counts the files below the relays' folders that have a text in them.
func (s *shelves) has(text string) (n int) {
	s.t.Helper()
	for i := range s.owners {
		err := filepath.WalkDir(filepath.Join(s.dir, fmt.Sprintf("relay-%d", i)), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			data, err := os.ReadFile(path)
			if bytes.Contains(data, []byte(text)) {
				n++
			}
			return err
		})
		if err != nil {
			s.t.Fatal(err)
		}
	}
	return n
}

// A network of developers has six relays, each a process. A file is put into a public and into a private volume, of which two of four slots are enough. Two
// relays that hold slots are killed. Both files are read back; the slots are given to the two that are left, which make their shards of the others'; they are
// challenged, prove, and are paid the fee. Nothing of the private file, its path included, is in what any relay keeps.
//
// Spec: storage-cbfs §3, §4, §6; WP §7.3.
func TestVolumesOutliveTheirRelays(t *testing.T) {
	t.Parallel()
	s := newShelves(t, 6, "--proxies 5 --proxy-port 0")
	wallet := regexp.MustCompile(`0x[0-9a-fA-F]{40}`).FindString(s.run("cowboy wallet address"))
	s.run("cowboy dev balance " + wallet + " 100000")
	secret, public := strings.Repeat("what only one may read; ", 5_000), strings.Repeat("what all may read; ", 5_000)
	s.write("telling.txt", secret)
	s.write("open.txt", public)
	s.keyed()
	s.run("cowboy volume create --name mine --private --data 2 --parity 2 --coins 1100 --wait")
	s.run("cowboy volume create --name ours --data 2 --parity 2 --coins 1100 --wait")
	s.run("cowboy volume put mine telling.txt")
	s.run("cowboy volume put ours open.txt")
	s.confirmed("mine")
	s.confirmed("ours")
	if s.has("only one may read") != 0 || s.has("telling") != 0 || s.has("all may read") == 0 {
		t.Error("what is private lies open, or the search finds nothing")
	}

	lost := s.loses("mine", 0, 3)
	s.gives("mine telling.txt", secret)
	s.gives("ours open.txt", public)

	s.repaired("mine", lost, 0, 3)
	s.gives("mine telling.txt", secret)
	if err := os.Remove(filepath.Join(s.dir, "back")); err != nil || s.has("only one may read") != 0 {
		t.Error("what is private lies open", err)
	}
}
