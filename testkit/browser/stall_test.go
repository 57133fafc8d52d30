package browser

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/testkit/ports"
)

// typedData is what a page asks a wallet to sign.
//
// Source: EIP-712.
type typedData struct {
	Types       map[string][]struct{ Name, Type string }
	PrimaryType string
	Domain      map[string]any
	Message     map[string]any
}

// hash is the hash of a struct of elementary fields.
func (d *typedData) hash(name string, values map[string]any) (digest.Hash, error) {
	var fields []string
	for _, f := range d.Types[name] {
		fields = append(fields, f.Type+" "+f.Name)
	}
	kind := digest.Keccak256([]byte(name + "(" + strings.Join(fields, ",") + ")"))
	data := kind[:]
	for _, f := range d.Types[name] {
		text, word := fmt.Sprint(values[f.Name]), make([]byte, 32)
		switch f.Type {
		case "string":
			h := digest.Keccak256([]byte(text))
			copy(word, h[:])
		case "uint256":
			n, ok := new(big.Int).SetString(text, 10)
			if !ok {
				return digest.Hash{}, fmt.Errorf("%s: %q", f.Name, text)
			}
			n.FillBytes(word)
		case "address", "bytes32":
			raw, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
			if err != nil || len(raw) > 32 {
				return digest.Hash{}, fmt.Errorf("%s: %q", f.Name, text)
			}
			copy(word[32-len(raw):], raw)
		default:
			return digest.Hash{}, errors.New(f.Type)
		}
		data = append(data, word...)
	}
	return digest.Keccak256(data), nil
}

// purse is a wallet of the browser: it shows its account and signs typed data, whatever a page asks for.
func purse(t *testing.T, key *sig.PrivateKey) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Allow-Private-Network", "true")
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost {
			return
		}
		if len(body) == 0 {
			fmt.Fprint(w, key.Address())
			return
		}
		decoder, d := json.NewDecoder(strings.NewReader(string(body))), typedData{}
		decoder.UseNumber()
		if err := decoder.Decode(&d); err != nil {
			t.Error(err)
		}
		domain, wrong := d.hash("EIP712Domain", d.Domain)
		message, err := d.hash(d.PrimaryType, d.Message)
		if err != nil || wrong != nil {
			t.Error(err, wrong)
		}
		fmt.Fprint(w, key.Sign(digest.Keccak256([]byte{0x19, 0x01}, domain[:], message[:])))
	}))
	t.Cleanup(s.Close)
	return s
}

// provider is what an extension gives pages, as EIP-1193 has it.
const provider = `window.ethereum = { request: async ({ method, params }) => {
	if (method === "eth_requestAccounts") return [await (await fetch(%[1]q, { method: "POST", body: "" })).text()]
	if (method === "eth_signTypedData_v4") return (await fetch(%[1]q, { method: "POST", body: params[1] })).text()
	throw new Error(method)
} }`

// A visitor opens a name over HTTPS and sees the actor's own page; what it sells is 402; the visitor's wallet signs, the bale is shown, and the page proves the
// receipt of the payment against its block, with a verifier that shares no line with the node. A light client that trusts the genesis alone finds the same
// block through the same gateway.
//
// Spec: gateway-payments-streams §B, §C, §F; WP §2.5.
func TestBuyingInABrowser(t *testing.T) {
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("no Chromium on this machine")
	}
	n := start(t)
	secret := binary.BigEndian.AppendUint64(make([]byte, 24), 5)
	key, err := sig.ParsePrivateKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	n.run(t, "dev", "balance", key.Address().String(), "10")
	mine := regexp.MustCompile(`0x[0-9a-fA-F]{40}`).FindString(n.run(t, "wallet", "address"))
	n.run(t, "dev", "balance", mine, "100000")
	code := stallCode(t)
	if err := os.WriteFile(filepath.Join(n.dir, "stall.py"), []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	const manifest = `{"entitlements":[{"id":"econ.hold_balance"},{"id":"ingress.http"},{"id":"storage.kv","params":{"max_bytes":1048576}}]}`
	stall := created(t, n.run(t, "actor", "deploy", "--code", "stall.py", "--salt", "0x01", "--manifest-json", manifest, "--wait"))
	n.run(t, "fund-actor", "--actor", stall, "--amount", "50", "--wait")
	n.run(t, "route", "register", "my-stall", "--actor", stall, "--blocks", "86400", "--wait")
	n.run(t, "gateway", "register", "--endpoint", "127.0.0.1", "--port", "443", "--wait")

	free, err := ports.Reserve(2)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(free.Release)
	secure, plain := fmt.Sprintf("127.0.0.1:%d", free.First), fmt.Sprintf("127.0.0.1:%d", free.First+1)
	gateway := command(t, "cowboy-gateway", n.dir, "serve", "--rpc-url", n.url, "--private-key", ".cowboy/keys/local", "--https", secure, "--http", plain,
		"--heartbeat", "0", "--data-dir", "gateway")
	var log strings.Builder
	gateway.Stderr = &log
	if err := gateway.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = gateway.Process.Signal(os.Interrupt)
		_ = gateway.Wait()
		if t.Failed() {
			t.Log(log.String())
		}
	})
	door := &chain{url: "http://" + plain}
	door.await(t, "/_cowboy/health", func(status int, _ string) bool { return status == http.StatusOK })

	ctx := tabWith(t, 1280, 900, false, []chromedp.ExecAllocatorOption{
		chromedp.Flag("host-resolver-rules", "MAP *.cowboy.network "+secure),
		chromedp.Flag("ignore-certificate-errors-spki-list", pin(t, secure, filepath.Join(n.dir, "gateway"))),
	}, "/hay/1")
	wallet := purse(t, key)
	source := page.AddScriptToEvaluateOnNewDocumentParams{Source: fmt.Sprintf(provider, wallet.URL)}
	if _, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, source); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.Navigate("https://my-stall.cowboy.network/"), chromedp.WaitReady("#buy")); err != nil {
		t.Fatal(err)
	}
	if heading := value[string](t, ctx, `document.querySelector("h1").textContent`); heading != "Hay" {
		t.Errorf("the page says %q", heading)
	}
	until(t, ctx, `document.getElementById("buy").onclick !== null`)
	if err := chromedp.Do(ctx, press(`document.getElementById("buy")`)); err != nil {
		t.Fatal(err)
	}
	until(t, ctx, `document.getElementById("proof").textContent !== ""`)
	text := func(id string) string {
		return value[string](t, ctx, fmt.Sprintf("document.getElementById(%q).textContent", id))
	}
	if text("price") != "402" || text("bale") != "200 a bale of hay for "+key.Address().String() {
		t.Errorf("%q %q", text("price"), text("bale"))
	}
	found := regexp.MustCompile(`^(0x[0-9a-f]{64}) block (\d+) (0x[0-9a-f]{64})$`).FindStringSubmatch(text("proof"))
	if found == nil {
		t.Fatalf("%q", text("proof"))
	}
	out := n.run(t, "light", "receipt", found[1], "--devnet", "1", "--rpc-url", door.url+"/_cowboy/chain")
	for _, want := range []string{"Block " + found[2] + " is final", "Hash: " + found[3], "success"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
	if out := n.run(t, "account", "balance", "--address", "0x00000000000000000000000000000000000a11ce"); !strings.Contains(out, "0.095") {
		t.Errorf("the seller has %s", out)
	}
	if *shots != "" {
		picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(*shots, "stall.png"), picture, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// stallCode is the actor with the verifier of package foreign in it, without what of it signs.
func stallCode(t *testing.T) string {
	t.Helper()
	code, err := os.ReadFile("testdata/stall.py")
	if err != nil {
		t.Fatal(err)
	}
	text := string(code)
	for name, file := range map[string]string{"@PRIMITIVES@": "primitives.mjs", "@PROOF@": "proof.mjs"} {
		source, err := os.ReadFile("../foreign/" + file)
		if err != nil {
			t.Fatal(err)
		}
		quoted, err := json.Marshal(strings.Replace(string(source), "import { createHmac } from 'node:crypto'", "const createHmac = null", 1))
		if err != nil {
			t.Fatal(err)
		}
		text = strings.Replace(text, name, string(quoted), 1)
	}
	return text
}

// pin is the hash of the key that a gateway shows for a name, once its certificate is one of the authority in its directory.
func pin(t *testing.T, at, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "authority.pem"))
	roots := x509.NewCertPool()
	if err != nil || !roots.AppendCertsFromPEM(text) {
		t.Fatal(err)
	}
	conn, err := tls.Dial("tcp", at, &tls.Config{RootCAs: roots, ServerName: "my-stall.cowboy.network"})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	hash := sha256.Sum256(conn.ConnectionState().PeerCertificates[0].RawSubjectPublicKeyInfo)
	return base64.StdEncoding.EncodeToString(hash[:])
}
