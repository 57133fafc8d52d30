package browser

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/cowboyinc/cowboy-go/cmd/cowboy-gateway/operate"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/cli"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/daemon"
	"github.com/cowboyinc/cowboy-go/testkit/ports"
)

var shots = flag.String("shots", "", "directory for pictures of the pages")

// role makes the test binary one of the project's commands.
const role = "COWBOY_BROWSER_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "cowboyd":
		os.Exit(daemon.Main(os.Args[1:], os.Stdout, os.Stderr))
	case "cowboy":
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	case "cowboy-gateway":
		os.Exit(operate.Main(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func command(t *testing.T, as, dir string, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0], args...)
	c.Dir = dir
	c.Env = append(os.Environ(), role+"="+as)
	return c
}

// chain is a running node with the agent and its journal on it.
type chain struct {
	url, dir       string // dir holds the project with the wallet
	agent, journal string
	token          string
}

// start runs a node, with further flags, and what the pages of most tests show.
func start(t *testing.T, flags ...string) *chain {
	t.Helper()
	free, err := ports.Reserve(1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(free.Release)
	port := fmt.Sprint(free.First)
	dir := t.TempDir()
	node := command(t, "cowboyd", dir, append([]string{"--memory", "--rpc-port", port, "--block-time", "200ms", "--rpc-rate", "0"}, flags...)...)
	var log bytes.Buffer
	node.Stdout, node.Stderr = &log, &log
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = node.Process.Signal(os.Interrupt)
		if err := node.Wait(); err != nil {
			t.Errorf("the node: %v\n%s", err, log.String())
		}
	})
	n := &chain{url: "http://127.0.0.1:" + port, dir: dir}
	n.await(t, "/health/ready", func(status int, _ string) bool { return status == http.StatusOK })
	t.Setenv("COWBOY_RPC_URL", n.url)
	run := func(args ...string) string { return n.run(t, args...) }
	examples, err := filepath.Abs("../examples")
	if err != nil {
		t.Fatal(err)
	}
	run("init", "local")
	n.journal = created(t, run("actor", "deploy", "--code", examples+"/journal.py", "--salt", "0x01", "--wait"))
	n.agent = created(t, run("actor", "deploy", "--code", examples+"/agent.py", "--salt", "0x02", "--no-init", "--wait"))
	run("fund-actor", "--actor", n.agent, "--amount", "500", "--wait")
	run("actor", "execute", "--actor", n.agent, "--handler", "init", "--payload-json", `{"journal":"`+n.journal+`","every":2}`, "--wait")
	made := run("token", "create", "--name", "Trail dollars", "--symbol", "TRAIL", "--decimals", "6", "--initial-supply", "5000000000000", "--wait")
	n.token = regexp.MustCompile(`Returned: (0x[0-9a-f]{64})`).FindStringSubmatch(made)[1]
	run("token", "transfer", "--token-id", n.token, "--to", n.journal, "--amount", "700000500000", "--wait")
	n.await(t, "/token/"+n.token+"/holders", func(_ int, body string) bool { return strings.Contains(body, `"total_count":2`) })
	n.await(t, "/actor/"+n.journal+"/logs", func(_ int, body string) bool { return strings.Contains(body, `"kind":"message"`) })
	return n
}

// run gives what the cowboy command prints.
func (n *chain) run(t *testing.T, args ...string) string {
	t.Helper()
	out, err := command(t, "cowboy", n.dir, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("cowboy %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// created is the actor a deployment tells of.
func created(t *testing.T, out string) string {
	t.Helper()
	found := regexp.MustCompile(`Actor address: (0x[0-9a-fA-F]{40})`).FindStringSubmatch(out)
	if found == nil {
		t.Fatalf("no address in %s", out)
	}
	return found[1]
}

// await asks until the answer is right.
func (n *chain) await(t *testing.T, path string, ok func(status int, body string) bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for range 1_500 {
		if reply, err := http.Get(n.url + path); err == nil {
			var body bytes.Buffer
			_, err = body.ReadFrom(reply.Body)
			_ = reply.Body.Close()
			if err == nil && ok(reply.StatusCode, body.String()) {
				return
			}
		}
		<-tick.C
	}
	t.Fatalf("%s never answers as it should", path)
}

// tab opens a browser tab that collects what goes wrong in it.
func tab(t *testing.T, width, height int64, dark bool) context.Context {
	t.Helper()
	return tabWith(t, width, height, dark, nil, "nothing")
}

// tabWith is tab with more flags of the browser, in which addresses with a text in them may be refused.
func tabWith(t *testing.T, width, height int64, dark bool, flags []chromedp.ExecAllocatorOption, missing string) context.Context {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no Chromium on this machine")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.Flag("no-sandbox", true), chromedp.Flag("disable-gpu", true),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.UserDataDir(t.TempDir()))
	options = append(options, flags...)
	allocator, cancelAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancelAllocator)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	ctx, cancelTimeout := context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancelTimeout)
	var mu sync.Mutex
	var wrong []string
	err = chromedp.Listen(ctx, func(event any) {
		mu.Lock()
		defer mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			wrong = append(wrong, e.ExceptionDetails.Text)
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeAssert {
				wrong = append(wrong, "the console has an error")
			}
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError && !strings.Contains(e.Entry.URL, missing) {
				wrong = append(wrong, e.Entry.Text+" "+e.Entry.URL)
			}
		case *network.EventResponseReceived:
			if e.Response.Status >= 400 && !strings.Contains(e.Response.URL, missing) {
				wrong = append(wrong, fmt.Sprintf("%d for %s", e.Response.Status, e.Response.URL))
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		for _, w := range wrong {
			t.Errorf("in the browser: %s", w)
		}
	})
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, height)); err != nil {
		t.Fatal(err)
	}
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, media); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// sight is what a look at a page tells.
type sight struct {
	Title, Heading, Text string
	Wide                 bool // it must be scrolled sideways
	Back                 string
}

func look(t *testing.T, ctx context.Context, what string, actions ...chromedp.Action[chromedp.Void]) sight {
	t.Helper()
	if err := chromedp.Do(ctx, append(actions, chromedp.WaitReady("footer"))...); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	p, err := chromedp.Run(ctx, chromedp.Evaluate[sight](`({
		Title: document.title, Heading: document.querySelector("h1").textContent, Text: document.body.innerText,
		Wide: document.documentElement.scrollWidth > innerWidth, Back: getComputedStyle(document.body).backgroundColor})`))
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if p.Wide {
		t.Errorf("%s must be scrolled sideways", what)
	}
	if *shots != "" {
		picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(*shots, what+".png"), picture, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// press clicks what an expression finds, in one step: a live page replaces its content between two.
func press(found string) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Evaluate[bool]("("+found+").click() === undefined")(ctx, t)
		return chromedp.Void{}, err
	}
}

// seek writes into the search field, in one step as press does.
func seek(word string) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Evaluate[string](fmt.Sprintf("document.querySelector('input[name=q]').value = %q", word))(ctx, t)
		return chromedp.Void{}, err
	}
}

// TestExplorer clicks through every page on a desktop in light and on a telephone in dark.
func TestExplorer(t *testing.T) {
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("no Chromium on this machine")
	}
	n := start(t)
	for _, screen := range []struct {
		name          string
		width, height int64
		dark          bool
		back          string
	}{
		{"desktop", 1280, 900, false, "rgb(251, 250, 247)"},
		{"telephone", 390, 844, true, "rgb(23, 21, 19)"},
	} {
		t.Run(screen.name, func(t *testing.T) {
			ctx := tab(t, screen.width, screen.height, screen.dark)
			see := func(name, heading, text string, actions ...chromedp.Action[chromedp.Void]) {
				t.Helper()
				p := look(t, ctx, screen.name+"-"+name, actions...)
				if !strings.HasPrefix(p.Heading, heading) || !strings.Contains(p.Text, text) || p.Back != screen.back {
					t.Errorf("%s: heading %q, background %s, text %.400q; want %q, %s and %q", name, p.Heading, p.Back, p.Text, heading, screen.back, text)
				}
			}
			see("overview", "Overview", "Cycle basefee", chromedp.Navigate(n.url+"/explorer/"))
			const final = `document.querySelector(".status a").textContent`
			before, err := chromedp.Run(ctx, chromedp.Evaluate[string](final))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := chromedp.Run(ctx, chromedp.Poll[bool](fmt.Sprintf("%s !== %q", final, before))); err != nil {
				t.Errorf("the page stays at block %s and does not follow the chain: %v", before, err)
			}
			for _, link := range []struct{ path, name, heading, text string }{
				{"blocks", "blocks", "Blocks", "Older"}, {"timers", "timers", "Timers ahead", "tick"}, {"validators", "validators", "Validators", "Share"},
				{"runners", "runners", "Runners", "No job waits"}, {"parameters", "parameters", "Parameters", "system:basefee_config"},
				{"tree", "tree", "Supervision tree", "replica"}, {"actors", "actors", "Actors", "Journal"},
				{"activity", "activity", "Activity", "Timers fired"},
				{"tokens", "tokens", "Tokens", "TRAIL"}, {"proposals", "proposals", "Proposals", "roposal"}, {"wall", "wall", "Wall", "The river"},
			} {
				text := link.text
				if link.path == "blocks" {
					text = "Proposer"
				}
				see(link.name, link.heading, text, press(`document.querySelector('nav a[href="/explorer/`+link.path+`"]')`),
					chromedp.WaitReady(`nav a[aria-current][href="/explorer/`+link.path+`"]`))
			}
			// a person looks for the journal, follows its newest message to what caused it, and from there to the block and the agent
			see("found", "Found", "Journal", seek("record"), press(`document.querySelector("form button")`),
				chromedp.WaitReady(`td a.who`))
			see("actor", "Journal, actor", "journal", seek(n.journal), press(`document.querySelector("form button")`),
				chromedp.WaitReady(`.source`))
			see("trace", "Execution", "agent.tick", press(
				`[...document.querySelectorAll("td:first-child a[href^='/explorer/tx/']")].`+
					`find(a => a.parentNode.nextElementSibling.textContent === "message")`), chromedp.WaitReady(".trace"))
			see("block", "Block", "State root", press(`document.querySelector('.trace article a[href^="/explorer/block/"]')`), chromedp.WaitReady(".pager"))
			see("cycles", "Cycles by line, Journal", "Dearest lines", chromedp.Navigate(n.url+"/explorer/account/"+n.journal+"/cycles"),
				chromedp.WaitReady(`tr[class^="heat-"]`))
			see("token", "Token TRAIL", "700\u202f000.5", chromedp.Navigate(n.url+"/explorer/token/"+n.token))
			see("agent", "Agent, actor", "wakes", chromedp.Navigate(n.url+"/explorer/account/"+n.agent))
			see("missing", "Not found", "there is no such page", chromedp.Navigate(n.url+"/explorer/nothing"))
		})
	}
}

// TestWithoutScript shows the same pages to a browser that runs no script.
func TestWithoutScript(t *testing.T) {
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("no Chromium on this machine")
	}
	n := start(t)
	ctx := tab(t, 800, 600, false)
	if _, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(n.url+"/explorer/"), chromedp.Click(`nav a[href="/explorer/blocks"]`),
		chromedp.WaitReady(`nav a[aria-current][href="/explorer/blocks"]`)); err != nil {
		t.Fatal(err)
	}
	rows, err := chromedp.Run(ctx, chromedp.Evaluate[int](`document.querySelectorAll("tbody tr").length`))
	if err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.SendKeys(`input[name=q]`, "1\r"), chromedp.WaitReady(".facts")); err != nil {
		t.Fatal(err)
	}
	path, err := chromedp.Run(ctx, chromedp.Location())
	if err != nil || rows < 3 || path != n.url+"/explorer/block/1" {
		t.Errorf("%d blocks listed, then at %s, %v", rows, path, err)
	}
}
