package gateway

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/payment"
	"github.com/cowboyinc/cowboy-go/chain/payment/present"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// clientDir names a directory with @x402/fetch, @x402/evm and viem in its node_modules, and mppDir one with mppx and viem: with it the test lets that client
// pay, instead of what was recorded.
const (
	clientDir = "COWBOY_X402_CLIENT"
	mppDir    = "COWBOY_MPP_CLIENT"
)

const (
	clientVectors = "testdata/x402client.json"
	mppVectors    = "testdata/mppclient.json"
	clientPath    = "/hay/1?size=2"
)

// clientExchange is a request of the client and what it was answered.
type clientExchange struct {
	Status    int    `json:"status"`
	Signature string `json:"signature"` // PAYMENT-SIGNATURE of the request
	Required  string `json:"required"`  // PAYMENT-REQUIRED of the answer
	Response  string `json:"response"`  // PAYMENT-RESPONSE of the answer
}

// clientRun is all that went over the wire.
type clientRun struct {
	Payer     string           `json:"payer"`
	Body      string           `json:"body"`
	Exchanges []clientExchange `json:"exchanges"`
}

// A public client of x402, unmodified, pays for a page. Its run is recorded: the gateway asks for what it asked then, byte for byte, takes what the client
// signed then, and answers what the client took. With a directory of the client's packages the client itself runs.
//
// Source of the vectors: @x402/fetch 2.27.0 with @x402/evm and viem, by testdata/x402client.mjs.
//
// Spec: gateway-payments-streams §F (x402; scheme exact).
func TestThePublicX402Client(t *testing.T) {
	w, g := newWorld(), newGate(t, func(*payment.Policy) {})
	w.query = hello
	s := paid(t, w, g)
	if dir := os.Getenv(clientDir); dir != "" {
		checkClient(t, runClient(t, dir, "x402client.mjs", clientVectors, s.URL))
	} else {
		data, err := os.ReadFile(clientVectors)
		if err != nil {
			t.Fatal(err)
		}
		run := checkClient(t, data)
		x, _ := call(t, s, "GET", host, clientPath, "")
		if got := x.Header.Get(headerRequired); got != run.Exchanges[0].Required {
			t.Errorf("it asks for %s, the client was asked for %s", got, run.Exchanges[0].Required)
		}
		x, body := call(t, s, "GET", host, clientPath, "", headerSignature, run.Exchanges[1].Signature)
		if x.StatusCode != 200 || body != run.Body || x.Header.Get(headerResponse) != run.Exchanges[1].Response {
			t.Errorf("%d %q %s", x.StatusCode, body, x.Header.Get(headerResponse))
		}
		byCurl(t, s, 402, errPayment, "GET", host, clientPath, "", headerSignature, run.Exchanges[1].Signature) // it was used
	}
	if got := g.coins(t); got != [4]unit.Amount{9_000, 950, 50, 0} { // 1,000, of which 5 % are the protocol's
		t.Errorf("%v", got)
	}
}

// checkClient holds a run to what the client should have been asked and told.
func checkClient(t *testing.T, data []byte) *clientRun {
	t.Helper()
	run := new(clientRun)
	if err := json.Unmarshal(data, run); err != nil || len(run.Exchanges) != 2 {
		t.Fatalf("%v %s", err, data)
	}
	asked, paid := run.Exchanges[0], run.Exchanges[1]
	raw, err := base64.StdEncoding.DecodeString(paid.Response)
	var done present.SettlementResponse
	if err != nil || json.Unmarshal(raw, &done) != nil || !done.Success || !strings.EqualFold(done.Payer, payerKey(t).Address().String()) {
		t.Errorf("%s %v", raw, err)
	}
	payer := payerKey(t).Address().String()
	if asked.Status != 402 || asked.Signature != "" || paid.Status != 200 || run.Body != "hello" || !strings.EqualFold(run.Payer, payer) {
		t.Errorf("%+v", run)
	}
	return run
}

// runClient lets a client pay at a server, and records what it says where that is asked for.
func runClient(t *testing.T, dir, name, vectors, server string) []byte {
	t.Helper()
	for _, file := range []string{"wire.mjs", name} {
		script, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), script, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	client := exec.CommandContext(t.Context(), "node", filepath.Join(dir, name), server, host, clientPath, fmt.Sprint(noon.Unix()))
	var failed bytes.Buffer
	client.Stderr = &failed
	out, err := client.Output()
	if err != nil {
		t.Fatal(err, failed.String())
	}
	if golden.Rewrite() {
		golden.File(t, vectors, out)
	}
	return out
}

// mppRun is what went over the wire between the public client of MPP and the gateway, and what the client made of it.
type mppRun struct {
	clientRun
	Receipt struct {
		Status    string `json:"status"`
		Method    string `json:"method"`
		Reference string `json:"reference"`
	} `json:"receipt"`
}

// The public client of MPP, unmodified, reads the challenge, answers with a credential of the method "cowboy" and takes the receipt. Its run is recorded: the
// gateway asks for what it asked then, byte for byte, takes what the client answered then, and gives the receipt that the client read.
//
// Source of the vectors: mppx 0.11.0 with viem, by testdata/mppclient.mjs.
//
// Spec: gateway-payments-streams §F (MPP).
func TestThePublicMPPClient(t *testing.T) {
	w, g := newWorld(), newGate(t, func(*payment.Policy) {})
	w.query = hello
	s := paid(t, w, g)
	var data []byte
	dir := os.Getenv(mppDir)
	if dir != "" {
		data = runClient(t, dir, "mppclient.mjs", mppVectors, s.URL)
	} else {
		var err error
		if data, err = os.ReadFile(mppVectors); err != nil {
			t.Fatal(err)
		}
	}
	var run mppRun
	if err := json.Unmarshal(data, &run); err != nil || len(run.Exchanges) != 2 {
		t.Fatalf("%v %s", err, data)
	}
	asked, answered := run.Exchanges[0], run.Exchanges[1]
	if asked.Status != 402 || asked.Signature != "" || answered.Status != 200 || run.Body != "hello" || run.Receipt.Status != "success" ||
		run.Receipt.Method != methodCowboy || len(run.Receipt.Reference) != 66 || !strings.EqualFold(run.Payer, payerKey(t).Address().String()) {
		t.Errorf("%+v", run)
	}
	if dir == "" {
		x, _ := call(t, s, "GET", host, clientPath, "")
		if got := x.Header.Get("Www-Authenticate"); got != asked.Required {
			t.Errorf("it asks for %s, the client was asked for %s", got, asked.Required)
		}
		x, body := call(t, s, "GET", host, clientPath, "", "Authorization", answered.Signature)
		if x.StatusCode != 200 || body != run.Body || x.Header.Get(headerReceipt) != answered.Response {
			t.Errorf("%d %q %s", x.StatusCode, body, x.Header.Get(headerReceipt))
		}
		byCurl(t, s, 402, errPayment, "GET", host, clientPath, "", "Authorization", answered.Signature) // it was used
	}
	if got := g.coins(t); got != [4]unit.Amount{9_000, 950, 50, 0} {
		t.Errorf("%v", got)
	}
}
