package script

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestOperating runs every command of docs/operating.md, in order, in one directory, and compares what it prints. Only the ports are others, and
// the passwords of key files are cheap to try.
//
// Spec: node-rpc-cli §6.
func TestOperating(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	d := &document{t: t, dir: t.TempDir(), ports: map[string]string{}}
	t.Cleanup(d.end)
	for _, block := range consoles(string(text)) {
		for _, c := range block {
			d.run(c)
		}
		d.settle()
	}
	if len(d.nodes) != 7 {
		t.Errorf("%d nodes were started", len(d.nodes))
	}
}

// command is a line behind a $ with what it prints.
type command struct{ line, output string }

// consoles are the console blocks of a page.
func consoles(text string) (blocks [][]command) {
	for _, part := range strings.Split(text, "```console\n")[1:] {
		body, _, _ := strings.Cut(part, "```")
		var block []command
		for _, line := range strings.SplitAfter(body, "\n") {
			if c, ok := strings.CutPrefix(line, "$ "); ok {
				block = append(block, command{line: strings.TrimSpace(c)})
			} else if len(block) > 0 {
				block[len(block)-1].output += line
			}
		}
		blocks = append(blocks, block)
	}
	return blocks
}

// document is a page being followed.
type document struct {
	t     *testing.T
	dir   string
	ports map[string]string // of the page → free ones
	nodes []*process
	fresh []string // addresses of nodes started since the last block
}

type process struct {
	*exec.Cmd
	log bytes.Buffer
}

// makesKeys matches the commands that write sealed keys.
var makesKeys = regexp.MustCompile(`^cowboyd (init|genesis accept|keys password|signer init) `)

var portOf = regexp.MustCompile(`\b4[023]0\d\b`)

// port replaces the page's ports.
func (d *document) port(text string) string {
	return portOf.ReplaceAllStringFunc(text, func(p string) string {
		if d.ports[p] == "" {
			d.ports[p] = fmt.Sprint(freePorts(d.t, 1))
		}
		return d.ports[p]
	})
}

func (d *document) run(c command) {
	line, background := strings.CutSuffix(d.port(c.line), " &")
	if makesKeys.MatchString(line) {
		line += " --light-keys"
	}
	if background {
		d.start(line)
		return
	}
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Env = d.dir, os.Environ()
	if port := d.ports["4000"]; port != "" { // what clients ask unless they are told otherwise
		cmd.Env = append(cmd.Env, "COWBOY_RPC_URL=http://localhost:"+port)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		d.t.Fatalf("$ %s\n%s%v", c.line, out, err)
	}
	if want := pattern(d.port(c.output)); !want.Match(out) {
		d.t.Errorf("$ %s\nprints\n%s\nand not\n%s", c.line, out, c.output)
	}
}

// pattern is the output of a page, in which … is anything.
func pattern(text string) *regexp.Regexp {
	return regexp.MustCompile(`(?s)^` + strings.ReplaceAll(regexp.QuoteMeta(text), "…", ".*") + `$`)
}

var rpcPort = regexp.MustCompile(`--rpc-port (\d+)`)

var directory = regexp.MustCompile(`--data-dir (\S+)`)

func (d *document) start(line string) {
	p := &process{Cmd: exec.Command("sh", "-c", "exec "+line)}
	p.Dir, p.Stdout, p.Stderr = d.dir, &p.log, &p.log
	if err := p.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.nodes = append(d.nodes, p)
	if strings.HasPrefix(line, "cowboyd signer run ") {
		return
	}
	found := directory.FindStringSubmatch(line)
	if found == nil {
		d.t.Fatalf("$ %s: no data directory", line)
	}
	if port := rpcPort.FindStringSubmatch(line); port != nil { // a development network, which has no configuration
		d.fresh = append(d.fresh, "127.0.0.1:"+port[1])
		return
	}
	configuration, err := os.ReadFile(filepath.Join(d.dir, found[1], "config.toml"))
	if err != nil {
		d.t.Fatal(err)
	}
	at := regexp.MustCompile(`127\.0\.0\.1:\d+`).Find(configuration)
	d.fresh = append(d.fresh, string(at))
}

// settle waits until the nodes of a block are ready.
func (d *document) settle() {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for _, at := range d.fresh {
		ready := false
		for range 1_200 {
			if resp, err := http.Get("http://" + at + "/health/ready"); err == nil {
				_ = resp.Body.Close()
				if ready = resp.StatusCode == http.StatusOK; ready {
					break
				}
			}
			<-tick.C
		}
		if !ready {
			d.t.Fatalf("the node at %s is never ready", at)
		}
	}
	d.fresh = nil
}

// end stops the nodes in order.
func (d *document) end() {
	for _, p := range d.nodes {
		_ = p.Process.Signal(syscall.SIGTERM)
	}
	for i, p := range d.nodes {
		if err := p.Wait(); err != nil || d.t.Failed() {
			d.t.Logf("node %d: %v\n%s", i, err, p.log.Bytes())
		}
	}
}
