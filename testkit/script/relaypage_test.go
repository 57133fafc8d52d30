package script

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// commandsOf are the commands of a page, one after another, without what is said of them.
func commandsOf(t *testing.T, page string) (list []string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/" + page)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if command, ok := strings.CutPrefix(line, "    cowboy"); ok {
			command, _, _ = strings.Cut("cowboy"+command, " # ")
			list = append(list, strings.TrimSpace(command))
		}
	}
	return list
}

// TestRelayPage follows the page of relays to the letter, on a network that has five already: a relay is made, paid for, registered, started and examined,
// keeps a blob for pay, and holds a slot of a volume that files are put into. Only what stands for something of the reader's own is put in its place.
//
// Spec: storage-cbfs §2.6, §3, §7.
func TestRelayPage(t *testing.T) {
	t.Parallel()
	s := groundFor(t, nil, 1, "cowboyd", "--relays 5")
	s.fund(regexp.MustCompile(`0x[0-9a-fA-F]{40}`).FindString(s.run("cowboy wallet address")), 10_000)
	report := strings.Repeat("%PDF-1.7, or nearly; ", 3_000)
	s.write("report.pdf", report)
	s.until("five relays are active", func() bool { return strings.Contains(s.run("cowboy relay list"), "\n5 active.") })
	port := freePorts(t, 2)
	at, accounts := fmt.Sprintf("127.0.0.1:%d", port), fmt.Sprintf("127.0.0.1:%d", port+1)
	own := []string{
		"0.0.0.0:4433", at, "relay.example:4433", at, "--capacity-gib 500", "--capacity-gib 1 --accounts " + accounts + " --rpc-url " + s.url,
		"FILE...", "report.pdf", "127.0.0.1:4480", accounts,
	}
	var register string
	for _, command := range commandsOf(t, "running-a-relay.md") {
		line := strings.NewReplacer(own...).Replace(command)
		switch {
		case strings.HasPrefix(command, "cowboy-relay init"):
			out := s.run(line)
			own = append(own, "ADDRESS", regexp.MustCompile(`relay (0x[0-9a-fA-F]{40})`).FindStringSubmatch(out)[1])
			register = strings.TrimSpace(out[strings.Index(out, "cowboy relay register"):])
		case strings.HasPrefix(command, "cowboy relay register"):
			if begins, _, _ := strings.Cut(line, "…"); !strings.HasPrefix(register, begins) {
				t.Errorf("init prints %q", register)
			}
			s.run(register)
		case command == "cowboy-relay doctor":
			if out := s.run(line); strings.Contains(out, "BAD  ") || strings.Count(out, "ok ") != 7 {
				t.Errorf("the doctor says\n%s", out)
			}
		case command == "cowboy-relay start":
			s.begin(line)
			s.until("the relay is active", func() bool { return strings.Contains(s.run("cowboy relay list"), "\n6 active.") })
			s.run("cowboy retention create report.pdf --start 1 --end 3 --replicas 1 --rate 1 --cadence 1 --samples 1 --sampling CHUNK_INDEX --penalty BOTH " +
				"--stake 100 --slash 10 --strikes 2 --coins 2 --wait")
			own = append(own, "CONTRACT", regexp.MustCompile(`0x[0-9a-f]{64}`).FindString(s.run("cowboy retention ls")))
		case strings.HasPrefix(command, "cowboy retention get"):
			s.until("it provides", func() bool { return strings.Contains(s.run("cowboy retention ls"), "1 of 1 providers") })
			s.run(line)
		default:
			s.run(line)
		}
	}
	for _, name := range []string{"copy.pdf", "copy.bin"} {
		if got, err := os.ReadFile(filepath.Join(s.dir, name)); err != nil || string(got) != report {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
	if out := s.run("cowboy volume ls docs"); strings.Contains(out, "report.pdf") {
		t.Errorf("it is not removed: %s", out)
	}
}
