// Command devnet is what `make devnet` runs: it starts a node, deploys the autonomous agent and its journal with the cowboy
// command, funds the agent, and shows blocks, timers, events and fees until it is interrupted.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

type demo struct {
	bin, examples, home, url string
	color                    bool
}

func main() {
	bin := flag.String("bin", "bin", "directory of the built commands")
	examples := flag.String("examples", "testkit/examples", "directory of the example actors")
	data := flag.String("data-dir", ".cowboyd", "directory of the chain")
	project := flag.String("project", "devnet", "directory of the project whose wallet owns the actors")
	port := flag.Int("rpc-port", 4000, "port of the node")
	blocks := flag.Uint64("blocks", 0, "stop after showing this many blocks (0: until Ctrl-C)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *bin, *examples, *data, *project, *port, *blocks); err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, "devnet:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, bin, examples, data, project string, port int, blocks uint64) error {
	var err error
	if bin, err = filepath.Abs(bin); err != nil {
		return err
	}
	if examples, err = filepath.Abs(examples); err != nil {
		return err
	}
	home, err := filepath.Abs(project)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	d := &demo{bin: bin, examples: examples, home: home, url: fmt.Sprintf("http://localhost:%d", port), color: terminal()}

	// The node gets a context of its own: Ctrl-C reaches it through its own signal handling and it stops in order.
	node := exec.Command(filepath.Join(bin, "cowboyd"), "--data-dir", data, "--rpc-port", fmt.Sprint(port))
	node.Stdout, node.Stderr = os.Stdout, os.Stderr
	if err := node.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- node.Wait() }()
	defer func() {
		_ = node.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(15 * time.Second):
			_ = node.Process.Kill()
		}
	}()
	if err := d.await(ctx, ended); err != nil {
		return err
	}
	if err := d.deploy(); err != nil {
		return err
	}
	return d.show(ctx, blocks)
}

// await returns when the node is ready, or says that it ended.
func (d *demo) await(ctx context.Context, ended <-chan error) error {
	for {
		resp, err := http.Get(d.url + "/health/ready")
		if err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case err := <-ended:
			return fmt.Errorf("the node ended before it was ready: %v", err)
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// deploy puts both actors on the chain the way a developer would.
func (d *demo) deploy() error {
	if _, err := d.cowboy("init", "local", "--rpc-url", d.url); err != nil {
		return err
	}
	journal, err := d.cowboy("actor", "deploy", "--code", filepath.Join(d.examples, "journal.py"), "--wait")
	if err != nil {
		return err
	}
	agent, err := d.cowboy("actor", "deploy", "--code", filepath.Join(d.examples, "agent.py"), "--no-init", "--wait")
	if err != nil {
		return err
	}
	actor := field(agent, "Actor address: ")
	if _, err := d.cowboy("fund-actor", "--actor", actor, "--amount", "500", "--wait"); err != nil {
		return err
	}
	payload := fmt.Sprintf(`{"journal":"%s","every":2}`, field(journal, "Actor address: "))
	_, err = d.cowboy("actor", "execute", "--actor", actor, "--handler", "init", "--payload-json", payload, "--wait")
	return err
}

func field(text, label string) string {
	for _, line := range strings.Split(text, "\n") {
		if value, ok := strings.CutPrefix(line, label); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// cowboy runs the command in the demo's own project folder and shows both.
func (d *demo) cowboy(args ...string) (string, error) {
	shown := make([]string, len(args))
	for i, arg := range args {
		shown[i] = strings.TrimPrefix(arg, filepath.Dir(filepath.Dir(d.examples))+"/")
		if strings.ContainsAny(arg, `{" `) {
			shown[i] = "'" + arg + "'"
		}
	}
	fmt.Printf("\n%s\n", d.bold("$ cowboy "+strings.Join(shown, " ")))
	cmd := exec.Command(filepath.Join(d.bin, "cowboy"), args...)
	cmd.Dir = d.home
	cmd.Env = append(os.Environ(), "COWBOY_RPC_URL="+d.url, "COWBOY_PRIVATE_KEY=")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	err := cmd.Run()
	fmt.Print(out.String())
	if err != nil {
		return "", fmt.Errorf("cowboy %s: %w", args[0], err)
	}
	return out.String(), nil
}

// show follows the node's stream: timers with what they cost, events of both actors.
func (d *demo) show(ctx context.Context, blocks uint64) error {
	fmt.Printf("\n%s\n\n", d.bold("Both actors live on their own now. Ctrl-C stops the node.\n"+
		"Look at them: "+d.url+"/explorer/\nThey are yours: cd "+filepath.Base(d.home)+" holds the wallet that deployed them."))
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.url+"/stream", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 8<<20)
	kind, seen := "", uint64(0)
	var burned unit.Amount
	for lines.Scan() {
		if text, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			kind = text
		}
		text, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		switch kind {
		case "event":
			var e wire.Event
			if json.Unmarshal([]byte(text), &e) == nil {
				fmt.Printf("    %s %s %s\n", d.paint("36", "event "+e.Topic), short(e.Actor), e.Text)
			}
		case "receipt":
			var r wire.Receipt
			if json.Unmarshal([]byte(text), &r) != nil {
				continue
			}
			burned += unit.Amount(r.FeeBurned)
			fmt.Printf("    %s %s %s, %d cycles, %d cells, %s CBY burned (%s since start)\n", d.paint("33", r.Kind),
				short(r.Target), r.Status, r.CyclesUsed, r.CellsUsed, unit.Amount(r.FeeBurned).CBY(), burned.CBY())
			if r.Error != nil {
				fmt.Printf("      %s %s: %s\n", r.Error.Slug, r.Error.What, r.Error.Why)
			}
		case "block":
			if seen++; blocks > 0 && seen >= blocks {
				return nil
			}
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return errors.New("the node closed its stream")
}

func short(address string) string {
	if len(address) < 12 {
		return address
	}
	return address[:6] + "…" + address[len(address)-4:]
}

func terminal() bool {
	info, err := os.Stdout.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func (d *demo) paint(code, text string) string {
	if !d.color {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (d *demo) bold(text string) string { return d.paint("1", text) }
