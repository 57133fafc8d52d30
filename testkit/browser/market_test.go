package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// Files of the market's story. Every number of a price is in base units.
const (
	marketDeclaration = `{"rate_card": {"llm_output_token": 30, "max_job_value": 13000000000000, "supported_mcp_servers": ["search", "mail"]},
		"capabilities": {"job_types": ["llm", "http"], "http_domains": ["*.example.org"], "regions": ["eu"], "max_concurrent_jobs": 4},
		"endpoint": "quic://runner.example:7000"}`
	marketSpec = `{"job_type": {"Llm": {"prompt": "Is this a loan? Answer as JSON.", "max_tokens": 10}}, "verification": %s, "max_price": 1000000000,
		"tip": 250000000, "bounds": {"max_output_tokens": 10, "max_wall_time_seconds": 5, "max_retries": 0}, "timeout_blocks": %d}`
	marketMode = `{"mode": "majority_vote", "runners": 3, "threshold": 2, "vote_field": "answer"}`
)

// market has three runners, a job that they answered, and one that nobody answers.
type market struct {
	*chain
	runners        []string
	answered, open string
}

func (m *market) file(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.WriteFile(filepath.Join(m.dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// submit gives a job's identity, when its runners are drawn.
func (m *market) submit(t *testing.T, spec string) string {
	t.Helper()
	out := m.run(t, "job", "submit", "--job-spec", m.file(t, "job.json", spec), "--wait")
	found := regexp.MustCompile(`Returned: (0x[0-9a-f]{64})`).FindStringSubmatch(out)
	if found == nil {
		t.Fatalf("no identity in %s", out)
	}
	m.await(t, "/job/"+found[1], func(_ int, body string) bool { return strings.Contains(body, `"status":"Assigned"`) })
	return found[1]
}

func openMarket(t *testing.T) *market {
	t.Helper()
	m := &market{chain: start(t)}
	m.file(t, "declaration.json", marketDeclaration)
	for i := range 3 {
		key := fmt.Sprintf("runner%d.key", i)
		out := m.run(t, "wallet", "create", "--output", key)
		address := regexp.MustCompile(`0x[0-9a-fA-F]{40}`).FindString(out)
		m.runners = append(m.runners, address)
		m.run(t, "dev", "balance", address, "100000")
		m.run(t, "--private-key", key, "runner", "register", "--declaration", "declaration.json", "--stake", fmt.Sprint(20_000+i*7_000), "--wait")
	}
	m.answered = m.submit(t, fmt.Sprintf(marketSpec, marketMode, 600))
	for i, answer := range []string{`{"answer": "yes", "amount": 1250, "currency": "EUR"}`, `{"answer": "yes", "amount": 1250, "currency": "EUR"}`,
		`{"answer": "no", "amount": 1205, "currency": "EUR", "note": "<b>it is a gift</b>"}`} {
		result, _ := json.Marshal(map[string]any{
			"outcome": "success", "data": fmt.Sprintf("0x%x", answer), "usage": map[string]int{"output_tokens": 4}, "timestamp": 1_767_225_600,
		})
		m.file(t, fmt.Sprintf("result%d.json", i), string(result))
	}
	for _, step := range []string{"commit", "reveal"} {
		for i := range m.runners {
			key, result := fmt.Sprintf("runner%d.key", i), fmt.Sprintf("result%d.json", i)
			m.run(t, "--private-key", key, "runner", step, "--job-id", m.answered, "--result", result, "--wait")
		}
	}
	m.await(t, "/job/"+m.answered+"/verified", func(status int, _ string) bool { return status == 200 })
	m.open = m.submit(t, fmt.Sprintf(marketSpec, marketMode, 5_000))
	return m
}

// TestMarket looks at the market, at a runner, at a job that was answered and at one that waits, on a desktop in light and in dark and on a telephone.
func TestMarket(t *testing.T) {
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("no Chromium on this machine")
	}
	m := openMarket(t)
	for _, screen := range []struct {
		name          string
		width, height int64
		dark          bool
	}{{"desktop", 1280, 900, false}, {"dark", 1280, 900, true}, {"telephone", 390, 844, true}} {
		t.Run(screen.name, func(t *testing.T) {
			ctx := tab(t, screen.width, screen.height, screen.dark)
			see := func(name, text string, actions ...chromedp.Action[chromedp.Void]) {
				t.Helper()
				if p := look(t, ctx, "market-"+screen.name+"-"+name, actions...); !strings.Contains(p.Text, text) {
					t.Errorf("%s: %.600q without %q", name, p.Text, text)
				}
			}
			see("runners", "34000", chromedp.Navigate(m.url+"/explorer/runners"))
			see("runner", "Given to runners, none has committed itself", press(`document.querySelector('tbody a[href^="/explorer/runner/"]')`),
				chromedp.WaitReady(`a[href^="/explorer/job/"]`))
			see("open", "commitments are taken until", press(`document.querySelector('a[href="/explorer/job/`+m.open+`"]')`), chromedp.WaitReady(".life"))
			see("answered", "Answer B beside A", seek(m.answered), press(`document.querySelector("form button")`), chromedp.WaitReady(".differ"))
			see("submission", "Submitted job", press(`[...document.querySelectorAll(".facts a[href^='/explorer/tx/']")].pop()`),
				chromedp.WaitReady(`.outcome a[href="/explorer/job/`+m.answered+`"]`))
		})
	}
}
