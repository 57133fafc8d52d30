package script

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// streaming is a model behind an endpoint that answers word by word, as OpenAI's protocol streams.
func streaming(t *testing.T, words int) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			Stream bool `json:"stream"`
		}
		if json.NewDecoder(r.Body).Decode(&asked) != nil || !asked.Stream {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range words {
			const part = `data: {"id":"1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"content":"w%d "}}]}` + "\n\n"
			fmt.Fprintf(w, part, i)
		}
		fmt.Fprint(w, "data: [DONE]\n\n")
	}))
	t.Cleanup(s.Close)
	return s
}

// A payer opens a session for the prices of a runner, asks its model twice and pays for each word by a voucher. The runner, a process, is killed after that and
// started again; the payer closes the session, and the runner settles the newest voucher: exactly what was told is paid, and the rest goes back.
//
// Spec: gateway-payments-streams §D; WP §9 (0x0C).
func TestAnswersAreSoldByTheWord(t *testing.T) {
	t.Parallel()
	port := freePorts(t, 2)
	m := &market{t: t, dir: t.TempDir(), url: fmt.Sprintf("http://127.0.0.1:%d", port)}
	s := &shelves{market: m}
	s.begin(fmt.Sprintf("cowboyd --rpc-port %d --data-dir data --mining auto --block-time 1s --rpc-rate 0", port))
	m.until("the node is up", func() bool { return m.read("/health/ready", new(any)) })
	m.run("cowboy init local")
	model := streaming(t, 100)
	runner := regexp.MustCompile(`0x[0-9a-fA-F]{40}`).FindString(m.run("cowboy-runner init --data-dir runner --rpc-url " + m.url))
	m.run("cowboy dev balance " + runner + " 30000")
	m.run("cowboy runner register --stake 20000 --wait --private-key runner/runner.pem")
	at := fmt.Sprintf("127.0.0.1:%d", port+1)
	config, err := os.ReadFile(filepath.Join(m.dir, "runner", "config.toml"))
	if err != nil {
		t.Fatal(err)
	}
	m.write("runner/config.toml", string(config)+fmt.Sprintf("\n[[model]]\nid = \"\"\nurl = %q\nname = \"m\"\n\n[sessions]\nlisten = %q\n"+
		"per_request = \"0.001\"\nper_piece = \"0.00002\"\nsettle_at = \"1\"\n", model.URL+"/v1", at))
	process := s.begin("cowboy-runner start --data-dir runner")
	var terms string
	m.until("the runner tells its prices", func() bool {
		x, err := http.Get("http://" + at + "/terms")
		if err == nil {
			_ = x.Body.Close()
		}
		return err == nil
	})
	terms = m.run("cowboy session terms --url http://" + at)
	advert := regexp.MustCompile(`Price advert: (0x[0-9a-f]{64})`).FindStringSubmatch(terms)[1]
	opened := m.run("cowboy session open --runner " + runner + " --deposit 1 --price-advert " + advert + " --wait")
	session := regexp.MustCompile(`Session: (0x[0-9a-f]{64})`).FindStringSubmatch(opened)[1]

	for range 2 {
		out := m.run("cowboy session ask --session " + session + " --url http://" + at + " why")
		if !strings.HasPrefix(out, "w0 w1 w2 ") || !strings.Contains(out, "\n100 pieces for 0.003 CBY\n") {
			t.Fatal(out)
		}
	}
	m.until("the vouchers are on the disk", func() bool {
		data, err := os.ReadFile(filepath.Join(m.dir, "runner", "vouchers", "vouchers"))
		return err == nil && strings.Contains(string(data), `"cumulative_amount":"6000000"`)
	})
	if err := process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = process.Wait()
	m.run("cowboy session close --session " + session + " --wait")
	s.begin("cowboy-runner start --data-dir runner")
	var v wire.Session
	m.until("the runner settles", func() bool { return m.read("/session/"+session, &v) && v.Spent > 0 })
	if v.Spent != 6_000_000 || v.Status != "closing" {
		t.Errorf("%+v", v)
	}
	m.run("cowboy dev mine 75")
	m.run("cowboy session finalize --session " + session + " --wait")
	if !m.read("/session/"+session, &v) || v.Status != "settled" || v.Deposit-v.Spent != 994_000_000 {
		t.Errorf("%+v", v)
	}
}
